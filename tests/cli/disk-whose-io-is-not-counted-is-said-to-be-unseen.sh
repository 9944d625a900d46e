#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/disks/lib

image "$TMPDIR/image" 0
head -c 16M /dev/urandom >"$TMPDIR/image"
loop "$TMPDIR/image"
switch=/sys/block/${loop#/dev/}/queue/iostats
echo 0 >"$switch" 2>/dev/null || skip "iostats cannot be switched here"
undo+=("echo 1 >$switch")
run "0 1" run "$loop" --time 2s --quick --workloads rand-read-4k --out "$TMPDIR/run" --json
says err "whether others use it is not known"
json 'any(f["key"] == "block.others_unseen" for f in d["facts"])'
json 'not any(f["key"] in ("block.others_iops", "block.mean_depth") for f in d["facts"])'
echo 1 >"$switch"
run "0 1" run "$loop" --time 2s --quick --workloads rand-read-4k --out "$TMPDIR/again" --json
json 'any(f["key"] == "block.others_iops" for f in d["facts"])'
json 'not any(f["key"] == "block.others_unseen" for f in d["facts"])'
