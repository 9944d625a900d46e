#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

cat >"$TMPDIR/series.csv" <<'END'
change,hop,iops-r,throughput-r
start,disks,24K,1984
"primarycache=metadata, raidz",disks,234,1900
compression off,disks,220,96.8
END
run 1 compare "$TMPDIR/series.csv" --json
json '[w["workload"] for w in d["workloads"]] == ["iops-r", "throughput-r"] * 2'
json '[w["state"] for w in d["workloads"]] == ["worse", "unclear", "unclear", "worse"]'
json 'd["workloads"][0]["suspects"][:2] == ["primarycache", "pool layout"]'
json '"set only primarycache back" in d["workloads"][0]["next"]'
json 'd["workloads"][3]["suspects"] == ["compression"]'
json 'not any(w["state"] == "same" for w in d["workloads"])'
cp "$ram" "$TMPDIR/again.txt"
run 0 compare "$ram" "$TMPDIR/again.txt"
says out "unclear"
run 2 compare "$ram" "$ram"
says err "given twice"
run 4 compare "$ram" "$TMPDIR/nothing"
run 2 compare
run 2 compare "$ram" --match nonsense
