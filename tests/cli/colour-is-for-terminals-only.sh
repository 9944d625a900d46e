#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

escape=$(printf '\033')
on_terminal() {
    script -qec "TERM=xterm $* $HOPLOSS diagnose $ram --color ${when:-auto}" /dev/null </dev/null |
        grep -c "$escape"
}
run "0 1" diagnose "$ram"
grep -q "$escape" "$TMPDIR/out" && fail "colour into a file"
run "0 1" diagnose "$ram" --color always
grep -q "$escape" "$TMPDIR/out" || fail "no colour though always"
run 2 diagnose "$ram" --color=sometimes
says err "auto, always or never"
type script >/dev/null 2>&1 || { echo "no script(1) here"; exit 77; }
[ "$(on_terminal)" -gt 0 ] || fail "no colour on a terminal"
[ "$(on_terminal NO_COLOR=1)" = 0 ] || fail "NO_COLOR is not honoured"
[ "$(on_terminal NO_COLOR=)" -gt 0 ] || fail "an empty NO_COLOR counts as set"
[ "$(when=never on_terminal)" = 0 ] || fail "colour though never"
