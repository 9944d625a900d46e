#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

head -c 16M /dev/urandom >"$TMPDIR/file"
run "0 1" run "file:$TMPDIR/file" --time 12s --workloads rand-read-4k --max-bw 2MiB/s --precision 50 --out "$TMPDIR/loose" --json
json 'd["stop_reason"].startswith("the binding layer is known to ")'
json '" after round 6, 50 % were asked for" in d["stop_reason"]'
run "0 1" run "file:$TMPDIR/file" --time 2s --workloads rand-read-4k --precision 0.1 --out "$TMPDIR/tight" --json
json 'd["stop_reason"].startswith("time used up: the binding layer is known to ")'
run 2 run "file:$TMPDIR/file" --precision 0
says err "--precision 0: percent, 0.1 to 50"
run 2 run "file:$TMPDIR/file" --precision 5 --quick
