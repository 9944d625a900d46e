#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 4 diagnose --json tests/cli/data/failed.txt
json 'd["hops"][0]["measurements"][0]["status"] == "failed"'
json 'd["hops"][0]["measurements"][0]["error"] == 28'
run 4 diagnose "$ram" tests/cli/data/failed.txt
says out "28"
