#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

type script >/dev/null 2>&1 || { echo "no script(1) here"; exit 77; }
export LC_ALL=C.UTF-8
longest() {
    script -qec "stty cols $1; $HOPLOSS diagnose --color never tests/hosts/ram-loop-pod/bundle" \
        /dev/null </dev/null | tr -d '\r' | wc -L
}
[ "$(longest 80)" -le 80 ] || fail "$(longest 80) columns on a terminal of 80"
[ "$(longest 160)" -gt 100 ] || fail "$(longest 160) columns on a terminal of 160"
run 1 diagnose tests/hosts/ram-loop-pod/bundle
[ "$(wc -L <"$TMPDIR/out")" -le 100 ] || fail "more than 100 columns into a file"
