#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

: >"$TMPDIR/empty.json"
echo "It is slow, please help." >"$TMPDIR/prose.txt"
head -c 4000 /dev/urandom >"$TMPDIR/random.bin"
run 3 diagnose "$TMPDIR/empty.json" "$TMPDIR/prose.txt" "$TMPDIR/random.bin" "$TMPDIR" /none
silent out
for name in empty.json prose.txt random.bin "is a directory" "/none: No such file"; do
    says err "$name"
done
run 3 diagnose --json /none
silent out
