#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 1 diagnose --json --hop "ram=$ram" --hop "pod=$pod" --hop "loop=$loop"
json 'len(d["facts"]) > 3'
json '(lambda f: f == sorted(f))([(x.get("host", ""), x.get("node", ""), x["key"]) for x in d["facts"]])'
