#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

echo "It is slow, please help." >"$TMPDIR/prose.txt"
run 4 diagnose --json "$TMPDIR/prose.txt" "$ram"
json '[(i["file"], i["status"]) for i in d["inputs"]] == [("prose.txt", "unknown"), ("001-ram.txt", "read")]'
json 'len(d["hops"]) == 1'
