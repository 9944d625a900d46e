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
#include <stdio.h>
#include <string.h>

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
		cmocka_unit_test(the_engine_reads_any_block_size_from_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
