#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

mkdir "$TMPDIR/a" "$TMPDIR/b" "$TMPDIR/c"
cp "$ram" "$TMPDIR/a/fio.txt"
cp "$loop" "$TMPDIR/b/fio.json"
cp "$pod" "$TMPDIR/c/fio"
run "0 1" diagnose --json "$TMPDIR/a/fio.txt" --hop "fio-2=$TMPDIR/b/fio.json" "$TMPDIR/c/fio"
json '[h["name"] for h in d["hops"]] == ["fio", "fio-2", "fio-3"]'
