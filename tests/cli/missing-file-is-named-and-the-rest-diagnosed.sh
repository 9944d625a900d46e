#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 4 diagnose --json "$TMPDIR/nowhere.txt" "$ram"
says err "nowhere.txt: No such file or directory"
json 'len(d["hops"]) == 1 and len(d["hops"][0]["measurements"]) == 3'
run 4 diagnose --hop "x=$TMPDIR/nowhere.txt,$ram" --json
json 'd["hops"][0]["name"] == "x"'
