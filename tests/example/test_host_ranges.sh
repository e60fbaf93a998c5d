#!/bin/bash
# Ranges inside of the library's own path, as the shim records them of a program
# with four threads: each operation in the range that enters it, and in the table
# the times that an independent nesting of the exported trace gives.
. "${abs_top_srcdir:?}/tests/example/common.sh" || exit 99
. "$abs_top_srcdir/tests/configured.sh"
skip_without_profiling
skip_without_host_ranges
command -v python3 >/dev/null || skip "no python3: the trace was not nested"

SWPROF_RANGES=1 under_shim "$work/with" "$threads" >"$work/out" || fail "status $? of the program"
"$report" table --ranges --limit all -f csv "$work/with" >"$work/table" || fail 'no table'
"$report" export chrome "$work/with" -o "$work/trace.json" || fail 'no trace'
python - "$work/table" "$work/trace.json" "$(sed -n 's/^boundaries crossed: //p' "$work/out")" <<'END' ||
import collections, csv, decimal, json, sys

table = {row["name"]: row for row in csv.DictReader(open(sys.argv[1])) if row["kind"] == "host range"}
slices = collections.defaultdict(list)
for event in json.load(open(sys.argv[2]), parse_float=decimal.Decimal)["traceEvents"]:
    if event["ph"] == "X" and event["cat"] in ("host_range", "cpu_op", "overhead"):
        begin, length = int(event["ts"] * 1000), int(event["dur"] * 1000)
        slices[event["tid"]].append([begin, -(begin + length), event["cat"], event["name"], length])

count, total, inside = collections.Counter(), collections.Counter(), collections.Counter()
n_operations, parents = 0, collections.Counter()
for of_thread in slices.values():
    around = []
    for begin, end, category, name, length in sorted(of_thread):
        while around and -around[-1][1] <= begin:
            around.pop()
        assert not around or end >= around[-1][1], (around[-1], name)
        if category == "host_range":
            count[name] += 1
            total[name] += length
        elif category == "cpu_op": # else the recorder's own time, nobody's self time
            n_operations += 1
            parents[around[-1][3]] += 1
        if around and around[-1][2] == "host_range":
            inside[around[-1][3]] += length
        around.append((begin, end, category, name))

assert len(slices) >= 4, len(slices)
assert n_operations == int(sys.argv[3]) and parents == {"operator.invoke": n_operations}, parents
# By hand, of one of 2000 rounds: 7 calls (add, permute, matmul, view, rearrange, reduce_sum, a refused matmul) that take
# 10 tensors, three of which compute; add dispatches two broadcasts besides.
assert count.pop("cache.construct") >= 7 # each name once for the class of the carriers
assert {name: n / 2000 for name, n in count.items()} == {
    "binding.body": 7, "binding.tensor_conversion": 10, "dispatch.call": 7, "dispatch.lookup": 9, "cache.key": 9,
    "cache.lookup": 9, "operator.call": 7, "operator.preflight": 9, "operator.invoke": 9, "backend.submit": 3}, count
del table["cache.construct"]
assert set(table) == set(count), set(table) ^ set(count)
for name, row in table.items():
    expected = count[name], total[name], total[name] - inside[name]
    assert (int(row["count"]), int(row["total_ns"]), int(row["self_ns"])) == expected, (name, row, expected)
END
    fail 'the ranges are not what the trace says'

under_shim "$work/without" "$threads" >/dev/null || fail "status $? of the program"
"$report" table --ranges -f csv "$work/without" >"$work/table" || fail 'no table without ranges'
grep 'host range' "$work/table" && fail 'ranges that nobody asked for'
exit "$failed"
