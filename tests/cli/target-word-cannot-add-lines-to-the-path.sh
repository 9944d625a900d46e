#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

# the name of a file could bring a host with a command of its own
run 2 run $'/dev/null\n[host h]\nvia = touch '"$TMPDIR/here"$'\n[hop b]\nlayer = pool\nhost = h\ntarget = /dev/null' --dry-run
says err "a control character in the target's name"
[ ! -e "$TMPDIR/here" ] || fail "a target's name was executed"
run 2 run "$TMPDIR/my file" --dry-run
says err "make a link to it"
run 2 run "" --dry-run
says err "empty word"
