/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hoploss capture: what the probes can read of one or more hosts, into a bundle, without load.
 */
#include "hoploss/alloc.h"
#include "hoploss/args.h"
#include "hoploss/console.h"
#include "hoploss/given_host.h"
#include "hoploss/json.h"
#include "hoploss/path.h"
#include "hoploss/unit.h"
#include "hoploss/usage.h"
#include <errno.h>
#include <string.h>

struct request {
	struct hl_arena *arena;
	struct hl_path *path;
	struct hl_given_host *hosts;
	size_t nr_hosts;
};

static void request_clear(struct request *request)
{
	hl_path_free(request->path);
	hl_arena_free(request->arena);
}
#define REQUEST __attribute__((cleanup(request_clear)))

/* ---- what was asked for ---- */

static int add_host(struct request *request, const char *name, const char *const *via,
		    struct hl_error *err)
{
	for (size_t i = 0; name && i < request->nr_hosts; i++) {
		if (request->hosts[i].name && !strcmp(request->hosts[i].name, name))
			return hl_fail(err, EINVAL, "host %s is given twice", name);
	}
	request->hosts = hl_arena_extend(request->arena, request->hosts, request->nr_hosts,
					 sizeof(*request->hosts));
	request->hosts[request->nr_hosts++] = (struct hl_given_host){ .name = name, .via = via };
	return 0;
}

/* NAME=VIA */
static int read_host(struct request *request, const char *word, struct hl_error *err)
{
	struct hl_given_host host;
	int rc = hl_given_host_read(request->arena, word, &host, err);

	return rc < 0 ? rc : add_host(request, host.name, host.via, err);
}

static int read_path_hosts(struct request *request, const char *file, struct hl_error *err)
{
	HL_FREE char *text = NULL;
	size_t len;
	int rc = hl_console_read(file, &text, &len, err);

	if (rc == 0)
		rc = hl_path_parse(file, text, len, &request->path, err);
	for (size_t i = 0; rc == 0 && i < request->path->nr_hosts; i++) {
		const struct hl_path_host *host = &request->path->hosts[i];

		if (hl_path_is_host_used(request->path, host))
			rc = add_host(request, host->name, host->via, err);
	}
	return rc;
}

static int read_request(const struct hl_args *args, struct request *request, struct hl_error *err)
{
	const char *file = hl_args_value(args, "path", 0);
	int rc = 0;

	request->arena = hl_arena_new();
	if (!hl_args_value(args, "out", 0))
		return hl_fail(err, EINVAL, "capture wants --out DIR");
	if (file)
		rc = read_path_hosts(request, file, err);
	for (size_t i = 0; rc == 0 && i < hl_args_nr_operands(args); i++)
		rc = read_host(request, hl_args_operand(args, i), err);
	if (rc == 0 && !request->nr_hosts)
		rc = add_host(request, NULL, NULL, err);
	return rc;
}

/* ---- telling ---- */

static bool has_any(const struct hl_taken *taken)
{
	return taken->nr_files + taken->nr_kept > 0;
}

/* What cut the capture short is told once, and not beside each probe that it cut short. */
static bool is_reason_of_host(const char *reason, const struct hl_taken *taken)
{
	return reason && taken->reason && !strcmp(reason, taken->reason);
}

static void print_host(const struct hl_given_host *host)
{
	const struct hl_taken *taken = &host->taken;
	char size[HL_UNIT_TEXT];

	hl_console_put(stdout, "%s: %u files, %u texts of tools, %s in %.1f s\n", host->name,
		       taken->nr_files, taken->nr_kept, hl_unit_size(size, taken->bytes),
		       taken->seconds);
	if (taken->reason)
		hl_console_put(stdout, "  incomplete: %s\n", taken->reason);
	for (size_t i = 0; has_any(taken) && i < taken->nr_statuses; i++) {
		const struct hl_capture_status *status = &taken->statuses[i];
		bool is_plain = !status->reason || is_reason_of_host(status->reason, taken);
		HL_FREE char *text = is_plain ? hl_strdup(status->status)
					      : hl_printf("%s: %s", status->status, status->reason);

		hl_usage_row(stdout, status->probe, text);
	}
}

static void put_host(struct hl_json_out *out, const struct hl_given_host *host)
{
	const struct hl_taken *taken = &host->taken;

	hl_json_object(out, NULL);
	hl_json_put_string(out, "host", host->name);
	hl_json_put_string(out, "reason", taken->reason);
	hl_json_put_number(out, "files", taken->nr_files);
	hl_json_put_number(out, "texts", taken->nr_kept);
	hl_json_put_number(out, "bytes", taken->bytes);
	hl_json_put_number(out, "seconds", taken->seconds);
	hl_json_array(out, "probes");
	for (size_t i = 0; i < taken->nr_statuses; i++) {
		hl_json_object(out, NULL);
		hl_json_put_string(out, "probe", taken->statuses[i].probe);
		hl_json_put_string(out, "status", taken->statuses[i].status);
		hl_json_put_string(out, "reason", taken->statuses[i].reason);
		hl_json_close(out);
	}
	hl_json_close(out);
	hl_json_close(out);
}

static void put_all(const struct request *request, const char *dir)
{
	struct hl_json_out *out = hl_json_out_new(stdout);

	hl_json_object(out, NULL);
	hl_json_put_string(out, "schema", "hoploss.capture/1");
	hl_json_put_string(out, "bundle", dir);
	hl_json_array(out, "hosts");
	for (size_t i = 0; i < request->nr_hosts; i++)
		put_host(out, &request->hosts[i]);
	hl_json_close(out);
	hl_json_close(out);
	hl_json_out_free(out);
}

static bool is_whole(const struct hl_taken *taken)
{
	for (size_t i = 0; i < taken->nr_statuses; i++) {
		const char *status = taken->statuses[i].status;

		if (!strcmp(status, "hung") || !strcmp(status, "failed"))
			return false;
	}
	return !taken->reason;
}

/* What is absent or wants more privilege is told, and the capture is as whole as it can be. */
static enum hl_exit exit_of(const struct request *request)
{
	bool is_any = false, has_all = true;

	for (size_t i = 0; i < request->nr_hosts; i++) {
		const struct hl_taken *taken = &request->hosts[i].taken;

		is_any |= has_any(taken);
		has_all &= is_whole(taken);
	}
	return !is_any ? HL_EXIT_UNABLE : has_all ? HL_EXIT_OK : HL_EXIT_INCOMPLETE;
}

static int capture_all(struct request *request, const char *dir, bool is_anonymised,
		       struct hl_error *err)
{
	HL_BUNDLE struct hl_bundle *bundle = NULL;
	int rc = hl_bundle_create(dir, &bundle, err);

	if (rc == 0 && is_anonymised)
		hl_bundle_scrub(bundle);
	for (size_t i = 0; rc == 0 && i < request->nr_hosts; i++)
		rc = hl_given_host_capture(request->arena, &request->hosts[i], bundle, err);
	return rc == 0 ? hl_bundle_release(bundle, err) : rc;
}

static enum hl_exit capture_run(const struct hl_args *args)
{
	REQUEST struct request request = { 0 };
	const char *dir = hl_args_value(args, "out", 0);
	struct hl_error err;
	enum hl_exit code;

	if (read_request(args, &request, &err) < 0)
		return hl_console_misuse(hl_args_command(args), &err);
	if (capture_all(&request, dir, hl_args_has(args, "anonymize"), &err) < 0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_UNABLE;
	}
	if (hl_args_json(args))
		put_all(&request, dir);
	for (size_t i = 0; !hl_args_json(args) && i < request.nr_hosts; i++)
		print_host(&request.hosts[i]);
	code = exit_of(&request);
	if (code == HL_EXIT_UNABLE)
		hl_console_say("nothing was captured; %s holds only why: remove it to try again",
			       dir);
	else
		hl_console_say("recorded in %s: \"hoploss diagnose %s\" shows what it says", dir,
			       dir);
	return code;
}

static const struct hl_option options[] = {
	{ .name = "path",
	  .arg = "PATH.conf",
	  .help = "capture the hosts of that path file, under the names that they have there",
	  .values = "FILE" },
	{ .name = "out", .arg = "DIR", .help = "record into DIR, new or empty", .values = "DIR" },
	{ .name = "anonymize",
	  .help = "record no serial numbers, addresses and names of hosts, pools and directories: "
		  "each is replaced by the same stand-in all through the bundle" },
	{ 0 },
};

static const struct hl_example examples[] = {
	{ "hoploss capture --out here", "This machine." },
	{ "hoploss capture pve='ssh root@pve' truenas='ssh root@truenas' --out home",
	  "Two hosts, under the names that a path file would give them." },
	{ "hoploss diagnose home fio.txt", "What was captured, beside a result of fio." },
	{ 0 },
};

const struct hl_command hl_command_capture = {
	.name = "capture",
	.summary = "record the state of every layer of one or more hosts, without load",
	.usage = "[HOST...] [--path PATH.conf] --out DIR [--anonymize] [--json]",
	.details = "HOST is NAME=VIA: a name, and the command that reaches it (\"ssh root@pve\", "
		   "\"kubectl exec -i POD --\"); hoploss must be there (the static file will "
		   "do). Without a HOST it is this machine.\n\n"
		   "Every probe (\"hoploss probes\") copies what it knows to read: files of /sys "
		   "and /proc, and what the standard tools say. Nothing is written on a host and "
		   "nothing is put under load; it takes seconds. Only attributes on allow-lists "
		   "are read: no passwords, no keys. The bundle holds what was read as it was, "
		   "in files to look at: hosts/HOST/root and hosts/HOST/kept. Serial numbers, "
		   "addresses and host names are among it, unless --anonymize is said: then "
		   "serial numbers and world-wide names, UUIDs, MAC and IP addresses, iSCSI and "
		   "NVMe names, domains and the names of hosts and VMs, of pools, data sets, "
		   "volume groups, storages and directories are replaced before anything is "
		   "written. Interfaces, devices and words that anybody has (\"data\", "
		   "\"images\") stay.\n\n"
		   "What a probe could not read, and why, is said: without root it is less. A "
		   "probe that hangs is given up after five seconds, a host that does not say a "
		   "word after fifteen. A host that does not answer, or a probe that hangs or "
		   "fails, costs exit code 4, not the rest.",
	.options = options,
	.examples = examples,
	.max_operands = -1,
	.run = capture_run,
};
