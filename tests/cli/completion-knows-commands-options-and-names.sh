#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 0 help --completion bash
mkdir "$TMPDIR/bin" && ln -s "$HOPLOSS" "$TMPDIR/bin/hoploss"
PATH=$TMPDIR/bin:$PATH
# shellcheck disable=SC1091 # made just now
. "$TMPDIR/out" || fail "does not load"

# completes WORD "WORDS BEFORE": the last word is completed to WORD, among others
completes() {
    read -ra COMP_WORDS <<<"$2"
    [ "${2: -1}" = " " ] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _hoploss
    [[ " ${COMPREPLY[*]} " == *" $1 "* ]] || fail "\"$2\" gives: ${COMPREPLY[*]}"
}
completes specs "hoploss sp"
completes --json "hoploss specs --j"
completes KCD61LUL7T68 "hoploss specs KC"
completes help "hoploss help he"
completes bash "hoploss help --completion "
completes bash "hoploss help --completion = b"
completes tests/cli/lib "hoploss diagnose tests/cli/li"
