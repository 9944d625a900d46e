#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

agent=$(dirname "$HOPLOSS")/agent/hoploss
[ -x "$agent" ] || { echo "no static file: \"make agent\" makes it"; exit 77; }
[ "$(id -u)" = 0 ] || { echo "chroot wants root"; exit 77; }
[ "$(stat -c %s "$agent")" -le 4194304 ] || fail "more than 4 MiB"
mkdir "$TMPDIR/root"
cp "$agent" "$TMPDIR/root/hoploss"
head -c 1M /dev/urandom >"$TMPDIR/root/medium"
printf '%s\n' '{"id":1,"do":"target","hop":"a","targets":["/medium"]}' \
    '{"id":2,"do":"slot","hop":"a","job":{"workload":{"rw":"randread","bs":4096,"iodepth":4,"numjobs":1},"offset":0,"length":1048576,"seed":1,"warmup":0,"seconds":0.2,"sync_every":0,"drive":0}}' |
    (cat; sleep 2) | chroot "$TMPDIR/root" /hoploss worker >"$TMPDIR/lines"
tail -1 "$TMPDIR/lines" >"$TMPDIR/out"
json 'd["id"] == 2 and d["sample"]["status"] == "measured" and d["sample"]["read"]["bw"] > 0'

# a capture there: no /proc, no /sys, no tools
printf '{"id":1,"do":"capture"}\n' | (cat; sleep 3) | chroot "$TMPDIR/root" /hoploss worker >"$TMPDIR/lines"
tail -1 "$TMPDIR/lines" >"$TMPDIR/out"
json 'd["id"] == 1 and d["nr_probes"] >= 1'
grep '"probe"' "$TMPDIR/lines" | sed '1s/^/[/; $!s/$/,/; $s/$/]/' >"$TMPDIR/out"
json 'all(l["probe"]["status"] in ("ok", "absent", "unsupported") for l in d)'
