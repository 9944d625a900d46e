#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

[ "$(id -u)" = 0 ] || { echo "namespaces want root"; exit 77; }
unshare -u -m -n -p -f true 2>/dev/null || { echo "no namespaces here"; exit 77; }
# A machine that stays as it is between two captures, whoever else works here: names of its own, in
# files that a probe reads, one disk, one pair of NICs, and neither processes nor daemons of others.
# Nothing of it is in the way of others either: of their mounts it holds none on a loop device.
cat >"$TMPDIR/os" <<'END'
PRETTY_NAME="geheimserver 3c:ec:ef:12:34:56 192.168.17.23 serial=S3Z8NB0K123456"
END
mkdir -p "$TMPDIR/geheimpool/geheimvol" "$TMPDIR/block/sda/device" "$TMPDIR/block/sda/queue" "$TMPDIR/none"
echo "S3Z8NB0K123456" >"$TMPDIR/block/sda/device/serial"
echo "naa.5002538e40a1b2c3" >"$TMPDIR/block/sda/device/wwid"
echo "Samsung SSD 860" >"$TMPDIR/block/sda/device/model"
echo 1953525168 >"$TMPDIR/block/sda/size"
echo 64 >"$TMPDIR/block/sda/queue/nr_requests"
cat >"$TMPDIR/start" <<END
#!/bin/bash
hostname geheimserver && ip link add veth0 address 02:ab:cd:ef:12:34 type veth peer name veth1 &&
    mount -t proc proc /proc && mount -t sysfs sysfs /sys || exit 77
while read -r device where _; do
    [[ \$device != /dev/loop* ]] || umount -l "\$where"
done </proc/self/mounts
mount --bind "$TMPDIR/os" /usr/lib/os-release &&
    mount --bind "$TMPDIR" "$TMPDIR/geheimpool/geheimvol" &&
    mount --bind "$TMPDIR/block" /sys/block && mount --bind "$TMPDIR/block" /sys/class/block &&
    mount --bind "$TMPDIR/none" /sys/dev/block && mount --bind "$TMPDIR/none" /run || exit 77
touch "$TMPDIR/ready"
exec sleep 1000
END
chmod +x "$TMPDIR/start"
unshare -u -m -n -p -f --kill-child "$TMPDIR/start" &
holder=$!
trap 'kill -KILL $holder 2>/dev/null; wait $holder 2>/dev/null' EXIT
for _ in {1..100}; do
    [ ! -e "$TMPDIR/ready" ] || break
    kill -0 $holder 2>/dev/null || { echo "no such machine can be made here"; exit 77; }
    sleep 0.1
done
inside=$(pgrep -P $holder)
cat >"$TMPDIR/way" <<END
#!/bin/bash
exec nsenter -t $inside -u -m -n -p "$HOPLOSS" worker
END
chmod +x "$TMPDIR/way"

run "0 4" capture "geheimserver=$TMPDIR/way" --anonymize --out "$TMPDIR/b"
run "0 4" capture "geheimserver=$TMPDIR/way" --out "$TMPDIR/plain"
names=(geheim 3c:ec:ef:12:34:56 192.168.17.23 S3Z8NB0K123456 5002538e40a1b2c3 02:ab:cd:ef:12:34)
for name in "${names[@]}"; do
    grep -rqaiF "$name" "$TMPDIR/plain" || fail "$name was not read at all"
    grep -rqaiF "$name" "$TMPDIR/b" && fail "$name is in the bundle"
    find "$TMPDIR/b" | grep -qiF "$name" && fail "$name is the name of a file"
done
# the same is known, but for threads, which come and go
facts='import json, sys; print("\n".join(sorted((f.get("node") or "") + " " + f["key"] for f in json.load(sys.stdin)["facts"] if not f["key"].startswith("thread."))))'
"$HOPLOSS" diagnose "$TMPDIR/plain" --json | python3 -c "$facts" >"$TMPDIR/facts1"
"$HOPLOSS" diagnose "$TMPDIR/b" --json >"$TMPDIR/out"
python3 -c "$facts" <"$TMPDIR/out" >"$TMPDIR/facts2"
cut -d' ' -f2 "$TMPDIR/facts1" | sort >"$TMPDIR/keys1"
cut -d' ' -f2 "$TMPDIR/facts2" | sort | diff - "$TMPDIR/keys1" || fail "other facts than without --anonymize"
grep -q "^block\." "$TMPDIR/keys1" || fail "nothing is known of the disk"
json 'not d["has_identities"]'
json '[f["value"].endswith("serial=S3Z8NB0K123456") for f in d["facts"] if f["key"] == "system.os"] == [False]'
