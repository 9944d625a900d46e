#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
exec tests/faults/demo-is-killed 10 4
