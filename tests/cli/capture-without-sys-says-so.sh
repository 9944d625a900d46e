#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

[ "$(id -u)" = 0 ] || { echo "namespaces want root"; exit 77; }
mkdir "$TMPDIR/empty"
printf '#!/bin/bash\nexec unshare -m bash -c "mount --bind %s /sys && exec %s worker"\n' \
    "$TMPDIR/empty" "$HOPLOSS" >"$TMPDIR/way"
chmod +x "$TMPDIR/way"
unshare -m true 2>/dev/null || { echo "no namespaces here"; exit 77; }
run 0 capture "pve=$TMPDIR/way" --out "$TMPDIR/b" --json
json 'all(p["status"] in ("ok", "absent", "denied", "unsupported") for p in d["hosts"][0]["probes"])'
json '[p["status"] for p in d["hosts"][0]["probes"] if p["probe"] in ("block", "pcie")] == ["absent"] * 2'
run "0 1" diagnose "$TMPDIR/b" --json
json '[f for f in d["facts"] if f["key"] == "system.kernel_release"]'
