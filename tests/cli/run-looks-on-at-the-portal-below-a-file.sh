#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

[ "$(id -u)" = 0 ] || { echo "namespaces want root"; exit 77; }
unshare -m true 2>/dev/null || { echo "no namespaces here"; exit 77; }
# two machines, as far as their kernels' ids tell; of the second it is seen what it is asked for
for host in one two; do
    printf '%s-4f89-11d3-9a0c-0305e82c3301\n' "3f2504$host" >"$TMPDIR/id-$host"
    printf '#!/bin/bash\ntee "%s" | unshare -m bash -c "mount --bind %s /proc/sys/kernel/random/boot_id && exec %s worker"\n' \
        "$TMPDIR/said-$host" "$TMPDIR/id-$host" "$HOPLOSS" >"$TMPDIR/$host"
    chmod +x "$TMPDIR/$host"
    printf '[host %s]\nvia = %s\n' $host "$TMPDIR/$host"
done >"$TMPDIR/p.conf"
head -c 8M /dev/urandom >"$TMPDIR/medium"
printf '[hop lun]\nlayer = target\nhost = two\ntarget = iscsi://127.0.0.1:1/iqn.2026-11.net.example:none/0\n[hop file]\nlayer = filesystem\nhost = one\ntarget = file:%s\n' \
    "$TMPDIR/medium" >>"$TMPDIR/p.conf"
run "0 1 4" run "$TMPDIR/p.conf" --quick --time 3s --workloads rand-read-4k --out "$TMPDIR/b" --json
json '[m["status"] for h in d["hops"] for m in h["measurements"] if h["name"] == "file"] == ["measured"]'
grep -q '"watch".*"node":"file/rand-read-4k".*"address":"127.0.0.1","port":1[,}]' "$TMPDIR/said-two" ||
    fail "not asked to look on at the portal: $(grep '"watch"' "$TMPDIR/said-two" | head -2)"
