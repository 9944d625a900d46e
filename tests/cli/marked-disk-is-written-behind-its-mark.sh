#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/disks/lib

image "$TMPDIR/image" 16M
loop "$TMPDIR/image"
echo "$loop" | "$HOPLOSS" mark "$loop" >"$TMPDIR/out" 2>"$TMPDIR/err" || fail "not marked"
head -c 1M "$TMPDIR/image" >"$TMPDIR/mark"
run 0 run "$loop" --write --dry-run --workloads rand-write-4k --time 1s --busy-ok
says err "WRITES, all behind the first MiB of what was given away"
says err "reads and WRITES 15 MiB of $loop"
run "0 1 4" run "$loop" --write --workloads "rand-read-4k rand-write-4k seq-write-128k" --quick --time 1s \
    --busy-ok --out "$TMPDIR/run" --json
json '[m["status"] for m in d["hops"][0]["measurements"]] == ["not-measured", "measured", "measured"]'
json '"never written" in d["hops"][0]["measurements"][0]["reason"]'
json 'd["hops"][0]["measurements"][1]["write"]["bw"] > 0'
head -c 1M "$TMPDIR/image" | cmp - "$TMPDIR/mark" || fail "the mark was overwritten"
tail -c 15M "$TMPDIR/image" | cmp -s - /dev/zero && fail "nothing was written"
exit 0
