#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 0 --version
cp "$TMPDIR/out" "$TMPDIR/first"
run 0 version
cmp "$TMPDIR/first" "$TMPDIR/out" || fail "--version is not version"
run 0 version --json
json '"hoploss " + d["version"] + "\n" == open("'"$TMPDIR"'/first").read()'
