#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

file=$TMPDIR/geheimnas-loop.txt
{ echo 'geheimuser@geheimnas:~$ fio --filename=/dev/zvol/geheimpool/geheimvol jobs.fio'
    cat "$loop"
    echo 'geheimuser@geheimnas:~$ zfs list'
    echo 'NAME                  USED  AVAIL  REFER  MOUNTPOINT'
    echo 'geheimpool/geheimvol   10G     5G    10G  /mnt/geheimpool/geheimvol'
    echo 'at 192.168.17.23, 3c:ec:ef:12:34:56, iqn.2005-10.org.freenas.ctl:geheim'
} >"$file"
run "0 1" diagnose --hop "ram=$ram" "$file" --out "$TMPDIR/b" --anonymize
cp "$TMPDIR/out" "$TMPDIR/first"
for name in geheim 192.168.17 3c:ec:ef; do
    grep -rqaiF "$name" "$TMPDIR/b" "$TMPDIR/first" && fail "$name is in the bundle or the report"
    find "$TMPDIR/b" | grep -qiF "$name" && fail "$name is the name of a file"
done
run "0 1" report "$TMPDIR/b"
says out "Holds serials or addresses: no"
run "0 1" report "$TMPDIR/b" --anonymize
cmp "$TMPDIR/out" "$TMPDIR/first" || fail "the bundle gives another report"
# the same figures as from the files
run "0 1" diagnose --hop "ram=$ram" "$file" --json
figures='import json, sys; print([(m["status"], m["read"]["bw"]) for h in json.load(sys.stdin)["hops"] for m in h["measurements"]])'
python3 -c "$figures" <"$TMPDIR/out" >"$TMPDIR/plain"
"$HOPLOSS" report "$TMPDIR/b" --json | python3 -c "$figures" | diff - "$TMPDIR/plain" ||
    fail "other figures than from the files"
