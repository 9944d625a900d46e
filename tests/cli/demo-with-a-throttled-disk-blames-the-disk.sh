#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/cli/lib-demo
[ -d /sys/fs/cgroup/blkio ] || grep -qw io /sys/fs/cgroup/cgroup.subtree_control 2>/dev/null ||
    skip "no control groups that limit disks"

# a machine that is busy with other things may hide a loss behind its noise
for _ in 1 2; do
    run "0 1" demo --time 20s --throttle-disk 60MiB/s --json
    ! grep -q '"layer": "vdisk"' "$TMPDIR/out" || break
done
json '[v["layer"] for v in d["verdicts"] if v["leaf"] == "unshaped"] == ["vdisk"]'
