#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

[ "$(id -u)" = 0 ] || { echo "the journal wants root"; exit 77; }
file=$TMPDIR/scratch
other=$TMPDIR/other
setfattr -n user.hoploss.test -v x "$TMPDIR" 2>/dev/null || python3 - "$TMPDIR" <<'END' || { echo "no user attributes here"; exit 77; }
import os, sys
os.setxattr(sys.argv[1], "user.hoploss.test", b"x")
END
"$HOPLOSS" run --layout "$file" --size 600M \
    >"$TMPDIR/out" 2>"$TMPDIR/err" &
maker=$!
for _ in {1..200}; do
    [ -s "$file" ] && break
    sleep 0.01
done
kill -9 $maker
wait $maker 2>/dev/null
[ -e "$file" ] || fail "nothing was left: the kill came too early or too late"
journals=$(grep -l "\"$file\"" /var/lib/hoploss/*.json 2>/dev/null | wc -l)
[ "$journals" = 1 ] || { echo "the file was finished before the kill"; exit 77; }
head -c 1M /dev/urandom >"$other"
run "0 3" clean
says out "removed file $file"
[ ! -e "$file" ] || fail "the file is still there"
[ -s "$other" ] || fail "another file was removed"
run "0 3" clean
silent out
