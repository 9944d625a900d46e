#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 2 demo --shape fast
says err "300Mbit/s"
run 2 demo --target-cpu 0
says err "1 to 100"
run 2 demo --time soon
run 2 demo --throttle-disk 5
if [ "$(id -u)" = 0 ] && unshare --map-root-user true 2>/dev/null; then
    code=0
    setpriv --reuid=65534 --clear-groups "$HOPLOSS" demo 2>"$TMPDIR/err" || code=$?
    [ "$code" = 3 ] || fail "exit code $code, not 3, of a demo that is not root's"
    says err "run it as root"
fi
