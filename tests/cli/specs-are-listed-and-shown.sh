#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 0 specs
says out KCD61LUL7T68
run 0 specs kcd61lul7t68
says out "6200 MB/s (5913 MiB/s)"
run 0 specs KCD61LUL7T68 --json
json 'len(d["specs"]) == 1 and any(f["bw"] == 6.2e9 for f in d["specs"][0]["figures"])'
run 0 specs --json
json 'len(d["specs"]) > 5'
run 2 specs KCD61 --json
silent out
says err KCD61LUL7T68
