#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

guest=tests/hosts/guest-with-zfs-lio-and-vf/bundle
cp -r "$guest" "$TMPDIR/again"
run 3 diagnose "$guest" "$TMPDIR/again" --out "$TMPDIR/twice"
says err "one bundle holds one capture of it"
[ ! -e "$TMPDIR/twice" ] || fail "something was written"

run "0 1 4" diagnose tests/hosts/net-in-order/bundle "$pod" --out "$TMPDIR/clean" --anonymize
grep -rqE "worker|pve|10\.0\.0\.2|2026-11\.net" "$TMPDIR/clean" && fail "a name is left"
run "0 1 4" report "$TMPDIR/clean" --json
json 'len({h["host"] for h in d["hops"] if "host" in h}) == 2 and len(d["facts"]) > 100'

cp -r tests/hosts/run-residual/bundle "$TMPDIR/cut"
sed -i '$s/.\{9\}$//' "$TMPDIR/cut/samples.jsonl"
truncate -s -1 "$TMPDIR/cut/samples.jsonl"
run 3 diagnose "$TMPDIR/cut" --out "$TMPDIR/mended"
says err "a new bundle would not tell that any more"
