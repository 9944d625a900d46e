/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine as a whole: kernel, system, how long it is up, and whether it is itself a guest.
 *
 * Source: proc(5), os-release(5), and the DMI names of its maker (Documentation/ABI/testing/
 * sysfs-class-dmi); serial numbers and UUIDs beside them are not read. On x86 the flag "hypervisor"
 * of /proc/cpuinfo is leaf 1, ECX bit 31 of CPUID, which hypervisors set and processors do not.
 */
#include "hoploss/alloc.h"
#include "hoploss/number.h"
#include "hoploss/probe.h"
#include <errno.h>
#include <math.h>
#include <string.h>

#define CPUINFO    "/proc/cpuinfo"
#define OS_RELEASE "/etc/os-release"
#define UPTIME     "/proc/uptime"

/* Files of one line that are a fact as they stand. */
static const struct {
	const char *path, *key;
} lines[] = {
	{ "/proc/sys/kernel/hostname", "system.hostname" },
	{ "/proc/sys/kernel/random/boot_id",
	  "system.boot_id" }, /* of a kernel, so of its pods, too */
	{ "/proc/sys/kernel/osrelease", "system.kernel_release" },
	{ "/sys/class/dmi/id/sys_vendor", "system.vendor" },
	{ "/sys/class/dmi/id/product_name", "system.product" },
};

#define NR_LINES (sizeof(lines) / sizeof(*lines))

static int system_acquire(struct hl_capture *capture, struct hl_error *err)
{
	static const char *const others[] = { UPTIME, OS_RELEASE, CPUINFO };
	unsigned nr_read = 0;

	for (size_t i = 0; i < NR_LINES + sizeof(others) / sizeof(*others); i++) {
		const char *path = i < NR_LINES ? lines[i].path : others[i - NR_LINES];
		HL_FREE char *bytes = NULL;
		size_t len;

		nr_read += hl_machine_read(capture->machine, path, &bytes, &len, NULL) == 0;
	}
	return nr_read ? 0 : hl_fail(err, ENOENT, "neither /proc nor /sys can be read");
}

/* ---- decoding ---- */

struct decoding {
	struct hl_machine *machine;
	struct hl_graph *graph;
	struct hl_origin origin; /* of the file that is being read */
};

static char *read_file(struct decoding *decoding, const char *path)
{
	char *bytes = NULL;
	size_t len;

	decoding->origin.source = path;
	return hl_machine_read(decoding->machine, path, &bytes, &len, NULL) == 0 ? bytes : NULL;
}

static void add_line(struct decoding *decoding, const char *path, const char *key)
{
	HL_FREE char *text = read_file(decoding, path);

	if (!text)
		return;
	text[strcspn(text, "\n")] = '\0';
	if (*text)
		hl_graph_add_string(decoding->graph, &decoding->origin, key, text);
}

static void add_uptime(struct decoding *decoding)
{
	HL_FREE char *text = read_file(decoding, UPTIME);
	double seconds = NAN;

	if (text && hl_number_double(text, strcspn(text, " \n"), &seconds) == 0)
		hl_graph_add_number(decoding->graph, &decoding->origin, "system.uptime_s", seconds);
}

/* PRETTY_NAME="Debian GNU/Linux 12 (bookworm)" */
static void add_os(struct decoding *decoding)
{
	static const char key[] = "PRETTY_NAME=";
	HL_FREE char *text = read_file(decoding, OS_RELEASE);
	char *rest = text, *line;

	while (rest && (line = strsep(&rest, "\n"))) {
		size_t len = strlen(line);

		if (strncmp(line, key, strlen(key)) != 0)
			continue;
		line += strlen(key);
		len -= strlen(key);
		if (len > 1 && strchr("\"'", *line) && line[len - 1] == *line) {
			line[len - 1] = '\0';
			line++;
		}
		if (*line)
			hl_graph_add_string(decoding->graph, &decoding->origin, "system.os", line);
		return;
	}
}

static bool has_word(const char *line, const char *word)
{
	size_t len = strlen(word);

	while ((line = strstr(line, word))) {
		if (line[-1] == ' ' && (line[len] == ' ' || !line[len]))
			return true;
		line += len;
	}
	return false;
}

/* The first processor's flags; other architectures have none, and then it is not known. */
static void add_is_guest(struct decoding *decoding)
{
	HL_FREE char *text = read_file(decoding, CPUINFO);
	char *flags = text ? strstr(text, "\nflags\t") : NULL;

	if (!flags)
		return;
	flags++;
	flags[strcspn(flags, "\n")] = '\0';
	hl_graph_add_boolean(decoding->graph, &decoding->origin, "system.is_guest",
			     has_word(flags, "hypervisor"));
}

static int system_decode(struct hl_machine *recorded, const struct hl_origin *origin,
			 struct hl_graph *graph, struct hl_error *err)
{
	struct decoding decoding = { recorded, graph, *origin };

	(void)err;
	for (size_t i = 0; i < NR_LINES; i++)
		add_line(&decoding, lines[i].path, lines[i].key);
	add_os(&decoding);
	add_uptime(&decoding);
	add_is_guest(&decoding);
	return 0;
}

const struct hl_probe hl_probe_system = {
	.name = "system",
	.summary = "kernel, system, uptime, and whether it is a guest",
	.layer = HL_LAYER_NONE,
	.acquire = system_acquire,
	.decode = system_decode,
};
