#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A task in the freezer of cgroup v1 is not ended by SIGKILL, as one that sleeps in the kernel.
. tests/cli/lib

freezer=/sys/fs/cgroup/freezer/hoploss-test-$$
[ "$(id -u)" = 0 ] || { echo "the freezer wants root"; exit 77; }
mkdir "$freezer" 2>/dev/null || { echo "no freezer here"; exit 77; }
thaw() {
    echo THAWED >"$freezer/freezer.state"
    for _ in {1..50}; do rmdir "$freezer" 2>/dev/null && return; sleep 0.1; done
}
trap thaw EXIT
# a tool that freezes the probe that started it
cat >"$TMPDIR/tgtadm" <<END
#!/bin/bash
echo \$PPID | tee "$freezer/tasks" >"$TMPDIR/pid"
echo FROZEN >"$freezer/freezer.state"
END
chmod +x "$TMPDIR/tgtadm"
SECONDS=0
PATH=$TMPDIR:$PATH run 4 capture --out "$TMPDIR/b" --json
[ $SECONDS -lt 10 ] || fail "it took $SECONDS s"
grep -q '^State:.D' "/proc/$(cat "$TMPDIR/pid")/status" || fail "the probe was not frozen"
json '[p["status"] for p in d["hosts"][0]["probes"] if p["probe"] == "iscsi"] == ["hung"]'
json '"cannot be killed: abandoned" in [p for p in d["hosts"][0]["probes"] if p["probe"] == "iscsi"][0]["reason"]'
json 'all(p["status"] not in ("hung", "failed") for p in d["hosts"][0]["probes"] if p["probe"] != "iscsi")'
run "0 1 4" diagnose "$TMPDIR/b" --json
json '[f for f in d["facts"] if f["key"] == "system.hostname"]'
json '[p for p in d["probes"] if p["probe"] == "iscsi" and p["status"] == "hung"]'
