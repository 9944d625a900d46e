#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/cli/lib-demo

# a machine that is busy with other things may hide a loss behind its noise
for _ in 1 2 3; do
    rm -rf "$TMPDIR/bundle"
    run "0 1" demo --time 20s --json --out "$TMPDIR/bundle"
    ! grep "not the verdict" "$TMPDIR/err" || continue
    says err "the verdict is the one that was built in"
    break
done
json '"emulated" in d["path"]'
json '[(v["layer"], v["cause"], v["state"]) for v in d["verdicts"] if v["leaf"] == "shaped"] == [("vnic", "link-shaped", "confirmed")]'
json 'not [v for v in d["verdicts"] if v["leaf"] == "unshaped" and "vnic" in str(v.get("layer"))]'
json 'abs([h for h in d["hops"] if h["name"] == "shaped"][0]["measurements"][0]["read"]["bw"] / (37.5e6 * 1448 / 1514) - 1) < 0.03'
uuid=$(sed -n 's,.*/run/hoploss/\([0-9a-f-]*\)/disk$,\1,p' "$TMPDIR/bundle/path.conf")
[ "$uuid" ] || fail "no path file in the bundle"
tests/faults/leftovers "$uuid" || fail "the demo left that"
run "1" report "$TMPDIR/bundle"
says out "vnic"
