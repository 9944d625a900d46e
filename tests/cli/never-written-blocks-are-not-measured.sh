#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

truncate -s 16M "$TMPDIR/holes"
head -c 8M /dev/zero >"$TMPDIR/zeros"
head -c 8M /dev/urandom >"$TMPDIR/half"
truncate -s 16M "$TMPDIR/half"
run 3 run "file:$TMPDIR/holes" --time 1s --out "$TMPDIR/1"
says err "never written: "
run 3 run "file:$TMPDIR/zeros" --time 1s --out "$TMPDIR/2"
says err "never written: 64 of 64 sampled blocks are nothing but zeros"
printf '[hop f]\nlayer = filesystem\ntarget = file:%s\n' "$TMPDIR/half" >"$TMPDIR/half.conf"
run 3 run "$TMPDIR/half.conf" --time 1s --out "$TMPDIR/3"
says err "never written: 50 % of the file are holes or unwritten extents"
