#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/disks/lib

# a file in RAM, a loop device on it, and a file of the file system that both show
image=/dev/shm/hoploss-$$.img
image "$image" 96M
mkfs.ext4 -q -b 4096 "$image" || skip "no mkfs.ext4"
loop "$image"
mounted "$loop" rw
head -c 40M /dev/urandom >"$mount/data"
umount "$mount"
mount -o ro,noload "$loop" "$mount"
cat >"$TMPDIR/path.conf" <<END
[path]
medium = ram
[hop image]
layer = drive
target = file:$image
[hop loop]
layer = vdisk
target = $loop
[hop file]
layer = filesystem
target = file:$mount/data
END
run 0 run "$TMPDIR/path.conf" --time 3s --dry-run --busy-ok
says err "hop image (drive) on local: reads 40 MiB of file:$image, the written extents of the file"
says err "hop loop (vdisk) on local: reads 40 MiB of $loop, the written extents of the file"
says err "hop file (filesystem) on local: reads 40 MiB of file:$mount/data, the written extents of the file"
run "0 1" run "$TMPDIR/path.conf" --workloads "seq-read-128k rand-read-4k" --time 3s --quick --busy-ok \
    --out "$TMPDIR/run" --json
json 'all(m["status"] == "measured" for h in d["hops"] for m in h["measurements"])'
json 'not any(f["key"].startswith("block.others") for f in d["facts"])'
