#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

python3 - "$TMPDIR" tests/hosts/iops-capped/bundle/inputs/001-capped.json <<'END'
import sys
for i in range(1, 1001):
    open(f"{sys.argv[1]}/{i}.json", "w").write(open(sys.argv[2]).read().replace("2004.395604", f"2004.{i}"))
END

# within KIB FILE...: an address space of so many KiB is enough to diagnose them
within() {
    (ulimit -v "$1" && exec "$HOPLOSS" diagnose --json "${@:2}") >"$TMPDIR/out" 2>"$TMPDIR/err"
    [ "$(tail -c 2 "$TMPDIR/out")" = "}" ]
}
one=10000
until within $one "$TMPDIR/1.json"; do
    one=$((one + 500))
    [ $one -lt 100000 ] || { echo "under a checker, which takes more"; exit 77; }
done
within $((one + 8 * 1000)) "$TMPDIR"/*.json || fail "more than 8 KiB a result"
json 'sum(len(h["measurements"]) for h in d["hops"]) == 1000'
TIMEFORMAT="%U %S"
read -r user system < <({ time "$HOPLOSS" diagnose "$TMPDIR"/*.json >/dev/null; } 2>&1)
python3 -c "import sys; sys.exit($user + $system > 1)" || fail "$user + $system seconds of CPU"
