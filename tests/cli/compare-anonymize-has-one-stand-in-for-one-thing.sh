#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

before=tests/hosts/net-in-order/bundle
after=tests/hosts/net-held-back/bundle
run 1 compare "$before" "$after" --json
cp "$TMPDIR/out" "$TMPDIR/plain"
run 1 compare "$before" "$after" --json --anonymize
for name in worker pve 10.0.0.2 2026-11.net "$after"; do
    grep -q "$name" "$TMPDIR/out" && fail "$name is still there"
done
states() { grep -E '"(state|status|key|change_pct)"' "$1"; }
diff <(states "$TMPDIR/plain") <(states "$TMPDIR/out") || fail "it is judged otherwise"
says out '"state-2"'
says out host-3
