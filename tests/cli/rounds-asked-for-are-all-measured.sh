#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

# one hop alone is settled at 6 rounds, and these do not fit into the time
head -c 16M /dev/urandom >"$TMPDIR/file"
run "0 1" run "file:$TMPDIR/file" --workloads rand-read-4k --rounds 24 --time 4s --out "$TMPDIR/bundle" --json
says err "  24 rounds of "
json 'd["stop_reason"] == "all rounds done"'
json 'len(d["hops"][0]["measurements"][0]["read"]["per_round"]) == 24'
run 2 run "file:$TMPDIR/file" --rounds 5
says err "--rounds 5: 6 to 64"
run 2 run "file:$TMPDIR/file" --rounds 65
run 2 demo --rounds many
run 2 run "file:$TMPDIR/file" --rounds 9 --precision 5
says err "--precision and --rounds exclude each other"
