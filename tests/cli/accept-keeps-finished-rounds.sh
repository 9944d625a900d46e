#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/disks/lib

image "$TMPDIR/image" 32M && loop "$TMPDIR/image"
uuid=$(echo "$loop" | "$HOPLOSS" mark "$loop" 2>&1 | grep -oE '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}' | head -1)
words=(accept "$loop" --write --serial "$uuid" --busy-ok --out "$TMPDIR/got" --time 30s --json)
position() { python3 -c "import json; print(json.load(open('$TMPDIR/got.fill.json'))['$1'])" 2>/dev/null || echo 0; }

# accept_until ROUNDS SIGNAL: so many must be finished
accept_until() {
    "$HOPLOSS" "${words[@]}" >"$TMPDIR/out" 2>"$TMPDIR/err" &
    for _ in {1..600}; do
        [ "$(position rounds)" -lt "$1" ] || break
        sleep 0.05
    done
    kill "-$2" $! && wait $!
}

accept_until 2 KILL 2>/dev/null
head -n "$(position samples)" "$TMPDIR/got/samples.jsonl" >"$TMPDIR/kept"
accept_until $(($(position rounds) + 1)) INT
json '"stopped after round" in str(d["notes"])'
run 4 "${words[@]}"
grep -qE "filling|reading back" "$TMPDIR/err" && fail "it was filled anew"
head -c "$(wc -c <"$TMPDIR/kept")" "$TMPDIR/got/samples.jsonl" | cmp - "$TMPDIR/kept" || fail "rounds were measured anew"
rounds=$(grep -oE '"round":[0-9]+' "$TMPDIR/got/samples.jsonl" | uniq | cut -d: -f2 | tr '\n' ' ')
[ "$rounds" = "1 2 3 4 5 6 " ] || fail "rounds $rounds"
json 'str(d["notes"]).count("gone on") == 2'
cp "$TMPDIR/out" "$TMPDIR/live"
run 4 accept "$TMPDIR/got" --serial "$uuid" --json
diff "$TMPDIR/live" "$TMPDIR/out" || fail "the bundle is judged otherwise"
