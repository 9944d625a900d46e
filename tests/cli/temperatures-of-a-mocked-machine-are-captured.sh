#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# libsensors reads only /sys, so a machine with sensors is mocked below it.
. tests/cli/lib
command -v umockdev-run >"$TMPDIR/which" || exit 77
# both want to be loaded first
grep -q libasan <<<"$(ldd "$HOPLOSS" 2>&1)" && echo "a program with AddressSanitizer cannot be mocked" && exit 77
cat >"$TMPDIR/machine" <<'MOCK'
P: /devices/pci0000:00/0000:01:00.0
E: SUBSYSTEM=pci

P: /devices/pci0000:00/0000:01:00.0/hwmon/hwmon0
E: SUBSYSTEM=hwmon
L: device=../../../0000:01:00.0
A: name=nvme\n
A: temp1_input=81850\n
A: temp1_max=79850\n
A: temp1_crit=84850\n
A: temp1_alarm=1\n
A: temp1_label=Composite\n

P: /devices/platform/drivetemp.0/hwmon/hwmon1
E: SUBSYSTEM=hwmon
A: name=drivetemp\n
A: temp1_input=30000\n
MOCK
umockdev-run --device "$TMPDIR/machine" -- "$HOPLOSS" capture --out "$TMPDIR/bundle" \
    >"$TMPDIR/out" 2>"$TMPDIR/err" || [ $? = 4 ] || fail "capture failed"
grep -q '"temp1_alarm": 1' "$TMPDIR"/bundle/hosts/*/kept/sensors.json || fail "no sensors.json"
grep -q drivetemp "$TMPDIR"/bundle/hosts/*/kept/sensors.json && fail "a disk was asked"
run "0 1" diagnose --json "$TMPDIR/bundle"
python3 - "$TMPDIR/out" <<'CHECK' || fail "the temperature is no fact"
import json, sys
facts = {(f.get("node"), f["key"]): f["value"] for f in json.load(open(sys.argv[1]))["facts"]}
assert facts["0000:01:00.0", "thermal.temperature_c"] == 81.85
assert facts["0000:01:00.0", "thermal.max_c"] == 79.85
assert facts["0000:01:00.0", "thermal.is_alarm"] is True
CHECK
