#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 2 specs --jsno
silent out
says err "specs has no option --jsno; did you mean --json?"
says err "usage: hoploss specs"
