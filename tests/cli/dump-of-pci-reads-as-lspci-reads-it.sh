#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Dumps of config space: what hoploss reads of them is what lspci prints of them. One was made by
# hand, the other is of QEMU 10.0's q35: drives, a switch, a NIC with two VFs, an empty port.
. tests/cli/lib

command -v lspci >/dev/null || exit 77

# facts FILE: all but the names, which depend on the list of PCI ids
facts() {
    run "0 1" diagnose --json "$1"
    python3 -c '
import json, sys
names = ("pcie.name", "pcie.class")
for f in json.load(sys.stdin)["facts"]:
    if f["key"] not in names:
        print(f["node"], f["key"], f["value"])' <"$TMPDIR/out"
}

for name in pci-switch pci-qemu; do
    lspci -F "tests/cli/data/$name.txt" -Dvv >"$TMPDIR/$name-text.txt" 2>/dev/null
    facts "$TMPDIR/$name-text.txt" >"$TMPDIR/of-text"
    facts "tests/cli/data/$name.txt" >"$TMPDIR/of-dump"
    [ -s "$TMPDIR/of-dump" ] || fail "no facts in $name"
    cmp "$TMPDIR/of-text" "$TMPDIR/of-dump" || fail "text and dump of $name differ"
done
json 'not d["findings"]' # all of QEMU's links are made up
json '{f["node"] for f in d["facts"] if f["key"] == "pcie.is_vf"} == {"0000:06:10.0", "0000:06:10.2"}'
run "0 1" diagnose --json tests/cli/data/pci-switch.txt
json '[f["value"] for f in d["facts"] if f["key"] == "pcie.limiting_hop"] == ["0000:00:01.1", "0000:02:01.0"]'
