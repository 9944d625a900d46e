#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

printf '[hop lun]\nlayer = target\ntarget = iscsi://me%%VerySecret12@127.0.0.1/iqn.x:y/0\n' >"$TMPDIR/p.conf"
run 2 run "$TMPDIR/p.conf" --out "$TMPDIR/run"
says err "p.conf:3: a user or password in an iscsi:// target"
grep -rs VerySecret "$TMPDIR/run" "$TMPDIR/out" "$TMPDIR/err" && fail "the password was told"
run 2 run 'iscsi://me%VerySecret12@127.0.0.1/iqn.x:y/0' --out "$TMPDIR/run"
[ ! -e "$TMPDIR/run" ] || fail "something was recorded"
