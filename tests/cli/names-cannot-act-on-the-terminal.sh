#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

# harmless: neither out nor err has a control character but newlines, and err only lines of ours
harmless() {
    LC_ALL=C grep -qP '[\x00-\x09\x0b-\x1f\x7f]' "$TMPDIR/out" "$TMPDIR/err" && fail "an escape sequence"
    grep -qv '^hoploss: ' "$TMPDIR/err" && fail "a line of nobody in err"
    return 0
}

file="$TMPDIR/"$'e\e[2J\nhoploss-not.txt'
: >"$file"
run 3 diagnose "$file"
harmless
says err 'e\x1b[2J\x0ahoploss-not.txt'
run 3 diagnose "$TMPDIR/"$'no\e]0;x\a'
harmless
run 3 capture $'a\e[2J=false' --out "$TMPDIR/bundle"
harmless
says out 'a\x1b[2J'
