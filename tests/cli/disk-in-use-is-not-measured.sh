#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/disks/lib

image "$TMPDIR/image" 0
head -c 16M /dev/urandom >"$TMPDIR/image"
loop "$TMPDIR/image"
while dd if="$loop" of=/dev/null bs=4k iflag=direct 2>/dev/null; do :; done &
undo+=("kill $!; wait $! || true")
run 3 run "$loop" --time 1s --out "$TMPDIR/refused"
says err "$loop is in use: others did "
says err "--busy-ok measures it all the same"
run "0 1" run "$loop" --time 1s --quick --workloads rand-read-4k --busy-ok --out "$TMPDIR/run" --json
json 'd["hops"][0]["measurements"][0]["status"] == "measured"'
