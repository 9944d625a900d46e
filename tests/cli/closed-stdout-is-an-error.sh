#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

"$HOPLOSS" version >&- 2>"$TMPDIR/err"
[ $? = 3 ] || fail "a closed stdout does not exit 3"
says err "not written"
