#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

[ "$(id -u)" = 0 ] || { echo "mounting wants root"; exit 77; }
[ -n "${OWN_MOUNTS:-}" ] || OWN_MOUNTS=yes exec unshare -m bash "$0"
mount -t tmpfs tmpfs /etc 2>/dev/null || { echo "nothing can be mounted here"; exit 77; }
mkdir -p /etc/pve/qemu-server /etc/pve/mapping
cat >/etc/pve/qemu-server/101.conf <<'END'
#my password is swordfish
args: -vnc 0.0.0.0:1,password=swordfish
cipassword: swordfish
ciuser: swordfish
cores: 2
hostpci0: mapping=nic
name: truenas
net0: virtio=BC:24:11:00:53:01,bridge=vmbr0,queues=4
scsi0: local-zfs:vm-101-disk-0,iothread=1,size=32G
scsihw: virtio-scsi-single
sshkeys: ssh-ed25519%20swordfish

[PENDING]
cores: 4
cipassword: swordfish

[before]
description: swordfish
cores: 1
END
printf 'nic\n\tdescription swordfish\n\tmap id=8086:10c9,node=x,path=0000:01:10.0\n' >/etc/pve/mapping/pci.cfg
run 0 capture --out "$TMPDIR/bundle"
! grep -rq swordfish "$TMPDIR/bundle" || fail "a secret was kept: $(grep -rl swordfish "$TMPDIR/bundle")"
run "0 1 4" diagnose "$TMPDIR/bundle" --json
json '{(f["key"], f["value"]) for f in d["facts"] if f.get("node") == "truenas"} >= {("vm.id", 101), ("vm.cores", 2),
    ("vm.scsihw", "virtio-scsi-single"), ("vm.pending", "cores"), ("vm.snapshots", 1)}'
json '[f["value"] for f in d["facts"] if f["key"] == "mapping.address"] == ["0000:01:10.0"]'
json '{f["key"]: f["value"] for f in d["facts"] if f.get("node") == "truenas/scsi0"}["vdisk.iothread_has_effect"]'
