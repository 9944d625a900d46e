#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 0 probes
says out "kernel, system, uptime, and whether it is a guest: ok"
run 0 probes --json
json 'd["schema"] == "hoploss.probes/1" and len(d["probes"]) >= 1'
json 'all(p["status"] in ("ok", "absent", "denied", "unsupported") for p in d["probes"])'
json 'all("reason" in p for p in d["probes"] if p["status"] != "ok")'
