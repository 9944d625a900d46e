#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 0 help --json
for command in $(python3 -c 'import json, sys
for c in json.load(sys.stdin)["commands"]: print(c["name"])' <"$TMPDIR/out"); do
    run 0 help "$command"
    # an example line may be longer: it is to be copied whole
    LC_ALL=C.UTF-8 grep -nE '^.{81}' "$TMPDIR/out" | grep -vE '^[0-9]+:  (hoploss|.*\| hoploss) ' &&
        fail "help $command has long lines"
done
exit 0
