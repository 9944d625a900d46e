#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

# two hosts: one that dies after its first record, one that was never there
cat >"$TMPDIR/hoploss" <<END
#!/bin/bash
exec {out}> >(sed -u '/"record"/q')
exec "$HOPLOSS" worker >&\$out
END
chmod +x "$TMPDIR/hoploss"
printf '[path]\n[host dies]\nvia = env PATH=%s\n[host gone]\nvia = %s/no-such-way\n[hop a]\nhost = dies
layer = drive\ntarget = /dev/null\n[hop b]\nlayer = pool\ntarget = /dev/zero\n' \
    "$TMPDIR:$PATH" "$TMPDIR" >"$TMPDIR/x.conf"
run 4 capture --path "$TMPDIR/x.conf" --out "$TMPDIR/bundle" --json
json '{h["host"]: "reason" in h for h in d["hosts"]} == {"local": False, "dies": True, "gone": True}'
json '[p["status"] for h in d["hosts"] if h["host"] == "gone" for p in h["probes"]] == ["failed"] * len(d["hosts"][0]["probes"])'
json '[h["files"] for h in d["hosts"] if h["host"] == "dies"] < [3]'
run "0 1 4" diagnose "$TMPDIR/bundle" --json
json '{f["host"] for f in d["facts"] if f["key"] == "system.kernel_release"} == {"local"}'
json 'any(p["host"] == "gone" and "no-such-way" in p["reason"] for p in d["probes"])'
rm -r "$TMPDIR/bundle"
run 3 capture "gone=$TMPDIR/no-such-way" --out "$TMPDIR/bundle"
[ "$(grep -c no-such-way "$TMPDIR/out")" = 1 ] || fail "the reason is told more than once"
