#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/iscsi/lib

fake ""
printf 'me\nVerySecret12\n' >"$TMPDIR/chap"
printf '[hop lun]\nlayer = target\ntarget = %s\nchap = %s\n' "$url" "$TMPDIR/chap" >"$TMPDIR/p.conf"
"$HOPLOSS" run "$TMPDIR/p.conf" --quick --time 3s --out "$TMPDIR/run" --json >"$TMPDIR/out" 2>"$TMPDIR/err" &
found=0
while kill -0 $! 2>/dev/null; do
    grep -lz VerySecret /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null && found=1
    sleep 0.1
done
wait $!
[ $found = 0 ] || fail "the password was in a command line or an environment"
grep -r VerySecret "$TMPDIR/run" "$TMPDIR/out" "$TMPDIR/err" && fail "the password was recorded"
[ -s "$TMPDIR/out" ] || fail "no report"
