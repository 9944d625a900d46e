#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/disks/lib

image "$TMPDIR/small" 32M && loop "$TMPDIR/small" && first=$loop
image "$TMPDIR/large" 64M && loop "$TMPDIR/large" && second=$loop
for drive in "$first" "$second"; do
    echo "$drive" | "$HOPLOSS" mark "$drive" 2>&1 | grep -oE '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}' | head -1
done >"$TMPDIR/serials"
words=("$first" "$second" --write --serials "$TMPDIR/serials" --busy-ok --out "$TMPDIR/got" --json)
state=$TMPDIR/got.fill.json

# accept_until CONDITION SIGNAL: leaves the exit code in $code
accept_until() {
    "$HOPLOSS" accept "${words[@]}" --time 20s >"$TMPDIR/out" 2>"$TMPDIR/err" &
    for _ in {1..600}; do
        python3 -c "import json; s = json.load(open('$state')); assert $1" 2>/dev/null && break
        sleep 0.02
    done
    [ "$2" = INT ] && sleep 1
    kill "-$2" $! && wait $!
    code=$?
}

accept_until "s['at'] > 1 << 20 or s['pass']" KILL 2>/dev/null
[ -s "$state" ] || fail "no position was kept"
accept_until "s['pass'] == 3" INT
says err "going on with what $state says"
says err "the same command with --out $TMPDIR/got goes on"
[ "$code" = 4 ] || fail "exit code $code after Ctrl-C"
json '{c["id"]: c["status"] for c in d["devices"][0]["checks"]}["write.capacity"] == "PASS"'
cp "$state" "$TMPDIR/two.fill.json"
run 3 accept "$second" --write --serials "$TMPDIR/serials" --busy-ok --out "$TMPDIR/two" --time 1s
says err "is of other drives"
run 4 accept "${words[@]}" --time 2s
says err "the drives are full"
json 'all({c["id"]: c["status"] for c in x["checks"]}["write.capacity"] == "PASS" for x in d["devices"])'
[ ! -e "$state" ] || fail "the position of one that ended is still there"
