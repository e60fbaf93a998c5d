#!/bin/bash
# The trace of the training example, opened in a real viewer, shows the nesting
# and the totals of the table. `scripts/check --viewers` installs what this needs:
#
#   SW_VIEWERS=FOLDER   where node_modules with speedscope and playwright-core are
# shellcheck source=tests/example/common.sh
. "$abs_top_srcdir/tests/example/common.sh" || exit 99

[ -n "${SW_VIEWERS:-}" ] || skip "no SW_VIEWERS: scripts/check --viewers installs the viewer and runs this"
for command in node python3 chromium-headless-shell; do
    command -v $command >/dev/null || skip "no $command"
done
[ -x "$example" ] || skip "$example is not built"
[ -r "$data/train-images-idx3-ubyte.gz" ] || skip "no data set in $data (Debian: dataset-fashion-mnist)"

# viewed REPORT: what the viewer makes of its trace is what the report holds.
viewed() {
    "$report" export chrome "$1" -o "$work/trace.json" &&
        "$report" export jsonl "$1" -o "$work/events" &&
        "$report" table --format json --limit all "$1" >"$work/table" || fail "$1 was not exported"
    node "$abs_top_srcdir/tests/viewers/load_speedscope.js" "$SW_VIEWERS/node_modules" \
        "$(command -v chromium-headless-shell)" "$work/trace.json" "$work/saved" || fail "the viewer did not take the trace of $1"
    python "$abs_top_srcdir/tests/viewers/compare_speedscope.py" "$work/saved" "$work/table" "$work/events" ||
        fail "the viewer shows something else than $1 holds"
}

under_shim "$work/training.swprof" "$example" --data "$data" --epochs 1 >/dev/null || fail 'the example failed'
viewed "$work/training.swprof"
# Several threads.
under_shim "$work/threads.swprof" "$threads" >/dev/null || fail 'the program with threads failed'
viewed "$work/threads.swprof"
# The comparison notices another nesting.
sed -E '0,/"parent_id": [0-9]+/s//"parent_id": null/' "$work/events" >"$work/changed"
cmp -s "$work/events" "$work/changed" && fail 'no operation of the threads is nested'
python "$abs_top_srcdir/tests/viewers/compare_speedscope.py" "$work/saved" "$work/table" "$work/changed" >/dev/null 2>&1 &&
    fail 'the comparison overlooks another nesting'
exit $failed
