#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

iqn=iqn.2005-10.org.freenas.ctl:pvc-1
root=$TMPDIR/b/hosts/worker/root
put() { # put PATH TEXT: a file of the host
    mkdir -p "$root${1%/*}" && echo "$2" >"$root$1"
}
disk=/sys/devices/platform/host2/session1/target2:0:0/2:0:0:3
put "$disk/block/sdb/size" 2048
ln -s ../../../2:0:0:3 "$root$disk/block/sdb/device"
put /sys/class/block/.listing sdb
ln -s "../../devices${disk#/sys/devices}/block/sdb" "$root/sys/class/block/sdb"
put /sys/class/iscsi_session/session1/targetname $iqn
put /sys/class/iscsi_connection/connection1:0/address 10.0.0.2
put /sys/class/iscsi_connection/connection1:0/port 3260
echo '{"schema": "hoploss.bundle/1", "seed": 1, "inputs": [],
       "captures": [{"host": "worker", "probes": []}]}' >"$TMPDIR/b/bundle.json"
: >"$TMPDIR/b/samples.jsonl"

run 4 discover "$TMPDIR/b" --leaf worker:/dev/sdb --out "$TMPDIR/path.conf"
says err "to fill in: zvol: what backs LUN 3 of $iqn"
grep -qx "target = iscsi://10.0.0.2/$iqn/3" "$TMPDIR/path.conf" || fail "no LUN 3"
grep -q "^# .*block.session of sdb on worker, /sys/class/iscsi_session" "$TMPDIR/path.conf" ||
    fail "no evidence"
run "0 3 4" run "$TMPDIR/path.conf" --dry-run
says err "hop initiator ($TMPDIR/path.conf:"
run 3 discover "$TMPDIR/b" --leaf worker:/dev/sdb --out "$TMPDIR/path.conf"
says err "File exists"
run 4 discover "$TMPDIR/b" --leaf worker:/dev/sdb --json
json 'd["schema"] == "hoploss.discovery/1" and "[hop network]" in d["path_file"]'
json 'any(f["key"] == "block.session" for f in d["evidence"]) and d["open"]'
run 3 discover "$TMPDIR/b" --leaf nobody:/data
says err "nothing is known of host nobody; known are worker"
