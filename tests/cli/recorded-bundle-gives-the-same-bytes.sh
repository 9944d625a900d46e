#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

words=(--spec KCD61LUL7T68 --drives 5 --hop "ram:drive=$ram" "$loop" --hop "pod=$pod")
for format in text json; do
    rm -rf "$TMPDIR/bundle"
    "$HOPLOSS" diagnose --format $format "${words[@]}" >"$TMPDIR/plain"
    "$HOPLOSS" diagnose --format $format "${words[@]}" --out "$TMPDIR/bundle" >"$TMPDIR/recorded"
    "$HOPLOSS" diagnose --format $format "$TMPDIR/bundle" >"$TMPDIR/again"
    "$HOPLOSS" report --format $format "$TMPDIR/bundle" >"$TMPDIR/report"
    [ -s "$TMPDIR/plain" ] || fail "no report"
    for other in recorded again report; do
        cmp "$TMPDIR/plain" "$TMPDIR/$other" || fail "$format differs: $other"
    done
done
