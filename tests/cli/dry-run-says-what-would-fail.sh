#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

head -c 4M /dev/urandom >"$TMPDIR/file"
cat >"$TMPDIR/p.conf" <<END
[hop file]
layer = filesystem
target = $TMPDIR/file
[host far]
via = false
[hop there]
host = far
layer = vnic
target = /dev/sda
[hop gone]
layer = initiator
target = /no/such/device
END
run 4 run "$TMPDIR/p.conf" --dry-run -- --name=a --rw=read --size=1k
says err "host far by: false hoploss worker"
says err "a: NOT MEASURED: offset and size leave 1024 bytes"
says err "hop there ($TMPDIR/p.conf:9): NOT MEASURED: host far: the worker ended"
says err "hop gone ($TMPDIR/p.conf:12): NOT MEASURED: /no/such/device: No such file or directory: write a target"
says err "0 bytes are written"
run 3 run /no/such/device --dry-run
silent out
