#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/cli/lib-libvirt

for name in defined running; do
    truncate -s 1M "$TMPDIR/$name.img"
    domain $name >"$TMPDIR/$name.xml"
done
virsh -q define "$TMPDIR/defined.xml" || fail "not defined"
virsh -q create "$TMPDIR/running.xml" 2>"$TMPDIR/why" && running=running
run 0 capture --out "$TMPDIR/bundle" --json
json '[p["status"] for h in d["hosts"] for p in h["probes"] if p["probe"] == "libvirt"] == ["ok"]'
! grep -rq swordfis "$TMPDIR/bundle" || fail "a secret was kept: $(grep -rl swordfis "$TMPDIR/bundle")"
run "0 1 4" diagnose "$TMPDIR/bundle" --json
json '{(f["key"], f["value"]) for f in d["facts"] if f.get("node") == "defined/vda"} >= {
    ("vdisk.cache", "none"), ("vdisk.io", "native"), ("vdisk.iothread", 1), ("vdisk.serial", "DISK-1"),
    ("vdisk.iothread_has_effect", True)}'
json '[f["value"] for f in d["facts"] if f.get("node") == "defined/net0" and f["key"] == "vnic.mtu"] == [9000]'
json '[f["value"] for f in d["facts"] if f.get("node") == "defined" and f["key"] == "vm.is_running"] == [False]'
[ "$running" ] || { echo "no domain runs here: $(head -1 "$TMPDIR/why")"; exit 77; }
json '{f["value"] for f in d["facts"] if f.get("node") == "running" and f["key"] == "vm.is_running"} == {True}'
json 'any(f.get("node") == "running" and f["key"] == "vm.pid" for f in d["facts"])'
json 'any(f.get("node") == "running/vda" and f["key"] == "vdisk.source" and f["value"].endswith("running.img") for f in d["facts"])'
