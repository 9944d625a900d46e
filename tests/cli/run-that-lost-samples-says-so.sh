#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/disks/lib

image "$TMPDIR/image" 0
head -c 16M /dev/urandom >"$TMPDIR/image"
loop "$TMPDIR/image"
run "0 1" run "$loop" --time 2s --quick --workloads rand-read-4k --busy-ok --out "$TMPDIR/run"
run "0 1" report "$TMPDIR/run"
samples=$TMPDIR/run/samples.jsonl
cp "$samples" "$TMPDIR/all"
nr=$(wc -l <"$TMPDIR/all")

# lost TEXT...: each is said, and the rest is reported
lost() {
    run 4 report "$TMPDIR/run" --json
    for text in "$@"; do
        says out "$text"
    done
    json 'd["hops"][0]["measurements"][0]["status"] == "measured"'
    cp "$TMPDIR/all" "$samples"
}
head -c -30 "$TMPDIR/all" >"$samples"
lost "samples.jsonl:$nr: this line was cut short" "with $((nr - 1)) of $nr samples"
sed 2d "$TMPDIR/all" >"$samples"
lost "samples.jsonl:$nr: it ends here, with $((nr - 1)) of $nr samples"
sed '2s/.*/{"half":/' "$TMPDIR/all" >"$samples"
lost "samples.jsonl:2: "
head -c 3000 /dev/zero | tr -d '\n' | cat - "$TMPDIR/all" >"$samples"
lost "samples.jsonl:1: "
sed 2p "$TMPDIR/all" >"$samples"
lost "samples.jsonl: it was changed"

: >"$samples"
run 4 report "$TMPDIR/run" --json
says out "samples.jsonl:1: it ends here, with 0 of $nr samples"
json 'd["facts"]'
rm "$samples"
run 4 report "$TMPDIR/run" --json
says out "samples.jsonl is missing"

# of a run that was recorded without the number of its samples: nothing readable is left
cp -r tests/hosts/run-residual/bundle "$TMPDIR/old"
: >"$TMPDIR/old/samples.jsonl"
run 3 report "$TMPDIR/old"
says err "samples.jsonl holds no sample, but the run went on to its end"
