#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/disks/lib

# three images: the second has the first one's size, the third another one
for n in 1 2 3; do
    image "$TMPDIR/$n" 0
    head -c $((n == 3 ? 24 : 16))M /dev/urandom >"$TMPDIR/$n"
    loop "$TMPDIR/$n"
    loops[n]=$loop
done
cat >"$TMPDIR/path.conf" <<END
[hop image]
layer = pool
target = file:$TMPDIR/1
[hop right]
layer = vdisk
target = ${loops[1]}
[hop wrong]
layer = vdisk
after = image
target = ${loops[2]}
[hop large]
layer = vdisk
after = image
target = ${loops[3]}
END
run 4 run "$TMPDIR/path.conf" --time 1s --dry-run
says err "hop right (vdisk) on local: reads 16 MiB of ${loops[1]}"
says err "hop wrong ($TMPDIR/path.conf:10): NOT MEASURED: another volume: sampled blocks are not those of image"
says err "hop large ($TMPDIR/path.conf:14): NOT MEASURED: another volume: it has 25165824 bytes, image has 16777216"
