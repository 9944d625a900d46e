#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

[ "$(id -u)" = 0 ] || { echo "changing the user wants root"; exit 77; }
command -v setpriv >/dev/null || { echo "no setpriv here"; exit 77; }
cp "$HOPLOSS" "$TMPDIR/hoploss"
chmod 755 "$TMPDIR" "$TMPDIR/hoploss"
# a file that only root may read, where a probe looks
cat >"$TMPDIR/way" <<END
#!/bin/bash
printf 'PRETTY_NAME=x\n' >"$TMPDIR/os" && chmod 600 "$TMPDIR/os"
exec unshare -m bash -c 'mount --bind "$TMPDIR/os" /usr/lib/os-release &&
    exec setpriv --reuid 65534 --regid 65534 --clear-groups "$TMPDIR/hoploss" worker'
END
chmod +x "$TMPDIR/way"
unshare -m true 2>/dev/null || { echo "no namespaces here"; exit 77; }
run 0 capture "pve=$TMPDIR/way" --out "$TMPDIR/b" --json
json '[p["reason"] for p in d["hosts"][0]["probes"] if p["probe"] == "system"] == ["1 file wants more privilege, the first /etc/os-release"]'
json 'all(p["status"] in ("ok", "absent", "denied", "unsupported") for p in d["hosts"][0]["probes"])'
run "0 1" diagnose "$TMPDIR/b" --json
json '[f for f in d["facts"] if f["key"] == "system.hostname"]'
json 'not [f for f in d["facts"] if f["key"] == "system.os"]'
