/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The journal of a demo: what tells "hoploss clean" that a thing with this UUID was made by us, on
 * this machine, since this boot, and whether its process still lives.
 *
 * It lives in /run/hoploss, never in a bundle. Source of the start times: /proc/PID/stat, proc(5),
 * the 22nd number.
 */
#include "journal.h"
#include "demo.h"
#include "hoploss/alloc.h"
#include "hoploss/file.h"
#include "hoploss/json.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- who and where ---- */

/* The first line of a small file; "" and false when it cannot be read. */
static bool read_line(const char *path, char *ret_text, size_t size)
{
	HL_FREE char *bytes = NULL;
	size_t len;

	ret_text[0] = '\0';
	if (hl_file_read_at(AT_FDCWD, path, SMALL_FILE_MAX, &bytes, &len) < 0)
		return false;
	snprintf(ret_text, size, "%.*s", (int)strcspn(bytes, "\n"), bytes);
	return true;
}

uint64_t journal_start_of(pid_t pid)
{
	HL_FREE char *path = hl_printf("/proc/%d/stat", (int)pid);
	char line[1024], *at;

	if (!read_line(path, line, sizeof(line)))
		return 0;
	at = strrchr(line, ')'); /* the name before it may hold anything */
	if (!at || at[1] != ' ' || strchr("ZX", at[2]))
		return 0; /* dead, but not collected */
	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at, NULL, 10) : 0;
}

bool journal_lives(const struct process *process)
{
	return process->pid > 0 && process->start &&
	       journal_start_of(process->pid) == process->start;
}

/* ---- writing ---- */

static void put_process(struct hl_json_out *out, const char *key, const struct process *process)
{
	if (!process->pid)
		return;
	hl_json_object(out, key);
	hl_json_put_number(out, "pid", process->pid);
	hl_json_put_number(out, "start", (double)process->start);
	hl_json_close(out);
}

static int write_journal(const struct journal *journal, struct hl_error *err)
{
	HL_CLOSE int dir = open(HL_DEMO_DIR, O_PATH | O_DIRECTORY | O_CLOEXEC);
	char boot[64], machine[64], *text = NULL;
	size_t len;
	FILE *file = open_memstream(&text, &len);
	struct hl_json_out *out = hl_json_out_new(file);
	int rc;

	read_line(BOOT_ID, boot, sizeof(boot));
	read_line(MACHINE_ID, machine, sizeof(machine));
	hl_json_object(out, NULL);
	hl_json_put_string(out, "schema", JOURNAL_SCHEMA);
	hl_json_put_string(out, "id", journal->id);
	hl_json_put_string(out, "boot", boot);
	hl_json_put_string(out, "machine", machine);
	put_process(out, "owner", &journal->owner);
	put_process(out, "supervisor", &journal->supervisor);
	hl_json_close(out);
	hl_json_out_free(out);
	fclose(file);
	rc = hl_file_write_at(dir, strrchr(journal->file, '/') + 1, text, len, false);
	free(text);
	return rc < 0 ? hl_fail(err, -rc, "%s: %s", journal->file, strerror(-rc)) : 0;
}

/* Fills id, directory and file. */
static void set_name(struct journal *journal, const char *id)
{
	snprintf(journal->id, sizeof(journal->id), "%s", id);
	snprintf(journal->dir, sizeof(journal->dir), HL_DEMO_DIR "/%s", journal->id);
	snprintf(journal->file, sizeof(journal->file), "%s" JOURNAL_SUFFIX, journal->dir);
}

int journal_begin(struct journal *ret_journal, struct hl_error *err)
{
	struct journal journal = { .owner = { getpid(), journal_start_of(getpid()) } };
	char id[DEMO_ID_LEN + 1];
	int rc;

	if (!read_line("/proc/sys/kernel/random/uuid", id, sizeof(id)))
		return hl_fail(err, EIO, "the kernel gives no UUID: is /proc mounted?");
	set_name(&journal, id);
	if (mkdir(HL_DEMO_DIR, 0700) < 0 && errno != EEXIST)
		return hl_fail(err, errno, HL_DEMO_DIR ": %s", strerror(errno));
	rc = write_journal(&journal, err);
	if (rc < 0)
		return rc;
	if (mkdir(journal.dir, 0700) < 0) {
		rc = hl_fail(err, errno, "%s: %s", journal.dir, strerror(errno));
		unlink(journal.file);
		return rc;
	}
	*ret_journal = journal;
	return 0;
}

int journal_set_supervisor(struct journal *journal, pid_t pid, struct hl_error *err)
{
	journal->supervisor = (struct process){ pid, journal_start_of(pid) };
	return write_journal(journal, err);
}

/* ---- reading ---- */

static void read_process(const struct hl_json *from, struct process *process)
{
	double pid = hl_json_number(hl_json_get(from, "pid"));
	double start = hl_json_number(hl_json_get(from, "start"));

	if (pid >= 1 && pid < (1 << 30) && start >= 1 && start < 9e15)
		*process = (struct process){ (pid_t)pid, (uint64_t)start };
}

static bool is_same_text(const struct hl_json *json, const char *key, const char *file)
{
	const char *text = hl_json_string(hl_json_get(json, key));
	char now[64];

	read_line(file, now, sizeof(now));
	return text && !strcmp(text, now);
}

int journal_read(const char *id, struct journal *ret_journal, bool *ret_is_of_boot,
		 struct hl_error *err)
{
	struct journal journal = { 0 };
	HL_FREE char *bytes = NULL;
	HL_JSON struct hl_json *json = NULL;
	const char *schema;
	size_t len;
	int rc;

	set_name(&journal, id);
	rc = hl_file_read_at(AT_FDCWD, journal.file, SMALL_FILE_MAX, &bytes, &len);
	if (rc < 0)
		return hl_fail(err, -rc, "%s: %s", journal.file, strerror(-rc));
	rc = hl_json_parse(bytes, len, &json, NULL, err);
	schema = hl_json_string(hl_json_get(json, "schema"));
	if (rc < 0 || !schema || strcmp(schema, JOURNAL_SCHEMA) != 0)
		return hl_fail(err, EBADMSG, "%s is no journal of this version", journal.file);
	if (!is_same_text(json, "machine", MACHINE_ID))
		return hl_fail(err, EXDEV, "%s is of another machine", journal.file);
	read_process(hl_json_get(json, "owner"), &journal.owner);
	read_process(hl_json_get(json, "supervisor"), &journal.supervisor);
	*ret_is_of_boot = is_same_text(json, "boot", BOOT_ID);
	*ret_journal = journal;
	return 0;
}
