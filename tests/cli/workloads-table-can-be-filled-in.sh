#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 0 workloads pve-zfs --csv
head -4 "$TMPDIR/out" >"$TMPDIR/tuning.csv"
run 3 diagnose "$TMPDIR/tuning.csv"
echo "as found,nvme,679MB/S,281,24K,4.64K,1070 / 457,1984,-" >>"$TMPDIR/tuning.csv"
echo "one disk,,547,184,2.61K,2.02K,1.82K / 777,1122,560" >>"$TMPDIR/tuning.csv"
run "0 1" diagnose --json "$TMPDIR/tuning.csv"
json 'len(d["hops"]) == 1 and d["hops"][0]["name"] == "nvme"'
json 'len(d["hops"][0]["measurements"]) == 13'
json 'd["hops"][0]["measurements"][0]["read"]["bw"] == 679e6'
json 'd["hops"][0]["measurements"][4]["write"]["iops"] == 457'
json 'd["hops"][0]["measurements"][12]["change"] == "one disk"'
