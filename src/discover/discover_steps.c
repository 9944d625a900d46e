/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the leaf down: mount, device, what the device stands on; and from what backs a LUN or a
 * virtual disk on, which is a volume, a device or a file again.
 */
#include "discovery.h"
#include "hoploss/guest.h"
#include <errno.h>
#include <string.h>

#define MAX_DEPTH 32
#define ZVOLS     "/dev/zvol/"

/* ---- devices ---- */

static struct found *last_hop(const struct discovery *discovery)
{
	return discovery->hops[discovery->nr_hops - 1];
}

static void add_text(struct discovery *discovery, struct texts *texts, const char *text)
{
	texts->items = hl_arena_extend(discovery->arena, texts->items, texts->nr,
				       sizeof(const char *));
	texts->items[texts->nr++] = text;
}

/* A zvol is a hop of its own; then its pool. */
static void take_zvol(struct discovery *discovery, const char *host, const char *zvol,
		      const struct hl_fact *fact, const char *why)
{
	struct found *hop = add_hop(discovery, "zvol", HL_LAYER_POOL, host);
	const struct hl_fact *pool = find_fact(discovery, host, zvol, "zvol.pool");
	const char *name = pool && pool->type == HL_FACT_STRING
				   ? pool->string
				   : hl_arena_strndup(discovery->arena, zvol, strcspn(zvol, "/"));

	add_target(discovery, hop, hl_arena_printf(discovery->arena, "%s%s", ZVOLS, zvol));
	note(discovery, hop, fact, "%s", why);
	take_pool(discovery, host, name, pool);
}

static void take_device(struct discovery *discovery, const char *host, const char *device);

/* Devices below, several of a RAID, a pool of LVM or a multipath. */
static void take_members(struct discovery *discovery, const char *host, const char *device,
			 const struct hl_fact *below)
{
	struct texts members = { 0 };
	const char *names = below->string;
	const struct hl_fact *session = NULL;
	struct found *hop;

	while (*(names += strspn(names, " "))) {
		size_t len = strcspn(names, " ");

		add_text(discovery, &members, hl_arena_strndup(discovery->arena, names, len));
		names += len;
	}
	for (size_t i = 0; i < members.nr && !session; i++)
		session = find_fact(discovery, host, members.items[i], "block.session");
	if (members.nr == 1) {
		if (discovery->nr_hops)
			note(discovery, last_hop(discovery), below, "%s stands on %s", device,
			     members.items[0]);
		take_device(discovery, host, members.items[0]);
		return;
	}
	hop = add_hop(discovery, session ? "multipath" : "volume",
		      session ? HL_LAYER_INITIATOR : HL_LAYER_POOL, host);
	add_target(discovery, hop, find_stable(discovery, host, device));
	note(discovery, hop, below, "%s stands on %s", device, below->string);
	if (session) {
		note(discovery, hop, NULL, "only the path by %s is followed below", session->node);
		take_device(discovery, host, session->node);
	} else if (members.nr) {
		take_drives(discovery, host, &members);
	}
}

static bool is_text(const struct hl_fact *fact)
{
	return fact && fact->type == HL_FACT_STRING && *fact->string;
}

/* It has the session of its disk, which is what the target exports. */
static bool is_partition(const struct discovery *discovery, const char *host,
			 const struct hl_fact *below)
{
	return is_text(below) && !strpbrk(below->string, " /") &&
	       find_fact(discovery, host, below->string, "block.session");
}

static void take_device(struct discovery *discovery, const char *host, const char *device)
{
	const struct hl_fact *session = find_fact(discovery, host, device, "block.session");
	const struct hl_fact *zvol = find_fact(discovery, host, device, "block.zvol");
	const struct hl_fact *below = find_fact(discovery, host, device, "block.below");
	struct texts one = { 0 };

	if (discovery->depth++ >= MAX_DEPTH)
		return;
	if (is_text(session) && !is_partition(discovery, host, below)) {
		take_session(discovery, host, device, session);
	} else if (is_text(zvol)) {
		take_zvol(discovery, host, zvol->string, zvol,
			  print(discovery, "%s is the zvol %s", device, zvol->string));
	} else if (is_text(below) && below->string[0] == '/') {
		take_source(discovery, host, below); /* the file of a loop device */
	} else if (is_text(below)) {
		take_members(discovery, host, device, below);
	} else {
		add_text(discovery, &one, device);
		take_drives(discovery, host, &one);
	}
}

/* ---- what backs a LUN or a virtual disk ---- */

static void take_file(struct discovery *discovery, const char *host, const struct hl_fact *source)
{
	const struct hl_fact *mount = find_mount(discovery, host, source->string);
	const char *device = mount ? find_device(discovery, host, mount->string) : NULL;
	struct found *hop = add_hop(discovery, "image", HL_LAYER_POOL, host);

	add_target(discovery, hop, hl_arena_printf(discovery->arena, "file:%s", source->string));
	note(discovery, hop, source, "backed by %s", source->string);
	if (mount)
		note(discovery, hop, mount, "%s is on %s", mount->node, mount->string);
	if (device)
		take_device(discovery, host, device);
	else if (mount && strchr(mount->string, '/') && mount->string[0] != '/')
		take_pool(discovery, host,
			  hl_arena_strndup(discovery->arena, mount->string,
					   strcspn(mount->string, "/")),
			  mount);
	else
		add_open(discovery, "raw", HL_LAYER_DRIVE, "/dev/disk/by-id/NAME",
			 print(discovery, "the drive under %s on %s", source->string, host));
}

/* "STORAGE:VOLUME" of Proxmox: the one zvol of the host whose last name is VOLUME; NULL. */
static const char *zvol_of_volume(const struct discovery *discovery, const char *host,
				  const char *volume)
{
	const char *found = NULL;

	for (size_t i = 0; i < discovery->graph->nr_facts; i++) {
		const struct hl_fact *fact = discovery->graph->facts[i];
		const char *last = fact->node ? strrchr(fact->node, '/') : NULL;

		if (strcmp(fact->key, "zvol.pool") || !last || strcmp(last + 1, volume) ||
		    !fact->host || strcmp(fact->host, host) != 0)
			continue;
		if (found && strcmp(found, fact->node) != 0)
			return NULL;
		found = fact->node;
	}
	return found;
}

void take_source(struct discovery *discovery, const char *host, const struct hl_fact *source)
{
	const char *path = source->string, *device = find_device(discovery, host, path);
	const char *volume = path[0] != '/' ? strchr(path, ':') : NULL;
	const char *zvol = volume ? zvol_of_volume(discovery, host, volume + 1) : NULL;
	struct found *hop;

	if (discovery->depth++ >= MAX_DEPTH)
		return;
	if (!strncmp(path, ZVOLS, strlen(ZVOLS)))
		zvol = path + strlen(ZVOLS);
	if (zvol) {
		take_zvol(discovery, host, zvol, source, print(discovery, "backed by %s", path));
	} else if (device) {
		if (discovery->nr_hops)
			note(discovery, last_hop(discovery), source, "backed by %s, which is %s",
			     path, device);
		take_device(discovery, host, device);
	} else if (path[0] == '/' && strncmp(path, "/dev/", 5) != 0) {
		take_file(discovery, host, source);
	} else {
		hop = add_open(discovery, "volume", HL_LAYER_POOL, path,
			       print(discovery, "what %s is on %s", path, host));
		note(discovery, hop, source, "backed by %s", path);
	}
}

/* ---- the leaf ---- */

static const struct hl_fact *boot_of(const struct discovery *discovery, const char *host)
{
	for (size_t i = 0; i < discovery->graph->nr_facts; i++) {
		const struct hl_fact *fact = discovery->graph->facts[i];

		if (fact->host && !strcmp(fact->host, host) &&
		    !strcmp(fact->key, "system.boot_id") && fact->type == HL_FACT_STRING)
			return fact;
	}
	return NULL;
}

/*
 * The host whose block layer knows that device: the leaf's own, or one of the same kernel, whose
 * boot ID it shares: then the leaf is in a pod of it.
 */
static const char *host_of_device(struct discovery *discovery, struct found *hop,
				  const char *device)
{
	const char *host = discovery->asked->host;
	const struct hl_fact *boot = boot_of(discovery, host);

	if (find_fact(discovery, host, device, "block.session"))
		return host;
	for (size_t i = 0; boot && i < discovery->graph->nr_hosts; i++) {
		const char *other = discovery->graph->hosts[i]->name;
		const struct hl_fact *its = boot_of(discovery, other);

		if (!its || its == boot || strcmp(its->string, boot->string) != 0 ||
		    !find_device(discovery, other, device))
			continue;
		note(discovery, hop, its, "%s and %s share one kernel", host, other);
		return other;
	}
	return host;
}

static int fail_leaf(const struct discovery *discovery, struct hl_error *err)
{
	const char *host = discovery->asked->host;
	const struct hl_fact *leaf = NULL;

	for (size_t i = 0; (leaf = hl_discover_leaf_at(discovery->graph, i)); i++) {
		if (leaf->host && !strcmp(leaf->host, host))
			break;
	}
	return hl_fail(err, ENOENT, "%s:%s: no mount or device of that host is known under it%s%s",
		       host, discovery->asked->path, leaf ? "; known is, for one, " : "",
		       leaf ? leaf->node : "");
}

/* A file in the directory; one is laid out there if there is none. */
static void take_file_leaf(struct discovery *discovery, const struct hl_fact *mount)
{
	const struct hl_discover *asked = discovery->asked;
	struct found *hop = add_hop(discovery, "file", HL_LAYER_FILESYSTEM, asked->host);
	size_t len = strlen(asked->path);
	bool has_slash = len && asked->path[len - 1] == '/';
	const char *host, *device;

	add_target(discovery, hop,
		   hl_arena_printf(discovery->arena, "file:%s%shoploss.bin", asked->path,
				   has_slash ? "" : "/"));
	if (asked->said)
		note(discovery, hop, NULL, "%s", asked->said);
	note(discovery, hop, mount, "%s is on %s", mount->node, mount->string);
	if (strcmp(asked->path, mount->node) != 0)
		note(discovery, hop, NULL, "a capture does not tell whether %s is there",
		     asked->path);
	offer(discovery, hop, "size = 64G",
	      "run --layout makes a file of this size: more than memory is best");
	host = host_of_device(discovery, hop, mount->string);
	device = find_device(discovery, host, mount->string);
	if (device)
		take_device(discovery, host, device);
	else if (strchr(mount->string, ':'))
		add_open(discovery, "export", HL_LAYER_POOL, "file:/EXPORTED/FILE",
			 print(discovery,
			       "%s is a network file system, whose server's disks are "
			       "not followed",
			       mount->string));
	else if (strchr(mount->string, '/'))
		take_pool(discovery, host,
			  hl_arena_strndup(discovery->arena, mount->string,
					   strcspn(mount->string, "/")),
			  mount);
	else
		take_device(discovery, host, mount->string);
}

/* File systems without a device under them. */
static const char *nature_of(const char *fs_type)
{
	static const char *const memory[] = { "tmpfs", "ramfs", "devtmpfs", "hugetlbfs", NULL };
	static const char *const kernel[] = { "proc",    "sysfs",   "cgroup",   "cgroup2",
					      "debugfs", "tracefs", "configfs", "bpf",
					      "devpts",  "mqueue",  "autofs",   NULL };

	for (size_t i = 0; memory[i]; i++) {
		if (!strcmp(fs_type, memory[i]))
			return "memory";
	}
	for (size_t i = 0; kernel[i]; i++) {
		if (!strcmp(fs_type, kernel[i]))
			return "a view into the kernel";
	}
	return NULL;
}

static bool is_below(const char *path, const char *directory)
{
	size_t len = strlen(directory);

	return !strncmp(path, directory, len) && (!path[len] || path[len] == '/');
}

/* A capture need not have these two among its mounts. */
static const char *usual_type(const char *path, const struct hl_fact *mount)
{
	static const char *const usual[][2] = { { "/proc", "proc" }, { "/sys", "sysfs" } };

	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++) {
		if (is_below(path, usual[i][0]) && !is_below(mount->node, usual[i][0]))
			return usual[i][1];
	}
	return NULL;
}

static int check_leaf(const struct discovery *discovery, const struct hl_fact *mount,
		      struct hl_error *err)
{
	const struct hl_discover *asked = discovery->asked;
	const char *type = usual_type(asked->path, mount);
	const char *nature;

	if (!type)
		type = find_text(discovery, asked->host, mount->node, "mount.fs_type");
	nature = type ? nature_of(type) : NULL;
	return nature ? hl_fail(err, EINVAL, "%s:%s is on %s, which is %s: no device is under it",
				asked->host, asked->path, type, nature)
		      : 0;
}

/* ".." leads elsewhere where a link is on the way, which no capture tells. */
static bool has_dots(const char *path)
{
	for (const char *at = path; (at = strstr(at, "/..")); at += 3) {
		if (!at[3] || at[3] == '/')
			return true;
	}
	return false;
}

int take_leaf(struct discovery *discovery, struct hl_error *err)
{
	const struct hl_discover *asked = discovery->asked;
	const char *device = NULL;
	const struct hl_fact *mount = NULL;
	int rc;

	if (has_dots(asked->path))
		return hl_fail(err, EINVAL, "%s:%s: write the path without \"..\"", asked->host,
			       asked->path);
	if (!strncmp(asked->path, "/dev/", 5))
		device = find_device(discovery, asked->host, asked->path);
	if (!device)
		mount = find_mount(discovery, asked->host, asked->path);
	if (mount && !strncmp(asked->path, "/dev/", 5) && strncmp(mount->node, "/dev/", 5) != 0)
		mount = NULL; /* a device that is not known, and no directory on a disk */
	if (!device && !mount)
		return fail_leaf(discovery, err);
	rc = mount ? check_leaf(discovery, mount, err) : 0;
	if (rc < 0)
		return rc;
	if (device)
		take_device(discovery, asked->host, device);
	else
		take_file_leaf(discovery, mount);
	return 0;
}
