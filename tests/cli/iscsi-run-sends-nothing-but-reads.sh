#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/iscsi/lib

# Login, NOP, INQUIRY, REPORT LUNS, READ CAPACITY(16), TEST UNIT READY, READ(16), Logout
fake ""
run 0 run "$url" --workloads "seq-read-128k rand-read-4k" --quick --time 2s --out "$TMPDIR/run" --json
json 'all(m["status"] == "measured" for h in d["hops"] for m in h["measurements"])'
grep -vE '^(login .*|nop|logout|scsi 0x(00|12|88|9e|a0))$' "$TMPDIR/sent" >"$TMPDIR/else"
silent else
[ "$(grep -c 'scsi 0x88' "$TMPDIR/sent")" -gt 100 ] || fail "hardly a read was sent"
# every session has an ISID of its own: none of anybody is reinstated
grep '^login' "$TMPDIR/sent" | sort | uniq -d >"$TMPDIR/twice"
silent twice
