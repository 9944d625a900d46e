#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

# refused TEXT WORD...: the command line is refused with that text
refused() {
    local text=$1
    shift
    run 2 diagnose "$@"
    silent out
    says err "$text"
}
refused '--hop pvc: no "="' --hop pvc "$ram"
refused 'the hop has no name' --hop "=$ram"
refused 'the hop has no name' --hop ":pool=$ram"
refused 'a file name is missing' --hop x=
refused 'a file name is missing' --hop "x=$ram,,$loop"
refused 'hop x is given as pool and as drive' --hop "x:pool=$ram" --hop "x:drive=$loop"
refused 'diagnose needs a file or a bundle'
refused 'standard input (-) is given twice' - --hop x=-
refused '--hop needs a value' --hop
refused 'a file name is empty' ""
