#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/disks/lib

image "$TMPDIR/image" 0
head -c 16M /dev/urandom >"$TMPDIR/image"
loop "$TMPDIR/image"
run "0 1" run "$loop" --time 1s --quick --workloads rand-read-4k --out "$TMPDIR/run" --json
json '[f["value"] for f in d["facts"] if f["key"] == "block.others_iops"] == [0]'
