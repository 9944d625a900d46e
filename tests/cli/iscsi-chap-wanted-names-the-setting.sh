#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/iscsi/lib

fake chap
refused "CHAP is wanted" "chap = FILE"
