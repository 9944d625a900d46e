#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

for words in help version "help --man" "specs --json"; do
    # shellcheck disable=SC2086 # words
    "$HOPLOSS" $words >/dev/full 2>"$TMPDIR/err"
    [ $? = 3 ] || fail "$words onto a full disk does not exit 3"
    says err "No space left on device"
done

# what is said meanwhile does not lose the reason
"$HOPLOSS" capture --out "$TMPDIR/here" >/dev/full 2>"$TMPDIR/err"
[ $? = 3 ] || fail "capture onto a full disk does not exit 3"
says err "recorded in"
says err "No space left on device"
