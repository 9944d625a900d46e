#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

cat >"$TMPDIR/101.conf" <<'END'
cores: 4
name: db
net0: virtio=BC:24:11:00:00:02,bridge=vmbr1
scsi0: tank:vm-101-disk-0,size=32G
scsihw: virtio-scsi-pci
sockets: 1
END
cat >"$TMPDIR/web.xml" <<'END'
<domain type='kvm'><name>web</name><vcpu>4</vcpu><devices>
<disk type='block' device='disk'><driver name='qemu' type='raw'/><source dev='/dev/vg0/web'/>
<target dev='vda' bus='virtio'/></disk>
<interface type='bridge'><source bridge='br0'/><model type='virtio'/></interface>
</devices></domain>
END
run 1 diagnose "$TMPDIR/101.conf" --json
json 'all("qm set" in f["fix"] and "libvirt" not in f["fix"] and "virsh" not in f["fix"] for f in d["findings"])'
json '{f["id"] for f in d["findings"]} >= {"iothread-missing", "virtio-single-queue"}'
run 1 diagnose "$TMPDIR/web.xml" --json
json 'all("virsh edit web" in f["fix"] and "Proxmox" not in f["fix"] and "qm " not in f["fix"] for f in d["findings"])'
json '{f["id"] for f in d["findings"]} >= {"iothread-missing", "virtio-single-queue"}'
