#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 2 diagnose "$ram" --format txt
silent out
says err 'there is no report format "txt"; did you mean text?'
run 2 diagnose "$ram" --format text --json
says err "one of them"
run 2 report tests/hosts/ram-loop-pod/bundle --format pdf
