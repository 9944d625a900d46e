#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

head -c 16M /dev/urandom >"$TMPDIR/file"
run "0 1" run "$TMPDIR/file" --quick --time 2s --out "$TMPDIR/run" --json -- \
    fio -name=a --rw=randread --bs=8k --iodepth=4 --ioengine=libaio --direct=0 --group_reporting \
    --runtime=60 --time_based --randrepeat=0
json 'len(d["hops"][0]["measurements"]) == 1'
json '[(m["workload"], m["bs"], m["iodepth"], m["status"]) for m in d["hops"][0]["measurements"]] == [("a", 8192, 4, "measured")]'
json 'any("without effect" in w and "group_reporting" in w for w in d["warnings"])'
run "0 1" report "$TMPDIR/run" --format text
says out "without effect here"
