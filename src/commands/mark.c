/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hoploss mark: gives an empty scratch target away for writing, after the person has said which.
 */
#include "hoploss/args.h"
#include "hoploss/console.h"
#include "hoploss/give_away.h"
#include "hoploss/json.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The name, typed again. */
static bool is_confirmed(const char *target)
{
	char line[4096];

	fprintf(stderr,
		"What is on %s will be overwritten by later runs with --write.\n"
		"Type its name again to give it away: ",
		target);
	fflush(stderr);
	if (!fgets(line, sizeof(line), stdin))
		return false;
	line[strcspn(line, "\n")] = '\0';
	return target && !strcmp(line, target);
}

static int read_words(const struct hl_args *args, struct hl_give_away *what, struct hl_error *err)
{
	if (hl_args_nr_operands(args) != 1)
		return hl_fail(err, EINVAL, "mark wants one target");
	*what = (struct hl_give_away){
		.target = hl_args_operand(args, 0),
		.initiator = hl_args_value(args, "initiator", 0),
		.chap_file = hl_args_value(args, "chap", 0),
		.serial = hl_args_value(args, "serial", 0),
	};
	if (hl_args_has(args, "yes") && !what->serial)
		return hl_fail(err, EINVAL, "--yes wants --serial S, which says what is meant");
	return 0;
}

static void show(const struct hl_args *args, const char *target, const struct hl_mark *mark)
{
	struct hl_json_out *out;

	if (!hl_args_json(args)) {
		hl_console_put(stdout, "%s is given away: its mark is %s\n", target, mark->uuid);
		return;
	}
	out = hl_json_out_new(stdout);
	hl_json_object(out, NULL);
	hl_json_put_string(out, "schema", "hoploss.mark/1");
	hl_json_put_string(out, "target", target);
	hl_json_put_string(out, "uuid", mark->uuid);
	hl_json_put_number(out, "bytes", (double)mark->size);
	hl_json_close(out);
	hl_json_out_free(out);
}

static enum hl_exit mark_run(const struct hl_args *args)
{
	struct hl_give_away what = { 0 };
	struct hl_mark mark = { 0 };
	struct hl_error err;

	if (read_words(args, &what, &err) < 0)
		return hl_console_misuse(hl_args_command(args), &err);
	if (!hl_args_has(args, "yes") && !is_confirmed(what.target)) {
		hl_console_say("%s was not given away: its name was not typed", what.target);
		return HL_EXIT_UNABLE;
	}
	if (hl_give_away(&what, &mark, &err) < 0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_UNABLE;
	}
	show(args, what.target, &mark);
	return HL_EXIT_OK;
}

static const struct hl_option options[] = {
	{ .name = "serial",
	  .arg = "S",
	  .help = "refuse unless this is the serial number or WWID that the target shows" },
	{ .name = "yes", .help = "with --serial: do not ask for the name" },
	{ .name = "initiator",
	  .arg = "IQN",
	  .help = "InitiatorName to log in with to a LUN (default " HL_ISCSI_INITIATOR ")" },
	{ .name = "chap",
	  .arg = "FILE",
	  .help = "CHAP user and password for a LUN, on two lines of a file",
	  .values = "FILE" },
	{ 0 },
};

static const struct hl_example examples[] = {
	{ "hoploss mark /dev/zvol/tank/scratch", "An empty zvol; asks for its name again." },
	{ "hoploss mark /dev/nvme1n1 --yes --serial S5H9NX0N1", "A new drive, in a script." },
	{ 0 },
};

const struct hl_command hl_command_mark = {
	.name = "mark",
	.summary = "give an empty scratch target away for writing",
	.usage = "TARGET [--yes --serial S] [--initiator IQN] [--chap FILE] [--json]",
	.details = "Writes a mark into the first MiB of an empty block device or iSCSI LUN; runs "
		   "with --write then may overwrite all behind it. It refuses a target that "
		   "holds anything: one that is not zeros at both ends and in a thousand samples "
		   "between, that has a signature (a partition table, a file system, RAID, LVM, "
		   "LUKS, ZFS ...), that is mounted, swap, exported, open in a process, under "
		   "another device, or named in a configuration. What another machine does with "
		   "a LUN cannot be seen from here: give away only what nobody uses. To take it "
		   "back, zero its first MiB.",
	.max_operands = 1,
	.operand_values = "FILE",
	.options = options,
	.examples = examples,
	.run = mark_run,
};
