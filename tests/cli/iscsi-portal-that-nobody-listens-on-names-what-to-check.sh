#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

# port 1 of loopback: nothing listens there
run 3 run iscsi://127.0.0.1:1/iqn.x:y/0 --dry-run
says err "portal 127.0.0.1:1: no connection: check its address and port"
