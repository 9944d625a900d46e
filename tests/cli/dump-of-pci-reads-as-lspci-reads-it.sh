#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A dump of config space, made by hand: what hoploss reads of it is what lspci prints of it.
. tests/cli/lib

command -v lspci >/dev/null || exit 77
dump=tests/cli/data/pci-switch.txt
lspci -F "$dump" -Dvv >"$TMPDIR/text" 2>/dev/null
links='{(f["node"], f["key"]): f["value"] for f in d["facts"] if f["key"] not in ("pcie.name", "pcie.class")}'

run "0 1" diagnose --json "$TMPDIR/text"
python3 -c "import json, sys; d = json.load(sys.stdin); print(sorted($links.items()))" \
    <"$TMPDIR/out" >"$TMPDIR/of-text"
run "0 1" diagnose --json "$dump"
python3 -c "import json, sys; d = json.load(sys.stdin); print(sorted($links.items()))" \
    <"$TMPDIR/out" >"$TMPDIR/of-dump"
cmp "$TMPDIR/of-text" "$TMPDIR/of-dump" || fail "the text and the dump differ"
json '[f["value"] for f in d["facts"] if f["key"] == "pcie.limiting_hop"] == ["0000:00:01.1", "0000:02:01.0"]'
