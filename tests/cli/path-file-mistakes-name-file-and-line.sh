#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

# mistake LINE TEXT: the path file with that line behind must be refused so
mistake() {
    printf '[hop a]\nlayer = drive\ntarget = /dev/null\n%b\n' "$1" >"$TMPDIR/p.conf"
    run 2 run "$TMPDIR/p.conf" --dry-run
    says err "p.conf:$2"
}
mistake 'sise = 1G' '4: unknown key "sise" in [hop a]; did you mean size'
mistake 'after = b' '4: hop a is after "b", which is no hop'
mistake 'after = a' '4: hop a is after itself'
mistake '[path]\nworkloads = rand-raed-4k' '5: no workload or suite is called "rand-raed-4k"; did you mean'
mistake '[hop b]\nlayer = pool' '4: hop b has no target'
mistake '[hop s]\nlayer = datasheet\nspec = CD66' '4: '
