/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The LUN in RAM: what a client sees of it, who is turned away, and that the engine reads from it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hoploss/engine.h"
#include "hoploss/ram_lun.h"
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct hl_ram_lun *serve(char *url, size_t size)
{
	struct hl_ram_lun *lun = NULL;
	struct hl_error err;

	if (hl_ram_lun_serve(20, &lun, url, size, &err) < 0)
		fail_msg("%s", err.text);
	return lun;
}

static void a_client_sees_a_disk(void **unused)
{
	char url[160];
	struct hl_ram_lun *lun = serve(url, sizeof(url));
	const struct hl_iscsi_login login = { .url = url, .timeout_s = 5 };
	struct hl_iscsi *session;
	struct hl_error err;

	(void)unused;
	if (hl_iscsi_open(&login, &session, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(hl_iscsi_size(session), HL_RAM_LUN_SIZE);
	assert_int_equal(hl_iscsi_block(session), 512);
	hl_iscsi_close(session);
	hl_ram_lun_stop(lun);
}

static void nobody_gets_in_without_the_token(void **unused)
{
	char url[160];
	struct hl_ram_lun *lun = serve(url, sizeof(url));
	const struct hl_iscsi_login login = { .url = url, .timeout_s = 5 };
	struct hl_iscsi *session;
	struct hl_error err;
	char *token = strstr(url, ":ram-") + 5;

	(void)unused;
	*token = *token == '0' ? '1' : '0';
	assert_int_equal(hl_iscsi_open(&login, &session, &err), -ENOENT);
	hl_ram_lun_stop(lun);
}

/* A login with those keys, not even ended by a NUL; returns class and detail of the answer, or -1.
 */
static int log_in_with(const char *url, const char *keys)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	unsigned char pdu[48 + 64] = { 0x43, 0x87 }, answer[48];
	int fd = socket(AF_INET, SOCK_STREAM, 0), status = -1;
	size_t len = strlen(keys);

	address.sin_port = htons((uint16_t)strtoul(url + strlen("iscsi://127.0.0.1:"), NULL, 10));
	assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	pdu[7] = (unsigned char)len;
	mempcpy(pdu + 48, keys, len); /* a key ends by its own NUL */
	assert_int_equal(write(fd, pdu, 48 + (len + 3) / 4 * 4), 48 + (len + 3) / 4 * 4);
	if (recv(fd, answer, sizeof(answer), MSG_WAITALL) == sizeof(answer))
		status = answer[36] << 8 | answer[37];
	close(fd);
	return status;
}

static void a_part_of_the_name_is_not_the_name(void **unused)
{
	static const char *const keys[] = { "", "TargetName=", "TargetName=iqn", "TargetName",
					    "x=y" };
	char url[160];
	struct hl_ram_lun *lun = serve(url, sizeof(url));

	(void)unused;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		assert_int_equal(log_in_with(url, keys[i]), 0x0203);
	hl_ram_lun_stop(lun);
}

static void the_engine_reads_any_block_size_from_it(void **unused)
{
	static const double sizes[] = { 512, 4096, 131072, 1048576 };
	char url[160];
	struct hl_ram_lun *lun = serve(url, sizeof(url));
	const struct hl_iscsi_login login = { .url = url, .timeout_s = 5 };

	(void)unused;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct hl_job job = { .target = url, .fd = -1, .length = HL_RAM_LUN_SIZE };
		struct hl_slot slot;
		struct hl_error err;

		hl_workload_init(&job.workload);
		job.workload.rw = HL_RW_RANDREAD;
		job.workload.bs = sizes[i];
		job.workload.iodepth = 16;
		job.workload.numjobs = 2;
		job.seconds = 0.1;
		job.log_fd = -1;
		job.login = &login;
		if (hl_slot_run(hl_engine_find("iscsi"), &job, 10, NULL, NULL, &slot, &err) < 0)
			fail_msg("%.0f: %s", sizes[i], err.text);
		assert_true(slot.ios[HL_IO_READ] > 10);
		hl_slot_free(&slot);
	}
	hl_ram_lun_stop(lun);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_client_sees_a_disk),
		cmocka_unit_test(nobody_gets_in_without_the_token),
		cmocka_unit_test(a_part_of_the_name_is_not_the_name),
		cmocka_unit_test(the_engine_reads_any_block_size_from_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
