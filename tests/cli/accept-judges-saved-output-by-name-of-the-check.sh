#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

# nvme-cli's format, written by hand: 0x10 is the backup supply, 3 media errors
cat >"$TMPDIR/nvme0.json" <<'END'
{"critical_warning": 16, "temperature": 310, "avail_spare": 100, "spare_thresh": 10,
 "percent_used": 2, "data_units_read": 1000, "data_units_written": 2000, "power_cycles": 5,
 "power_on_hours": 900, "media_errors": 3, "num_err_log_entries": 0, "critical_comp_time": 0}
END
run 1 accept "$TMPDIR/nvme0.json" --json --second-hand
want="{'health.warning-backup', 'health.media-errors'}"
json "{c['id'] for c in d['devices'][0]['checks'] if c['status'] == 'FAIL'} == $want"
json 'd["devices"][0]["verdict"] == "FAIL" and d["verdict"] == "FAIL"'
run 1 accept "$TMPDIR/nvme0.json" --format html
says out "health.warning-backup"
run 1 accept "$TMPDIR/nvme0.json"
head -1 "$TMPDIR/out" | grep -q '^FAIL: ' || fail "the verdict is not in the first line"
run 3 accept /dev/null/none
run 2 accept
run 2 accept "$TMPDIR/nvme0.json" --write
says err "--serial"
