#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib
. tests/disks/lib
. tests/canned/lib

# smartctl of two disks: both are idle until -t, then test for three looks; sdz finds a bad sector
mkdir "$TMPDIR/bin"
cat >"$TMPDIR/bin/smartctl" <<'END'
#!/usr/bin/python3
import json, os, sys
name = sys.argv[-1].split("/")[-1]
state = f"{os.environ['TMPDIR']}/{name}.looks"
if "-t" in sys.argv:
    open(state, "w").write("0")
    print(json.dumps({"smartctl": {"exit_status": 0}}))
    sys.exit()
looks = int(open(state).read()) if os.path.exists(state) else -1
if looks >= 0:
    open(state, "w").write(str(looks + 1))
table = [{"type": {"value": 1}, "status": {"value": 0, "string": "Completed without error"},
          "lifetime_hours": 7}]
if looks >= 3:
    bad = {"status": {"value": 0x79, "string": "Completed: read failure"}, "lba": 123456}
    good = {"status": {"value": 0, "string": "Completed without error"}}
    table.insert(0, {"type": {"value": 2}, "lifetime_hours": 8, **(bad if name == "sdz" else good)})
value = 0xf0 + 9 - 3 * looks if 0 <= looks < 3 else table[0]["status"]["value"]
print(json.dumps({
    "smartctl": {"exit_status": 0, "argv": sys.argv}, "device": {"protocol": "ATA"},
    "ata_smart_data": {"self_test": {"status": {"value": value},
                                     "polling_minutes": {"short": 2, "extended": 584}},
                       "capabilities": {"self_tests_supported": True}},
    "ata_smart_self_test_log": {"extended": {"table": table}}}))
END
chmod +x "$TMPDIR/bin/smartctl"
export PATH=$TMPDIR/bin:$PATH
for name in sdy sdz; do
    truncate -s 16M "$TMPDIR/$name"
    disk $name "$TMPDIR/$name"
done

run 1 accept /dev/sd{y,z} --self-test long --time 1s --busy-ok --out "$TMPDIR/got" --json
says err "long self-test of each drive, by itself, after all else"
says err "sdy: about 9 h 50 min"
says err "self-test: sdy 40 %, sdz 40 %"
cat >"$TMPDIR/want" <<'END'
[[(c["status"], c["measured"]) for c in x["checks"] if c["id"] == "health.self-test"][0]
 for x in d["devices"]] == [("PASS", "Completed without error"),
                            ("FAIL", "Completed: read failure, LBA 123456")]
END
json "$(tr '\n' ' ' <"$TMPDIR/want")"
