#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

[ "$(id -u)" = 0 ] || { echo "namespaces want root"; exit 77; }
# a machine with names of its own, in files that a probe reads
cat >"$TMPDIR/os" <<'END'
PRETTY_NAME="geheimserver 3c:ec:ef:12:34:56 192.168.17.23 serial=S3Z8NB0K123456"
END
mkdir -p "$TMPDIR/geheimpool/geheimvol"
cat >"$TMPDIR/way" <<END
#!/bin/bash
exec unshare -u -m bash -c 'hostname geheimserver && mount --bind "$TMPDIR/os" /usr/lib/os-release &&
    mount --bind "$TMPDIR" "$TMPDIR/geheimpool/geheimvol" &&
    exec "$HOPLOSS" worker'
END
chmod +x "$TMPDIR/way"
unshare -u -m true 2>/dev/null || { echo "no namespaces here"; exit 77; }
run "0 4" capture "geheimserver=$TMPDIR/way" --anonymize --out "$TMPDIR/b"
run "0 4" capture "geheimserver=$TMPDIR/way" --out "$TMPDIR/plain"
names=(geheim 3c:ec:ef:12:34:56 192.168.17.23 S3Z8NB0K123456)
for file in /sys/class/net/*/address /sys/block/*/serial /sys/block/*/device/serial; do
    name=$(cat "$file" 2>/dev/null)
    [ ${#name} -lt 8 ] || [ "$name" = 00:00:00:00:00:00 ] || [ "$name" = ff:ff:ff:ff:ff:ff ] || names+=("$name")
done
grep -rqa S3Z8NB0K123456 "$TMPDIR/plain" || fail "it was not read at all"
grep -rqa geheimvol "$TMPDIR/plain" || fail "the mount was not read"
for name in "${names[@]}"; do
    grep -rqaiF "$name" "$TMPDIR/b" && fail "$name is in the bundle"
    find "$TMPDIR/b" | grep -qiF "$name" && fail "$name is the name of a file"
done
# the same is known, but for threads, which come and go
facts='import json, sys; print("\n".join(sorted((f.get("node") or "") + " " + f["key"] for f in json.load(sys.stdin)["facts"] if not f["key"].startswith("thread."))))'
"$HOPLOSS" diagnose "$TMPDIR/plain" --json | python3 -c "$facts" >"$TMPDIR/facts1"
"$HOPLOSS" diagnose "$TMPDIR/b" --json >"$TMPDIR/out"
python3 -c "$facts" <"$TMPDIR/out" >"$TMPDIR/facts2"
cut -d' ' -f2 "$TMPDIR/facts1" >"$TMPDIR/keys1"
cut -d' ' -f2 "$TMPDIR/facts2" | diff - "$TMPDIR/keys1" || fail "other facts than without --anonymize"
json 'not d["has_identities"]'
json '[f["value"].endswith("serial=S3Z8NB0K123456") for f in d["facts"] if f["key"] == "system.os"] == [False]'
