#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/disks/lib

command -v tgtd >/dev/null || skip "no tgtd (package tgt)"
writer=$(dirname "$HOPLOSS")/tests/iscsi/writer
[ -x "$writer" ] || skip "no $writer: \"make check\" makes it"
image "$TMPDIR/image" 0
head -c 32M /dev/urandom >"$TMPDIR/image"
target 95 13273 "$TMPDIR/image" iqn.2026-11.net.example:o || skip "tgtd does not run here"
url=iscsi://127.0.0.1:13273/iqn.2026-11.net.example:o/1
printf '[path]\nworkloads = rand-read-4k\n[hop lun]\nlayer = target\ntarget = %s\ninitiator = %s\n' \
    "$url" iqn.2026-11.net.example:owner >"$TMPDIR/path.conf"
sessions() {
    tgtadm -C 95 --lld iscsi --op show --mode target | grep -c 'Initiator: iqn.2026-11.net.example:owner '
}

run 3 run "$TMPDIR/path.conf" --time 1s --out "$TMPDIR/away"
says err "iqn.2026-11.net.example:owner has no session with the target now: not logging in by its name"

"$writer" "$url" 60 >"$TMPDIR/written" 2>&1 &
owner=$!
undo+=("kill $owner")
sleep 1
"$HOPLOSS" run "$TMPDIR/path.conf" --time 60s --quick --out "$TMPDIR/run" --json >"$TMPDIR/out" 2>"$TMPDIR/err" &
us=$!
for _ in {1..100}; do
    grep -q 'round 1 of' "$TMPDIR/err" && [ "$(sessions)" -ge 2 ] && break
    sleep 0.05
done
[ "$(sessions)" -ge 2 ] || fail "we never logged in beside the owner"
kill -KILL $owner
sleep 1
[ "$(sessions)" = 0 ] || fail "a session is left a second after the owner went"
wait $us
json '"a connection to the target ended while" in d["hops"][0]["measurements"][0]["reason"]'

echo owner = none >>"$TMPDIR/path.conf"
run "0 1" run "$TMPDIR/path.conf" --time 1s --quick --out "$TMPDIR/ours"
