#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/disks/lib

command -v tgtd >/dev/null || skip "no tgtd (package tgt)"
image "$TMPDIR/image" 0
head -c 32M /dev/urandom >"$TMPDIR/image"
target 93 13271 "$TMPDIR/image" iqn.2026-11.net.example:b || skip "tgtd does not run here"
for target in "file:$TMPDIR/image" iscsi://127.0.0.1:13271/iqn.2026-11.net.example:b/1; do
    rm -rf "$TMPDIR/run"
    run "0 1" run "$target" --quick --time 3s --workloads rand-read-4k --max-bw 2MiB/s --out "$TMPDIR/run" --json
    json '1.4 * 2**20 < d["hops"][0]["measurements"][0]["read"]["bw"] < 2.1 * 2**20'
    json 'any("held back to 2MiB/s by --max-bw" in w for w in d["warnings"])'
done
run 2 run "$target" --max-bw fast
says err "--max-bw fast: write it as 100MiB/s or 1Gbit/s"
