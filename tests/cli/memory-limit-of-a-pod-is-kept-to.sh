#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/disks/lib

grep -qa __asan_init "$HOPLOSS" && skip "a sanitizer takes more than the limit by itself"
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
    group=/sys/fs/cgroup/hoploss-test-$$ limit=memory.max
else
    group=/sys/fs/cgroup/memory/hoploss-test-$$ limit=memory.limit_in_bytes
fi
mkdir "$group" 2>/dev/null || skip "no control groups here"
undo+=("rmdir '$group'")
echo $((78 << 20)) >"$group/$limit" || skip "no memory controller here"
head -c 16M /dev/urandom >"$TMPDIR/file"
mkdir "$TMPDIR/bin" && ln -s "$HOPLOSS" "$TMPDIR/bin/hoploss"
printf '#!/bin/sh\necho $$ >%s/cgroup.procs\nexec "$@"\n' "$group" >"$TMPDIR/enter"
chmod +x "$TMPDIR/enter"
export PATH=$TMPDIR/bin:$PATH
cat >"$TMPDIR/path.conf" <<END
[host pod]
via = $TMPDIR/enter
[hop file]
layer = filesystem
host = pod
target = file:$TMPDIR/file
END
# 1 MiB x 8 does not fit into a tenth of 78 MiB, 4 KiB x 32 does
run 4 run "$TMPDIR/path.conf" --workloads "cdm rand-read-4k" --quick --time 1s --out "$TMPDIR/run" --json
json '[m["status"] for m in d["hops"][0]["measurements"] if m["bs"] * m["iodepth"] > 8e6] == ["not-measured"]'
json 'all("memory limit of the control group" in m["reason"] for m in d["hops"][0]["measurements"] if m["status"] == "not-measured")'
json '[m["status"] for m in d["hops"][0]["measurements"] if m["workload"] == "rand-read-4k"] == ["measured"]'
