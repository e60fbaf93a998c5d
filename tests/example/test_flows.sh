#!/bin/bash
# Flows of tensors as a report has them are what the program itself has counted:
# chains, views, another thread, an Evictable that moves; in every export, in a
# ring, and not without SWPROF_FLOWS.
. "${abs_top_srcdir:?}/tests/example/common.sh"
flows=$abs_top_builddir/tests/example/flows
reader=$abs_top_srcdir/tests/example/read_flows.py

command -v python3 >/dev/null || skip "no python3: flows were not read"

# exported FORM REPORT: into $work/trace, and checked.
exported() {
    "$report" export "$1" -o "$work/trace" "$2" 2>"$work/export.err" || fail "export $1: $(cat "$work/export.err")"
    "$report" check "$work/trace" >"$work/out" 2>"$work/err" || fail "check of $1: $(cat "$work/out" "$work/err")"
}

SWPROF_FLOWS=1 SWPROF_OUTPUT=$work/whole LD_PRELOAD=$(preloads "$shim") "$flows" >"$work/counted" || fail "status $? of the program"
[ "$(grep -c . "$work/counted")" -ge 14 ] || fail "the program has counted too little: $(cat "$work/counted")"
sort "$work/counted" >"$work/expected"
exported chrome "$work/whole"
[ ! -s "$work/export.err" ] || fail "nothing was lost: $(cat "$work/export.err")"
python "$reader" "$work/trace" | sort >"$work/found"
diff -u "$work/expected" "$work/found" || fail 'the Chrome trace has other flows than the program'

# The check of traces sees when an end is missing, outside of every operation, or before the beginning.
python - "$work/trace" <<'PYTHON'
import json, sys
path = sys.argv[1]
for name in "without", "outside", "backwards":
    trace = json.load(open(path, encoding="utf-8"))
    events = trace["traceEvents"]
    number = next(event["id"] for event in events if event["ph"] == "s")
    start, end = [event for event in events if event["ph"] in "sf" and event.get("id") == number and event["cat"] == "tensor"]
    if name == "without":
        events.remove(end)
    elif name == "outside":
        start["ts"] = -1000
    else:
        start["ts"], end["ts"] = end["ts"], start["ts"]
        start["tid"], end["tid"] = end["tid"], start["tid"]
    json.dump(trace, open(path + "." + name, "w", encoding="utf-8"))
PYTHON
for name in without outside backwards; do
    "$report" check "$work/trace.$name" >"$work/out" 2>&1 && fail "a flow $name passes the check"
    grep -q '^flow ' "$work/out" || fail "a flow $name is not found: $(cat "$work/out")"
done
exported chrome-list "$work/whole"
python "$reader" "$work/trace" | sort >"$work/found"
sed 's/[0-9]*$/?/' "$work/expected" | sort | diff -u - "$work/found" || fail 'the list has other flows than the program'
"$report" check "$work/whole" >/dev/null 2>"$work/err" || fail "check: $(cat "$work/err")"

# Of operations that are left out there are none: on Evictable carriers alone three operations have taken what another made.
"$report" export chrome --carrier Evictable -o "$work/trace" "$work/whole" 2>/dev/null
python "$reader" "$work/trace" | sort >"$work/found"
[ "$(grep -c . "$work/found")" -eq 3 ] || fail "of one carrier class: $(cat "$work/found")"
"$report" check "$work/trace" >"$work/out" 2>&1 || fail "check of one carrier class: $(cat "$work/out")"

# Edges of a runtime trace: as many, with the delay between the two; operations name the same storages.
"$report" export runtime -o "$work/runtime" "$work/whole" 2>/dev/null
python "$abs_top_srcdir/tests/trace/read_runtime.py" "$work/runtime" >"$work/read" || fail 'the runtime trace'
python - "$work/runtime" "$(grep -c . "$work/expected")" <<'PYTHON' || fail 'edges of the runtime trace'
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
edges = [line for line in lines if line["kind"] == "edge_timing"]
operations = [line for line in lines if line["kind"] == "operation"]
assert len(edges) == int(sys.argv[2]), (len(edges), sys.argv[2])
assert all(edge["duration_ns"] < 60 * 10**9 for edge in edges)
names = {operation["static_id"] for operation in operations}
assert all(edge["from_static_id"] in names and edge["to_static_id"] in names for edge in edges)
assert all(operation["output"].startswith("storage:") for operation in operations), operations
assert all(len(operation["inputs"]) == (1 if operation["op"] == "permute" else 2) for operation in operations)
view = next(operation for operation in operations if operation["op"] == "permute")
assert view["inputs"] == [view["output"]], view
PYTHON
"$report" runtime "$work/runtime" >"$work/out" 2>"$work/err" || fail "reading the runtime trace: $(cat "$work/err")"

# A ring: what it keeps is joined, what it has dropped is not made up.
SWPROF_FLOWS=1 SWPROF_BUFFER=1M SWPROF_FULL=ring SWPROF_OUTPUT=$work/ring LD_PRELOAD=$(preloads "$shim") "$flows" loop 60000
exported chrome "$work/ring"
python "$reader" "$work/trace" chain >"$work/found" || fail 'flows of a ring'
read -r n_slices n_flows <"$work/found"
[ "$n_slices" -lt 60000 ] && [ "$n_flows" -gt 1000 ] && [ "$n_flows" -lt "$n_slices" ] || fail "of a ring: $n_slices $n_flows"

# A full report: flows end before the operations do, and the loss is said.
SWPROF_FLOWS=1 SWPROF_BUFFER=1M SWPROF_OUTPUT=$work/full LD_PRELOAD=$(preloads "$shim") "$flows" loop 60000
exported chrome "$work/full"
"$report" "$work/full" 2>&1 | grep -q 'note' || fail 'lost notes are not told'
grep -q 'flows may come from older operations' "$work/export.err" || fail "wrong flows are not told of: $(cat "$work/export.err")"

# Off unless asked for; a summary has no operations to join.
SWPROF_OUTPUT=$work/off LD_PRELOAD=$(preloads "$shim") "$flows" loop 10
SWPROF_FLOWS=1 SWPROF_FULL=summary SWPROF_OUTPUT=$work/sums LD_PRELOAD=$(preloads "$shim") "$flows" loop 10
for name in off sums; do
    exported chrome "$work/$name"
    grep -q '"ph":"s"' "$work/trace" && fail "flows unasked: $name"
done

exit "$failed"
