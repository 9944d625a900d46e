#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 1 diagnose --json --hop "ram:drive=$ram" --hop "loop:vdisk=$loop" --hop "pod=$pod"
json '[(h["name"], h.get("layer"), h.get("after")) for h in d["hops"]] == [
    ("ram", "drive", None), ("loop", "vdisk", "ram"), ("pod", None, "loop")]'
json 'not [w for w in d["warnings"] if "order" in w]'
