#!/bin/bash
# Comparisons of runs: what a change made slower is found, and nothing else.
. "${abs_top_srcdir:?}/tests/report/common.sh" || exit 99
make_run=$abs_top_builddir/tests/report/make_run

make_runs() { # NAME FIRST-SEED PERCENT: ten runs
    local i
    for i in 0 1 2 3 4 5 6 7 8 9; do
        "$make_run" "$(($2 + i))" "$3" "$folder/$1-$i" || exit 99
    done
}

verdict_of() { # OPERATION: from $folder/diff.csv
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
                          $at["name"] == name { print $at["verdict"] }' "$folder/diff.csv"
}

compare() { # BEFORE AFTER: of ten runs each
    "$report" diff --format csv "$folder/$1"-? vs "$folder/$2"-? >"$folder/diff.csv" 2>"$folder/err" ||
        fail "status $? of diff $1 $2: $(cat "$folder/err")"
}

make_runs before 100 0
make_runs slower 200 5
make_runs faster 300 -5

# ---- Five per cent over ten runs are found, in the operation that has them --------
compare before slower
[ "$(verdict_of matmul)" = slower ] || fail "a slower matmul is $(verdict_of matmul)"
[ "$(verdict_of step)" = 'slower inside' ] || fail "what calls it is $(verdict_of step)"
[ "$(verdict_of add)" = same ] || fail "what nobody changed is $(verdict_of add)"
compare before faster
[ "$(verdict_of matmul)" = faster ] || fail "a faster matmul is $(verdict_of matmul)"
[ "$(verdict_of step)" = 'faster inside' ] || fail "what calls it is $(verdict_of step)"

# The change is what was planted, within what the noise leaves of it.
"$report" diff --format csv "$folder"/before-? vs "$folder"/slower-? | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["name"] == "matmul" { change = $at["p50_change_percent"]; exit !(change > 3.5 && change < 6.5) }' ||
    fail 'the change is not the one that was planted'

# ---- Twenty pairs of equal runs are equal ---------------------------------------
seed=1000
for pair in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    make_runs left $seed 0
    make_runs right $((seed + 10)) 0
    seed=$((seed + 20))
    compare left right
    for name in step matmul add; do
        [ "$(verdict_of $name)" = same ] || fail "pair $pair: $name is $(verdict_of $name)"
    done
done

# ---- One run a side tells sizes, and that it tells no more ------------------------
"$report" diff "$folder/before-0" "$folder/slower-0" >"$folder/out" 2>"$folder/err"
expect_text "$folder/out" 'too few runs to tell a change from chance: with 7 on each side it could be told'
expect_text "$folder/out" 'before: 1 run of ops, '
grep -q '^untold .* matmul  strideweave.Generic$' "$folder/out" || fail "the table of one run: $(cat "$folder/out")"
"$report" diff "$folder"/before-? vs "$folder"/slower-? >"$folder/out" 2>"$folder/err"
expect_text "$folder/out" 'after:  10 runs of ops, the first '
expect_text "$folder/out" 'verdicts by the rank-sum test over runs'
[ "$(sed -n 4p "$folder/out" | awk '{ print $1 }')" = Verdict ] || fail "the table: $(cat "$folder/out")"
sed -n 5p "$folder/out" | grep -q matmul || fail 'the largest change is not the first row'

# ---- What only one side has -----------------------------------------------------
"$samples" good-plain "$folder/plain"
"$report" diff --format csv "$folder/plain" "$folder/before-0" >"$folder/diff.csv"
[ "$(verdict_of step)" = new ] || fail "a new operation is $(verdict_of step)"
"$report" diff --format csv "$folder/before-0" "$folder/plain" >"$folder/diff.csv"
[ "$(verdict_of step)" = gone ] || fail "an operation that is gone is $(verdict_of step)"
"$samples" good-empty "$folder/empty"
"$report" diff "$folder/empty" "$folder/empty" >"$folder/out" || fail 'a comparison of nothing'
expect_text "$folder/out" 'no operation occurs on both sides'

# Of an operation that occurs in one run before nothing can be told, however many runs there are.
cp "$folder/plain" "$folder/before-a"
"$report" diff --format csv "$folder"/before-? vs "$folder"/slower-? >"$folder/diff.csv"
[ "$(verdict_of step)" = 'slower inside' ] || fail "with one run more a slower step is $(verdict_of step)"
"$report" diff --format csv "$folder/before-0" "$folder/plain" "$folder/plain" "$folder/plain" "$folder/plain" \
    "$folder/plain" "$folder/plain" vs "$folder"/slower-? >"$folder/diff.csv"
[ "$(verdict_of step)" = untold ] || fail "an operation of one run in seven is $(verdict_of step)"
rm "$folder/before-a"

# ---- Limits, statuses, what is wrong --------------------------------------------
expect_status 8 'slower by more than 3.0 %: 1 of 3 operations, most of all matmul' \
    "$report" diff --fail-above 3 "$folder"/before-? vs "$folder"/slower-?
expect_status 0 '' "$report" diff --fail-above 20 "$folder"/before-? vs "$folder"/slower-?
expect_status 0 '' "$report" diff --fail-above 0 "$folder"/before-? vs "$folder"/faster-?
expect_status 8 'too few runs to tell it from chance' \
    "$report" diff --fail-above 1 "$folder/before-0" "$folder/slower-0"
expect_status 2 'one report of before and one of after' "$report" diff "$folder/before-0"
expect_status 2 'one report of before and one of after' "$report" diff "$folder/before-0" "$folder/before-1" "$folder/before-2"
expect_status 2 'one report of before and one of after' "$report" diff "$folder/before-0" vs
expect_status 2 'one report of before and one of after' "$report" diff vs "$folder/before-0"
expect_status 2 '--fail-above nan' "$report" diff --fail-above nan "$folder/before-0" "$folder/before-1"
expect_status 3 'not a report' "$report" diff "$folder/before-0" "$folder/out"
expect_status 7 'ended abruptly' sh -c '"$1" unfinished-killed "$2" && "$3" diff --strict "$2" "$2"' sh "$samples" \
    "$folder/killed" "$report"
"$report" diff -f json "$folder"/before-? vs "$folder"/slower-? -n 1 >"$folder/json"
grep -q '"runs_after": 10' "$folder/json" && grep -q '"verdict": "slower", "change_percent": [0-9.]*, "p": 0.0000[0-9][0-9]' "$folder/json" ||
    fail "as JSON: $(cat "$folder/json")"
"$report" diff -g "$folder/plain" "$folder/plain" >"$folder/out"
"$report" diff -g "$folder/plain" "$folder/before-0" >"$folder/half" || fail "shapes on one side"
expect_text "$folder/half" "input shapes were recorded in 1 of 1 run before and 0 of 1 run after"
expect_text "$folder/out" '(((2, 3), 4), None)'
finish
