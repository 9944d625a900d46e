#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/disks/lib

head -c 32M /dev/urandom >"$TMPDIR/image"
loop "$TMPDIR/image"
words=(accept "$loop" --busy-ok --time 20s --out "$TMPDIR/got" --json)
position() { python3 -c "import json; print(json.load(open('$TMPDIR/got.rounds.json'))['$1'])" 2>/dev/null || echo 0; }

# accept_until ROUNDS SIGNAL: so many must be finished
accept_until() {
    "$HOPLOSS" "${words[@]}" >"$TMPDIR/out" 2>"$TMPDIR/err" &
    for _ in {1..1200}; do
        [ "$(position rounds)" -lt "$1" ] || break
        sleep 0.05
    done
    kill "-$2" $! && wait $!
}

accept_until 1 KILL 2>/dev/null
head -n "$(position samples)" "$TMPDIR/got/samples.jsonl" >"$TMPDIR/kept"
[ -s "$TMPDIR/kept" ] || fail "no round was kept"
accept_until $(($(position rounds) + 1)) INT
says err "rounds are finished"
says err "the same command with --out $TMPDIR/got goes on"
words+=(--soak 1s)
run 4 "${words[@]}"
head -c "$(wc -c <"$TMPDIR/kept")" "$TMPDIR/got/samples.jsonl" | cmp - "$TMPDIR/kept" || fail "rounds were measured anew"
rounds=$(grep -oE '"round":[0-9]+' "$TMPDIR/got/samples.jsonl" | uniq | cut -d: -f2 | tr '\n' ' ')
[ "$rounds" = "1 2 3 4 5 6 " ] || fail "rounds $rounds"
json 'str(d["notes"]).count("gone on") == 2 and "the soak is of after that" in str(d["notes"])'
[ ! -e "$TMPDIR/got.rounds.json" ] || fail "the position of one that ended is still there"
