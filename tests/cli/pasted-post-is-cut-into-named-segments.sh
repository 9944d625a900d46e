#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 1 diagnose --json tests/hosts/forum-post/bundle
json '[(i["first_line"], i["last_line"], i.get("format"), i["status"]) for i in d["inputs"]] == [
    (1, 4, None, "prose"), (6, 92, "fio-text", "read"), (94, 94, None, "prose"),
    (96, 115, "lspci", "read"), (117, 117, None, "prose")]'
json '[m["workload"] for h in d["hops"] for m in h["measurements"]] == ["seq-read-128k", "rand-read-4k", "rand-read-4k-qd1"]'
run 1 diagnose tests/hosts/forum-post/bundle
says out "post.txt:112"
