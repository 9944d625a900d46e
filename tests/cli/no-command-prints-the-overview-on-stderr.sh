#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 2
silent out
says err "usage: hoploss COMMAND"
