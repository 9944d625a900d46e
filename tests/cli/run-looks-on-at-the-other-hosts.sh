#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

[ "$(id -u)" = 0 ] || { echo "namespaces want root"; exit 77; }
unshare -m true 2>/dev/null || { echo "no namespaces here"; exit 77; }
# two machines, as far as their kernels' ids tell; a third host is the second once more
for host in one two; do
    printf '%s-4f89-11d3-9a0c-0305e82c3301\n' "3f2504$host" >"$TMPDIR/id-$host"
    printf '#!/bin/bash\nexec unshare -m bash -c "mount --bind %s /proc/sys/kernel/random/boot_id && exec %s worker"\n' \
        "$TMPDIR/id-$host" "$HOPLOSS" >"$TMPDIR/$host"
    chmod +x "$TMPDIR/$host"
    printf '[host %s]\nvia = %s\n' $host "$TMPDIR/$host"
done >"$TMPDIR/p.conf"
head -c 8M /dev/urandom >"$TMPDIR/medium"
printf '[host three]\nvia = %s\n[hop raw]\nlayer = drive\nhost = one\ntarget = file:%s\n' \
    "$TMPDIR/two" "$TMPDIR/medium" >>"$TMPDIR/p.conf"
run "0 1 4" run "$TMPDIR/p.conf" --quick --time 3s --workloads rand-read-4k --out "$TMPDIR/b" --json
json '[m["status"] for h in d["hops"] for m in h["measurements"]] == ["measured"]'
[ "$(find /sys/fs/cgroup -maxdepth 3 -name cpu.stat 2>/dev/null | head -1)" ] ||
    { echo "no cgroup of the CPU controller is to be seen here"; exit 77; }
json '{f.get("host") for f in d["facts"] if f["key"] == "cgroup.throttled_pct"} == {None, "two"}'
json 'all(f["node"] == "raw/rand-read-4k" for f in d["facts"] if f["key"] == "cgroup.throttled_pct")'
json '{p["host"] for p in d["probes"]} == {"one", "two", "three"}'
