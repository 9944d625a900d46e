#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

bundle=tests/hosts/run-residual/bundle
run 3 diagnose $bundle tests/hosts/run-tcp-streams/bundle
says err "is a run of its own"
run "0 1" diagnose $bundle "$ram" --json
json '[h for h in d["hops"] if h["name"] == "001-ram"]'
run 2 report "$ram"
says err "is no bundle"
run 2 report
