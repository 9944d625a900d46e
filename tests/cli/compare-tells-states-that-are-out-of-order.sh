#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

# bundle NAME BEGUN: of one recorded result, begun at that time ("" = not said)
bundle() {
    run "0 1" diagnose "$ram" --out "$TMPDIR/$1"
    ! grep -q '"begun"' "$TMPDIR/$1/bundle.json" || fail "files have no time of their own"
    [ -z "$2" ] || sed -i "s/^{/{ \"begun\": \"$2\",/;t" "$TMPDIR/$1/bundle.json"
}

bundle first 2026-03-01T10:00:00Z
bundle second 2026-03-02T09:00:00Z
bundle timeless ""
run 0 compare "$TMPDIR/first" "$TMPDIR/second" --json
json 'not any("order of time" in w for w in d["warnings"])'
run 0 compare "$TMPDIR/second" "$TMPDIR/first" --json
json 'any("began at 2026-03-01T10:00:00Z" in w and "order of time" in w for w in d["warnings"])'
run 0 compare "$TMPDIR/second" "$TMPDIR/timeless" --json
json 'not any("order of time" in w for w in d["warnings"])'
run 0 compare "$TMPDIR/first" "$TMPDIR/second"
says out "2026-03-02T09:00:00Z"

# a copy keeps the time; what is no time is refused
run "0 1" diagnose "$TMPDIR/first" --out "$TMPDIR/copy"
grep -q '"begun": *"2026-03-01T10:00:00Z"' "$TMPDIR/copy/bundle.json" || fail "the copy lost the time"
run "0 1" report "$TMPDIR/copy" --json
json 'd["begun"] == "2026-03-01T10:00:00Z"'
sed -i 's/2026-03-01T10:00:00Z/1 March/' "$TMPDIR/copy/bundle.json"
run 3 report "$TMPDIR/copy"
says err "begun is no time"

before=$(date -u +%Y-%m-%dT%H:%M:%SZ)
run "0 4" capture --out "$TMPDIR/now"
begun=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["begun"])' "$TMPDIR/now/bundle.json")
[[ ! $begun < $before && ! $begun > $(date -u +%Y-%m-%dT%H:%M:%SZ) ]] || fail "begun at $begun"
