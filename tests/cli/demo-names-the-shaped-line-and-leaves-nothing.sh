#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/cli/lib-demo

run "0 1" demo --time 20s --json --out "$TMPDIR/bundle"
! grep "not the verdict" "$TMPDIR/err" || fail "see above"
says err "the verdict is the one that was built in"
json '"emulated" in d["path"]'
json '[v["layer"] for v in d["verdicts"] if v["leaf"] == "shaped" and v["workload"] == "seq-read-128k"] == ["vnic"]'
json 'not [v for v in d["verdicts"] if v["leaf"] == "unshaped" and "vnic" in str(v.get("layer"))]'
# the shaper counts frames without the line's overhead; slots of 0.1 s see its burst
json 'abs([h for h in d["hops"] if h["name"] == "shaped"][0]["measurements"][0]["read"]["bw"] / (37.5e6 * 1448 / 1514) - 1) < 0.05'
uuid=$(sed -n 's,.*/run/hoploss/\([0-9a-f-]*\)/disk$,\1,p' "$TMPDIR/bundle/path.conf")
[ "$uuid" ] || fail "no path file in the bundle"
tests/faults/leftovers "$uuid" || fail "the demo left that"
run "1" report "$TMPDIR/bundle"
says out "vnic"
