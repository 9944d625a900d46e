#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run "0 1" diagnose --json "$ram"
json '[h["name"] for h in d["hops"]] == ["001-ram"]'
json '"layer" not in d["hops"][0] and "after" not in d["hops"][0]'
json '[m["workload"] for m in d["hops"][0]["measurements"]] == ["seq-read-128k", "rand-read-4k", "rand-read-4k-qd1"]'
json 'd["hops"][0]["measurements"][0]["source"]["file"] == "001-ram.txt"'
silent err
