#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/disks/lib

command -v tgtd >/dev/null || skip "no tgtd (package tgt)"
image "$TMPDIR/image" 16M
target 92 13270 "$TMPDIR/image" iqn.2026-11.net.example:w || skip "tgtd does not run here"
url=iscsi://127.0.0.1:13270/iqn.2026-11.net.example:w/1

# not given away: neither an option nor a workload gets a byte onto it
run 3 run "$url" --write --workloads rand-write-4k --time 1s --out "$TMPDIR/no"
says err "was not given away"
cmp -n 16777216 "$TMPDIR/image" /dev/zero || fail "it was written to"
# with a file system on it, it cannot be given away
mkfs.ext4 -q "$TMPDIR/image"
before=$(sha256sum <"$TMPDIR/image")
echo "$url" | "$HOPLOSS" mark "$url" 2>"$TMPDIR/err" && fail "marked"
says err "holds data, nothing is written: libblkid says ext4"
[ "$before" = "$(sha256sum <"$TMPDIR/image")" ] || fail "it was written to"

truncate -s 0 "$TMPDIR/image" && truncate -s 16M "$TMPDIR/image"
echo "$url" | "$HOPLOSS" mark "$url" >"$TMPDIR/out" 2>"$TMPDIR/err" || fail "not marked"
head -c 1M "$TMPDIR/image" >"$TMPDIR/mark"
run "0 1" run "$url" --write --workloads rand-write-4k --quick --time 1s --out "$TMPDIR/run" --json
json 'd["hops"][0]["measurements"][0]["write"]["bw"] > 0'
head -c 1M "$TMPDIR/image" | cmp - "$TMPDIR/mark" || fail "the mark was overwritten"
tail -c 15M "$TMPDIR/image" | cmp -s - /dev/zero && fail "nothing was written"
# and once something lives on it, it is no scratch any more
mkfs.ext4 -q "$TMPDIR/image"
before=$(sha256sum <"$TMPDIR/image")
run 3 run "$url" --write --workloads rand-write-4k --time 1s --out "$TMPDIR/late"
[ "$before" = "$(sha256sum <"$TMPDIR/image")" ] || fail "it was written to"
exit 0
