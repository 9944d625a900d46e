/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records as lines from a worker: see hoploss/record.h. Bytes that are no UTF-8 go in base64.
 */
#ifndef HOPLOSS_AGENT_RECORD_LINE_H
#define HOPLOSS_AGENT_RECORD_LINE_H

#include "hoploss/alloc.h"
#include "hoploss/json.h"
#include "hoploss/record.h"

#define RECORD_LINE_MAX (4u << 20) /* bytes of a record; in base64 it must fit into a line */

/* The member "record" of an object. */
void record_line_put(struct hl_json_out *out, const struct hl_record *record);
/* And back; what it points to is in the arena. -EBADMSG. */
int record_line_read(const struct hl_json *object, struct hl_arena *arena,
		     struct hl_record *ret_record, struct hl_error *err);

#endif
