#!/bin/bash
# What torch-spyre's profiler contributors are asked for, where it can be tested: a trace that is wrong is seen to be
# wrong. Overlaps of one thread are found, and treated as a trace analyzer would; flows and counters are whole; what we
# write ourselves passes; and a table says by itself whether its report contradicts itself.
. "${abs_top_srcdir:?}/tests/report/common.sh" || exit 99
for kind in good-plain good-many good-lost good-sums-sessions good-odd-nesting; do
    "$samples" $kind "$folder/$kind" || fail "no sample $kind"
done

# ---- A table checks its report ------------------------------------------------------
expect_status 0 '' "$report" table "$folder/good-plain"
[ "$(grep -cx 'check: fine' "$folder/out")" -eq 1 ] || fail "not one line that all is well: $(cat "$folder/out")"
[ -s "$folder/err" ] && fail "a good report: $(cat "$folder/err")"
expect_status 0 '' "$report" table "$folder/good-lost" # what is missing is no contradiction
expect_text "$folder/out" 'check: fine'
expect_status 0 '' "$report" table --no-check "$folder/good-plain"
grep -q '^check:' "$folder/out" && fail 'a check that was not wanted'
expect_status 0 '' "$report" table "$folder/good-odd-nesting"
expect_text "$folder/out" 'check: 2 errors: 1 operations ended after the one that was recorded behind them; see swprof-report check'
expect_status 2 '--no-check' "$report" events --no-check "$folder/good-plain"
# What programs read stays what it was; only what is wrong is said, beside it.
for format in csv json; do
    expect_status 0 '' "$report" table -f $format "$folder/good-plain"
    grep -q 'check:' "$folder/out" "$folder/err" && fail "a line in $format"
    expect_status 0 'check: 2 errors' "$report" table -f $format "$folder/good-odd-nesting"
    grep -q 'check:' "$folder/out" && fail "an error in $format itself"
done

# ---- A report as a runtime trace --------------------------------------------------------
"$report" export runtime "$folder/good-plain" -o "$folder/plain.jsonl" || fail 'no runtime trace'
"$report" events -f csv "$folder/good-plain" >"$folder/events"
[ "$(grep -c '"kind":"operation"' "$folder/plain.jsonl")" -eq $(($(wc -l <"$folder/events") - 1)) ] || fail 'not a record for each operation'
grep -q edge_timing "$folder/plain.jsonl" && fail 'edges that nobody knows of'
if command -v python3 >/dev/null; then
    python3 "$abs_top_srcdir/tests/trace/read_runtime.py" "$folder/plain.jsonl" >/dev/null 2>"$folder/err" ||
        fail "an independent reader: $(cat "$folder/err")"
fi

# ---- Traces of any tool -------------------------------------------------------------
printf '[]' >"$folder/none.json"
"$report" check "$folder/none.json" >/dev/null 2>"$folder/err"
if grep -q 'without jansson' "$folder/err"; then
    echo 'not checked for want of libjansson: traces' >&2
    finish
fi
"$report" runtime -f csv "$folder/plain.jsonl" >"$folder/out" || fail 'our own export is refused'
"$report" table -f csv "$folder/good-plain" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { n += $at["calls"] } END { print n }' >"$folder/calls"
awk -F, 'NR > 1 { n += $4 } END { print n }' "$folder/out" | cmp -s - "$folder/calls" || fail 'another number of operations'
expect_text "$folder/out" 'operation:'

# slice NAME TID TS DUR
slice() { printf '{"ph":"X","name":"%s","pid":1,"tid":%s,"ts":%s,"dur":%s}' "$@"; }
overlapping() { # a 0-10 with b 5-15 across its end, c inside of a, d far behind; and another thread
    printf '{"traceEvents":[%s,\n%s,\n%s,\n%s,\n%s]}\n' "$(slice a 7 0 10)" "$(slice b 7 5 10)" "$(slice c 7 1 3)" \
        "$(slice d 7 40 1)" "$(slice e 9 3 30)"
}
overlapping >"$folder/over.json"
expect_status 9 '1 error' "$report" check -f csv "$folder/over.json"
expect_text "$folder/out" "overlap,error,1,$folder/over.json,\"b overlaps a, which began before it, by 5000 ns\""
# warn: a note, and nothing is changed.
expect_status 0 '' "$report" check --overlap warn -f csv "$folder/over.json"
expect_text "$folder/out" "treated,note,1,$folder/over.json,\"b overlaps a, which began before it, by 5000 ns\""

# treated MODE WORDS: the trace is mended, the finding says how, and the mended trace is fine by itself.
treated() {
    expect_status 0 '' "$report" check --overlap "$1" --mended "$folder/$1.json" -f csv "$folder/over.json"
    expect_text "$folder/out" "treated,note,1,$folder/over.json,\"b overlaps a, which began before it: $2\""
    expect_status 0 '' "$report" check -f csv "$folder/$1.json"
    [ "$(wc -l <"$folder/out")" -eq 1 ] || fail "$1 left: $(cat "$folder/out")"
}
treated tid 'moved to a thread of its own'
grep -q '{"ph":"X","name":"b","pid":1,"tid":10,"ts":5,"dur":10}' "$folder/tid.json" || fail "tid: $(cat "$folder/tid.json")"
grep -q '"name":"thread_name","pid":1,"tid":10' "$folder/tid.json" || fail 'the new thread has no name'
treated drop 'dropped'
grep -q '"name":"b"' "$folder/drop.json" && fail 'what was dropped is there'
[ "$(grep -o '"ph":"X"' "$folder/drop.json" | wc -l)" -eq 4 ] || fail 'more was dropped'
treated async 'made asynchronous'
grep -q '"ph":"b"' "$folder/async.json" && grep -q '"ph":"e"' "$folder/async.json" || fail "async: $(cat "$folder/async.json")"
treated shift 'begun later'
grep -q '"ts":10.00[0-9]*,"dur":4.99[0-9]*,"args":{"orig_ts":5,"orig_dur":10}' "$folder/shift.json" || fail "shift: $(cat "$folder/shift.json")"
# Everything else is as it was.
for mode in tid drop async shift; do
    for name in a c d e; do
        [ "$(grep -o "{[^{]*\"name\":\"$name\"[^}]*}" "$folder/$mode.json")" = "$(grep -o "{[^{]*\"name\":\"$name\"[^}]*}" "$folder/over.json")" ] ||
            fail "$mode changed $name"
    done
done

# Five threads beside the own one, and no more.
{
    printf '['
    for i in {0..6}; do
        slice "s$i" 7 "$i" 100
        printf ','
    done
    slice end 7 500 1
    printf ']'
} >"$folder/seven.json"
expect_status 9 '1 error' "$report" check --overlap tid -f csv "$folder/seven.json"
[ "$(grep -c '^treated' "$folder/out")" -eq 5 ] || fail "not five threads: $(cat "$folder/out")"
# Nothing is shifted by more than a millisecond, or beyond its own end.
printf '[%s,%s]' "$(slice a 7 0 5000)" "$(slice b 7 1 6000)" >"$folder/far.json"
expect_status 9 '1 error' "$report" check --overlap shift "$folder/far.json"
# What a shift brings across another slice is shifted on.
printf '[%s,%s,%s]' "$(slice a 7 0 10)" "$(slice b 7 5 15)" "$(slice c 7 9 20)" >"$folder/chain.json"
expect_status 0 '' "$report" check --overlap shift --mended "$folder/chain-mended.json" "$folder/chain.json"
expect_status 0 '' "$report" check "$folder/chain-mended.json"
# Many slices at once cost what they should: nested ones, and each across all before it.
{
    printf '['
    awk 'BEGIN { for (i = 0; i < 20000; i++) printf "{\"ph\":\"X\",\"name\":\"n\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":%d},", i, 100000 - 2 * i
                 for (i = 0; i < 20000; i++) printf "{\"ph\":\"X\",\"name\":\"x\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":200000},", 20000 + i }'
    slice end 7 900000 1
    printf ']'
} >"$folder/deep.json"
expect_status 0 '' "$report" check --overlap drop "$folder/deep.json"
expect_text "$folder/out" '20,000 notes'

expect_status 2 '--overlap sometimes: expected tid, drop, async, warn or shift' "$report" check --overlap sometimes "$folder/over.json"
expect_status 2 '--mended' "$report" check --mended "$folder/x.json" "$folder/over.json"
expect_status 2 'export it first' "$report" check --overlap tid --mended "$folder/x.json" "$folder/good-plain"
expect_status 0 '' "$report" check --overlap warn "$folder/good-many"
if [ -w /dev/full ]; then
    expect_status 1 'cannot be written' "$report" check --overlap tid --mended /dev/full "$folder/over.json"
fi

# ---- Flows and counters ------------------------------------------------------------------
flow() { printf '{"ph":"%s","name":"f","cat":"c","id":1,"pid":1,"tid":7,"ts":%s%s}' "$@"; }
with() { printf '[%s,%s' "$(slice a 7 0 10)" "$(slice b 7 20 10)"; printf ',%s' "$@"; printf ']'; }
with "$(flow s 5 '')" "$(flow f 25 ',"bp":"e"')" >"$folder/flow.json"
expect_status 0 '' "$report" check "$folder/flow.json"
faulty() { # RULE EVENTS...
    local rule=$1
    shift
    with "$@" >"$folder/faulty.json"
    expect_status 9 '' "$report" check -f csv "$folder/faulty.json"
    cut -d, -f1 "$folder/out" | grep -qx "$rule" || fail "no $rule: $(cat "$folder/out")"
}
faulty flow "$(flow s 5 '')"                                    # no end
faulty flow "$(flow f 5 ',"bp":"e"')"                           # no beginning
faulty flow "$(flow s 25 '')" "$(flow f 5 ',"bp":"e"')"          # backwards
faulty flow "$(flow s 15 '')" "$(flow f 25 ',"bp":"e"')"         # outside of slices
faulty counter '{"ph":"C","name":"n","pid":1,"ts":1,"args":{"bytes":"12"}}'
faulty counter '{"ph":"C","name":"n","pid":1,"ts":1,"args":{}}'
faulty time '{"ph":"X","name":"n","pid":1,"tid":1,"ts":true,"dur":1}' # a boolean is no number

# ---- Our own traces ------------------------------------------------------------------------
for kind in good-plain good-many good-lost; do
    "$report" export chrome "$folder/$kind" -o "$folder/$kind.json" 2>/dev/null
    expect_status 0 '' "$report" check --overlap tid "$folder/$kind.json"
    grep -q treated "$folder/out" && fail "an overlap in our own trace: $(cat "$folder/out")"
done
finish
