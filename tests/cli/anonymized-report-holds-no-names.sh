#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

sed 's,rand-read-4k-qd1,/mnt/acme/10.9.8.7,' "$loop" >"$TMPDIR/acme-nas7.txt"
run 1 diagnose --hop "ram=$ram" "$TMPDIR/acme-nas7.txt" --out "$TMPDIR/bundle"
says out "acme"
for format in text json html md svg; do
    run 1 report "$TMPDIR/bundle" --format "$format" --anonymize
    grep -nE 'acme|nas7|10\.9\.8\.7' "$TMPDIR/out" && fail "a name is left in $format"
    says out "input-2"
done
run 1 report "$TMPDIR/bundle" --json
json 'd["has_identities"] and not d["is_anonymised"]'
run 1 report "$TMPDIR/bundle" --json --anonymize
json 'd["is_anonymised"] and not d["has_identities"] and d["hops"][0]["name"] == "ram"'
json 'any(m["workload"].startswith("/path-") for h in d["hops"] for m in h["measurements"])'
cp "$TMPDIR/out" "$TMPDIR/first"
run 1 diagnose "$TMPDIR/bundle" --json --anonymize
cmp "$TMPDIR/out" "$TMPDIR/first" || fail "not the same every time"
grep -q acme "$TMPDIR/bundle/bundle.json" || fail "the bundle was changed"
