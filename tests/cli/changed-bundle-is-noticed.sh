#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

# refuses DIR TEXT: one line of stderr, with that text, from each command that reads bundles
refuses() {
    for command in report diagnose; do
        run 3 "$command" "$1"
        says err "$2"
        [ "$(wc -l <"$TMPDIR/err")" = 1 ] || fail "more than one line of $command: $(cat "$TMPDIR/err")"
        silent out
    done
}

cp -r tests/hosts/run-residual/bundle "$TMPDIR/run"
: >"$TMPDIR/run/samples.jsonl"
refuses "$TMPDIR/run" "run/samples.jsonl holds no sample"
rm "$TMPDIR/run/samples.jsonl"
refuses "$TMPDIR/run" "run/samples.jsonl holds no sample"

run "0 4" capture --out "$TMPDIR/b"
run "0 1" report "$TMPDIR/b"
host=$(echo "$TMPDIR"/b/hosts/*)
uptime=$host/root/proc/uptime
mv "$uptime" "$TMPDIR/uptime"
ln -s /proc/uptime "$uptime"
refuses "$TMPDIR/b" "/root/proc/uptime -> /proc/uptime: this link was not recorded"
rm "$uptime"
run "0 1" report "$TMPDIR/b"
echo "1.00 1.00" >"$uptime" # what somebody took out or changed by hand is theirs
run "0 1" report "$TMPDIR/b"
ln -s /etc/passwd "$host/kept/a.txt"
refuses "$TMPDIR/b" "kept/a.txt -> /etc/passwd: this link was not recorded"
rm "$host/kept/a.txt"
mv "$host" "$TMPDIR/away"
ln -s "$TMPDIR/away" "$host"
refuses "$TMPDIR/b" "this is no directory"
