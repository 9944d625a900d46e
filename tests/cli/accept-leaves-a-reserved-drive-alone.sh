#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/disks/lib
. tests/canned/lib

truncate -s 16M "$TMPDIR/image"
drive 0 "$TMPDIR/image"
common="admin:06:01 - 0 0 4=53455249414c 24=43616e6e6564"
private="admin:06:00 - 0 0"

# refused TEXT LINE...: with these answers it is refused, by that text, and nothing is written
refused() {
    local text=$1
    shift
    printf '%s\n' "$common" "$@" >"$TMPDIR/answers/nvme0"
    canned 3 accept /dev/nvme0n1 --write --serial SERIAL0 --time 1s --busy-ok --out "$TMPDIR/got"
    says err "$text"
    cmp "$TMPDIR/image" <(head -c 16M /dev/zero) || fail "it was written: $text"
}

# type 1 (write exclusive), one registrant: another host; then as it is told to 128-bit hosts only
refused "somebody holds a reservation on it" "$private" "io:0e:ff - 0 0 4=01 5=0100"
refused "somebody holds a reservation on it" "$private" "io:0e:ff - 0x128 0" "io:0e:ff - 0 0 4=05 5=0200"
refused "its namespace may be shared with other controllers (NMIC)" "admin:06:00 - 0 0 30=01"

# free, the same drive is written
printf '%s\n' "$common" "$private" "io:0e:ff - 0 0" >"$TMPDIR/answers/nvme0"
rm "$TMPDIR/answers/nvme0.sent"
canned "0 1 4" accept /dev/nvme0n1 --write --serial SERIAL0 --time 1s --busy-ok --out "$TMPDIR/got"
cmp -s "$TMPDIR/image" <(head -c 16M /dev/zero) && fail "the free one was not written"
grep -qx io:0e:ff "$TMPDIR/answers/nvme0.sent" || fail "it was not asked"
