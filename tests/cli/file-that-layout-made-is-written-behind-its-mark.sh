#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/disks/lib

file=$TMPDIR/scratch
run 2 run --layout "$file"
says err "--layout wants --size"
run 3 run --layout "$file" --size 1P
says err "less than 10 % of its file system"
run 0 run --layout "$file" --size 16M --dry-run
[ ! -e "$file" ] || fail "a dry run made it"
run 0 run --layout "$file" --size 16M
says err "snapshots taken meanwhile keep it"
says err "To undo: rm '$file'"
run 3 run --layout "$file" --size 16M
says err "is there already"
cp --no-preserve=all "$file" "$TMPDIR/before"
run "0 1" run "file:$file" --write --workloads "rand-read-4k rand-write-4k" --quick --time 1s \
    --out "$TMPDIR/run" --json
json '[m["status"] for m in d["hops"][0]["measurements"]] == ["measured", "measured"]'
cmp -n 1048576 "$file" "$TMPDIR/before" || fail "the mark was overwritten"
cmp -s "$file" "$TMPDIR/before" && fail "nothing was written"
# a copy has no xattr: it is nobody's scratch
run 3 run "file:$TMPDIR/before" --write --workloads rand-write-4k --time 1s --out "$TMPDIR/copy"
says err "was not made by hoploss"
grep -rqsF "$file" /var/lib/hoploss && fail "a journal was left"
exit 0
