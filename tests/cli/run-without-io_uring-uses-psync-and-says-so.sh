#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

head -c 8M /dev/urandom >"$TMPDIR/medium"
code=0
tests/cli/lib-no-io_uring "$HOPLOSS" run "$TMPDIR/medium" --quick --time 2s --workloads rand-read-4k \
    --out "$TMPDIR/run" --json >"$TMPDIR/out" 2>"$TMPDIR/err" || code=$?
[ $code != 77 ] || { echo "no seccomp here"; exit 77; }
[ $code -le 1 ] || fail "exit $code"
json 'd["hops"][0]["measurements"][0]["engine"] == "psync"'
json '"io_uring may not be used here: Operation not permitted" in d["hops"][0]["measurements"][0]["reason"]'
