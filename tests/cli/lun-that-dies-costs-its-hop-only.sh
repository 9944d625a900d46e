#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/disks/lib

command -v tgtd >/dev/null || skip "no tgtd (package tgt)"
image "$TMPDIR/image" 0
head -c 32M /dev/urandom >"$TMPDIR/image"
target 98 13275 "$TMPDIR/image" iqn.2026-11.net.example:d || skip "tgtd does not run here"
printf '[path]\nworkloads = rand-read-4k\n[hop image]\nlayer = drive\ntarget = file:%s\n' "$TMPDIR/image" \
    >"$TMPDIR/path.conf"
printf '[hop lun]\nlayer = target\ntarget = iscsi://127.0.0.1:13275/iqn.2026-11.net.example:d/1\n' \
    >>"$TMPDIR/path.conf"
"$HOPLOSS" run "$TMPDIR/path.conf" --time 12s --quick --out "$TMPDIR/run" --json >"$TMPDIR/out" 2>"$TMPDIR/err" &
us=$!
for _ in {1..100}; do
    grep -qs '"hop":"lun"' "$TMPDIR/run/samples.jsonl" && break
    sleep 0.1
done
# shellcheck disable=SC2154 # of tests/disks/lib
kill -KILL "$server"
code=0
wait $us || code=$?
[ $code = 4 ] || fail "exit code $code"
json '[m["rounds"] for m in d["hops"][0]["measurements"]] == [6]'
json '0 < d["hops"][1]["measurements"][0]["rounds"] < 6'
json 'd["hops"][1]["measurements"][0]["status"] == "partial"'
json '"rounds lost: " in d["hops"][1]["measurements"][0]["reason"]'
json 'd["stop_reason"] in ("all rounds done", "time used up")'
grep -q '"reason":"stopped after this: ' "$TMPDIR/run/samples.jsonl" || fail "it was tried again"
