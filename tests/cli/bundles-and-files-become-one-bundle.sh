#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

# same DIR FORMAT: what was said when DIR was written, and what it says now
same() {
    cp "$TMPDIR/out" "$TMPDIR/said"
    "$HOPLOSS" diagnose "$1" --format "$2" >"$TMPDIR/out"
    cmp "$TMPDIR/said" "$TMPDIR/out" || fail "$1 does not give what was said when it was written"
}
run=tests/hosts/run-residual/bundle
guest=tests/hosts/guest-with-zfs-lio-and-vf/bundle
for first in "$run" "$guest" "tests/hosts/net-in-order/bundle"; do
    for format in json text; do
        rm -rf "$TMPDIR/new"
        run "0 1 4" diagnose "$first" --hop "ram:drive=$ram" --format $format --out "$TMPDIR/new"
        same "$TMPDIR/new" $format
    done
    "$HOPLOSS" diagnose "$first" --json | grep -v '"seed"' >"$TMPDIR/alone"
    rm -rf "$TMPDIR/new"
    run "0 1 4" diagnose "$first" --json --out "$TMPDIR/new"
    diff <(grep -v '"seed"' "$TMPDIR/out") "$TMPDIR/alone" || fail "a copy of $first says otherwise"
    diff -r --no-dereference -x bundle.json -x inputs -x links.txt -x files.txt "$first" "$TMPDIR/new" || fail "not all of $first is in its copy"
done
run "0 1 4" diagnose "$guest" "$run" "$pod" --json --out "$TMPDIR/three"
json '[h for h in d["hops"] if h["name"] == "003-pod"] and len(d["facts"]) > 50 and len(d["hops"]) > 2'
same "$TMPDIR/three" json
run 0 compare "$run" "$TMPDIR/three" --json
json 'd["workloads"]'
