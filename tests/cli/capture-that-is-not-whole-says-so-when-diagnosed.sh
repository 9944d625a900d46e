#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 4 capture "gone=$TMPDIR/no-such-way" here=local --out "$TMPDIR/two"
run 4 diagnose "$TMPDIR/two"

# the only host failed: why is said, and once
run 3 capture "gone=$TMPDIR/no-such-way" --out "$TMPDIR/one"
run 3 diagnose "$TMPDIR/one"
[ "$(grep -c no-such-way "$TMPDIR/err")" = 1 ] || fail "the reason is not told once"
says err "nothing readable"

# what was captured is gone: each probe is named
rm -r "$TMPDIR"/two/hosts/here/root/proc
run 4 diagnose "$TMPDIR/two" --json
json 'any("here: mount: it was captured, but" in w for w in d["warnings"])'
rm -r "$TMPDIR/two/hosts"
run 3 diagnose "$TMPDIR/two"
says err "here: mount: it was captured, but"
