#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

head -c 8M /dev/urandom >"$TMPDIR/medium"
run "0 1" run "file:$TMPDIR/medium" --quick --time 2s --workloads rand-read-4k --out "$TMPDIR/b" --json
json '[f for f in d["facts"] if f["key"] == "system.uptime_s" and 1 < f["value"] - f["before"] < 60]'
json '[f for f in d["facts"] if f["key"] == "system.kernel_release" and "before" not in f]'
json '[p["host"] for p in d["probes"] if p["probe"] == "system"] == ["local"]'
for stage in before after; do
    [ -s "$TMPDIR/b/hosts/local/$stage/root/proc/uptime" ] || fail "no capture $stage the run"
done
# the run was killed before its end: what was read before it still stands
python3 - "$TMPDIR/b/bundle.json" <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
d["captures"] = [c for c in d["captures"] if c["stage"] == "before"]
json.dump(d, open(sys.argv[1], "w"))
END
run "0 1" report "$TMPDIR/b" --format json
json '[f for f in d["facts"] if f["key"] == "system.uptime_s" and "before" not in f]'
