#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

for given in "--hop x=$ram,$loop" "--hop x=$ram --hop x:vdisk=$loop"; do
    # shellcheck disable=SC2086 # words
    "$HOPLOSS" diagnose --json $given >"$TMPDIR/out" 2>"$TMPDIR/err"
    json 'len(d["hops"]) == 1 and len(d["hops"][0]["measurements"]) == 6'
done
json 'd["hops"][0]["layer"] == "vdisk"'
