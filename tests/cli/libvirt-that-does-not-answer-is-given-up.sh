#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/cli/lib-libvirt

virsh -q list >/dev/null || fail "libvirtd does not answer at all"
kill -STOP "$(cat "$TMPDIR/libvirtd.pid")"
start=${EPOCHREALTIME/./}
run "0 4" capture --out "$TMPDIR/bundle" --json
took=$((${EPOCHREALTIME/./} - start))
json '[p["status"] for h in d["hosts"] for p in h["probes"] if p["probe"] == "libvirt"] == ["hung"]'
json '[p["status"] for h in d["hosts"] for p in h["probes"] if p["probe"] == "system"] == ["ok"]'
[ $took -lt 15000000 ] || fail "the capture took $took us"
