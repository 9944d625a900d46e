#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 0 formats
says out fio-text
says out "reports (--format)"
run 0 formats --json
json 'any(f["name"] == "fio-text" and f["is_read"] for f in d["formats"])'
json '{"text", "json"} <= {r["name"] for r in d["reports"]}'
run 2 formats fio
