#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

mkdir "$TMPDIR/full" && echo mine >"$TMPDIR/full/file"
run 3 diagnose "$ram" --out "$TMPDIR/full"
silent out
says err "exists and is not empty"
[ "$(ls "$TMPDIR/full")" = file ] || fail "something was written"
run 3 diagnose /none --out "$TMPDIR/new"
[ ! -e "$TMPDIR/new" ] || fail "a bundle was made for nothing"
