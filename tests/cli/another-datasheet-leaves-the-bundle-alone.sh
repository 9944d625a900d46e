#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

cp -r tests/hosts/ram-loop-pod/bundle "$TMPDIR/bundle"
find "$TMPDIR/bundle" -type f -exec sha256sum {} + | sort >"$TMPDIR/before"
run 1 diagnose --json "$TMPDIR/bundle" --spec KCD61LUL7T68 --drives 2
json 'any("KCD61LUL7T68" in h["name"] for h in d["hops"])'
find "$TMPDIR/bundle" -type f -exec sha256sum {} + | sort | cmp - "$TMPDIR/before" || fail "changed"
