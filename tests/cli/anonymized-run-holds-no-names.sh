#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

[ "$(id -u)" = 0 ] || { echo "namespaces want root"; exit 77; }
unshare -u true 2>/dev/null || { echo "no namespaces here"; exit 77; }
head -c 8M /dev/urandom >"$TMPDIR/medium"
for host in geheimnas geheimpod; do
    printf '#!/bin/bash\nexec unshare -u bash -c "hostname %s-kernel && exec %s worker"\n' $host "$HOPLOSS" >"$TMPDIR/$host-way"
    chmod +x "$TMPDIR/$host-way"
    printf '[host %s]\nvia = %s\n' $host "$TMPDIR/$host-way"
done >"$TMPDIR/p.conf"
cat >>"$TMPDIR/p.conf" <<END
[host geheimgone]
via = ssh root@geheimgone.invalid
[hop raw]
layer = drive
host = geheimnas
target = file:$TMPDIR/medium
[hop pod]
layer = filesystem
host = geheimpod
target = file:$TMPDIR/medium
[hop far]
layer = wire
host = geheimgone
target = iscsi://192.168.17.23/iqn.2005-10.org.x:geheimlun/0
END
run "0 1 4" run "$TMPDIR/p.conf" --quick --time 3s --workloads rand-read-4k --anonymize --out "$TMPDIR/b" --json
grep -rqai geheim "$TMPDIR/b" && fail "a name is in the bundle: $(grep -raio '.\{30\}geheim.\{9\}' "$TMPDIR/b" | head -3)"
find "$TMPDIR/b" | grep -i geheim && fail "a name is the name of a file"
grep -rqa '192\.168\.17\.23' "$TMPDIR/b" && fail "an address is in the bundle"
json '[h["name"] for h in d["hops"]] == ["raw", "pod", "far"]'
json '[m["status"] for h in d["hops"] for m in h["measurements"]] == ["measured", "measured", "not-measured"]'
json 'len({p["host"] for p in d["probes"]}) == 3'
run "0 1 4" report "$TMPDIR/b" --format json
json 'not d["has_identities"] and [h["name"] for h in d["hops"]] == ["raw", "pod", "far"]'
json '{h["host"] for h in d["hops"]} == {p["host"] for p in d["probes"]}'
