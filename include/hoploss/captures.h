/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The captures in a bundle: what probes copied from each host, and what each probe said.
 *
 *   hosts/HOST/root/…        files, links and listings, as they stand on that host
 *   hosts/HOST/kept/NAME     what libraries and tools said; kept/NODE/NAME where it is about one
 *   hosts/HOST/before/…      the same of a run, before its first round,
 *   hosts/HOST/after/…       and after its last
 *
 * HOST and NODE are as hl_record_name makes them. A bundle can come from a stranger: no link in it
 * is followed out of root, and no path out of it is used, only names that were checked.
 */
#ifndef HOPLOSS_CAPTURES_H
#define HOPLOSS_CAPTURES_H

#include "hoploss/error.h"
#include "hoploss/json.h"
#include "hoploss/machine.h"
#include "hoploss/record.h"

#define HL_CAPTURES_DIR "hosts"

enum hl_capture_stage { HL_CAPTURE_ONLY, HL_CAPTURE_BEFORE, HL_CAPTURE_AFTER };

struct hl_capture_status { /* strings as in hoploss/agent.h */
	const char *probe, *status, *reason;
};

struct hl_kept {
	const char *name; /* "smart-log.json" */
	const char *node; /* NULL = of the whole machine, or the text says it */
	const char *file; /* "hosts/pve/kept/nvme0/smart-log.json" */
};

struct hl_captured {
	const char *host;
	enum hl_capture_stage stage;
	const char *from; /* the bundle that it was joined from; NULL = this one */
	const struct hl_capture_status *statuses;
	size_t nr_statuses;
	const struct hl_kept *kept; /* sorted by file; of one that is opened */
	size_t nr_kept;
	const char *const *losses; /* sentences: what is not as it was recorded; of one opened */
	size_t nr_losses;
};

struct hl_captures;

struct hl_captures *hl_captures_new(void);
void hl_captures_free(struct hl_captures *captures); /* NULL allowed */

/* ---- writing ---- */

/*
 * Begins a capture of a host below bundle_fd, in place of what may lie there. What is put into the
 * sink is written there, at most 256 MiB; the sink is the capture's until it is ended. Not seen by
 * anybody before.
 */
int hl_captures_begin(struct hl_captures *captures, int bundle_fd, const char *host,
		      enum hl_capture_stage stage, struct hl_capture_sink **ret_sink,
		      struct hl_error *err);
void hl_captures_say(struct hl_captures *captures, const struct hl_capture_status *status);
/* What was begun last now stands, with what it recorded: hoploss/recorded.h. */
int hl_captures_end(struct hl_captures *captures, struct hl_error *err);
/* Those of that stage are no part of it any more; what they recorded stays where it is. */
void hl_captures_forget(struct hl_captures *captures, enum hl_capture_stage stage);

/*
 * The member "captures" of bundle.json, and back, with what is there opened. -EBADMSG; -ELOOP: a
 * link that was not recorded.
 */
void hl_captures_print(const struct hl_captures *captures, struct hl_json_out *out);
int hl_captures_read(struct hl_captures *captures, int bundle_fd, const struct hl_json *array,
		     struct hl_error *err);
/* All of another bundle, opened, behind these; from is its name. */
void hl_captures_join(struct hl_captures *captures, const struct hl_captures *others,
		      const char *from);

/* ---- reading ---- */

size_t hl_captures_nr(const struct hl_captures *captures);
const struct hl_captured *hl_captures_at(const struct hl_captures *captures, size_t index);
/*
 * Puts all of it into a sink again, as its probes did, also what was put there by no probe of this
 * version. -errno, and err says of what.
 */
int hl_captures_put(const struct hl_captures *captures, size_t index, struct hl_capture_sink *sink,
		    struct hl_error *err);
/* Its recorded tree, to be closed. */
struct hl_machine *hl_captures_machine(const struct hl_captures *captures, size_t index);
/* Bytes of its kept-th kept text, NUL-terminated, to be freed. */
int hl_captures_read_kept(const struct hl_captures *captures, size_t index, size_t kept,
			  char **ret_bytes, size_t *ret_len, struct hl_error *err);

#endif
