#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A guest whose iSCSI session goes by an emulated igb VF, as it was recorded, and with one thing
# edited at a time.
. tests/cli/lib

recorded=tests/hosts/guest-with-zfs-lio-and-vf/bundle

# edited CHECK SED FILE: with that edit of that file the check fails, and no other
edited() {
    rm -rf "$TMPDIR/edited"
    cp -r "$recorded" "$TMPDIR/edited"
    sed -i "$2" "$TMPDIR/edited/hosts/name-1/$3" || fail "no $3"
    cmp -s "$TMPDIR/edited/hosts/name-1/$3" "$recorded/hosts/name-1/$3" && fail "$1: not edited"
    run 1 compare "$TMPDIR/edited" --json
    json "[c['id'] for c in d['checks'] if c['status'] == 'FAIL'] == ['$1']"
}

run 0 compare "$recorded" --json
json '{c["id"] for c in d["checks"] if c["status"] == "PASS"} >= {"sriov.route", "sriov.mac"}'
edited sriov.route 's/ dev eth1 / dev eth0 /' kept/198.18.228.2/ip-route-get.txt
edited sriov.rate 's/"trust": *false/&, "rate": {"max_tx": 500, "min_tx": 0}/' kept/ip-link.json
edited sriov.link-state 's/"link_state": *"auto"/"link_state": "disable"/' kept/ip-link.json
edited sriov.pf-link 's/Speed: 1000Mb/Speed: 100Mb/' kept/eth2/ethtool.txt
