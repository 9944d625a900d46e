#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 2 diagnose "$ram" --drives 5
says err "give --spec too"
for n in 0 -1 1.5 5x "" 10001 99999999999999999999; do
    run 2 diagnose "$ram" --spec HC550 "--drives=$n"
    silent out
    says err "it is a number from 1 to"
done
