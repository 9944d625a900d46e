#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

for words in help version "help --man" "specs --json"; do
    # shellcheck disable=SC2086 # words
    "$HOPLOSS" $words >/dev/full 2>"$TMPDIR/err"
    [ $? = 3 ] || fail "$words onto a full disk does not exit 3"
    says err "No space left on device"
done
