#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A PASS is never of less than what was named; what was read is recorded where --out says.
. tests/cli/lib

cat >"$TMPDIR/smart.txt" <<'END'
smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0] (local build)
=== START OF INFORMATION SECTION ===
Model Number:                       LAB 1
Serial Number:                      S1A
Firmware Version:                   FW1
Total NVM Capacity:                 512,110,190,592 [512 GB]
=== START OF SMART DATA SECTION ===
SMART overall-health self-assessment test result: PASSED
SMART/Health Information (NVMe Log 0x02)
Critical Warning:                   0x00
Temperature:                        30 Celsius
Percentage Used:                    0%
Power On Hours:                     2
END
echo nonsense >"$TMPDIR/nonsense"
run 0 accept "$TMPDIR/smart.txt" --allow-missing --out "$TMPDIR/bundle"
run 0 accept "$TMPDIR/bundle" --allow-missing
run 4 accept "$TMPDIR/smart.txt" "$TMPDIR/nonsense" --allow-missing
says out "INCOMPLETE: not all that was named could be read"
says err "nonsense: nothing in it was recognised"
run 4 accept "$TMPDIR/smart.txt" "$TMPDIR/none" --allow-missing --json
json 'd["verdict"] == "INCOMPLETE"'
run 3 accept /dev/none1n1
says err "no drive is left: /dev/none1n1 is left out: No such file or directory"
exit 0
