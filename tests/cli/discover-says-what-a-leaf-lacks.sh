#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

root=$TMPDIR/b/hosts/h/root
mkdir -p "$root/proc/self" "$root/sys/dev/block" "$root/sys/class/block" \
    "$root/sys/devices/virtual/block/vda"
{ echo "1 0 254:0 / / rw - ext4 /dev/vda rw"
    echo "2 1 0:23 / /dev/shm rw - tmpfs tmpfs rw"
    printf '3 1 254:0 / /srv/\033[31m rw - ext4 /dev/vda rw\n'
    printf '4 1 254:0 / /srv/\377 rw - ext4 /dev/vda rw\n'
} >"$root/proc/self/mountinfo"
echo 2048 >"$root/sys/devices/virtual/block/vda/size"
ln -s ../../devices/virtual/block/vda "$root/sys/class/block/vda"
ln -s ../../devices/virtual/block/vda "$root/sys/dev/block/254:0"
echo vda >"$root/sys/class/block/.listing"
echo '{"schema": "hoploss.bundle/1", "seed": 1, "inputs": [],
       "captures": [{"host": "h", "probes": []}]}' >"$TMPDIR/b/bundle.json"

run 2 discover "$TMPDIR/b" --leaf h:/dev/shm
says err "h:/dev/shm is on tmpfs, which is memory: no device is under it"
run 3 discover "$TMPDIR/b" --leaf h:/dev/vdz
says err "h:/dev/vdz: no mount or device of that host is known under it"
# a name that a path file cannot hold leaves a comment, and the rest stands
for name in $'\033[31m' $'\377'; do
    run 0 discover "$TMPDIR/b" --leaf "h:/srv/$name"
    says out "# to fill in: a target with a blank or the like in it cannot be written"
    says out "target = /dev/vda"
    grep -q '^target = file' "$TMPDIR/out" && fail "it was written"
done
# a file that is to be measured, and is not there yet
run 0 discover "$TMPDIR/b" --leaf h:/ --out "$TMPDIR/path.conf"
run "3 4" run "$TMPDIR/path.conf" --dry-run
says err "hoploss run --layout /hoploss.bin --size 64G"
