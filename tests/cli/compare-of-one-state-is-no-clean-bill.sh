#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

guest=tests/hosts/guest-with-zfs-lio-and-vf/bundle
run 4 compare "$ram"
says out "nothing to check"
run 0 compare "$guest"
says out "configured right as far as"
says out "could not be made: sriov.queues"
run 0 compare "$guest" --format html
says out "not measured</h1>"
