#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

type groff >/dev/null 2>&1 || { echo "no groff here"; exit 77; }
run 0 help --man
LC_ALL=C groff -ww -man -Tutf8 "$TMPDIR/out" >"$TMPDIR/page" 2>"$TMPDIR/err"
silent err
grep -q 'hoploss - say where' <(sed 's/.\x08//g' "$TMPDIR/page") || fail "no name section"
LC_ALL=C grep -nP '[^\x00-\x7f]' "$TMPDIR/out" && fail "not plain ASCII"
exit 0
