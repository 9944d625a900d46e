#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

mkdir -p "$TMPDIR/b/hosts/w/root/proc/self" "$TMPDIR/b/inputs"
printf '36 25 8:%d / /a%sb rw - ext4 /dev/sd%s rw\n' 16 $'\r' b 32 '\012' c 48 '\011' d 64 $'\x1b\v' e 80 $'\xff' f \
    >"$TMPDIR/b/hosts/w/root/proc/self/mountinfo"
echo '{"schema": "hoploss.bundle/1", "seed": 1, "inputs": [],
       "captures": [{"host": "w", "probes": []}]}' >"$TMPDIR/b/bundle.json"
run "0 1" diagnose "$TMPDIR/b" --json
json '{f["node"]: f["value"] for f in d["facts"] if f["key"] == "mount.device"} == {"/a\rb": "sdb", "/a\nb": "sdc", "/a\tb": "sdd", "/a\x1b\vb": "sde", "/a\ufffdb": "sdf"}'
run "0 1" diagnose "$TMPDIR/b"
grep -q $'[\r\v\x1b]' "$TMPDIR/out" && fail "a control character reaches the terminal"
for c in $'\r' $'\n' $'\t' $'\x1b\v' $'\xff'; do
    run "0 4" discover "$TMPDIR/b" --leaf "w:/a${c}b"
    iconv -f UTF-8 -t UTF-8 "$TMPDIR/out" >/dev/null 2>&1 || fail "the path file is no UTF-8"
    cp "$TMPDIR/out" "$TMPDIR/path.conf"
    run "0 3 4" run "$TMPDIR/path.conf" --dry-run
    grep -q "path.conf:[0-9]*: a control" "$TMPDIR/err" && fail "it cannot be read back"
done
true
