#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 2 diagnose --hop "x:cloud=$ram"
silent out
says err 'there is no layer "cloud"; it is one of link drive pool target wire vnic vdisk initiator filesystem'
run 2 diagnose --hop "x:datasheet=$ram"
says err "--spec"
