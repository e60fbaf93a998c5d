#!/bin/bash
# Reports and traces that contradict themselves are told from those that do not.
. "${abs_top_srcdir:?}/tests/report/common.sh" || exit 99
make_trace=$abs_top_builddir/tests/report/make_trace

# ---- Reports --------------------------------------------------------------------
for kind in $("$samples" --list); do
    "$samples" "$kind" "$folder/$kind"
done
rm -f "$folder"/good-odd-nesting "$folder"/good-crossed-notes # they are odd
expect_status 0 '' "$report" check "$folder"/good-* "$folder"/unfinished-*
expect_text "$folder/out" "$folder/good-plain: fine; 5 operations of 1 thread"
expect_text "$folder/out" "$folder/good-lost: fine, 1 note; 5 operations of 1 thread"
expect_text "$folder/out" '9001 events were lost'
expect_text "$folder/out" '2 operations were still open'
expect_status 9 '' "$report" check "$folder/bad-text-end"
expect_text "$folder/out" 'a text without an end'
"$samples" good-odd-nesting "$folder/odd"
expect_status 9 '2 errors' "$report" check "$folder/odd"
expect_text "$folder/out" 'an operation ended after the one that was recorded behind it'
expect_status 4 'newer' "$report" check "$folder/unsupported-newer"
expect_status 2 'expected files' "$report" check
expect_status 1 'no/such' "$report" check "$folder/no/such"

# ---- Traces ---------------------------------------------------------------------
: >"$folder/nothing"
"$report" check "$folder/nothing" >"$folder/out" 2>"$folder/err"
if grep -q 'without jansson' "$folder/err"; then
    echo 'not checked for want of libjansson: whether faults of traces are found' >&2
    finish
fi

# A thousand random good ones: not a word.
mkdir "$folder/traces"
"$make_trace" --many 1000 "$folder/traces" || exit 99
"$report" check -f csv "$folder"/traces/*.json >"$folder/out" 2>"$folder/err" || fail 'good traces have errors'
[ "$(wc -l <"$folder/out")" -eq 1 ] || fail "good traces: $(head -5 "$folder/out")"

# Every fault, in two traces, under its rule.
"$make_trace" --faults >"$folder/faults"
[ "$(wc -l <"$folder/faults")" -ge 30 ] || fail 'there are fewer than 30 faults'
while read -r fault rule; do
    for seed in 1 2; do
        "$make_trace" $seed "$fault" >"$folder/faulty.json"
        "$report" check -f csv "$folder/faulty.json" >"$folder/out" 2>"$folder/err"
        [ $? -eq 9 ] || fail "$fault, seed $seed: status"
        cut -d, -f1 "$folder/out" | grep -qx "$rule" || fail "$fault, seed $seed: no $rule in $(cat "$folder/out")"
    done
done <"$folder/faults"

# A range between an operation and its parent is neither: of the parent's 9 us the operation inside takes 2.
in_range() { # PARENT SELF
    printf '{"traceEvents":[%s,%s,%s],"otherData":{"lost_events":0}}' \
        '{"ph":"X","name":"outer","pid":1,"tid":1,"ts":0,"dur":9,"args":{"External id":1,"self_ns":'"$2"'}}' \
        '{"ph":"X","name":"range","pid":1,"tid":1,"ts":1,"dur":7}' \
        '{"ph":"X","name":"inner","pid":1,"tid":1,"ts":2,"dur":2,"args":{"External id":2,"Parent id":'"$1"',"self_ns":2000}}'
}
in_range 1 7000 >"$folder/in-range.json"
expect_status 0 '' "$report" check "$folder/in-range.json"
in_range 0 7000 >"$folder/in-range.json"
expect_status 9 '' "$report" check "$folder/in-range.json"
expect_text "$folder/out" 'inner has no parent and lies in outer'
in_range 1 2000 >"$folder/in-range.json"
expect_status 9 '' "$report" check "$folder/in-range.json"
expect_text "$folder/out" 'a self time of 2000 ns where 7000 ns are left'

# No document at all.
printf '{"traceEvents":[{"ph":"X"' >"$folder/cut.json"
printf '{"traceEvents":{}}' >"$folder/object.json"
printf '[]' >"$folder/none.json"
expect_status 9 '' "$report" check "$folder/cut.json"
expect_text "$folder/out" 'not JSON'
expect_status 9 '' "$report" check "$folder/object.json"
expect_text "$folder/out" 'neither a list nor an object'
expect_status 0 '' "$report" check "$folder/none.json"
expect_text "$folder/out" 'no event at all'
expect_status 9 '' "$report" check "$folder/nothing"

# A trace of the other kind is called by its name, on both sides.
"$report" export runtime -o "$folder/trace.jsonl" "$folder/good-plain" || fail 'no runtime trace'
"$report" runtime document "$folder/trace.jsonl" >"$folder/trace.document" || fail 'no document'
for form in jsonl document; do
    expect_status 9 '' "$report" check "$folder/trace.$form"
    expect_text "$folder/out" 'a runtime trace, no Chrome trace: swprof-report runtime reads it'
done
expect_status 5 'is a report: export it first (swprof-report export runtime)' "$report" runtime "$folder/good-plain"
"$report" export chrome -o "$folder/trace.json" "$folder/good-plain" || fail 'no Chrome trace'
expect_status 5 'is a Chrome trace, no runtime trace' "$report" runtime "$folder/trace.json"
tr -d '\n' <"$folder/trace.json" >"$folder/line.json"
expect_status 5 'is a Chrome trace, no runtime trace' "$report" runtime "$folder/line.json"
expect_status 0 '' "$report" runtime edges "$folder/trace.jsonl"
expect_text "$folder/out" 'no edge is in this trace'
expect_text "$folder/out" 'SWPROF_FLOWS=1'

# Ranges and what the recorder did for itself are no operations; slices of other tools are slices.
gzip -dc "$abs_top_srcdir/tests/report/kept/1.3-notes-steps.swprof.gz" >"$folder/steps" || fail 'no kept report'
"$report" export chrome -o "$folder/steps.json" "$folder/steps"
expect_status 0 '' "$report" check "$folder/steps" "$folder/steps.json"
expect_text "$folder/out" "$folder/steps: fine, 1 note; 6 operations of 1 thread"
expect_text "$folder/out" '1 range or step was still open'
expect_text "$folder/out" "$folder/steps.json: fine; 6 operations of 1 thread, beside 6 other slices"
expect_status 0 '' "$report" check "$folder/good-recorder-time"
n_events=$("$report" "$folder/good-recorder-time" | sed -n 's/^\([0-9]*\) events* of .*/\1/p')
expect_text "$folder/out" "; $n_events operation"
printf '[{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":1}]' >"$folder/foreign.json"
expect_status 0 '' "$report" check "$folder/foreign.json"
expect_text "$folder/out" 'fine; 1 slice of 1 thread'

# Our own exports, compressed ones too; what they leave out is no fault.
for kind in good-plain good-wide good-rounds good-many good-ring good-recorder-time good-lost good-hidden unfinished-killed; do
    "$report" export chrome "$folder/$kind" -o "$folder/$kind.json" 2>/dev/null
    "$report" export chrome -c Evictable "$folder/$kind" -o "$folder/$kind.evictable.json" 2>/dev/null
    "$report" export chrome-list "$folder/$kind" -o "$folder/$kind.list.json" 2>/dev/null
done
expect_status 0 '' "$report" check "$folder"/good-*.json "$folder"/unfinished-*.json
expect_text "$folder/out" "$folder/good-many.json: fine; 1,000 operations of 1 thread"
if "$report" export chrome "$folder/good-many" -o "$folder/packed.json.gz" 2>/dev/null; then
    expect_status 0 '' "$report" check "$folder/packed.json.gz"
    for n_bytes in 1 9 200; do # of the length, of the checksum too, of what is compressed
        head -c -$n_bytes "$folder/packed.json.gz" >"$folder/cut.json.gz"
        expect_status 1 'cut.json.gz: cannot be read: ' "$report" check "$folder/cut.json.gz"
    done
fi

# Names are told as UTF-8, however long they are and whatever the file is called.
if command -v python3 >/dev/null; then
    python3 - "$folder" <<'END'
import json, os, sys
name = '\u00e9' * 600
open(os.fsencode(sys.argv[1]) + b'/\xff.json', 'w', encoding='utf-8').write(
    json.dumps([{'ph': 'X', 'name': 'a' + name, 'pid': 1, 'tid': 1, 'ts': 0, 'dur': -1}], ensure_ascii=False))
END
    for format in json csv; do
        "$report" check -f $format "$folder/"*.json >"$folder/told.$format" 2>/dev/null
        python3 -c 'import sys; open(sys.argv[1], encoding="utf-8").read()' "$folder/told.$format" ||
            fail "findings as $format are no UTF-8"
    done
    grep -q "$(printf '\357\277\275.json')" "$folder/told.json" || fail 'the file of a wild name is not named'
fi

# The bound of devices can be moved; findings are counted beyond those that are shown.
"$make_trace" 1 kernel-of-hours >"$folder/hours.json"
expect_status 0 '' "$report" check --most-device-ms 3600000 "$folder/hours.json"
expect_status 2 '--most-device-ms' "$report" check --most-device-ms 0 "$folder/hours.json"
{
    printf '[{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":-1}'
    i=0
    while [ $i -lt 99 ]; do
        printf ',{"ph":"X","name":"a","pid":1,"tid":1,"ts":%d,"dur":-1}' $i
        i=$((i + 1))
    done
    printf ']'
} >"$folder/many.json"
expect_status 9 '100 errors' "$report" check "$folder/many.json"
[ "$(grep -c '^time' "$folder/out")" -eq 20 ] || fail 'not twenty findings of a hundred'
"$report" check -f json "$folder/many.json" -n 1 >"$folder/json" 2>/dev/null
grep -q '"errors": 100' "$folder/json" && grep -q '{"rule": "time", "weight": "error", "event": 0, "file": ' "$folder/json" ||
    fail "as JSON: $(cat "$folder/json")"
finish
