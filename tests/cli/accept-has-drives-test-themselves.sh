#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/disks/lib
. tests/canned/lib

# A controller with self-tests (OACS bit 4), EDSTT 4 min and HCTM at 354 and 349 K; 42 hours old
common="admin:06:01 - 0 0 4=53455249414c 24=43616e6e6564 256=1000 316=0400 322=0100
admin:06:00 - 0 0 130=09
admin:02:02 - 0 0 1=3601 3=64 4=0a 128=2a
admin:02:01 - 0 0
admin:0a:10 - 0 0x0162015d
admin:14:01 - 0 0"
idle="admin:02:06 0 0 0 fill=ff 0=0000"
short="admin:02:06 1 0 0 fill=ff 0=0128"

# ended STAGE STATUS SEGMENT VALID: the log after a test, at 42 h, LBA 123456 of namespace 1
ended() {
    echo "admin:02:06 $1 0 0 fill=ff 0=0000 4=$2 5=$3 6=$4 8=2a00000000000000 16=01000000 20=40e2010000000000"
}

for n in {0..5}; do
    truncate -s 16M "$TMPDIR/image$n" # blank: what is to be measured is not its speed
    drive "$n" "$TMPDIR/image$n"
done
cd "$TMPDIR/answers" || exit 1
printf '%s\n' "$common" "$idle" "$short" "$(ended 1 10 00 00)" >nvme0
printf '%s\n' "$common" "$idle" "$short" "$(ended 1 17 03 03)" >nvme1
printf '%s\n' "$common" "$idle" "$(ended 1 12 00 00)" >nvme2
printf '%s\n' "$common" "${short/ 1 / 0 }" "$(ended 0 20 00 00)" >nvme3
printf '%s\n' "${common/256=1000/256=0000}" >nvme4
printf '%s\n' "${common/admin:14:01 - 0 0/admin:14:01 - 2 0}" "$idle" >nvme5
cd "$OLDPWD" || exit 1

canned 1 accept /dev/nvme{0..5}n1 --self-test short --time 1s --busy-ok --out "$TMPDIR/got" --json
says err "nvme0n1: about 2 min"
says err "nvme3n1: a self-test runs already (short) and is waited for"
says err "nvme4n1: the drive has no self-test (OACS bit 4 is clear)"
says err "self-test: nvme0n1 40 %, nvme1n1 40 %, nvme2n1"
cat >"$TMPDIR/expected" <<'END'
PASS completed without error
FAIL failed in segment 3 at LBA 123456 of namespace 1
NOT MEASURED aborted by a reset of the controller
PASS completed without error
NOT MEASURED the drive has no self-test (OACS bit 4 is clear)
NOT MEASURED start it: the drive refuses it
END
python3 - "$TMPDIR/out" >"$TMPDIR/results" <<'END'
import json, sys
for device in json.load(open(sys.argv[1]))["devices"]:
    for check in device["checks"]:
        if check["id"] == "health.self-test":
            print(check["status"], check.get("measured", check.get("reason")))
END
diff "$TMPDIR/expected" "$TMPDIR/results" || fail "other results"
json '{f["key"]: f["value"] for c in d["devices"][1]["checks"] for f in c["evidence"]}["accept.self_test_lba"] == 123456'
grep -q admin:14 "$TMPDIR/answers/nvme3.sent" "$TMPDIR/answers/nvme4.sent" && fail "more was started"
cp "$TMPDIR/out" "$TMPDIR/first"
canned 1 accept "$TMPDIR/got" --json
diff "$TMPDIR/first" "$TMPDIR/out" || fail "the bundle is judged otherwise"
canned 4 diagnose "$TMPDIR/got" --json
json '[f["value"] for f in d["facts"] if f.get("node") == "nvme0" and "hctm" in f["key"]] == [True, 76, 81]'
