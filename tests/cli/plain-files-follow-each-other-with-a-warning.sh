#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run "0 1" diagnose --json "$ram" "$loop"
json '[(h["name"], h.get("after")) for h in d["hops"]] == [("001-ram", None), ("002-loop", "001-ram")]'
json 'any("order of the files" in w for w in d["warnings"])'
