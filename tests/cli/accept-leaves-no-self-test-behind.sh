#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/disks/lib
. tests/canned/lib

# Both have self-tests that never end; one runs already.
common="admin:06:01 - 0 0 4=53455249414c 24=43616e6e6564 256=1000
admin:14:01 - 0 0
admin:14:0f - 0 0"
runs="0 0 fill=ff 0=0105"
for n in 0 1; do
    truncate -s 16M "$TMPDIR/image$n"
    drive "$n" "$TMPDIR/image$n"
    echo "$common" >"$TMPDIR/answers/nvme$n"
done
printf 'admin:02:06 0 0 0 fill=ff 0=0000\nadmin:02:06 - %s\n' "$runs" >>"$TMPDIR/answers/nvme0"
echo "admin:02:06 - $runs" >>"$TMPDIR/answers/nvme1"

# started SIGNAL OUT: accept gets that signal as soon as its self-test runs; leaves $code
started() {
    CANNED_NVME=$TMPDIR/answers LD_PRELOAD=$canned "$HOPLOSS" accept /dev/nvme{0,1}n1 \
        --self-test short --time 1s --busy-ok --json --out "$2" >"$TMPDIR/out" 2>"$TMPDIR/err" &
    for _ in {1..600}; do
        grep -q "waited for" "$TMPDIR/err" && grep -q admin:14 "$TMPDIR/answers/nvme0.sent" && break
        sleep 0.05
    done
    sleep 1
    kill "-$1" $! && wait $! 2>/dev/null
    code=$?
}

started INT "$TMPDIR/one"
[ "$code" = 4 ] || fail "exit code $code after Ctrl-C"
cat >"$TMPDIR/expected" <<'END'
NOT MEASURED interrupted, and stopped
NOT MEASURED interrupted; it was running before, and was left running
END
python3 - "$TMPDIR/out" >"$TMPDIR/results" <<'END'
import json, sys
for device in json.load(open(sys.argv[1]))["devices"]:
    for check in device["checks"]:
        if check["id"] == "health.self-test":
            print(check["status"], check["reason"])
END
diff "$TMPDIR/expected" "$TMPDIR/results" || fail "other results"
grep -qx admin:14:0f "$TMPDIR/answers/nvme0.sent" || fail "it was left running"
grep -q admin:14 "$TMPDIR/answers/nvme1.sent" && fail "another's was stopped"
rm "$TMPDIR"/answers/*.sent

# killed, it stops nothing; the next one finds it and waits for it
started KILL "$TMPDIR/two"
grep -q admin:14:0f "$TMPDIR/answers/nvme0.sent" && fail "a dead program stopped it"
started INT "$TMPDIR/three"
says err "nvme0n1: a self-test runs already (short) and is waited for"
[ "$(grep -c admin:14 "$TMPDIR/answers/nvme0.sent")" = 1 ] || fail "it was started again, or stopped"
