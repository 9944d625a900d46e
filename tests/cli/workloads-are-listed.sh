#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 0 workloads
says out "iscsi-pvc"
run 0 workloads --json
json 'sum(len(s["jobs"]) for s in d["suites"] if s["name"] == "iscsi-pvc") == 12'
run 0 workloads psync
says out "hdd-write-test"
run 2 workloads pve-sfz
says err "pve-zfs"
run 2 workloads --csv
says err "--csv needs a suite"
run 2 workloads psync --csv --json
