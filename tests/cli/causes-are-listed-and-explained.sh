#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 0 causes
says out serial-stage
run 0 causes --json
json 'len(d["causes"]) >= 8 and all(c["summary"] and c["explain"] for c in d["causes"])'
json '{r for c in d["causes"] for r in c["rivals"]} <= {c["id"] for c in d["causes"]}'
for id in $(python3 -c 'import json, sys
for c in json.load(sys.stdin)["causes"]: print(c["id"])' <"$TMPDIR/out"); do
    run 0 causes "$id"
    says out "$id: "
    says out "layer: "
done
run 2 causes ethernet
silent out
says err "did you mean ethernet-ceiling?"
