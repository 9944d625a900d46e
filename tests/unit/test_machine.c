/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/alloc.h"
#include "hoploss/machine.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char scratch[] = "/tmp/hoploss-test-XXXXXX";

/* A bit of sysfs, and what a hostile tree would have. "outside" lies beside the root. */
static const char make_tree[] =
	"set -e; mkdir -p root/sys/block root/sys/devices/pci/block/sda/queue root/empty;"
	"echo 256 >root/sys/devices/pci/block/sda/queue/nr_requests;"
	"printf '' >root/sys/devices/pci/block/sda/empty;"
	"touch root/sys/devices/pci/block/sda/unread;"
	"ln -s ../devices/pci/block/sda root/sys/block/sda;"
	"ln -s ../devices/pci/block/sdb root/sys/block/sdb;"
	"ln -s /sys/block/sda/queue root/absolute; ln -s /absolute root/empty/deep;"
	"ln -s loop root/loop; ln -s ../../../outside root/up; ln -s /outside root/out;"
	"mkfifo root/pipe; head -c 17000000 /dev/zero >root/large;"
	"echo secret >outside";

static int make_scratch(void **state)
{
	(void)state;
	return mkdtemp(scratch) && chdir(scratch) == 0 ? system(make_tree) : -1;
}

static int remove_scratch(void **state)
{
	HL_FREE char *command = hl_printf("rm -rf %s", scratch);

	(void)state;
	return chdir("/") == 0 ? system(command) : -1;
}

static void check_read(struct hl_machine *machine, const char *path, const char *expected)
{
	HL_FREE char *bytes = NULL;
	struct hl_error err = { 0 };
	size_t len;

	if (hl_machine_read(machine, path, &bytes, &len, &err) < 0)
		fail_msg("%s", err.text);
	assert_string_equal(expected, bytes);
	assert_int_equal(strlen(expected), len);
}

static void check_no_read(struct hl_machine *machine, const char *path, int result)
{
	char *bytes = NULL;
	size_t len = 4711;

	assert_int_equal(result, hl_machine_read(machine, path, &bytes, &len, NULL));
	assert_null(bytes);
	assert_int_equal(4711, len);
}

static void check_link(struct hl_machine *machine, const char *path, const char *expected)
{
	HL_FREE char *target = NULL;

	assert_int_equal(0, hl_machine_readlink(machine, path, &target, NULL));
	assert_string_equal(expected, target);
}

/* The names, each followed by a blank. */
static void check_list(struct hl_machine *machine, const char *path, const char *expected)
{
	HL_FREE char *joined = hl_strdup("");
	char **names = NULL;
	size_t nr = 0;

	assert_int_equal(0, hl_machine_list(machine, path, &names, &nr, NULL));
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *before = joined;

		joined = hl_printf("%s%s ", before, names[i]);
	}
	assert_string_equal(expected, joined);
	hl_machine_free_names(names, nr);
}

/* Everything that a live machine and the replay of its recording must agree on. */
static void check_all(struct hl_machine *machine)
{
	check_list(machine, "/sys/block", "sda sdb ");
	check_list(machine, "/sys/block/sda", "empty queue unread ");
	check_list(machine, "/empty", "deep ");
	check_read(machine, "/sys/block/sda/queue/nr_requests", "256\n");
	check_read(machine, "/sys/devices/pci/block/sda/queue/nr_requests", "256\n");
	check_read(machine, "//sys/./block/../block/sda/queue//nr_requests", "256\n");
	check_read(machine, "/absolute/nr_requests", "256\n");
	check_read(machine, "/empty/deep/nr_requests", "256\n");
	check_read(machine, "/sys/block/sda/empty", "");
	check_link(machine, "/sys/block/sda", "../devices/pci/block/sda");
	check_link(machine, "/sys/block/sdb", "../devices/pci/block/sdb");
	check_link(machine, "/absolute", "/sys/block/sda/queue");
	check_no_read(machine, "/sys/block/sdb/size", -ENOENT);
	check_no_read(machine, "/nothing", -ENOENT);
	check_no_read(machine, "/sys/block", -EISDIR);
}

static void check_refusals(struct hl_machine *machine)
{
	char *target = NULL;
	char **names = NULL;
	size_t nr;

	check_no_read(machine, "/up", -ENOENT);
	check_no_read(machine, "/out", -ENOENT);
	check_no_read(machine, "/../outside", -ENOENT);
	check_no_read(machine, "/sys/../../../outside", -ENOENT);
	check_no_read(machine, "/loop", -ELOOP);
	check_no_read(machine, "/pipe", -EINVAL);
	check_no_read(machine, "/large", -EFBIG);
	check_no_read(machine, "sys/block", -EINVAL);
	check_no_read(machine, "", -EINVAL);
	check_no_read(machine, "/sys/block/sda/empty/x", -ENOTDIR);
	assert_int_equal(-EINVAL, hl_machine_readlink(machine, "/sys", &target, NULL));
	assert_int_equal(-ENOENT, hl_machine_readlink(machine, "/none", &target, NULL));
	assert_int_equal(-ENOENT, hl_machine_list(machine, "/none", &names, &nr, NULL));
	assert_int_equal(-ENOTDIR,
			 hl_machine_list(machine, "/sys/block/sda/empty", &names, &nr, NULL));
	assert_null(target);
	assert_null(names);
}

static void files_links_and_listings_are_read_under_the_root(void **state)
{
	struct hl_machine *machine = hl_machine_open("root", NULL);

	(void)state;
	check_all(machine);
	hl_machine_close(machine);
	hl_machine_close(NULL);
}

static void no_path_and_no_link_leaves_the_root(void **state)
{
	struct hl_machine *machine = hl_machine_open("root", NULL);

	(void)state;
	check_refusals(machine);
	hl_machine_close(machine);
}

static void a_recording_is_replayed_alike(void **state)
{
	struct hl_machine *machine = hl_machine_open("root", "made/by/recorder");

	(void)state;
	check_all(machine);
	check_refusals(machine);
	check_all(machine);
	hl_machine_close(machine);
	machine = hl_machine_open("made/by/recorder", NULL);
	check_all(machine);
	check_no_read(machine, "/outside", -ENOENT);
	hl_machine_close(machine);
}

static void only_what_was_read_is_recorded(void **state)
{
	struct hl_machine *machine = hl_machine_open("root", "part");

	(void)state;
	check_read(machine, "/absolute/nr_requests", "256\n");
	hl_machine_close(machine);
	assert_int_equal(0, system("test \"$(find part -type f -o -type l | sort | tr '\\n' ' ')\""
				   " = 'part/absolute part/sys/block/sda"
				   " part/sys/devices/pci/block/sda/queue/nr_requests '"));
}

static void what_is_only_peeked_at_is_not_recorded(void **state)
{
	struct hl_machine *machine = hl_machine_open("root", "peeked");
	HL_FREE char *bytes = NULL;
	size_t len;

	(void)state;
	assert_int_equal(0, hl_machine_peek(machine, "/sys/block/sda/queue/nr_requests", &bytes,
					    &len, NULL));
	assert_string_equal("256\n", bytes);
	assert_int_not_equal(0, access("peeked/sys", F_OK));
	check_read(machine, "/sys/block/sda/queue/nr_requests", "256\n");
	assert_int_equal(0, access("peeked/sys", F_OK));
	hl_machine_close(machine);
}

static void a_copied_tree_without_listings_is_listed_as_it_is(void **state)
{
	struct hl_machine *machine;

	(void)state;
	assert_int_equal(0, system("mkdir -p tree/d && touch tree/d/b tree/d/a"));
	machine = hl_machine_open("tree", NULL);
	check_list(machine, "/d", "a b ");
	assert_int_equal(0, system("printf 'z\\n../x\\n\\n.\\n' >tree/d/.listing"));
	check_list(machine, "/d", "z ");
	hl_machine_close(machine);
}

static void a_missing_root_or_recording_is_said_at_each_call(void **state)
{
	struct hl_machine *machine = hl_machine_open("no-such-root", NULL);
	struct hl_error err;
	char *bytes = NULL;
	size_t len;

	(void)state;
	assert_int_equal(-ENOENT, hl_machine_read(machine, "/x", &bytes, &len, &err));
	assert_string_equal("read /x: No such file or directory", err.text);
	hl_machine_close(machine);
	machine = hl_machine_open("root", "outside/dir");
	check_no_read(machine, "/sys/block/sda/empty", -ENOTDIR);
	hl_machine_close(machine);
}

static void files_of_the_live_proc_are_read_whole(void **state)
{
	struct hl_machine *machine = hl_machine_open("/", NULL);
	HL_FREE char *bytes = NULL;
	size_t len;

	(void)state;
	assert_int_equal(0, hl_machine_read(machine, "/proc/self/status", &bytes, &len, NULL));
	assert_non_null(strstr(bytes, "Threads:"));
	assert_int_equal(strlen(bytes), len);
	hl_machine_close(machine);
}

/* As in a container whose seccomp profile knows no openat2. */
static int forbid_openat2(int code)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)code),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(*filter), filter };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
		       ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)
		       : -1;
}

static void without_openat2_all_is_the_same(void **state)
{
	static const int codes[] = { ENOSYS, EPERM };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		pid_t child = fork();
		int status;

		assert_true(child >= 0);
		if (child == 0) {
			struct hl_machine *machine = hl_machine_open("root", NULL);

			if (forbid_openat2(codes[i]) < 0)
				_exit(77);
			check_all(machine);
			check_refusals(machine);
			hl_machine_close(machine);
			_exit(0);
		}
		waitpid(child, &status, 0);
		if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
			skip();
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
}

static void a_device_is_opened_for_reading_on_a_live_machine_only(void **state)
{
	struct hl_machine *live = hl_machine_open("/", NULL);
	struct hl_machine *recorded = hl_machine_open("root", NULL);
	int fd = -1;

	(void)state;
	assert_int_equal(0, hl_machine_open_device(live, "/dev/null", &fd, NULL));
	assert_int_equal(O_RDONLY, fcntl(fd, F_GETFL) & O_ACCMODE);
	close(fd);
	fd = -1;
	assert_int_equal(-EINVAL, hl_machine_open_device(live, "/etc/passwd", &fd, NULL));
	assert_int_equal(-EINVAL, hl_machine_open_device(live, "dev/null", &fd, NULL));
	assert_int_equal(-ENOENT, hl_machine_open_device(live, "/dev/nothing", &fd, NULL));
	assert_int_equal(-ENODEV, hl_machine_open_device(recorded, "/dev/null", &fd, NULL));
	assert_int_equal(-1, fd);
	hl_machine_close(live);
	hl_machine_close(recorded);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_device_is_opened_for_reading_on_a_live_machine_only),
		cmocka_unit_test(files_links_and_listings_are_read_under_the_root),
		cmocka_unit_test(no_path_and_no_link_leaves_the_root),
		cmocka_unit_test(a_recording_is_replayed_alike),
		cmocka_unit_test(only_what_was_read_is_recorded),
		cmocka_unit_test(what_is_only_peeked_at_is_not_recorded),
		cmocka_unit_test(a_copied_tree_without_listings_is_listed_as_it_is),
		cmocka_unit_test(a_missing_root_or_recording_is_said_at_each_call),
		cmocka_unit_test(files_of_the_live_proc_are_read_whole),
		cmocka_unit_test(without_openat2_all_is_the_same),
	};

	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
