#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

type script >/dev/null 2>&1 || { echo "no script(1) here"; exit 77; }
shown() {
    LC_ALL=$1 script -qec "$HOPLOSS diagnose --color never tests/hosts/ram-loop-pod/bundle" \
        /dev/null </dev/null
}
shown C >"$TMPDIR/ascii"
grep -q '#' "$TMPDIR/ascii" || fail "no bars of # without UTF-8"
LC_ALL=C grep -q '[^[:print:][:space:]]' "$TMPDIR/ascii" && fail "more than ASCII without UTF-8"
shown C.UTF-8 >"$TMPDIR/utf8"
LC_ALL=C grep -q '[^[:print:][:space:]]' "$TMPDIR/utf8" || fail "no blocks with UTF-8"
exit 0
