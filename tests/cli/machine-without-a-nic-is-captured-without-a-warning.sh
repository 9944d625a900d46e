#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
ns=hoploss-no-nic-$$
ip netns add $ns 2>/dev/null || { echo "a network namespace wants root and ip"; exit 77; }
trap 'ip netns del $ns' EXIT

ip netns exec $ns "$HOPLOSS" capture --json --out "$TMPDIR/captured" >"$TMPDIR/out" 2>"$TMPDIR/err"
json '[(p["status"], p["reason"]) for p in d["hosts"][0]["probes"] if p["probe"] == "link"] == [("absent", "no NIC but lo")]'
run "0 1 4" diagnose --json "$TMPDIR/captured"
json 'not any("link: it was captured, but" in w for w in d["warnings"])'
