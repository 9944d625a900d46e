#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

cp "$ram" "$TMPDIR/a,b.txt"
run "0 1" diagnose --json --hop "x=$TMPDIR/a,b.txt"
json 'd["hops"][0]["measurements"][0]["source"]["file"] == "a,b.txt"'
