#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/iscsi/lib

fake no-lun
refused "shows no LUN to iqn.2026-11.net.hoploss:initiator" "map one"
