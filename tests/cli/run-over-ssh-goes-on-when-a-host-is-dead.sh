#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

[ "$(id -u)" = 0 ] || { echo "namespaces want root"; exit 77; }
for tool in sshd ssh ip; do
    command -v $tool >/dev/null || { echo "no $tool here"; exit 77; }
done
mkdir -p /run/sshd
ssh-keygen -q -t ed25519 -N '' -f "$TMPDIR/key"
ssh-keygen -q -t ed25519 -N '' -f "$TMPDIR/host_key"
cp "$TMPDIR/key.pub" "$TMPDIR/authorized"
printf 'HostKey %s\nAuthorizedKeysFile %s\nStrictModes no\nPidFile none\nUsePAM no\nSetEnv PATH=%s:/usr/bin:/bin\n' \
    "$TMPDIR/host_key" "$TMPDIR/authorized" "$(dirname "$HOPLOSS")" >"$TMPDIR/sshd_config"
printf 'IdentityFile %s\nUserKnownHostsFile %s\nStrictHostKeyChecking accept-new\nBatchMode yes\nConnectTimeout 3\nPort 2222\n' \
    "$TMPDIR/key" "$TMPDIR/known" >"$TMPDIR/ssh_config"

# two hosts, each a namespace with an sshd of its own
for n in 1 2; do
    ns=hoploss-test-$$-$n
    ip netns add "$ns" || { echo "no network namespaces here"; exit 77; }
    ip link add "hlt$$-$n" type veth peer name eth0 netns "$ns"
    ip addr add "10.211.$n.1/24" dev "hlt$$-$n"
    ip link set "hlt$$-$n" up
    ip -n "$ns" addr add "10.211.$n.2/24" dev eth0
    ip -n "$ns" link set eth0 up
    nsenter --net="/run/netns/$ns" "$(command -v sshd)" -D -f "$TMPDIR/sshd_config" -p 2222 2>"$TMPDIR/sshd$n" &
    pids[n]=$!
done
trap 'kill "${pids[@]}" 2>/dev/null; ip netns del "hoploss-test-$$-1"; ip netns del "hoploss-test-$$-2"' EXIT
head -c 32M /dev/urandom >"$TMPDIR/medium"
for n in 1 2; do
    printf '[host h%d]\nvia = ssh -F %s root@10.211.%d.2\n' $n "$TMPDIR/ssh_config" $n
done >"$TMPDIR/p.conf"
printf '[hop %s]\nlayer = %s\nhost = %s\ntarget = file:%s\n' one drive h1 "$TMPDIR/medium" \
    two filesystem h2 "$TMPDIR/medium" >>"$TMPDIR/p.conf"
sleep 0.5

run "0 1" run "$TMPDIR/p.conf" --quick --time 2s --workloads rand-read-4k --out "$TMPDIR/both" --json
json 'all(m["status"] == "measured" for h in d["hops"] for m in h["measurements"]) and len(d["hops"]) == 2'

kill "${pids[2]}"
wait "${pids[2]}" 2>/dev/null
run 4 run "$TMPDIR/p.conf" --quick --time 2s --workloads rand-read-4k --out "$TMPDIR/one" --json
json '[m["status"] for h in d["hops"] for m in h["measurements"]] == ["measured", "not-measured"]'
json '"Connection refused" in d["hops"][1]["measurements"][0]["reason"]'
