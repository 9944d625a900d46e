#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 3 capture a="$HOPLOSS" --out "$TMPDIR/b"
says out 'leave hoploss out of them'
says err "nothing was captured; $TMPDIR/b holds only why: remove it to try again"
cat >"$TMPDIR/way" <<'END'
#!/bin/sh
PATH=/nowhere
hoploss worker
END
chmod +x "$TMPDIR/way"
run 3 capture a="$TMPDIR/way" --out "$TMPDIR/c"
says out 'put hoploss on its PATH, or say where it is'
# two machines of one name
run "0 4" capture nas=local --out "$TMPDIR/one"
run "0 4" capture nas=local --out "$TMPDIR/two"
run "0 1 4" diagnose "$TMPDIR/one" "$TMPDIR/two"
says out "a host nas was captured in"
run "0 1 4" diagnose "$TMPDIR/one" "$TMPDIR/one"
grep -q "was captured in" "$TMPDIR/out" && fail "one bundle was taken for two"
# no room for a path file: nothing of it stays in the way
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
    mkdir "$TMPDIR/full"
    # shellcheck disable=SC2016 # they are the inner shell's
    unshare -m bash -c 'mount -t tmpfs -o size=4k none "$1/full" && echo >"$1/full/x" &&
        "$HOPLOSS" discover "$1/one" --leaf nas:/ --out "$1/full/path.conf"
        [ $? = 3 ] && [ ! -e "$1/full/path.conf" ]' - "$TMPDIR" 2>"$TMPDIR/err" ||
        fail "half a path file"
    says err "No space left on device"
fi
