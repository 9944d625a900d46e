#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

if [ "$(id -u)" != 0 ] || ! unshare -m true 2>/dev/null; then
    echo "needs root and a mount namespace"
    exit 77
fi
mkdir "$TMPDIR/full"
# full WORD...: hoploss with --out on a file system of 64 KiB ends with 3, and says where
full() {
    # shellcheck disable=SC2016 # they are the inner shell's
    unshare -m bash -c 'mount -t tmpfs -o size=64k none "$0/full" &&
        "$HOPLOSS" "$@" --out "$0/full/b"' "$TMPDIR" "$@" >"$TMPDIR/out" 2>"$TMPDIR/err"
    [ $? = 3 ] || fail "$1 does not exit 3"
    says err "hoploss: $TMPDIR/full/b: write "
    says err "No space left on device"
    silent out
}
{ head -c 80000 /dev/zero | tr '\0' x; cat "$ram"; } >"$TMPDIR/long.txt"
full diagnose "$TMPDIR/long.txt"
full capture
exit 0
