/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of every host of a run's path, captured before the first round and after the last.
 */
#include "hoploss/take.h"
#include "run.h"

/* Hosts that do not answer are in it too, with the reason: their probes failed. */
int hl_run_capture(struct hl_run *run, enum hl_capture_stage stage, struct hl_bundle *bundle,
		   struct hl_error *err)
{
	const struct hl_path *path = run->options.path;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < path->nr_hosts; i++) {
		const struct hl_take take = { bundle,
					      path->hosts[i].name,
					      stage,
					      run->hosts[i].agent,
					      run->hosts[i].reason,
					      run->options.probe_s };
		struct hl_taken taken;

		if (hl_path_is_host_used(path, &path->hosts[i]))
			rc = hl_take_capture(&take, run->arena, &taken, err);
	}
	return rc == 0 ? hl_bundle_release(bundle, err) : rc;
}
