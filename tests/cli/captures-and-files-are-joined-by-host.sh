#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

worker() { # a host whose kernel says another name, reached by another command
    printf '#!/bin/sh\nexec "%s" worker\n' "$HOPLOSS" >"$TMPDIR/hoploss" && chmod +x "$TMPDIR/hoploss"
}
worker
run 0 capture "pve=env PATH=$TMPDIR:$PATH" --out "$TMPDIR/pve"
run 0 capture "nas=env PATH=$TMPDIR:$PATH" "pve=env PATH=$TMPDIR:$PATH" --out "$TMPDIR/both" --json
json 'd["schema"] == "hoploss.capture/1" and [h["host"] for h in d["hosts"]] == ["nas", "pve"]'
json 'd["hosts"][0]["files"] > 3 and d["hosts"][0]["bytes"] > 100'
json '[p["status"] for p in d["hosts"][0]["probes"] if p["probe"] == "system"] == ["ok"]'
run "0 1 4" diagnose "$TMPDIR/pve" "$ram" "$TMPDIR/both" --json
json '{f["host"] for f in d["facts"] if f["key"] == "system.kernel_release"} == {"pve", "nas"}'
json 'sum(f["key"] == "system.kernel_release" for f in d["facts"]) == 2'
json '[h["name"] for h in d["hops"]] == ["001-ram"]'
json '{p["host"] for p in d["probes"]} == {"pve", "nas"}'
run 2 capture pve --out "$TMPDIR/new"
says err "write it as NAME=VIA"
run 2 capture "a=ssh x" "a=ssh y" --out "$TMPDIR/new"
says err "host a is given twice"
run 2 capture
says err "capture wants --out DIR"
run 3 capture --out "$TMPDIR/pve"
says err "exists and is not empty"
