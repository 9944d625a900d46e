/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hoploss discover: from one volume among many to the path file that measures it.
 *
 * Hosts are captured as `capture` does it, into a directory of their own that is removed at the
 * end; a bundle that was captured before stands for its hosts.
 */
#include "hoploss/discover.h"
#include "discover_pod.h"
#include "hoploss/args.h"
#include "hoploss/console.h"
#include "hoploss/diagnose.h"
#include "hoploss/given_host.h"
#include "hoploss/json.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_LEAVES 40 /* that are listed for choosing */

struct request {
	struct hl_arena *arena;
	struct hl_given_host *hosts;
	size_t nr_hosts;
	const char **dirs; /* of bundles */
	struct hl_bundle **opened;
	size_t nr_dirs;
	char *scratch; /* what is captured now; NULL */
	const char *leaf_host, *leaf_path;
	struct discover_pod pod; /* its name is its host's, too; NULL */
	const char *said;        /* what Kubernetes says of its volume; NULL */
};

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
	(void)status;
	(void)kind;
	(void)walk;
	return remove(path);
}

static void request_clear(struct request *request)
{
	for (size_t i = 0; i < request->nr_dirs; i++)
		hl_bundle_free(request->opened[i]);
	if (request->scratch)
		nftw(request->scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
	hl_arena_free(request->arena);
}
#define REQUEST __attribute__((cleanup(request_clear)))

/* ---- what was asked for ---- */

static void add_dir(struct request *request, const char *dir)
{
	size_t nr = request->nr_dirs;

	request->dirs = hl_arena_extend(request->arena, request->dirs, nr, sizeof(const char *));
	request->opened = hl_arena_extend(request->arena, request->opened, nr,
					  sizeof(struct hl_bundle *));
	request->dirs[nr] = dir;
	request->opened[nr] = NULL;
	request->nr_dirs++;
}

static struct hl_given_host *add_host(struct request *request)
{
	request->hosts = hl_arena_extend(request->arena, request->hosts, request->nr_hosts,
					 sizeof(*request->hosts));
	request->hosts[request->nr_hosts] = (struct hl_given_host){ 0 };
	return &request->hosts[request->nr_hosts++];
}

/* "HOST:PATH" */
static int read_leaf(struct request *request, const char *text, struct hl_error *err)
{
	const char *colon = strstr(text, ":/");

	if (!colon || colon == text)
		return hl_fail(err, EINVAL, "--leaf %s: write it as HOST:/PATH", text);
	request->leaf_host = hl_arena_strndup(request->arena, text, (size_t)(colon - text));
	request->leaf_path = colon + 1;
	return 0;
}

/* "NS/POD:PATH": a host that kubectl reaches. */
static int read_pod(struct request *request, const char *text, struct hl_error *err)
{
	const char *slash = strchr(text, '/'), *colon = slash ? strstr(slash, ":/") : NULL;
	const char **words;
	struct hl_given_host *host;

	if (!colon || slash == text || colon == slash + 1)
		return hl_fail(err, EINVAL, "--pod %s: write it as NAMESPACE/POD:/PATH", text);
	request->pod.namespace = hl_arena_strndup(request->arena, text, (size_t)(slash - text));
	request->pod.name = hl_arena_strndup(request->arena, slash + 1,
					     (size_t)(colon - slash - 1));
	request->pod.path = colon + 1;
	request->leaf_host = request->pod.name;
	request->leaf_path = request->pod.path;
	words = hl_arena_alloc(request->arena, 9 * sizeof(*words));
	words[0] = "kubectl";
	words[1] = "exec";
	words[2] = "-i";
	words[3] = "-n";
	words[4] = request->pod.namespace;
	words[5] = request->pod.name;
	words[6] = "--";
	host = add_host(request);
	host->name = request->pod.name;
	host->via = words;
	return 0;
}

static int read_operands(const struct hl_args *args, struct request *request, struct hl_error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < hl_args_nr_operands(args); i++) {
		const char *word = hl_args_operand(args, i);

		if (hl_bundle_is_dir(word))
			add_dir(request, word);
		else if (!strchr(word, '='))
			rc = hl_fail(err, ENOENT,
				     "%s: no such bundle or host; a host is NAME=VIA, e.g. "
				     "pve='ssh root@pve'",
				     word);
		else
			rc = hl_given_host_read(request->arena, word, add_host(request), err);
	}
	if (rc == 0 && !hl_args_nr_operands(args))
		add_host(request); /* this machine */
	return rc;
}

static int read_request(const struct hl_args *args, struct request *request, struct hl_error *err)
{
	const char *leaf = hl_args_value(args, "leaf", 0), *pod = hl_args_value(args, "pod", 0);
	int rc;

	request->arena = hl_arena_new();
	if (leaf && pod)
		return hl_fail(err, EINVAL, "either --leaf or --pod");
	rc = read_operands(args, request, err);
	if (rc == 0 && hl_args_json(args) && !strcmp(hl_args_value(args, "out", 0) ?: "", "-"))
		rc = hl_fail(err, EINVAL, "--out - and --json both go to stdout");
	if (rc == 0 && leaf)
		rc = read_leaf(request, leaf, err);
	if (rc == 0 && pod)
		rc = read_pod(request, pod, err);
	return rc;
}

/* ---- what is known ---- */

static int open_dirs(struct request *request, struct hl_bundle *all, struct hl_error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < request->nr_dirs; i++) {
		if (!request->opened[i])
			rc = hl_bundle_open(request->dirs[i], &request->opened[i], err);
		if (rc == 0)
			rc = hl_bundle_join(all, request->opened[i], request->dirs[i], err);
	}
	return rc;
}

/* A pod that a bundle holds already is not asked again. */
static bool is_held(const struct request *request, const char *host)
{
	for (size_t i = 0; i < request->nr_dirs; i++) {
		HL_BUNDLE struct hl_bundle *bundle = NULL;

		if (hl_bundle_open(request->dirs[i], &bundle, NULL) < 0)
			continue;
		for (size_t k = 0; k < hl_captures_nr(hl_bundle_captures(bundle)); k++) {
			if (!strcmp(hl_captures_at(hl_bundle_captures(bundle), k)->host, host))
				return true;
		}
	}
	return false;
}

static int capture_into(struct request *request, const char *dir, struct hl_error *err)
{
	HL_BUNDLE struct hl_bundle *bundle = NULL;
	int rc = hl_bundle_create(dir, &bundle, err);

	for (size_t i = 0; rc == 0 && i < request->nr_hosts; i++) {
		struct hl_given_host *host = &request->hosts[i];

		rc = hl_given_host_capture(request->arena, host, bundle, err);
		if (rc == 0 && host->reason)
			hl_console_say("%s: %s", host->captured ? host->captured : host->name,
				       host->reason);
	}
	return rc;
}

static int capture_hosts(struct request *request, struct hl_error *err)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = hl_arena_printf(request->arena, "%s/hoploss-discover-XXXXXX",
				    tmp && *tmp == '/' ? tmp : "/tmp");
	int rc;

	if (request->pod.name && is_held(request, request->pod.name))
		request->nr_hosts--; /* it was added last */
	if (!request->nr_hosts)
		return 0;
	if (!mkdtemp(dir))
		return hl_fail(err, errno, "make %s: %s", dir, strerror(errno));
	request->scratch = dir;
	rc = capture_into(request, dir, err);
	if (rc == 0)
		add_dir(request, dir);
	return rc;
}

static int learn(struct request *request, struct hl_bundle *all, struct hl_graph **ret_graph,
		 struct hl_error *err)
{
	int rc = capture_hosts(request, err);

	if (rc == 0)
		rc = open_dirs(request, all, err);
	return rc < 0 ? rc : hl_diagnose(all, NULL, ret_graph, err);
}

/* ---- the leaf, where it was not said ---- */

/* The only one there is. */
static int choose_leaf(struct request *request, const struct hl_graph *graph, struct hl_error *err)
{
	const struct hl_fact *leaf, *only = hl_discover_leaf_at(graph, 0);

	if (request->leaf_host)
		return 0;
	if (only && !only->host)
		return hl_fail(err, ENOENT,
			       "what is known of mounts is of files that name no host: capture "
			       "the host");
	if (!only)
		return hl_fail(err, ENOENT,
			       "no mounted device of any host is known: say --leaf "
			       "HOST:/PATH");
	if (!hl_discover_leaf_at(graph, 1)) {
		request->leaf_host = only->host;
		request->leaf_path = only->node;
		return 0;
	}
	for (size_t i = 0; i < MAX_LEAVES && (leaf = hl_discover_leaf_at(graph, i)); i++)
		hl_console_say("--leaf %s:%s  (%s)", leaf->host ? leaf->host : "?", leaf->node,
			       leaf->string);
	return hl_fail(err, EINVAL, "several volumes are mounted: say which, as above");
}

/* A pod that could not be entered: its volume as its node has it. */
static int choose_pod_leaf(struct request *request, const struct hl_graph *graph,
			   struct hl_error *err)
{
	struct hl_pod_volume volume;
	int rc;

	if (!request->pod.name || discover_pod_is_known(graph, &request->pod))
		return 0;
	rc = discover_pod_ask(request->arena, &request->pod, &volume, err);
	if (rc == 0)
		rc = discover_pod_place(graph, &volume, &request->leaf_host, &request->leaf_path,
					err);
	if (rc < 0)
		return rc;
	request->said = hl_arena_printf(
		request->arena, "volume %s of pod %s/%s%s%s%s%s%s%s, by kubectl", volume.name,
		request->pod.namespace, request->pod.name, volume.claim ? ", claim " : "",
		volume.claim ? volume.claim : "", volume.store ? ", " : "",
		volume.store ? volume.store : "", volume.text ? ": " : "",
		volume.text ? volume.text : "");
	hl_console_say("the pod itself was not captured; followed is %s:%s", request->leaf_host,
		       request->leaf_path);
	return 0;
}

/* The kubelet mounts a pod's volumes on the worker too, where they can be asked for. */
static void say_pod_mounts(const struct hl_graph *graph)
{
	const struct hl_fact *leaf;
	size_t nr = 0;

	for (size_t i = 0; nr < MAX_LEAVES && (leaf = hl_discover_leaf_at(graph, i)); i++) {
		if (!strstr(leaf->node, "/pods/") || !leaf->host)
			continue;
		if (!nr++)
			hl_console_say("volumes of pods are mounted there, too:");
		hl_console_say("--leaf %s:%s  (%s)", leaf->host, leaf->node, leaf->string);
	}
}

static int discover(const struct request *request, const struct hl_graph *graph,
		    struct hl_discovered **ret_discovered, struct hl_error *err)
{
	struct hl_discover_via *vias = hl_arena_alloc(request->arena,
						      (request->nr_hosts + 1) * sizeof(*vias));
	struct hl_discover asked = { .host = request->leaf_host,
				     .path = request->leaf_path,
				     .said = request->said,
				     .vias = vias };

	for (size_t i = 0; i < request->nr_hosts; i++) {
		const struct hl_given_host *host = &request->hosts[i];
		const char *via = host->via ? NULL : "local";

		for (size_t k = 0; host->via && host->via[k]; k++)
			via = via ? hl_arena_printf(request->arena, "%s %s", via, host->via[k])
				  : host->via[k];
		if (host->captured)
			vias[asked.nr_vias++] = (struct hl_discover_via){ host->captured, via };
	}
	return hl_discover(graph, &asked, ret_discovered, err);
}

/* ---- telling ---- */

static void put_json(const struct request *request, const struct hl_discovered *found)
{
	struct hl_json_out *out = hl_json_out_new(stdout);

	hl_json_object(out, NULL);
	hl_json_put_string(out, "schema", "hoploss.discovery/1");
	hl_json_put_string(out, "host", request->leaf_host);
	hl_json_put_string(out, "leaf", request->leaf_path);
	hl_json_put_string(out, "path_file", found->text);
	hl_json_array(out, "open");
	for (size_t i = 0; i < found->nr_open; i++)
		hl_json_put_string(out, NULL, found->open[i]);
	hl_json_close(out);
	hl_json_array(out, "evidence");
	for (size_t i = 0; i < found->nr_facts; i++) {
		hl_json_object(out, NULL);
		hl_json_put_string(out, "host", found->facts[i]->host);
		hl_json_put_string(out, "node", found->facts[i]->node);
		hl_json_put_string(out, "key", found->facts[i]->key);
		hl_json_put_string(out, "source", found->facts[i]->source);
		hl_json_close(out);
	}
	hl_json_close(out);
	hl_json_close(out);
	hl_json_out_free(out);
}

static int write_new(const char *file, const char *text, struct hl_error *err)
{
	HL_CLOSE int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	size_t len = strlen(text);

	if (fd < 0)
		return hl_fail(err, errno, "write %s: %s", file, strerror(errno));
	for (ssize_t n; len; text += n, len -= (size_t)n) {
		n = write(fd, text, len);
		if (n < 0 && errno != EINTR) {
			hl_fail(err, errno, "write %s: %s", file, strerror(errno));
			unlink(file); /* half a path file is none, and in the way of the next try */
			return -err->code;
		}
		n = n < 0 ? 0 : n;
	}
	return 0;
}

static int tell(const struct hl_args *args, const struct request *request,
		const struct hl_discovered *found, struct hl_error *err)
{
	const char *out = hl_args_value(args, "out", 0);
	const char *file = out && strcmp(out, "-") != 0 ? out : NULL; /* "-" is stdout */
	int rc = file ? write_new(file, found->text, err) : 0;

	if (rc < 0)
		return rc;
	if (hl_args_json(args))
		put_json(request, found);
	else if (!file)
		fputs(found->text, stdout);
	for (size_t i = 0; i < found->nr_open; i++)
		hl_console_say("to fill in: %s", found->open[i]);
	if (file)
		hl_console_say("written to %s: \"hoploss run %s --dry-run\" checks it", file, file);
	return 0;
}

static void free_discovered(struct hl_discovered **discovered)
{
	hl_discovered_free(*discovered);
}

static enum hl_exit discover_run(const struct hl_args *args)
{
	REQUEST struct request request = { 0 };
	HL_BUNDLE struct hl_bundle *all = hl_bundle_new();
	HL_GRAPH struct hl_graph *graph = NULL;
	__attribute__((cleanup(free_discovered))) struct hl_discovered *found = NULL;
	struct hl_error err;
	int rc;

	if (read_request(args, &request, &err) < 0)
		return hl_console_misuse(hl_args_command(args), &err);
	rc = learn(&request, all, &graph, &err);
	if (rc == 0)
		rc = choose_leaf(&request, graph, &err);
	if (rc == 0)
		rc = choose_pod_leaf(&request, graph, &err);
	if (rc == 0)
		rc = discover(&request, graph, &found, &err);
	if (rc == 0)
		rc = tell(args, &request, found, &err);
	if (rc < 0) {
		hl_console_say("%s", err.text);
		if (rc == -ENOENT && request.pod.name && graph)
			say_pod_mounts(graph);
		return rc == -EINVAL ? HL_EXIT_USAGE : HL_EXIT_UNABLE;
	}
	return found && found->nr_open_hops ? HL_EXIT_INCOMPLETE : HL_EXIT_OK;
}

static const struct hl_option options[] = {
	{ .name = "leaf",
	  .arg = "HOST:PATH",
	  .help = "the volume: a mount point, a directory in it, or a device, on one of the "
		  "hosts" },
	{ .name = "pod",
	  .arg = "NS/POD:PATH",
	  .help = "the same in a pod, which is captured by kubectl exec, or found by kubectl get "
		  "on the node, if it is one of the hosts" },
	{ .name = "out",
	  .arg = "FILE",
	  .help = "write the path file there; FILE must be new, \"-\" is stdout (default)",
	  .values = "FILE" },
	{ 0 },
};

static const struct hl_example examples[] = {
	{ "hoploss discover pve='ssh root@pve' nas='ssh root@nas' worker='ssh root@worker1' "
	  "--leaf worker:/data --out path.conf",
	  "The volume under /data, by way of its session and target to the drives." },
	{ "hoploss discover home --pod default/db-0:/var/lib/db",
	  "A pod's volume, its hosts captured before into the bundle home." },
	{ "hoploss discover", "Which volumes this machine has." },
	{ 0 },
};

const struct hl_command hl_command_discover = {
	.name = "discover",
	.summary = "write a path file for one volume among many",
	.usage = "[HOST... | BUNDLE...] [--leaf HOST:PATH | --pod NS/POD:PATH] [--out FILE] "
		 "[--json]",
	.details = "Captures the hosts (NAME=VIA, as \"hoploss capture\" takes them), or takes a "
		   "BUNDLE that was captured before, and follows one volume down: from the mount "
		   "to the disk, from there to the iSCSI session, the target and what backs it, "
		   "to the pool and its drives, or to the disk of the virtual machine and what "
		   "that is on its host; which NIC, VF and PF carries the session; which PCI "
		   "device a passed-through drive is. What comes out is a path file for "
		   "\"hoploss run\".\n\n"
		   "Nothing is guessed by names. Each line has a comment: the fact that it rests "
		   "on, the thing and host it is of, and the file it was read from. What no "
		   "captured host tells stands there as comments to be filled in, and is listed "
		   "on stderr. Capture the server, the storage and the machine of the leaf: what "
		   "is not captured cannot be followed.\n\n"
		   "Without --leaf, and with more than one volume mounted, they are listed. Exit "
		   "code 4: what some hop stands on was not found. A datasheet, and how a host "
		   "is reached, can be filled in without that.",
	.options = options,
	.examples = examples,
	.max_operands = -1,
	.operand_values = "DIR",
	.run = discover_run,
};
