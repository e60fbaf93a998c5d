#!/bin/bash
# Storage of carriers as a report has it is what the program itself has counted:
# of views, results, failures, an Evictable that moves, releases on another
# thread; also when it is killed, and not without SWPROF_MEMORY.
. "${abs_top_srcdir:?}/tests/example/common.sh"
storage=$abs_top_builddir/tests/example/storage

# figures REPORT: class, bytes allocated, released, storages made, as the program prints them.
figures() {
    "$report" memory -f csv "$1" 2>"$work/said" | python -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(row["carrier"], row["allocated_bytes"], row["released_bytes"], row["allocations"])' | sort
}

command -v python3 >/dev/null || skip "no python3: reports were not compared"

SWPROF_MEMORY=1 SWPROF_OUTPUT=$work/whole LD_PRELOAD=$(preloads "$shim") "$storage" >"$work/counted" || fail "status $? of the program"
sort "$work/counted" >"$work/expected"
figures "$work/whole" >"$work/figures"
diff -u "$work/expected" "$work/figures" || fail 'the report has other figures than the program'

# What was left is the last tensor, and who asked for too much was refused.
"$report" memory "$work/whole" >"$work/out" 2>/dev/null
grep -q '^400 B left at the end: 400 B made outside of operations$' "$work/out" || fail "left: $(cat "$work/out")"
grep -q '^1 request for which there was no room$' "$work/out" || fail "refused: $(cat "$work/out")"

# Of operations: a product and a sum of 64x64; the view and the failed addition have nothing.
"$report" table --memory -f csv "$work/whole" 2>/dev/null | python -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(row["name"], row["allocated_bytes"], row["released_bytes"], row["net_bytes"], row["self_net_bytes"])' |
    sort >"$work/figures"
printf '%s\n' 'add 16384 0 16384 16384' 'matmul 16384 0 16384 16384' 'permute 0 0 0 0' |
    diff -u - "$work/figures" || fail 'operations have other storage'
"$report" --style torch --memory "$work/whole" 2>/dev/null | grep -q 'matmul .* 16.00 Kb      16.00 Kb ' ||
    fail "columns of PyTorch's table"

# Counters of a trace end with what was left.
"$report" export chrome "$work/whole" 2>/dev/null | python -c '
import json, sys
counters = [event for event in json.load(sys.stdin)["traceEvents"] if event["ph"] == "C"]
assert [event["args"]["bytes"] for event in counters if event["name"] == "strideweave.CPU"][-1] == 400
assert max(event["args"]["bytes"] for event in counters) == 4 * 16384 + 60, counters' || fail 'counters of the trace'
"$report" check "$work/whole" >/dev/null 2>"$work/err" || fail "check: $(cat "$work/err")"

# Killed: what had happened is there.
SWPROF_MEMORY=1 SWPROF_OUTPUT=$work/killed LD_PRELOAD=$(preloads "$shim") "$storage" wait >"$work/counted" &
child=$!
until [ "$(wc -l <"$work/counted")" -eq 2 ] || ! kill -0 "$child" 2>/dev/null; do :; done
kill -KILL "$child" 2>/dev/null
wait "$child" 2>/dev/null
sort "$work/counted" >"$work/expected"
figures "$work/killed" >"$work/figures"
diff -u "$work/expected" "$work/figures" || fail "the report of a killed program has other figures: $(cat "$work/said")"

# Off unless asked for.
SWPROF_OUTPUT=$work/off LD_PRELOAD=$(preloads "$shim") "$storage" >/dev/null
"$report" memory "$work/off" 2>/dev/null | grep -q 'no storage was recorded: it is with SWPROF_MEMORY=1' || fail 'recorded unasked'

exit "$failed"
