#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/disks/lib

group=/sys/fs/cgroup/blkio/hoploss-test-$$
mkdir "$group" 2>/dev/null || skip "no blkio control group of version 1"
undo+=("rmdir '$group'" "echo $$ >/sys/fs/cgroup/blkio/cgroup.procs")
drives=
for i in 1 2 3; do
    head -c 16M /dev/urandom >"$TMPDIR/$i"
    loop "$TMPDIR/$i" --direct-io=on
    drives+=" $loop"
done
echo "$(cat "/sys/block/${loop##*/}/dev") 1048576" >"$group/blkio.throttle.read_bps_device" 2>/dev/null || skip "no throttle"
echo $$ >"$group/cgroup.procs"
cat >"$TMPDIR/path.conf" <<END
[path]
workloads = rand-read-4k
[hop raw]
layer = drive
target =$drives
END
run 1 run "$TMPDIR/path.conf" --time 12s --busy-ok --out "$TMPDIR/run" --json
json '[f["state"] for f in d["findings"] if f["id"] == "drive-slower-than-peers"] == ["confirmed"]'
json '"the drive '"$loop"' gives" in [f["text"] for f in d["findings"] if f["id"] == "drive-slower-than-peers"][0]'
json 'sorted(m["drive"] for m in d["hops"][0]["measurements"] if "drive" in m) == sorted("'"$drives"'".split())'
json '[m["read"]["bw"] > 0 for m in d["hops"][0]["measurements"]] == [True] * 4'
