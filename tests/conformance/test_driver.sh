#!/bin/bash
# The driver itself: it tells right from wrong, prefers what is recommended,
# skips what it does not know, shows what it is asked for, and refuses what is no case file.
set -u
driver=$abs_top_builddir/tests/conformance/sw-conformance
[ -x "$driver" ] || { echo "$driver is not built"; exit 77; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failed=0

# run NAME STATUS PATTERN: the driver on $work/NAME.json ends so and says so.
run() {
    "$driver" -v "$work/$1.json" >"$work/out" 2>&1
    status=$?
    if [ $status -ne "$2" ] || ! grep -q -- "$3" "$work/out"; then
        echo "$1: status $2 and \"$3\" expected, status $status came with:"
        cat "$work/out"
        failed=1
    fi
}

# cases NAME CASE: write a file of one case.
cases() { printf '{"cases": [%s]}\n' "$2" >"$work/$1.json"; }

layout='"section": "layout", "op": "flatten", "args": {"shape": [2, [3]], "stride": [1, [2]]}'
right='{"layout": {"shape": [2, 3], "stride": [1, 2]}}'
wrong='{"layout": {"shape": [2, 3], "stride": [1, 3]}}'

cases right "{\"id\": \"a\", $layout, \"expect\": $right}"
run right 0 '^1 passed, 0 failed, 0 skipped$'
cases wrong "{\"id\": \"a\", $layout, \"expect\": $wrong}"
run wrong 1 '^FAIL a: expected '
cases recommended "{\"id\": \"a\", $layout, \"expect\": {\"error\": \"IndexError\"}, \"recommended\": $right}"
run recommended 0 '^1 passed'
cases error "{\"id\": \"a\", $layout, \"expect\": {\"error\": \"ValueError\"}}"
run error 1 '^0 passed, 1 failed'
cases unknown '{"id": "a", "section": "layout", "op": "fold", "args": {}}'
run unknown 0 '^SKIP a: .*fold'
cases section '{"id": "a", "section": "weather", "op": "rain"}'
run section 0 '^0 passed, 0 failed, 1 skipped$'

# One section only.
if ! "$driver" -s weather "$work/right.json" | grep -q '^0 passed, 0 failed, 0 skipped$'; then
    echo "-s does not leave other sections out"
    failed=1
fi

# Traces: the events are compared, and can be shown.
trace='"id": "a", "section": "boundary", "op": "trace", "args": {"call": "relu(Evictable)"}, "expect": {"ok": true}'
outer='{"id": 0, "parent": null, "name": "relu", "carrier": "Evictable", "ok": true, "shapes": [[2, 3]]}'
inner='{"id": 1, "parent": 0, "name": "relu", "carrier": "Generic", "ok": true, "shapes": [[2, 3]]}'
if grep -Eq '^#define SW_ENABLE_PROFILING [^0]' "$abs_top_builddir/config.h"; then
    cases trace "{$trace, \"events\": [$outer, $inner]}"
    run trace 0 '^1 passed'
    if ! "$driver" -e "$work/trace.json" | grep -q '^EVENT 1 0 ok relu Generic \[\[2,3\]\]$'; then
        echo "-e does not show the nested event"
        failed=1
    fi
    cases outer_only "{$trace, \"events\": [$outer]}"
    run outer_only 1 '^FAIL a: events expected'
fi

# A step of a script that fails is named, and steps that were passed over are counted.
script='"id": "a", "section": "carrier", "op": "script", "steps"'
cases step "{$script: [{\"do\": \"Evictable(g, g)\", \"expect\": {\"ok\": true}}]}"
run step 1 '^FAIL a: step 1, Evictable(g, g): expected'
cases passed_over "{$script: [{\"do\": \"CPU(-1)\", \"expect\": {\"error\": \"ValueError\"}}]}"
run passed_over 0 '^PASS a: steps passed over: 1$'

# Signed zeros and tolerances.
tensor='{"tensor": {"dtype": "Float32", "values": [0.0], "shape": [1], "stride": [1], "offset": 0}}'
neg="\"section\": \"op\", \"op\": \"neg\", \"carriers\": [\"CPU\"], \"args\": {\"operands\": [$tensor]}"
cases negative_zero "{\"id\": \"a\", $neg, \"compare\": \"exact\", \"expect\": {\"values\": [\"-0\"]}}"
run negative_zero 0 '^1 passed'
cases positive_zero "{\"id\": \"a\", $neg, \"compare\": \"exact\", \"expect\": {\"values\": [0.0]}}"
run positive_zero 1 '^FAIL a on CPU: '
cases near "{\"id\": \"a\", $neg, \"compare\": {\"rel\": 0, \"abs\": 0.1}, \"expect\": {\"values\": [0.05]}}"
run near 0 '^1 passed'

run absent 2 'cannot be opened'
echo '{"cases": [' >"$work/cut.json"
run cut 2 'is not JSON'
echo '{"cases": 3}' >"$work/number.json"
run number 2 'is no case file'
exit "$failed"
