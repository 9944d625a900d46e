#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/disks/lib

image "$TMPDIR/image" 16M
loop "$TMPDIR/image"
cat >"$TMPDIR/lab.conf" <<'END'
[drive]
vendor = lab
product = lab
medium = ssd
capacity = 16MiB
source = none: a test
[figure a]
rw = read
bs = 128KiB
iodepth = 4
state = steady
bw = 1kB/s
[figure b]
rw = read
bs = 64KiB
iodepth = 4
state = steady
bw = 1000GB/s
END
run 3 accept "$loop" --write --serial S1 --spec "$TMPDIR/lab.conf" --out "$TMPDIR/0"
cmp -s "$TMPDIR/image" <(head -c 16M /dev/zero) || fail "an unmarked disk was written"
echo "$loop" | "$HOPLOSS" mark "$loop" >"$TMPDIR/out" 2>"$TMPDIR/err" || fail "not marked"
uuid=$(grep -oE '[0-9a-f]{8}-[0-9a-f-]{27}' "$TMPDIR/out" "$TMPDIR/err" | head -1 | cut -d: -f2)
run 3 accept "$loop" --write --serial 00000000-0000-0000-0000-000000000000 --out "$TMPDIR/1"
tail -c 15M "$TMPDIR/image" | cmp -s - <(head -c 15M /dev/zero) || fail "another serial was taken"
run 1 accept "$loop" --write --serial "$uuid" --spec "$TMPDIR/lab.conf" --time 2s --soak 2s \
    --busy-ok --out "$TMPDIR/2" --json
says err "OVERWRITES $loop"
cat >"$TMPDIR/want" <<'END'
(lambda s: s["write.capacity"] == s["identity.serial"] == s["speed.read-128k"] == "PASS"
 and s["speed.read-64k"] == "FAIL")({c["id"]: c["status"] for c in d["devices"][0]["checks"]})
END
json "$(tr '\n' ' ' <"$TMPDIR/want")"
cp "$TMPDIR/out" "$TMPDIR/first"
run 1 accept "$TMPDIR/2" --spec "$TMPDIR/lab.conf" --serial "$uuid" --json
diff "$TMPDIR/first" "$TMPDIR/out" || fail "the bundle is judged otherwise"
tail -c 4096 "$TMPDIR/image" | cmp -s - <(head -c 4096 /dev/zero) && fail "the end was not written"
exit 0
