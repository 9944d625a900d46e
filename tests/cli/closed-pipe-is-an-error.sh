#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

mkfifo "$TMPDIR/pipe"
# shellcheck disable=SC2094 # a pipe that has a writer and no reader is wanted
exec 3<>"$TMPDIR/pipe" 4>"$TMPDIR/pipe" 3>&-
"$HOPLOSS" version >&4 2>"$TMPDIR/err"
[ $? = 3 ] || fail "a closed pipe does not exit 3"
says err "Broken pipe"
