#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 0 help --json
for command in $(python3 -c 'import json, sys
for c in json.load(sys.stdin)["commands"]: print(c["name"])' <"$TMPDIR/out"); do
    run 0 help "$command"
    silent err
    says out "usage: hoploss $command"
    says out "options:"
    says out "exit status:"
    mv "$TMPDIR/out" "$TMPDIR/first"
    run 0 "$command" --help
    cmp "$TMPDIR/first" "$TMPDIR/out" || fail "help $command is not $command --help"
done
run 0 --help
says out "$command"
run 0 help --json
json '[(c["name"], o["name"]) for c in d["commands"] for o in c["options"]
    if o["name"] != "help" and "--" + o["name"] not in c["usage"]] == [("worker", "json")]'
