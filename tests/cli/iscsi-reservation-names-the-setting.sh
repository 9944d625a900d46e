#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/iscsi/lib

fake reserved
refused "LUN 0 is reserved by another initiator" "release its reservation"
