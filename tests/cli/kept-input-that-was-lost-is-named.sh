#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run "0 1" diagnose --hop ram="$ram" --hop loop="$loop" --spec KCD61LUL7T68 --out "$TMPDIR/b"
cp -r "$TMPDIR/b" "$TMPDIR/whole"
input=$(echo "$TMPDIR"/b/inputs/001*)

# lost TEXT: it is said, the other hop is reported, and the bundle is made whole again
lost() {
    run 4 report "$TMPDIR/b" --json
    says out "$1"
    json '[h for h in d["hops"] if h["name"] == "loop"][0]["measurements"]'
    run 4 diagnose "$TMPDIR/b" "$pod"
    rm -r "$TMPDIR/b"
    cp -r "$TMPDIR/whole" "$TMPDIR/b"
}
truncate -s 200 "$input"
lost "it was cut: 200 of $(stat -c %s "$ram") bytes are left"
: >"$input"
lost "it was cut: 0 of"
rm "$input"
lost "No such file"
rm "$input" && mkdir "$input"
lost "001-ram.txt"
echo more >>"$input"
lost "it was changed since it was recorded"
truncate -s 20 "$TMPDIR/b/spec.conf"
lost "spec.conf: it was cut: 20 of"
rm "$TMPDIR/b/spec.conf"
lost "spec.conf is missing"

rm "$input" && ln -s /etc/passwd "$input"
run 3 report "$TMPDIR/b"
says err "001-ram.txt: is a symbolic link"
