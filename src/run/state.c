/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of every host of a run's path, captured before the first round and after the last.
 */
#include "hoploss/take.h"
#include "run.h"
#include <errno.h>

/* Hosts that do not answer are in it too, with the reason: their probes failed. */
int hl_run_capture(struct hl_run *run, enum hl_capture_stage stage, struct hl_bundle *bundle,
		   struct hl_error *err)
{
	const struct hl_path *path = run->options.path;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < path->nr_hosts; i++) {
		const struct run_host *host = &run->hosts[i];
		size_t nr = hl_captures_nr(hl_bundle_captures(bundle));
		struct hl_error why = { 0 };
		struct hl_taken taken;

		if (!hl_path_is_host_used(path, &path->hosts[i]))
			continue;
		if (!host->agent)
			hl_fail(&why, EHOSTDOWN, "%s", host->reason);
		rc = hl_take_capture(bundle, host->agent, path->hosts[i].name, stage, &why, &taken,
				     err);
		if (hl_captures_nr(hl_bundle_captures(bundle)) > nr)
			rc = 0; /* what is wrong with the host stands there */
	}
	return rc;
}
