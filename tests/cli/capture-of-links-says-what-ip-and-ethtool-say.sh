#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
type ip ethtool >/dev/null 2>&1 || { echo "no ip or no ethtool here"; exit 77; }
ns=hoploss-links-$$
ip netns add $ns || { echo "a network namespace wants root"; exit 77; }
trap 'ip netns del $ns' EXIT

ip -n $ns link add eth7 mtu 9000 type veth peer name far
ip -n $ns link add link eth7 name eth7.5 type vlan id 5
ip -n $ns link add br7 type bridge
ip -n $ns link set far master br7 up
ip -n $ns link set eth7 up
ip netns exec $ns ethtool -K eth7 tso off
tc -n $ns qdisc add dev eth7 root tbf rate 300mbit burst 128kb latency 50ms

ip netns exec $ns "$HOPLOSS" capture --out "$TMPDIR/captured" 2>"$TMPDIR/err" || fail "no capture"
ip netns exec $ns ip -d -j link >"$TMPDIR/links.json"
for option in "" -i -g -l -c -a -k; do
    echo "# ethtool $option eth7"
    ip netns exec $ns ethtool $option eth7
done >"$TMPDIR/eth7.txt" 2>/dev/null

tc -n $ns qdisc show >"$TMPDIR/qdiscs.txt"

run "0 1" diagnose --json "$TMPDIR/links.json" "$TMPDIR/eth7.txt" "$TMPDIR/qdiscs.txt"
mv "$TMPDIR/out" "$TMPDIR/saved"
run "0 1" diagnose --json "$TMPDIR/captured"
python3 - "$TMPDIR/saved" "$TMPDIR/out" <<'EOF' || fail "the capture and the tools differ"
import json, sys
saved, captured = ({(f.get("node"), f["key"], str(f["value"])) for f in json.load(open(p))["facts"]} for p in sys.argv[1:])
missing = saved - captured
assert len(saved) > 30 and {("eth7", "link.tso", "False"), ("eth7", "link.qdisc_rate", "37500000")} <= saved, saved
assert not missing, missing
EOF
