#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

printf '[global]\nbs=4k\n[a]\nrate_iops=100\n' >"$TMPDIR/jobs.fio"
printf '[path]\nworkloads = @jobs.fio\n[hop f]\nlayer = drive\ntarget = /dev/null\n' >"$TMPDIR/p.conf"
run 2 run "$TMPDIR/p.conf" --dry-run
says err "jobs.fio:4: rate_iops=100: it would hold the job back"
run 2 run /dev/null --dry-run -- --name=a --iodepht=4
says err "did you mean iodepth"
