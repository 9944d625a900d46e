#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

bundle=tests/hosts/ram-loop-pod/bundle
run 2 diagnose $bundle "$ram"
says err "is a bundle, which stands alone"
run 2 diagnose $bundle --hop "x=$ram"
run 2 diagnose $bundle --out "$TMPDIR/new"
says err "is a bundle already"
run 2 report "$ram"
says err "is no bundle"
run 2 report
