#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/disks/lib

command -v tgtd >/dev/null || skip "no tgtd (package tgt)"
image "$TMPDIR/image" 16M
target 96 13274 "$TMPDIR/image" iqn.2026-11.net.example:c || skip "tgtd does not run here"
url=iscsi://127.0.0.1:13274/iqn.2026-11.net.example:c/1
tgtadm -C 96 --lld iscsi --op new --mode account --user owner --password verysecret12
tgtadm -C 96 --lld iscsi --op bind --mode account --tid 1 --user owner

echo "$url" | "$HOPLOSS" mark "$url" 2>"$TMPDIR/err" && fail "marked without CHAP"
says err "CHAP is wanted"
printf 'owner\nwrongsecret12\n' >"$TMPDIR/chap"
echo "$url" | "$HOPLOSS" mark "$url" --chap "$TMPDIR/chap" 2>"$TMPDIR/err" && fail "marked with a wrong password"
cmp -n 16777216 "$TMPDIR/image" /dev/zero || fail "it was written to"
echo owner >"$TMPDIR/line"
truncate -s -1 "$TMPDIR/line"
echo "$url" | "$HOPLOSS" mark "$url" --chap "$TMPDIR/line" 2>"$TMPDIR/err" && fail "marked without a password"
says err "it has two lines, user and password"
printf 'owner\nverysecret12\n' >"$TMPDIR/chap"
echo "$url" | "$HOPLOSS" mark "$url" --chap "$TMPDIR/chap" >"$TMPDIR/out" 2>"$TMPDIR/err" || fail "not marked"
says out "$url is given away"
! grep -q verysecret12 "$TMPDIR/out" "$TMPDIR/err" || fail "the password is told"
