/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Asking one NVMe controller for all that is kept of it: see nvme_ask.h.
 *
 * Surprising: a controller counts each command that it does not know as an error, so optional ones
 * are only sent where Identify says that it knows them. Offsets into Identify are those of NVM
 * Express Base 2.0, figure 275.
 */
#include "nvme_ask.h"
#include "hoploss/alloc.h"
#include "nvme_print.h"
#include "sysfs.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CLASS   "/sys/class/nvme"
#define ALIGNED __attribute__((aligned(8))) /* the kernel takes no other buffers */

struct visit { /* of one controller */
	struct hl_capture *capture;
	const char *name; /* "nvme0" */
	int fd;
	unsigned char identity[HL_NVME_IDENTIFY_BYTES] ALIGNED;
	struct hl_error *err;
};

/* ---- what is kept ---- */

static int keep(const struct visit *visit, const char *name, const char *node, const char *text)
{
	return hl_capture_keep(visit->capture, name, node, text, strlen(text), visit->err);
}

static int keep_page(const struct visit *visit, enum hl_nvme_output output, const char *node,
		     const unsigned char *page, unsigned nr)
{
	static const char *const names[] = {
		[HL_NVME_SMART_LOG] = "nvme-smart-log.json",
		[HL_NVME_ID_CTRL] = "nvme-id-ctrl.json",
		[HL_NVME_ID_NS] = "nvme-id-ns.json",
		[HL_NVME_ERROR_LOG] = "nvme-error-log.json",
		[HL_NVME_SELF_TEST_LOG] = "nvme-self-test-log.json",
	};
	HL_FREE char *text = hl_nvme_print_json(output, page, nr);

	return text ? keep(visit, names[output], node, text) : -ENOMEM;
}

/* ---- what a controller says it knows ---- */

static bool knows(const struct visit *visit, size_t at, size_t size, unsigned bit)
{
	return (unsigned)hl_nvme_page_number(visit->identity, at, size) >> bit & 1;
}

static bool knows_self_test(const struct visit *visit)
{
	enum { OACS_AT = 256, SELF_TEST_BIT = 4 };

	return knows(visit, OACS_AT, 2, SELF_TEST_BIT);
}

static unsigned nr_errors(const struct visit *visit)
{
	enum { ELPE_AT = 262 };
	unsigned nr = visit->identity[ELPE_AT] + 1U;

	return nr < HL_NVME_ERRORS_MAX ? nr : HL_NVME_ERRORS_MAX;
}

/* ---- logs and features ---- */

static int keep_logs(const struct visit *visit)
{
	unsigned char page[HL_NVME_ERRORS_MAX * HL_NVME_ERROR_BYTES] ALIGNED = { 0 };
	unsigned nr = nr_errors(visit);
	int r = 0;

	if (hl_nvme_log_smart(visit->fd, page) == 0)
		r = keep_page(visit, HL_NVME_SMART_LOG, visit->name, page, 0);
	if (r == 0 && hl_nvme_log_errors(visit->fd, nr, page) == 0)
		r = keep_page(visit, HL_NVME_ERROR_LOG, visit->name, page, nr);
	if (r == 0 && knows_self_test(visit) && hl_nvme_log_self_tests(visit->fd, page) == 0)
		r = keep_page(visit, HL_NVME_SELF_TEST_LOG, visit->name, page, 0);
	return r;
}

static int keep_features(const struct visit *visit)
{
	static const struct {
		enum hl_nvme_feature feature;
		size_t at, size; /* in Identify, of the mask whose first bit says it is known */
	} rows[] = {
		{ HL_NVME_TEMPERATURE_THRESHOLD, 0, 0 },
		{ HL_NVME_WRITE_CACHE, 525, 1 },
		{ HL_NVME_APST, 265, 1 },
		{ HL_NVME_HCTM, 322, 2 },
	};
	HL_FREE char *all = hl_strdup("");

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint32_t value;

		if (rows[i].size && !knows(visit, rows[i].at, rows[i].size, 0))
			continue;
		if (hl_nvme_get_feature(visit->fd, rows[i].feature, &value) < 0)
			continue;
		HL_FREE char *line = hl_nvme_print_feature(rows[i].feature, value);
		char *more = hl_printf("%s%s", all, line);

		free(all);
		all = more;
	}
	return *all ? keep(visit, "nvme-get-feature.txt", visit->name, all) : 0;
}

/* ---- namespaces ---- */

/* "nvme0c1n2" is a path of what the machine shows as "nvme0n2"; to be freed. */
static char *shown_name(const char *name)
{
	const char *path = strchr(name + strlen("nvme"), 'c');
	const char *space = strchr(name + strlen("nvme"), 'n');

	if (!path || !space || path > space)
		return hl_strdup(name);
	return hl_printf("%.*s%s", (int)(path - name), name, space);
}

static int keep_namespace(const struct visit *visit, const char *name)
{
	HL_FREE char *path = hl_printf(CLASS "/%s/%s/nsid", visit->name, name);
	HL_FREE char *node = shown_name(name);
	unsigned char page[HL_NVME_IDENTIFY_BYTES] ALIGNED = { 0 };
	double nsid = hl_sysfs_number(visit->capture->machine, path);

	if (!(nsid > 0) || hl_nvme_identify_namespace(visit->fd, (uint32_t)nsid, page) < 0)
		return 0;
	return keep_page(visit, HL_NVME_ID_NS, node, page, 0);
}

static int keep_namespaces(const struct visit *visit)
{
	HL_FREE char *directory = hl_printf(CLASS "/%s", visit->name);
	char **names;
	size_t nr;
	int r = 0;

	if (hl_machine_list(visit->capture->machine, directory, &names, &nr, NULL) < 0)
		return 0;
	for (size_t i = 0; i < nr && r == 0; i++) {
		if (!strncmp(names[i], "nvme", 4) && strchr(names[i] + 4, 'n'))
			r = keep_namespace(visit, names[i]);
	}
	hl_machine_free_names(names, nr);
	return r;
}

/* ---- one controller ---- */

static int keep_all(const struct visit *visit)
{
	int r = keep_page(visit, HL_NVME_ID_CTRL, visit->name, visit->identity, 0);

	r = r < 0 ? r : keep_logs(visit);
	r = r < 0 ? r : keep_features(visit);
	return r < 0 ? r : keep_namespaces(visit);
}

int hl_nvme_ask(struct hl_capture *capture, const char *name, int fd, struct hl_error *err)
{
	HL_FREE struct visit *visit = hl_alloc(sizeof(*visit));
	int r = hl_nvme_identify_controller(fd, visit->identity);

	if (r < 0)
		return hl_fail(err, -r, "ask %s who it is: %s", name, strerror(-r));
	visit->capture = capture;
	visit->name = name;
	visit->fd = fd;
	visit->err = err;
	return keep_all(visit);
}
