#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

head -c 4M /dev/urandom >"$TMPDIR/file"
run 0 run --dry-run -- --name=a --filename="$TMPDIR/file" --rw=read
says err "$TMPDIR/file: reads only"
run 0 run "$TMPDIR/file" --dry-run -- --name=a --filename=/other --rw=read
says err "filename=/other of a fio job was not used"
run 2 run --dry-run -- --name=a --rw=read
says err "one target"
