#!/bin/bash
# What exports hold, read by parsers that know nothing of the writer.
. "${abs_top_srcdir:?}/tests/report/common.sh" || exit 99
trace=$abs_top_builddir/tests/report/check_trace

export_of() { # FORM REPORT [OPTION...]: into $folder/export
    local form=$1 from=$2
    shift 2
    "$report" export "$form" "$from" "$@" >"$folder/export" 2>"$folder/err" </dev/null ||
        fail "status $? of export $form $from $*: $(cat "$folder/err")"
}

for kind in good-plain good-wide good-rounds good-many good-recorder-time good-hidden good-wild-names good-empty \
    good-ring unfinished-killed unfinished-nothing-yet; do
    "$samples" "$kind" "$folder/$kind"
done

# ---- Chrome's object form -------------------------------------------------------
if [ -x "$trace" ]; then
    expect_trace() { # REPORT SLICES THREADS [OPTION...]
        local from=$1 expected="$2 slices, $3 threads" got
        shift 3
        export_of chrome "$folder/$from" "$@"
        got=$("$trace" "$folder/export")
        [ "$got" = "$expected" ] || fail "trace of $from $*: $got instead of $expected"
    }
    expect_trace good-plain 5 1
    expect_trace good-empty 0 0
    expect_trace unfinished-nothing-yet 0 0
    for kind in good-wide good-rounds good-many good-wild-names unfinished-killed good-ring good-recorder-time; do
        n=$("$report" events "$folder/$kind" --format csv 2>/dev/null | awk -F, 'NR > 1' | wc -l)
        export_of chrome "$folder/$kind"
        case $("$trace" "$folder/export") in
        "$n slices, "*) ;;
        "$((n + 1)) slices, "*) [ "$kind" = good-recorder-time ] || fail "a slice too many of $kind" ;;
        *) [ "$kind" = good-wild-names ] && "$trace" "$folder/export" | grep -q ' slices, ' || fail "trace of $kind: $("$trace" "$folder/export"), $n events" ;;
        esac
        export_of chrome-list "$folder/$kind"
        case $("$trace" "$folder/export") in
        *" slices") ;;
        *) fail "array form of $kind: $("$trace" "$folder/export")" ;;
        esac
    done
else
    echo "not checked for want of libjansson: whether traces are JSON and nest" >&2
fi

# Times are exact: no digit is lost in a double.
export_of chrome "$folder/good-plain"
expect_text "$folder/export" '"name":"add","pid":1,"tid":100,"ts":3.000,"dur":0.500,'
expect_text "$folder/export" '"Input Dims":[[[2,3],4],null]'
expect_text "$folder/export" '"carrier":"strideweave.Evictable","implementation":"strideweave.op.Kernel","succeeded":true,"self_ns":1000'
expect_text "$folder/export" '{"ph":"M","name":"thread_name","ts":0,"pid":1,"tid":100,"args":{"name":"main"}}'
expect_text "$folder/export" '"baseTimeNanoseconds":1700000000123000000'
expect_text "$folder/export" '"report_state": "frozen"'

# The array form, blank by blank.
export_of chrome-list "$folder/good-plain" -c Evictable
printf '[{"name": "matmul", "ph": "X", "ts": 1.000, "dur": 4.000, "tid": 100, "pid": "CPU functions", "args": {}}]' |
    cmp - "$folder/export" || fail "array form: $(cat "$folder/export")"
export_of chrome-list "$folder/good-empty"
[ "$(cat "$folder/export")" = '[]' ] || fail "an empty array form: $(cat "$folder/export")"

# ---- Collapsed stacks -----------------------------------------------------------
expect_folded() { # EXPECTED-FROM-STDIN REPORT [OPTION...]
    cat >"$folder/expected"
    export_of folded "$@"
    diff -u "$folder/expected" "$folder/export" || fail "folded $*"
}
expect_folded "$folder/good-plain" <<'END'
ops-1;main-100;add 1000
ops-1;main-100;matmul 1000
ops-1;main-100;matmul;matmul 1500
ops-1;main-100;matmul;matmul;add 1500
END
expect_folded "$folder/good-plain" --metric calls <<'END'
ops-1;main-100;add 1
ops-1;main-100;matmul 1
ops-1;main-100;matmul;matmul 1
ops-1;main-100;matmul;matmul;add 2
END
expect_folded "$folder/good-plain" -m failures <<'END'
ops-1;main-100;add 1
END
# What is filtered out is no frame, and its time is nobody's.
expect_folded "$folder/good-plain" -c Generic <<'END'
ops-1;main-100;add 1000
ops-1;main-100;matmul 1500
ops-1;main-100;matmul;add 1500
END
# Sums agree with the table's, whatever nests how; a frame and a line end where they should.
for kind in good-wide good-rounds good-many good-wild-names unfinished-killed good-ring; do
    folded=$("$report" export folded "$folder/$kind" -m calls 2>/dev/null | awk '{ sum += $NF } END { print sum + 0 }')
    calls=$("$report" table "$folder/$kind" --format json 2>/dev/null | sed -n 's/^    {.*"calls": \([0-9]*\).*/\1/p' |
        awk '{ sum += $1 } END { print sum + 0 }')
    [ "$folded" = "$calls" ] || fail "$kind: $folded calls in stacks, $calls in the table"
done
export_of folded "$folder/good-wild-names"
expect_text "$folder/export" 'ops-1;main-100;semi\x3bcolon 50'
if LC_ALL=C grep -qv '^[^;]*;[^;]*;.* [0-9]*$' "$folder/export" || LC_ALL=C grep -q "$(printf '[\001-\010\033]')" "$folder/export"; then
    fail "a stack that is no line: $(cat -v "$folder/export")"
fi

# ---- Rows -----------------------------------------------------------------------
# The same rows as the list of events has, but for their order and their ids.
for kind in good-plain good-wide good-rounds good-many unfinished-killed; do
    export_of csv "$folder/$kind"
    "$report" events "$folder/$kind" --format csv 2>/dev/null | cut -d, -f3- | sort >"$folder/rows"
    cut -d, -f3- "$folder/export" | sort | diff "$folder/rows" - >"$folder/difference" ||
        fail "csv of $kind: $(head -5 "$folder/difference")"
    export_of jsonl "$folder/$kind"
    [ "$(wc -l <"$folder/export")" -eq "$(($(wc -l <"$folder/rows") - 1))" ] || fail "lines of jsonl of $kind"
done
export_of jsonl "$folder/good-plain" -c Evictable
printf '%s\n' '{"id": 1, "parent_id": null, "thread_id": 100, "start_ns": 2000, "duration_ns": 4000, "self_ns": 1000, "state": "ok", "name": "matmul", "carrier": "strideweave.Evictable", "implementation": "strideweave.op.Kernel", "input_shapes": "((2, 3), (3, 4))", "report_state": "frozen", "clock": "monotonic", "lost_events": 0}' |
    diff - "$folder/export" || fail "a line of jsonl"

# Parsed by others, names come back as they were (what was no UTF-8 as U+FFFD).
if command -v python3 >/dev/null; then
    for form in chrome chrome-list csv jsonl; do
        export_of $form "$folder/good-wild-names"
        mv "$folder/export" "$folder/wild.$form"
    done
    PYTHONIOENCODING=utf-8 python3 - "$folder/wild." <<'END' || fail 'an export is not what it should be'
import csv, json, sys
def read(form):
    return open(sys.argv[1] + form, encoding='utf-8', newline='')
expected = {'esc\x1b[31mred', 'line\nbreak', 'quote"d', 'comma,name', "=cmd|' /C calc'!A0", 'back\\slash',
            'latin\ufffd', 'over\ufffd\ufffdslash', 'right\u202eleft', 'emoji \U0001F600', 'bell\x07', '</script>',
            'semi;colon'}
assert {event['name'] for event in json.load(read('chrome'))['traceEvents'] if event['ph'] == 'X'} == expected
assert {event['name'] for event in json.load(read('chrome-list'))} == expected
assert {row['name'] for row in csv.DictReader(read('csv'))} == expected
assert {json.loads(line)['name'] for line in read('jsonl')} == expected
END
fi

# ---- Where it goes --------------------------------------------------------------
export_of chrome "$folder/good-many"
cp "$folder/export" "$folder/plain.json"
"$report" export chrome "$folder/good-many" -o "$folder/packed.json.gz" 2>"$folder/err"
case $?$(cat "$folder/err") in
0) gzip -dc "$folder/packed.json.gz" | cmp - "$folder/plain.json" || fail "the compressed export is another" ;;
2*"built without zlib"*) ;;
*) fail "a compressed export: $(cat "$folder/err")" ;;
esac
expect_status 1 'cannot be written' sh -c '"$1" export csv "$2" >/dev/full' sh "$report" "$folder/good-many"
printf 'old' >"$folder/kept"
expect_status 2 'expected a form' "$report" export nonsense "$folder/good-plain" -o "$folder/kept"
expect_status 2 '--metric' "$report" export folded "$folder/good-plain" --metric weight -o "$folder/kept"
[ "$(cat "$folder/kept")" = old ] || fail "a refused export touched what was there"
expect_status 2 'expected a form: chrome, chrome-list, folded, stacks, csv, jsonl or runtime' "$report" export
expect_status 2 '--unit is no option of export' "$report" export csv --unit ns "$folder/good-plain"
"$report" export csv "$folder/good-many" 2>"$folder/err" | head -n 1 >"$folder/out"
case ${PIPESTATUS[0]} in
0 | 141) [ ! -s "$folder/err" ] || fail "a closed pipe: $(cat "$folder/err")" ;; # SIGPIPE ends it as any filter
*) fail 'a closed pipe is taken for an error' ;;
esac
[ "$(cut -d, -f1 "$folder/out")" = id ] || fail 'the first line of a csv export'
# What cannot be in it is said.
"$samples" good-summary "$folder/summary"
expect_status 0 'known only in sums' "$report" export chrome "$folder/summary"
"$samples" good-lost "$folder/lost"
expect_status 7 'were lost' "$report" export --strict csv "$folder/lost"
finish
