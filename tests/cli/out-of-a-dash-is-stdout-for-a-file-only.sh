#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

for command in "run /dev/null" "diagnose $ram" capture "accept $ram" demo; do
    # shellcheck disable=SC2086 # a command and its operand
    (cd "$TMPDIR" && "$HOPLOSS" $command --out - >out 2>err) && fail "$command --out - is taken"
    says err "--out -: a directory is made"
    [ ! -e "$TMPDIR/-" ] || fail "$command made a directory called -"
done

mkdir -p "$TMPDIR/b/hosts/w/root/proc/self" "$TMPDIR/b/inputs"
echo "36 25 8:16 / /data rw - ext4 /dev/sdb rw" >"$TMPDIR/b/hosts/w/root/proc/self/mountinfo"
echo '{"schema": "hoploss.bundle/1", "seed": 1, "inputs": [],
       "captures": [{"host": "w", "probes": []}]}' >"$TMPDIR/b/bundle.json"
run "0 4" discover "$TMPDIR/b" --leaf w:/data
cp "$TMPDIR/out" "$TMPDIR/plain"
run "0 4" discover "$TMPDIR/b" --leaf w:/data --out -
cmp "$TMPDIR/plain" "$TMPDIR/out" || fail "another path file on stdout"
run 2 discover "$TMPDIR/b" --leaf w:/data --out - --json
