#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 2 reprot
silent out
says err 'there is no command "reprot"; did you mean report?'
run 2 xyzzyx
says err 'there is no command "xyzzyx"'
run 2 help reprot
says err 'did you mean report?'
run 2 --json report
says err "options come after the command"
