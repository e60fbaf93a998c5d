#!/bin/bash
# Ranges, steps and phases of reports made by hand: their times, what is selected by them, and where they are shown.
. "${abs_top_srcdir:?}/tests/report/common.sh" || exit 99

sample() { # KIND
    "$samples" "$1" "$folder/$1" || fail "no sample $1"
}

same() { # FILE: its content is what stands on standard input
    diff "$1" - || fail "$1"
}

sample good-notes
sample good-plain

# make_report.h says what is when: of the step 1200..9500 the range 1500..9000 is a part, of that 1800..6500 and an
# operation 7000..8000, of 1800..6500 an operation 2000..6000.
"$report" table --ranges -f csv "$folder/good-notes" | cut -d, -f1-10 >"$folder/table"
same "$folder/table" <<'END'
total_ns,self_ns,count,mean_ns,min_ns,max_ns,open,left_by_a_jump,kind,name
8300,800,1,8300.0,8300,8300,0,0,step,ProfilerStep*
7500,1800,1,7500.0,7500,7500,0,0,range,epoch
4700,700,1,4700.0,4700,4700,0,0,range,forward
800,800,1,800.0,800,800,0,0,range,load
END
"$report" table --ranges -n 1 "$folder/good-notes" >"$folder/out" || fail "one row"
expect_text "$folder/out" '3 more rows'
grep -q epoch "$folder/out" && fail "two rows instead of one"
"$report" table --ranges "$folder/good-plain" >"$folder/out" || fail "no ranges at all"
expect_text "$folder/out" 'no ranges and no steps'

# Where nothing is selected nothing is left out, also of sums that several threads share.
for kind in $("$samples" --list | grep '^good-'); do
    sample "$kind"
    "$report" table --ranges "$folder/$kind" >"$folder/out" 2>/dev/null || continue # not every sample is one to show
    grep 'LEFT OUT' "$folder/out" && fail "$kind"
done

# What is about operations is refused, not passed over.
for option in '--sort calls' --ascending --descending -g -p --memory --flops '--group-by-stack 1' --compensate; do
    # shellcheck disable=SC2086
    expect_status 2 'not with --ranges' "$report" table --ranges $option "$folder/good-notes"
done

# Self times of operations are what they are without ranges.
for kind in good-notes good-plain; do
    "$report" table -f csv "$folder/$kind" >"$folder/$kind.csv"
done
same "$folder/good-notes.csv" <"$folder/good-plain.csv"

calls() { # ARGUMENT...: the sum of the calls
    "$report" table -f json "$@" | tr ',' '\n' | sed -n 's/.*"calls": *\([0-9]*\).*/\1/p' | tail -n 1
}
[ "$(calls --step 3 "$folder/good-notes")" = 5 ] || fail "operations of a step"
[ "$(calls --range forward "$folder/good-notes")" = 4 ] || fail "operations of a range"
[ "$(calls --range load "$folder/good-notes")" = 0 ] || fail "operations of another thread's range"
[ "$(calls --step 3 --range epoch -c Generic "$folder/good-notes")" = 4 ] || fail "operations of all three"
expect_status 2 '--step 4: the report has no such step' "$report" events --step 4 "$folder/good-notes"
expect_status 2 '--range backward: the report has no range of that name' "$report" table --range backward \
    "$folder/good-notes"
expect_status 2 'step' "$report" table --step -1 "$folder/good-notes"
expect_status 2 'not with --style' "$report" table --ranges --style spec "$folder/good-notes"

# A row without an id where each begins; operations keep theirs.
"$report" events -f csv "$folder/good-notes" | cut -d, -f1-8 >"$folder/events"
same "$folder/events" <<'END'
id,parent_id,thread_id,start_ns,duration_ns,self_ns,state,name
,,100,1200,8300,,step,ProfilerStep#3
,,100,1300,9700,,open,train
,,100,1500,7500,,range,epoch
,,100,1800,4700,,range,forward
0,,100,2000,4000,1000,ok,matmul
,,101,2100,800,,range,load
1,0,100,2500,3000,1500,ok,matmul
2,1,100,3000,1000,1000,ok,add
3,1,100,4000,500,500,ok,add
4,,100,7000,1000,1000,failed,add
END

sample unfinished-killed-in-range
"$report" table --ranges -f csv "$folder/unfinished-killed-in-range" | cut -d, -f1-4,7,9,10 >"$folder/killed"
same "$folder/killed" <<'END'
total_ns,self_ns,count,mean_ns,open,kind,name
0,0,0,,1,range,epoch
0,0,0,,1,step,ProfilerStep*
END
[ "$(calls --range epoch "$folder/unfinished-killed-in-range")" = 1 ] || fail "operations of a range that did not end"

sample good-crossed-notes
"$report" table --ranges "$folder/good-crossed-notes" >"$folder/out" || fail "ranges that cross"
expect_text "$folder/out" 'SUSPECT 2 ranges or operations end outside of what it began in'
expect_status 9 '' "$report" check "$folder/good-crossed-notes"
"$report" check "$folder/good-notes" >/dev/null || fail "ranges that nest are no contradiction"

sample good-lost-notes
for command in table events; do
    "$report" "$command" "$folder/good-lost-notes" >"$folder/out" || fail "$command of lost notes"
    expect_text "$folder/out" 'LOST 17 notes'
    expect_status 7 '17 notes were lost' "$report" "$command" --strict "$folder/good-lost-notes"
done
expect_status 0 '17 notes were lost: the export lacks them' "$report" export csv "$folder/good-lost-notes"
expect_text "$folder/out" 'notes=17'

sample good-wild-notes
"$report" table --ranges "$folder/good-wild-notes" >"$folder/out" || fail "wild names"
expect_text "$folder/out" 'esc\x1b[31mred'
expect_text "$folder/out" 'line\nbreak'
LC_ALL=C grep -q $'[\x01-\x09\x0b-\x1f]' "$folder/out" && fail "control characters reach the terminal"
for form in chrome chrome-list; do
    "$report" export $form -o "$folder/wild.json" "$folder/good-wild-notes" || fail "wild names as $form"
    if command -v python3 >/dev/null; then
        python3 -m json.tool "$folder/wild.json" >/dev/null || fail "$form is no JSON"
    fi
done
finish
