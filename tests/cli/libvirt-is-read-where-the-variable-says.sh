#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

# the driver for tests needs no daemon; the static program asks virsh instead of the library
cat >"$TMPDIR/node.xml" <<'END'
<node>
  <domain type='test'><name>a b</name><memory>65536</memory><vcpu>3</vcpu>
    <description>swordfish</description><os><type>hvm</type></os>
    <devices><disk type='file'><source file='/x.img'/><target dev='vda' bus='virtio'/>
      <driver name='qemu' cache='writeback'/></disk></devices></domain>
</node>
END
export LIBVIRT_DEFAULT_URI=test://$TMPDIR/node.xml
for program in "$HOPLOSS" "$(dirname "$HOPLOSS")/agent/hoploss"; do
    [ "$program" = "$HOPLOSS" ] || { [ -x "$program" ] && command -v virsh >/dev/null; } || continue
    rm -rf "$TMPDIR/bundle"
    "$program" capture --out "$TMPDIR/bundle" --json >"$TMPDIR/out" 2>"$TMPDIR/err" ||
        fail "exit code $? of $program"
    json '[p["status"] for h in d["hosts"] for p in h["probes"] if p["probe"] == "libvirt"] == ["ok"]'
    ! grep -rq swordfish "$TMPDIR/bundle" || fail "a secret was kept by $program"
    run "0 1 4" diagnose "$TMPDIR/bundle" --json
    json '[f["value"] for f in d["facts"] if f.get("node") == "a b" and f["key"] == "vm.vcpus"] == [3]'
    json '[f["value"] for f in d["facts"] if f.get("node") == "a b/vda" and f["key"] == "vdisk.cache"] == ["writeback"]'
done
