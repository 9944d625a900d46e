#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
type tgtd tgtadm unshare >/dev/null 2>&1 || { echo "no tgtd here"; exit 77; }
unshare -mn true 2>/dev/null || { echo "namespaces of its own want root"; exit 77; }
iqn=iqn.2026-11.net.example:captured
truncate -s 1M "$TMPDIR/lun"

export TMPDIR HOPLOSS iqn
# a tgtd that nobody else sees: its socket lies in /run/tgtd
cat >"$TMPDIR/inside" <<'EOF'
mkdir -p /run/tgtd && mount -t tmpfs none /run/tgtd && ip link set lo up || exit 77
tgtd -f >/dev/null 2>&1 &
tgtd=$!
admin() { tgtadm --lld iscsi --mode "$@"; }
for _ in {1..50}; do
    admin sys --op show >/dev/null 2>&1 && break
    sleep 0.1
done
admin target --op new --tid 1 --targetname "$iqn"
admin logicalunit --op new --tid 1 --lun 1 --backing-store "$TMPDIR/lun"
admin account --op new --user account-of-bob --password VerySecret12
admin account --op bind --tid 1 --user account-of-bob
"$HOPLOSS" capture --out "$TMPDIR/captured" 2>"$TMPDIR/err"
code=$?
kill -9 $tgtd
exit $code
EOF
unshare -mn bash "$TMPDIR/inside" || fail "no capture"

run "0 1" diagnose --json "$TMPDIR/captured"
json "[f['value'] for f in d['facts'] if f['key'] == 'target.backing' and f['node'] == '$iqn/lun1'] == ['$TMPDIR/lun']"
json "[f['value'] for f in d['facts'] if f['key'] == 'target.kind'] == ['tgtd']"
grep -rqE 'account-of-bob|VerySecret' "$TMPDIR/captured" && fail "the account was recorded"
exit 0
