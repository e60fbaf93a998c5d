#!/bin/bash
# Ranges, steps, phases and schedules of a program, as swprof-report shows them.
. "${abs_top_srcdir:?}/tests/report/common.sh" || exit 99
. "$abs_top_srcdir/tests/configured.sh"
. "$abs_top_srcdir/tests/sanitizer.sh"

program=$abs_top_builddir/tests/profiler/annotated
shim=$abs_top_builddir/preload/.libs/libswprof.so

"$program" statuses || fail "without the shim"
"$program" train 5 || fail "training without the shim"
skip_without_profiling
[ "$n_failed" -eq 0 ] || finish

# record NAME [VARIABLE=VALUE...] -- ARGUMENT...: run the program into $folder/NAME.
record() {
    local name=$1 settings=()
    shift
    while [ "$1" != -- ]; do
        settings+=("$1")
        shift
    done
    shift
    env ${settings[@]+"${settings[@]}"} SWPROF_OUTPUT="$folder/$name" LD_PRELOAD="$(preloads "$shim")" \
        "$program" "$@" >"$folder/out" 2>&1 || fail "$name: $(cat "$folder/out")"
}

# column FILE COLUMN NAME: of the rows of that name in a table as CSV.
column() {
    awk -F, -v column="$2" -v name="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["name"] == name { print $at[column] }' "$1"
}

expect() { # WHAT GOT WANTED
    [ "$2" = "$3" ] || fail "$1: '$2' instead of '$3'"
}

calls() { # NAME ARGUMENT...: operations that a table has
    local name=$1
    shift
    "$report" table --format csv "$@" "$folder/$name" >"$folder/calls" || fail "table $* of $name"
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { n += $at["calls"] } END { print n + 0 }' \
        "$folder/calls"
}

record statuses -- statuses
record train -- train 5

"$report" table --ranges --format csv "$folder/train" >"$folder/ranges" || fail "no table of ranges"
expect 'times of forward' "$(column "$folder/ranges" count forward)" 6
expect 'times of backward' "$(column "$folder/ranges" count backward)" 5
expect 'steps' "$(column "$folder/ranges" count 'ProfilerStep*')" 5
expect 'the step that the end of the program cut' "$(column "$folder/ranges" open 'ProfilerStep*')" 1
for name in forward 'ProfilerStep*'; do
    [ "$(column "$folder/ranges" self_ns "$name")" -lt "$(column "$folder/ranges" total_ns "$name")" ] ||
        fail "the self time of $name has what is inside of it"
done

# By the loop's source: 4 operations in each step, of which 2 in forward; 1 behind the last step.
expect 'all operations' "$(calls train)" 21
expect 'operations of a step' "$(calls train --step 3)" 4
expect 'operations in forward' "$(calls train --range forward)" 11
expect 'operations of a step in backward' "$(calls train --step 0 --range backward)" 1
expect_status 2 'the report has no such step' "$report" table --step 77 "$folder/train"
expect_status 2 'no range of that name' "$report" table --range nothing "$folder/train"
expect_status 2 'not with --step' "$report" table --follow --step 1 "$folder/train"
"$report" table --step 3 "$folder/train" >"$folder/step"
expect_text "$folder/step" 'only what began in step 3'

"$report" events --format csv "$folder/train" >"$folder/events"
expect 'a step in the list' "$(column "$folder/events" state 'ProfilerStep#2')" step
expect 'a phase in the list' "$(column "$folder/events" state train)" phase
expect 'ranges in the list' "$(column "$folder/events" state forward | sort | uniq -c | tr -s ' ')" ' 6 range'

for form in chrome chrome-list csv jsonl; do
    "$report" export "$form" -o "$folder/train.$form" "$folder/train" || fail "export $form"
    expect_text "$folder/train.$form" 'ProfilerStep#3'
    expect_text "$folder/train.$form" 'backward'
done
expect_text "$folder/train.chrome" '"cat":"user_annotation"'
expect_text "$folder/train.chrome" '"step":3'
expect_text "$folder/train.chrome" '"args":{"value":"mlp"}'
expect_text "$folder/train.chrome" '"args":{"value":0.125}'
grep -q 'no JSON' <("$report" check --help) || {
    "$report" check "$folder/train.chrome" >"$folder/out" 2>&1
    case $? in
    0) ;;
    *) grep -q 'built without' "$folder/out" || fail "check of the trace: $(cat "$folder/out")" ;;
    esac
}
"$report" check "$folder/train" >"$folder/out" 2>&1 || fail "check of the report: $(cat "$folder/out")"

# Steps of the schedule: - w A A - w A A - ..., of 4 operations each.
record schedule SWPROF_SCHEDULE=wait=1,warmup=1,active=2,repeat=2 -- train 12
expect 'operations of the first cycle' "$(calls schedule --session 1)" 8
expect 'operations of the second cycle' "$(calls schedule --session 2)" 8
expect 'all of them' "$(calls schedule)" 16
"$report" events --format csv "$folder/schedule" | sed -n 's/.*ProfilerStep#\([0-9]*\).*/\1/p' | tr '\n' ' ' >"$folder/steps"
expect 'steps that were recorded' "$(cat "$folder/steps")" '2 3 6 7 '
expect_status 2 'the report has 2' "$report" table --session 3 "$folder/schedule"

# Without pauses each cycle is a round of its own all the same; the first is skipped.
record cycles SWPROF_SCHEDULE=active=3,skip_first=1 -- train 10
expect 'operations of a cycle' "$(calls cycles --session 2)" 12

# From the program: what ran before it is a round of its own, here without operations.
record enabled -- scheduled 9
"$report" events --format csv "$folder/enabled" | sed -n 's/.*ProfilerStep#\([0-9]*\).*/\1/p' | tr '\n' ' ' >"$folder/steps"
expect 'steps that were recorded' "$(cat "$folder/steps")" '2 3 5 6 '
expect 'operations in them' "$(calls enabled)" 16
"$report" "$folder/enabled" >"$folder/out"
expect_text "$folder/out" 'cycle'

expect_status 125 'active=N' "$run" --schedule wait=3 -- true
finish
