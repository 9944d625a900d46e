#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 2 diagnose "$ram" --spec HC55
silent out
says err HC550
run 2 diagnose "$ram" --spec ./none.conf
says err "none.conf"
