#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/iscsi/lib

fake no-initiator
refused "login as iqn.2026-11.net.hoploss:initiator refused" "add it to the target's initiators" \
    "initiator = IQN"
