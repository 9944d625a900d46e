/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opening targets on the worker's host: a device or file through the gate, a LUN by a login that
 * ends at once (each slot logs in for itself).
 */
#include "hoploss/alloc.h"
#include "hoploss/give_away.h"
#include "hoploss/machine.h"
#include "worker.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ISCSI     "iscsi://"
#define TIMEOUT_S 10 /* of an iSCSI command */

void target_free(struct target *target)
{
	if (target->pass.fd >= 0)
		close(target->pass.fd);
	for (unsigned i = 0; i < target->nr_more; i++) {
		close(target->more[i].fd);
		free(target->more[i].path);
	}
	free(target->more);
	free(target->more_fds);
	if (target->cached.fd >= 0)
		close(target->cached.fd);
	if (target->password)
		explicit_bzero(target->password, strlen(target->password));
	free(target->map);
	free(target->hop);
	free(target->path);
	free(target->initiator);
	free(target->user);
	free(target->password);
	free(target);
}

static char *dup_member(const struct hl_json *request, const char *key)
{
	const char *text = hl_json_string(hl_json_get(request, key));

	return text ? hl_strdup(text) : NULL;
}

static void read_lun_mark(struct target *target, struct hl_iscsi *session,
			  struct hl_target_info *info)
{
	struct hl_mark mark;
	struct hl_error why;

	info->may_write = hl_lun_read_mark(session, target->path, &mark, &why) == 0;
	if (!info->may_write)
		snprintf(info->why_not_write, sizeof(info->why_not_write), "%s", why.text);
}

static int open_lun(struct target *target, bool wants_write, struct hl_target_info *info,
		    struct hl_error *err)
{
	struct hl_iscsi *session;
	int rc;

	target->login = (struct hl_iscsi_login){
		.url = target->path,
		.initiator = target->initiator,
		.user = target->user,
		.password = target->password,
		.timeout_s = TIMEOUT_S,
	};
	rc = hl_iscsi_open(&target->login, &session, err);
	if (rc < 0)
		return rc;
	snprintf(info->kind, sizeof(info->kind), "iscsi");
	info->size = (double)hl_iscsi_size(session);
	info->block = hl_iscsi_block(session);
	info->is_direct = true;
	snprintf(info->serial, sizeof(info->serial), "%s", hl_iscsi_serial(session));
	target->port = hl_iscsi_portal(session, target->address, sizeof(target->address));
	if (wants_write)
		read_lun_mark(target, session, info);
	hl_iscsi_close(session);
	return 0;
}

/* A SCSI disk shows the NAA that an initiator in userspace is told too. */
static void take_serial(int fd, struct hl_target_info *info)
{
	struct hl_machine *machine = hl_machine_open("/", NULL);
	struct hl_blockdev_identity identity = { 0 };
	struct stat status;

	if (fstat(fd, &status) == 0)
		hl_blockdev_identify(machine, status.st_rdev, &identity);
	hl_machine_close(machine);
	snprintf(info->serial, sizeof(info->serial), "%s",
		 !strncmp(identity.wwid, "naa.", 4) ? identity.wwid : identity.serial);
}

/* For writing where that may be, else for reading, and why. */
static int open_path(struct target *target, bool wants_write, struct hl_target_info *info,
		     struct hl_error *err)
{
	const struct hl_gate_request request = { .target = target->path };
	struct hl_mark mark;
	struct hl_error why;

	if (wants_write) {
		info->may_write = hl_gate_open_marked(&request, &target->pass, &mark, &why) == 0;
		if (info->may_write)
			return 0;
		snprintf(info->why_not_write, sizeof(info->why_not_write), "%s", why.text);
	}
	return hl_gate_open(&request, &target->pass, err);
}

static int open_file(struct target *target, bool wants_write, struct hl_target_info *info,
		     struct hl_error *err)
{
	int rc = open_path(target, wants_write, info, err);

	if (rc < 0)
		return rc;
	snprintf(info->kind, sizeof(info->kind), "%s", target->pass.is_block ? "block" : "file");
	info->size = (double)target->pass.size;
	info->block = target->pass.block;
	info->is_direct = target->pass.is_direct;
	if (target->pass.is_block)
		take_serial(target->pass.fd, info);
	return 0;
}

static void add_drive(struct target *target, const char *path, int fd)
{
	unsigned nr = target->nr_more;

	target->more = hl_grow(target->more, nr + 1, sizeof(*target->more));
	target->more[nr] = (struct drive){ .path = hl_strdup(path), .fd = fd };
	target->more_fds = hl_grow(target->more_fds, nr + 1, sizeof(*target->more_fds));
	target->more_fds[nr] = fd;
	target->nr_more++;
}

/* The drives behind the first: only what is smallest of all can be read of each. */
static int open_more(struct target *target, const struct hl_json *paths,
		     struct hl_target_info *info, struct hl_error *err)
{
	size_t nr = hl_json_length(paths);

	if (nr > 1 && !target->pass.is_block)
		return hl_fail(err, EINVAL, "%s: only block devices are measured together",
			       target->path);
	for (size_t i = 1; i < nr; i++) {
		const char *word = hl_json_string(hl_json_at(paths, i)), *path = word ? word : "";
		const struct hl_gate_request request = { .target = path };
		struct hl_gate_pass pass;
		int rc = hl_gate_open(&request, &pass, err);

		if (rc < 0)
			return rc;
		add_drive(target, path, pass.fd);
		info->size = fmin(info->size, (double)pass.size);
		info->block = fmax(info->block, pass.block);
	}
	return 0;
}

static void put_info(struct hl_json_out *out, const struct hl_target_info *info)
{
	hl_json_object(out, "info");
	hl_json_put_string(out, "kind", info->kind);
	hl_json_put_number(out, "size", info->size);
	hl_json_put_number(out, "block", info->block);
	hl_json_put_string(out, "serial", info->serial);
	hl_json_put_boolean(out, "is_direct", info->is_direct);
	hl_json_put_boolean(out, "may_write", info->may_write);
	hl_json_put_string(out, "why_not_write", info->why_not_write);
	hl_json_close(out);
}

int serve_target(struct worker *worker, const struct hl_json *request, struct hl_error *err)
{
	const struct hl_json *paths = hl_json_get(request, "targets");
	const char *path = hl_json_string(hl_json_at(paths, 0));
	/* several drives are only read together: each would need a mark of its own */
	bool wants_write = hl_json_boolean(hl_json_get(request, "may_write")) == 1 &&
			   hl_json_length(paths) == 1;
	struct target *target = hl_alloc(sizeof(*target));
	struct hl_target_info info = { 0 };
	struct hl_json_out *out;
	int rc;

	target->pass.fd = target->cached.fd = -1;
	target->hop = dup_member(request, "hop");
	target->path = path ? hl_strdup(path) : NULL;
	target->initiator = dup_member(request, "initiator");
	target->user = dup_member(request, "user");
	target->password = dup_member(request, "password");
	if (!target->hop || !target->path)
		rc = hl_fail(err, EBADMSG, "a target without \"hop\" or \"targets\"");
	else if (!strncmp(target->path, ISCSI, strlen(ISCSI)))
		rc = open_lun(target, wants_write, &info, err);
	else
		rc = open_file(target, wants_write, &info, err);
	if (rc == 0)
		rc = open_more(target, paths, &info, err);
	if (rc < 0) {
		target_free(target);
		return rc;
	}
	target->size = (uint64_t)info.size;
	target->may_write = info.may_write;
	worker->targets = hl_grow(worker->targets, worker->nr_targets + 1, sizeof(target));
	worker->targets[worker->nr_targets++] = target;
	out = answer_begin(worker);
	put_info(out, &info);
	answer_end(worker, out);
	return 0;
}
