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

# tells DIR TEXT: a warning with that text, and the report of the rest
tells() {
    run 4 report "$1" --json
    says out "$2"
    json 'd["facts"]'
}

run "0 4" capture --out "$TMPDIR/b"
run "0 1" report "$TMPDIR/b"
host=$(echo "$TMPDIR"/b/hosts/*)
uptime=$host/root/proc/uptime
for file in "$uptime" "$(find "$host/root/proc" -name mountinfo)"; do
    where=hosts/${file#"$TMPDIR"/b/hosts/}
    cp "$file" "$TMPDIR/kept"
    truncate -s 1 "$file"
    tells "$TMPDIR/b" "$where: it was cut: 1 of $(stat -c %s "$TMPDIR/kept") bytes are left"
    : >"$file"
    tells "$TMPDIR/b" "$where: it was cut: 0 of"
    tr '0-9' '9876543210' <"$TMPDIR/kept" >"$file"
    tells "$TMPDIR/b" "$where: it was changed since it was recorded"
    rm "$file"
    tells "$TMPDIR/b" "$where: is missing"
    mkdir "$file"
    tells "$TMPDIR/b" "$where: is a directory now"
    rmdir "$file"
    cp "$TMPDIR/kept" "$file"
    run "0 1" report "$TMPDIR/b"
done

mv "$uptime" "$TMPDIR/uptime"
ln -s /proc/uptime "$uptime"
refuses "$TMPDIR/b" "/root/proc/uptime -> /proc/uptime: this link was not recorded"
rm "$uptime"
ln -s /etc/passwd "$host/kept/a.txt"
refuses "$TMPDIR/b" "kept/a.txt -> /etc/passwd: this link was not recorded"
rm "$host/kept/a.txt"
mv "$host" "$TMPDIR/away"
ln -s "$TMPDIR/away" "$host"
refuses "$TMPDIR/b" "this is no directory"
