#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

for given in "--hop x=$ram,$loop" "--hop x=$ram --hop x:vdisk=$loop"; do
    # shellcheck disable=SC2086 # words
    "$HOPLOSS" diagnose --json $given >"$TMPDIR/out" 2>"$TMPDIR/err"
    json 'len(d["hops"]) == 1 and len(d["hops"][0]["measurements"]) == 6'
done
json 'd["hops"][0]["layer"] == "vdisk"'
json 'len(d["hops"][0]["measurements"]) == 6'

# one file is one result, however often it is given; two of one name are two
mkdir "$TMPDIR/a" "$TMPDIR/b"
cp "$ram" "$TMPDIR/a/fio.txt"
cp "$loop" "$TMPDIR/b/fio.txt"
run "0 1" diagnose --json --hop "x=$TMPDIR/a/fio.txt,$TMPDIR/a/../a/fio.txt" --hop "x=$TMPDIR/a/fio.txt"
json 'len(d["hops"][0]["measurements"]) == 3 and d["inputs"][0]["file"] == "fio.txt"'
run "0 1" diagnose --json --hop "x=$TMPDIR/a/fio.txt,$TMPDIR/b/fio.txt"
json 'len(d["hops"][0]["measurements"]) == 6'
json '{m["source"]["file"] for m in d["hops"][0]["measurements"]} == {"a/fio.txt", "b/fio.txt"}'
