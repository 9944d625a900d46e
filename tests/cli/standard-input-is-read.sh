#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

"$HOPLOSS" diagnose --json - <"$ram" >"$TMPDIR/out"
json 'd["hops"][0]["name"] == "stdin" and len(d["hops"][0]["measurements"]) == 3'
"$HOPLOSS" diagnose --json --hop pod:filesystem=- <"$ram" >"$TMPDIR/out"
json 'd["hops"][0]["name"] == "pod"'
"$HOPLOSS" diagnose --json <(cat "$ram") >"$TMPDIR/out"
json 'len(d["hops"][0]["measurements"]) == 3'
