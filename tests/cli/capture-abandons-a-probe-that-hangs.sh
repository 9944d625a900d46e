#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

[ "$(id -u)" = 0 ] || { echo "namespaces want root"; exit 77; }
[ -w /dev/fuse ] || { echo "no /dev/fuse here"; exit 77; }
cat >"$TMPDIR/way" <<END
#!/bin/bash
exec unshare -m bash -c 'exec 9< <(exec python3 tests/cli/lib-hung-file /usr/lib/os-release 2>"$TMPDIR/fuse")
    echo \$! >"$TMPDIR/pid"; read -r -u 9 _ || exit 77; exec "$HOPLOSS" worker'
END
chmod +x "$TMPDIR/way"
trap 'kill "$(cat "$TMPDIR/pid")" 2>/dev/null' EXIT
SECONDS=0
run 4 capture "pve=$TMPDIR/way" --out "$TMPDIR/b" --json
grep -q mount: "$TMPDIR/fuse" && { echo "no FUSE file here"; exit 77; }
[ $SECONDS -lt 10 ] || fail "it took $SECONDS s"
json '[p for p in d["hosts"][0]["probes"] if p["probe"] == "system"][0]["status"] == "hung"'
json '"cannot be killed: abandoned" in [p for p in d["hosts"][0]["probes"] if p["probe"] == "system"][0]["reason"]'
json 'all(p["status"] not in ("hung", "failed") for p in d["hosts"][0]["probes"] if p["probe"] != "system")'
run "0 1 4" diagnose "$TMPDIR/b" --json
json '[f for f in d["facts"] if f["key"] == "system.hostname"]' # what it read before stands
