#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/iscsi/lib

fake no-target
refused "the portal has no such target" 'check the IQN in "target"'
