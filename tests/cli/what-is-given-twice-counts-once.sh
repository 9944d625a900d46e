#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

one='len(d["hops"]) == 1 and len(d["hops"][0]["measurements"]) == 3'
run "0 1" diagnose --out "$TMPDIR/b" "$ram"
cp -r "$TMPDIR/b" "$TMPDIR/copy"
run "0 1" diagnose --json "$ram" "$ram"
json "$one"
run "0 1" diagnose --json "$TMPDIR/b" "$TMPDIR/../${TMPDIR##*/}/b"
json "$one"
json 'not d["warnings"]'

# its copy, too, and that is said
run "0 1" diagnose --json "$TMPDIR/b" "$TMPDIR/copy"
json "$one"
json 'any("was given twice" in w for w in d["warnings"])'
