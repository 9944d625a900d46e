#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

for format in text json; do
    "$HOPLOSS" diagnose "$ram" --format $format >/dev/full 2>"$TMPDIR/err"
    [ $? = 3 ] || fail "$format onto a full disk does not exit 3"
    says err "No space left on device"
    [ "$(wc -l <"$TMPDIR/err")" = 1 ] || fail "said more than once"
done
