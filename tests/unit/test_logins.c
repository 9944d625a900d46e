/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who is logged in, as LIO, SCST and tgt tell it, and who is connected.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../src/agent/logins.h"
#include "hoploss/alloc.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define IQN   "iqn.2026-11.net.example:t"
#define OWNER "iqn.1993-08.org.debian:01:abc"
#define LIO   "sys/kernel/config/target/iscsi/" IQN "/tpgt_1/"
#define SCST  "sys/kernel/scst_tgt/targets/iscsi/" IQN "/sessions/"

static char directory[32];

static int setup(void **unused)
{
	(void)unused;
	strcpy(directory, "/tmp/hoploss-logins-XXXXXX");
	return mkdtemp(directory) ? 0 : -1;
}

static int teardown(void **unused)
{
	HL_FREE char *command = hl_printf("rm -r %s", directory);

	(void)unused;
	return system(command);
}

static void put(const char *name, const char *text)
{
	HL_FREE char *path = hl_printf("%s/%s", directory, name);
	FILE *file;

	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0700) < 0)
			assert_int_equal(errno, EEXIST);
		*slash = '/';
	}
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* Sessions of the owner; -1 = not seen. */
static int nr_in_kernel(void)
{
	struct hl_machine *machine = hl_machine_open(directory, NULL);
	unsigned nr = 77;
	bool is_seen = logins_in_kernel(machine, IQN, OWNER, &nr);

	hl_machine_close(machine);
	return is_seen ? (int)nr : -1;
}

static void lio_tells_of_a_session_with_an_acl(void **unused)
{
	(void)unused;
	assert_int_equal(nr_in_kernel(), -1);
	put(LIO "acls/" OWNER "/info",
	    "No active iSCSI Session for Initiator Endpoint: " OWNER "\n");
	assert_int_equal(nr_in_kernel(), 0);
	put(LIO "acls/" OWNER "/info",
	    "InitiatorName: " OWNER "\nInitiatorAlias: w1\nLIO Session ID: 2   ISID: 0x00 02 3d 03 "
	    "00 00  TSIH: 2  SessionType: Normal\nSession State: TARG_SESS_STATE_LOGGED_IN\n");
	assert_int_equal(nr_in_kernel(), 1);
}

static void lio_tells_of_a_session_without_an_acl(void **unused)
{
	(void)unused;
	put(LIO "dynamic_sessions", OWNER "d\n");
	assert_int_equal(nr_in_kernel(), 0);
	put(LIO "dynamic_sessions", "iqn.2026-11.net.example:x\n" OWNER "\n");
	assert_int_equal(nr_in_kernel(), 1);
}

static void scst_has_a_directory_for_each(void **unused)
{
	(void)unused;
	put(SCST OWNER "/initiator_name", OWNER "\n");
	put(SCST OWNER "_1/initiator_name", OWNER "\n");
	put(SCST OWNER "2/initiator_name", OWNER "2\n");
	put(SCST OWNER "_b/initiator_name", OWNER "_b\n");
	assert_int_equal(nr_in_kernel(), 2);
}

static void tgt_lists_them_by_target(void **unused)
{
	static const char text[] = "Target 1: iqn.2026-11.net.example:tt\n"
				   "    I_T nexus information:\n"
				   "        I_T nexus: 3\n"
				   "            Initiator: " OWNER " alias: none\n"
				   "Target 2: " IQN "\n"
				   "    I_T nexus information:\n"
				   "        I_T nexus: 1\n"
				   "            Initiator: " OWNER " alias: worker1\n"
				   "            Connection: 0\n"
				   "                IP Address: 127.0.0.1\n"
				   "        I_T nexus: 2\n"
				   "            Initiator: " OWNER "x alias: none\n"
				   "    LUN information:\n";
	unsigned nr = 77;

	(void)unused;
	assert_true(logins_in_tgt(text, IQN, OWNER, &nr));
	assert_int_equal(nr, 1);
	assert_true(logins_in_tgt(text, IQN, "iqn.other:b", &nr));
	assert_int_equal(nr, 0);
	assert_false(logins_in_tgt(text, "iqn.2026-11.net.example:no", OWNER, &nr));
	assert_false(logins_in_tgt("", IQN, OWNER, &nr));
	assert_false(logins_in_tgt("Target ", IQN, OWNER, &nr));
}

static void control_sockets_of_tgt_are_found_once_each(void **unused)
{
	unsigned numbers[2];

	(void)unused;
	assert_int_equal(
		logins_tgt_controls("Num RefCount\n0: 2 0 10000 1 1 41 /var/run/tgtd/socket.0\n"
				    "0: 3 0 0 1 3 42 /var/run/tgtd/socket.0\n"
				    "0: 2 0 0 1 1 43 /run/other/socket.9\n"
				    "0: 2 0 0 1 1 44 /run/tgtd/socket.17\n"
				    "0: 2 0 0 1 1 45 /run/tgtd/socket.x\n",
				    numbers, 2),
		2);
	assert_int_equal(numbers[0], 0);
	assert_int_equal(numbers[1], 17);
}

static void only_connected_peers_of_that_port_count(void **unused)
{
	struct hl_machine *machine = hl_machine_open(directory, NULL);
	struct hl_agent_logins logins = { 0 };

	(void)unused;
	put("proc/net/tcp", "  sl  local_address rem_address   st tx_queue rx_queue\n"
			    "   0: 00000000:0CBC 00000000:0000 0A 00000000:00000000\n"
			    "   1: 0100007F:0CBC 0200007F:9C40 01 00000000:00000000\n"
			    "   2: 0200007F:9C40 0100007F:0CBC 01 00000000:00000000\n"
			    "   3: 0100007F:0CBC 0200007F:9C41 06 00000000:00000000\n");
	put("proc/net/tcp6", "garbage\n   0: 0000000000000000FFFF00000100007F:0CBC "
			     "0000000000000000FFFF00000300007F:0001 01\n");
	logins_flows(machine, 3260, &logins);
	hl_machine_close(machine);
	assert_int_equal(logins.nr_flows, 2);
	assert_string_equal(logins.flows[0], "0200007F:9C40");
	assert_string_equal(logins.flows[1], "0000000000000000FFFF00000300007F:0001");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(lio_tells_of_a_session_with_an_acl),
		TEST(lio_tells_of_a_session_without_an_acl),
		TEST(scst_has_a_directory_for_each),
		TEST(tgt_lists_them_by_target),
		TEST(control_sockets_of_tgt_are_found_once_each),
		TEST(only_connected_peers_of_that_port_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
