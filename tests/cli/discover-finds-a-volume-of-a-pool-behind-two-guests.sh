#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

path=$TMPDIR/path.conf
has() {
    grep -qF -- "$1" "$path" || fail "no \"$1\" in $(cat "$path")"
}
run 0 discover tests/hosts/pvc-on-nas/bundle --leaf worker:/data --out "$path"
hops=$(sed -n 's/^\[hop \(.*\)\]/\1/p' "$path" | paste -sd' ')
[ "$hops" = "sheet drives zvol loopback virtio initiator file" ] || fail "hops: $hops"
has "target = /dev/disk/by-id/nvme-KCD61LUL7T68_EXAMPLE0001"
has "target = /dev/zvol/tank/pvc-1"
has "# which is 0000:42:00.0 on pve: passthrough.address of nas/hostpci1 on pve"
has "# both ends run on pve: no wire between them"
has "spec = KCD61LUL7T68"
has "vm = 101"
run "0 3 4" run "$path" --dry-run # nothing of it is here, but all of it is read
says err "hop zvol ($path:"
run 0 discover tests/hosts/pvc-on-nas/bundle --leaf worker:/dev/sdb
says out "[hop initiator]"
run 0 discover tests/hosts/pvc-on-nas/bundle # the one volume that stands on a known disk
says out "name = /data of worker"
