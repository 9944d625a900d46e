#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run "0 4" capture a=local --out "$TMPDIR/bundle"
run 2 discover "$TMPDIR/bundle" --leaf a:/proc/x
says err "a:/proc/x is on proc, which is a view into the kernel: no device is under it"
run 2 discover "$TMPDIR/bundle" --leaf a:/a/../b
says err 'without ".."'
run 2 discover nosuch
says err "nosuch: no such bundle or host"
