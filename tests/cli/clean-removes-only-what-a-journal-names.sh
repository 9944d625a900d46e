#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/cli/lib-demo

dir=/run/hoploss
dead=$(cat /proc/sys/kernel/random/uuid) foreign=$(cat /proc/sys/kernel/random/uuid)
mkdir -p "$dir/$dead" "$dir/$foreign"
journal() {
    printf '{"schema":"hoploss.demo/1","id":"%s","boot":"%s","machine":"%s","owner":{"pid":1,"start":%s}}' \
        "$1" "$(cat /proc/sys/kernel/random/boot_id)" "$2" "$3" >"$dir/$1.json"
}
machine=$(cat /etc/machine-id 2>/dev/null)
journal "$foreign" "not $machine" 999999999
journal "$dead" "$machine" "$(awk '{ print $22 }' /proc/1/stat)"
run 3 clean
silent out
says err "of another machine"
[ -d "$dir/$dead" ] || fail "a demo that lives was removed"
journal "$dead" "$machine" 999999999 # another process has its number now
run 3 clean --json
json '[r["name"] for r in d["removed"]] == ["'"$dir/$dead"'", "'"$dir/$dead"'.json"]'
[ -d "$dir/$foreign" ] || fail "something of another machine was removed"
