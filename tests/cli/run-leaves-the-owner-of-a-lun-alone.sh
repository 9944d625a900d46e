#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

[ "$(id -u)" = 0 ] || { echo "tgtd wants root"; exit 77; }
command -v tgtd >/dev/null || { echo "no tgtd here"; exit 77; }
writer=$(dirname "$HOPLOSS")/tests/iscsi/writer
[ -x "$writer" ] || { echo "no $writer: \"make check\" makes it"; exit 77; }
control=$((20 + $$ % 10000))
port=$((20000 + $$ % 10000))
head -c 32M /dev/urandom >"$TMPDIR/lun"
tgtd -f -C $control --iscsi "portal=127.0.0.1:$port" 2>"$TMPDIR/tgtd" &
server=$!
trap 'kill -9 $server' EXIT
admin() {
    tgtadm -C $control --lld iscsi "$@"
}
for _ in {1..50}; do
    admin --op show --mode target >/dev/null 2>&1 && break
    sleep 0.1
done
admin --op new --mode target --tid 1 -T iqn.2026-11.net.example:owned
admin --op new --mode logicalunit --tid 1 --lun 1 -b "$TMPDIR/lun"
admin --op bind --mode target --tid 1 -I ALL
url=iscsi://127.0.0.1:$port/iqn.2026-11.net.example:owned/1

"$writer" "$url" 60 >"$TMPDIR/written" 2>"$TMPDIR/err" &
owner=$!
sleep 0.5
code=0
"$HOPLOSS" run "$url" --quick --time 3s --workloads "seq-read-128k rand-read-4k" --out "$TMPDIR/run" --json \
    >"$TMPDIR/out" 2>"$TMPDIR/run.err" || code=$?
[ $code -le 1 ] || fail "exit $code: $(tail -3 "$TMPDIR/run.err")"
kill $owner || fail "the owner ended before the run"
wait $owner || fail "the owner lost data or its session: $(cat "$TMPDIR/err")"
grep -q passes "$TMPDIR/written" || fail "the owner wrote nothing"
json 'all(m["status"] == "measured" for h in d["hops"] for m in h["measurements"])'
