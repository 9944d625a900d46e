#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

head -c 4M /dev/urandom >"$TMPDIR/file"
mkdir "$TMPDIR/bundle"
echo '{}' >"$TMPDIR/bundle/bundle.json"
printf '[hop f]\nlayer = drive\ntarget = %s\n' "$TMPDIR/file" >"$TMPDIR/bundle/path.conf"
run 2 run "$TMPDIR/bundle/path.conf" --dry-run
says err "--trust"
run 0 run "$TMPDIR/bundle/path.conf" --dry-run --trust
