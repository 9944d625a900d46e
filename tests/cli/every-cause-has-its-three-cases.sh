#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

run 0 causes --json
mv "$TMPDIR/out" "$TMPDIR/causes"
for bundle in tests/hosts/*/bundle; do
    run "0 1 4" report "$bundle" --json
    mv "$TMPDIR/out" "$TMPDIR/$(basename "$(dirname "$bundle")").json"
done
python3 - "$TMPDIR" tests/hosts/causes.txt <<'END' || fail "tests/hosts/causes.txt does not hold"
import json, sys
seen = {}
def states(cause, case):
    if case not in seen:
        seen[case] = json.load(open(f"{sys.argv[1]}/{case}.json"))["findings"]
    return {f["state"] for f in seen[case] if f["id"] == cause}
judges = [("confirmed", lambda s: "confirmed" in s),
          ("suspected", lambda s: s & {"suspected", "ambiguous"}), ("not named", lambda s: not s)]
rows = [line.split() for line in open(sys.argv[2]) if not line.startswith("#")]
wrong = {c["id"] for c in json.load(open(sys.argv[1] + "/causes"))["causes"]} ^ {r[0] for r in rows}
wrong = [f"{cause} is only here or there" for cause in wrong]
for cause, *cases in rows:
    wrong += [f"{cause} is not {name} in {case}" for (name, is_so), case in zip(judges, cases)
              if case != "-" and not is_so(states(cause, case))]
sys.exit("\n".join(wrong) or 0)
END
