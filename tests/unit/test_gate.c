/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the gate for reading hands out.
 */
#include "hoploss/gate.h"
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

/* io_uring would answer EAGAIN where a read has to wait. */
static void a_descriptor_may_wait(void **state)
{
	char path[] = "/tmp/hoploss-test-XXXXXX";
	const struct hl_gate_request request = { .target = path, .wants_cache = true };
	struct hl_gate_pass pass;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(hl_gate_open(&request, &pass, NULL), 0);
	assert_int_equal(fcntl(pass.fd, F_GETFL) & O_NONBLOCK, 0);
	close(pass.fd);
	close(fd);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_descriptor_may_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
