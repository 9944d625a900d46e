#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

cp -r tests/hosts/ram-loop-pod/bundle "$TMPDIR/b"
sed -i 's,hoploss.bundle/1,hoploss.bundle/9,' "$TMPDIR/b/bundle.json"
run 3 report "$TMPDIR/b"
silent out
says err "bundle/9"
echo '{' >"$TMPDIR/b/bundle.json"
run 3 diagnose "$TMPDIR/b"
says err "bundle.json"
