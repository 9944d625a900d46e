/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Self-tests of NVMe drives: bit 4 of OACS and EDSTT of Identify Controller, the Device Self-test
 * log and command. NVM Express Base 2.0, 5.17.2.1, 5.16.1.7, 5.9.
 *
 * Surprising: a controller creates the result before it says that none is running, so the newest
 * result is of the test that was just seen running; and it keeps results of tests that others
 * started. A short test must not take longer than two minutes, and no field says so.
 */
#include "hoploss/alloc.h"
#include "hoploss/digest.h"
#include "hoploss/file.h"
#include "hoploss/self_test.h"
#include "nvme_device.h"
#include "nvme_print.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLASS   "/sys/class/nvme"
#define SHORT_S 120.0
#define ALIGNED __attribute__((aligned(8))) /* the kernel takes no other buffers */

/* ---- which controller ---- */

/* "nvme0n1" is shown for its path "nvme0c1n1". */
static bool is_path_of(const char *entry, const char *name)
{
	const char *path = strchr(entry, 'c'), *space = path ? strchr(path, 'n') : NULL;

	return space && !strncmp(entry, name, (size_t)(path - entry)) &&
	       !strcmp(name + (path - entry), space);
}

static bool has_namespace(struct hl_machine *machine, const char *controller, const char *name)
{
	HL_FREE char *directory = hl_printf(CLASS "/%s", controller);
	bool found = false;
	char **entries;
	size_t nr;

	if (hl_machine_list(machine, directory, &entries, &nr, NULL) < 0)
		return false;
	for (size_t i = 0; i < nr && !found; i++)
		found = !strncmp(entries[i], "nvme", 4) &&
			(!strcmp(entries[i], name) || is_path_of(entries[i], name));
	hl_machine_free_names(entries, nr);
	return found;
}

static char *nvme_find(struct hl_machine *machine, const char *name)
{
	char *device = NULL, **names;
	size_t nr;

	if (strncmp(name, "nvme", 4) != 0 || hl_machine_list(machine, CLASS, &names, &nr, NULL) < 0)
		return NULL;
	for (size_t i = 0; i < nr && !device; i++) {
		if (has_namespace(machine, names[i], name))
			device = hl_printf("/dev/%s", names[i]);
	}
	hl_machine_free_names(names, nr);
	return device;
}

/* ---- the log ---- */

enum { LOG_RUNNING, LOG_DONE, LOG_NEWEST = 4, LOG_ENTRY = 28 };
enum { ENTRY_STATUS, ENTRY_SEGMENT, ENTRY_VALID, ENTRY_HOURS = 4, ENTRY_NSID = 12, ENTRY_LBA = 16 };
enum { VALID_NSID = 1, VALID_LBA = 2 };

static enum hl_self_test_kind kind_of(unsigned code)
{
	static const enum hl_self_test_kind kinds[] = { HL_SELF_TEST_NONE, HL_SELF_TEST_SHORT,
							HL_SELF_TEST_LONG };

	return code < sizeof(kinds) / sizeof(*kinds) ? kinds[code] : HL_SELF_TEST_OTHER;
}

static const struct {
	enum hl_self_test_end end;
	const char *words;
} results[] = {
	/* Base 2.0, figure 204 */
	{ HL_SELF_TEST_PASSED, "completed without error" },
	{ HL_SELF_TEST_ABORTED, "aborted by a command" },
	{ HL_SELF_TEST_ABORTED, "aborted by a reset of the controller" },
	{ HL_SELF_TEST_ABORTED, "aborted: a namespace was removed" },
	{ HL_SELF_TEST_ABORTED, "aborted: a namespace was formatted" },
	{ HL_SELF_TEST_FAILED, "a fatal or unknown error ended it early" },
	{ HL_SELF_TEST_FAILED, "failed in a part that is not told" },
	{ HL_SELF_TEST_FAILED, "failed" },
	{ HL_SELF_TEST_ABORTED, "aborted for a reason that is not told" },
	{ HL_SELF_TEST_ABORTED, "aborted: the drive was sanitized" },
};

/* "failed in segment 3 at LBA 123456 of namespace 1" */
static void put_place(const unsigned char *entry, struct hl_self_test_look *look)
{
	unsigned valid = entry[ENTRY_VALID];
	size_t used = strlen(look->result);

	if (!isnan(look->segment))
		used += (size_t)snprintf(look->result + used, sizeof(look->result) - used,
					 " in segment %.0f", look->segment);
	if (valid & VALID_LBA)
		look->lba = hl_nvme_page_number(entry, ENTRY_LBA, 8);
	if (!isnan(look->lba))
		used += (size_t)snprintf(look->result + used, sizeof(look->result) - used,
					 " at LBA %.0f", look->lba);
	if (valid & VALID_NSID)
		snprintf(look->result + used, sizeof(look->result) - used, " of namespace %.0f",
			 hl_nvme_page_number(entry, ENTRY_NSID, 4));
}

static void put_newest(const unsigned char *entry, struct hl_self_test_look *look)
{
	enum { RESULT = 0xf, NONE = 0xf, KIND_AT = 4, SEGMENT_KNOWN = 7 };
	unsigned result = entry[ENTRY_STATUS] & RESULT;

	if (result == NONE)
		return;
	look->newest = kind_of(entry[ENTRY_STATUS] >> KIND_AT);
	look->hours = hl_nvme_page_number(entry, ENTRY_HOURS, 8);
	if (result >= sizeof(results) / sizeof(*results)) {
		snprintf(look->result, sizeof(look->result), "ended with code 0x%x", result);
		return;
	}
	look->end = results[result].end;
	snprintf(look->result, sizeof(look->result), "%s", results[result].words);
	if (result == SEGMENT_KNOWN)
		look->segment = entry[ENTRY_SEGMENT];
	if (look->end == HL_SELF_TEST_FAILED)
		put_place(entry, look);
}

static void read_log(const unsigned char *log, struct hl_self_test_look *look)
{
	enum { KIND = 0xf, PERCENT = 0x7f };
	char hex[HL_DIGEST_TEXT];

	look->running = kind_of(log[LOG_RUNNING] & KIND);
	if (look->running != HL_SELF_TEST_NONE)
		look->done_pct = fmin(log[LOG_DONE] & PERCENT, 100);
	put_newest(log + LOG_NEWEST, look);
	hl_digest(log + LOG_NEWEST, HL_NVME_SELF_TEST_BYTES - LOG_NEWEST, hex);
	snprintf(look->log, sizeof(look->log), "%s", hex);
}

/* ---- asking and starting ---- */

static int fail(int r, const char *what, struct hl_error *err)
{
	if (r == -EACCES || r == -EPERM)
		return hl_fail(err, EACCES, "%s: it wants root", what);
	return hl_fail(err, -r, "%s: %s", what,
		       r == -EOPNOTSUPP ? "the drive refuses it" : strerror(-r));
}

static int nvme_look(struct hl_machine *machine, const char *device, struct hl_self_test_look *ret,
		     struct hl_error *err)
{
	enum { OACS = 256, SELF_TEST = 4, EDSTT = 316 };
	unsigned char identity[HL_NVME_IDENTIFY_BYTES] ALIGNED = { 0 };
	unsigned char log[HL_NVME_SELF_TEST_BYTES] ALIGNED = { 0 };
	HL_CLOSE int fd = -1;
	int r = hl_machine_open_device(machine, device, &fd, err);
	double minutes;

	if (r < 0)
		return r;
	r = hl_nvme_identify_controller(fd, identity);
	if (r < 0)
		return fail(r, "ask the drive who it is", err);
	if (!((unsigned)hl_nvme_page_number(identity, OACS, 2) >> SELF_TEST & 1))
		return hl_fail(err, EOPNOTSUPP, "the drive has no self-test (OACS bit 4 is clear)");
	r = hl_nvme_log_self_tests(fd, log);
	if (r < 0)
		return fail(r, "read its log of self-tests", err);
	minutes = hl_nvme_page_number(identity, EDSTT, 2);
	*ret = (struct hl_self_test_look){
		.done_pct = NAN,
		.short_s = SHORT_S,
		.long_s = minutes > 0 ? minutes * 60 : NAN,
		.hours = NAN,
		.segment = NAN,
		.lba = NAN,
	};
	read_log(log, ret);
	return 0;
}

static int nvme_start(struct hl_machine *machine, const char *device, enum hl_self_test_kind kind,
		      struct hl_error *err)
{
	static const enum hl_nvme_self_test codes[] = {
		[HL_SELF_TEST_NONE] = HL_NVME_SELF_TEST_ABORT,
		[HL_SELF_TEST_SHORT] = HL_NVME_SELF_TEST_SHORT,
		[HL_SELF_TEST_LONG] = HL_NVME_SELF_TEST_EXTENDED,
	};
	HL_CLOSE int fd = -1;
	int r = hl_machine_open_device(machine, device, &fd, err);

	if (r < 0)
		return r;
	r = hl_nvme_self_test(fd, codes[kind]);
	if (r == -EBUSY)
		return hl_fail(err, EBUSY, "a self-test runs already");
	return r < 0 ? fail(r, kind == HL_SELF_TEST_NONE ? "stop it" : "start it", err) : 0;
}

const struct hl_self_test_way hl_self_test_nvme = {
	.find = nvme_find,
	.look = nvme_look,
	.start = nvme_start,
};
