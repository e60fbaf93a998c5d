#!/bin/bash
# --style torch: reports of real programs print as their events do when they are
# given to an event list one by one; what options of the command mean.
. "${abs_top_srcdir:?}/tests/report/common.sh" || exit 99
print=$abs_top_builddir/tests/analyze/print_tables
kept=$abs_top_srcdir/tests/report/kept

# list_of REPORT LINE...: the finished events of a report as print_tables reads them, then lines about the table.
list_of() {
    printf 'list\t0\t0\n'
    "$report" events -f csv "$1" 2>/dev/null | awk -F, 'BEGIN { OFS = "\t" }
        NR > 1 && $7 != "open" { print "event", $3, "-", $4, $5, 0, 0, 0, "-", "-", "Some/Class/" $8 }'
    shift
    printf '%b\n' "$@" end
}

# same_as_events REPORT SORT TOP-LEVEL OPTIONS...: the command's table is the list's.
same_as_events() {
    local file=$1 sort=$2 top=$3
    shift 3
    "$report" --style torch "$@" "$file" >"$folder/out" 2>"$folder/err" || fail "status $? of --style torch $*"
    expect_text "$folder/err" '(process '
    list_of "$file" 'averages\t0\t0\t0\t0' "table\ttorch\t$sort\t100\t55\t80\t75\t$top\t-\t-" | "$print" |
        sed '1,/^table/d; /^end$/d' >"$folder/expected"
    [ -s "$folder/expected" ] || fail "no table of the events of $file"
    diff -u "$folder/expected" "$folder/out" || fail "$* of $file"
}

for name in threads rounds full; do
    gzip -dc "$kept/1.0-$name.swprof.gz" >"$folder/$name" || fail "no kept report $name"
    same_as_events "$folder/$name" - 0
    same_as_events "$folder/$name" cpu_time 0 --sort mean
    same_as_events "$folder/$name" count 0 --sort count
    same_as_events "$folder/$name" key 1 --sort name --top-level
done

expect_output() { # EXPECTED-FROM-STDIN COMMAND...
    cat >"$folder/expected"
    "$@" >"$folder/out" 2>"$folder/err" || fail "status $? of $*: $(cat "$folder/err")"
    diff -u "$folder/expected" "$folder/out" || fail "output of $*"
}

# 5 events of 5 us: add 1000, 500, 1000; matmul on Generic 3000 (self 1500) in matmul on Evictable 4000 (self 1000).
"$samples" good-plain "$folder/good"
expect_output "$report" --style torch -g --header 'A run' --max-shapes-width 12 --sort total -n 2 "$folder/good" <<'END'
============================================================================================================
A run
----------  ------------  ------------  ------------  ------------  ------------  ------------  ------------  
      Name    Self CPU %      Self CPU   CPU total %     CPU total  CPU time avg    # of Calls  Input Shapes  
----------  ------------  ------------  ------------  ------------  ------------  ------------  ------------  
    matmul        50.00%       2.500us       140.00%       7.000us       3.500us             2  [[2, 3], [3,  
       add        50.00%       2.500us        50.00%       2.500us       0.833us             3  [[[2, 3], 4]  
----------  ------------  ------------  ------------  ------------  ------------  ------------  ------------  
Self CPU time total: 5.000us
END
expect_output "$report" --style torch-new --group-by-carrier --group-by-overload --unit ms --max-name-width 8 \
    --top-level "$folder/good" <<'END'
================================================================================================================
This report only display top-level ops statistics
--------  --------  --------  ------------  ------------  ------------  ------------  ------------  ------------  
    Name  Overload Name   Carrier    Self CPU %      Self CPU   CPU total %     CPU total  CPU time avg    # of Calls  
--------  --------  --------  ------------  ------------  ------------  ------------  ------------  ------------  
matmu...  Kerne...  Evict...        20.00%       0.001ms        80.00%       0.004ms       0.004ms             1  
--------  --------  --------  ------------  ------------  ------------  ------------  ------------  ------------  
Self CPU time total: 0.005ms
END

# Operations that are known as sums only: 10 us in 4 calls, 0.6 us in 3.
"$samples" good-summary "$folder/summary"
expect_output "$report" --style torch "$folder/summary" <<'END'
-------  ------------  ------------  ------------  ------------  ------------  ------------  
   Name    Self CPU %      Self CPU   CPU total %     CPU total  CPU time avg    # of Calls  
-------  ------------  ------------  ------------  ------------  ------------  ------------  
    nop       100.00%       8.600us       123.26%      10.600us       1.514us             7  
-------  ------------  ------------  ------------  ------------  ------------  ------------  
Self CPU time total: 8.600us
END

"$samples" good-wild-names "$folder/wild"
"$report" --style torch --max-name-width 0 "$folder/wild" >"$folder/out" 2>/dev/null || fail "wild names"
if grep -q "$(printf '[\001-\010\013-\037\177]')" "$folder/out"; then fail "a control character in the table"; fi

# No events: no table, as there.
"$samples" good-empty "$folder/empty"
expect_output "$report" --style torch "$folder/empty" </dev/null

# All rows, and none.
[ "$("$report" --style torch -n all "$folder/good" 2>/dev/null | wc -l)" -eq 7 ] || fail "-n all"
[ "$("$report" --style torch -n 0 "$folder/good" 2>/dev/null | wc -l)" -eq 5 ] || fail "-n 0"

expect_status 2 '--ascending is no option of' "$report" --style torch -a "$folder/good"
expect_status 2 '--format is no option of' "$report" --style torch-new -f csv "$folder/good"
expect_status 2 '--follow is no option of' "$report" --style torch --follow "$folder/good"
expect_status 2 '--header is no option of' "$report" --header x "$folder/good"
expect_status 2 'expected name, calls, total, self, mean, or a key' "$report" --style torch --sort min "$folder/good"
expect_status 2 'expected a column' "$report" --sort cpu_time_total "$folder/good"
expect_status 2 'us, ms and s' "$report" --style torch -u ns "$folder/good"
expect_status 2 'expected at least 3, or 0 for no limit' "$report" --style torch --max-name-width 2 "$folder/good"
expect_status 2 'expected people, spec, torch or torch-new' "$report" --style pytorch "$folder/good"

# add: 2 calls of 24 elements; 1 failed. matmul of these shapes has no estimate.
expect_output "$report" --style torch --flops --sort flops "$folder/good" <<'END'
----------  ------------  ------------  ------------  ------------  ------------  ------------  ------------  
      Name    Self CPU %      Self CPU   CPU total %     CPU total  CPU time avg    # of Calls   Total FLOPs  
----------  ------------  ------------  ------------  ------------  ------------  ------------  ------------  
       add        50.00%       2.500us        50.00%       2.500us       0.833us             3        48.000  
    matmul        50.00%       2.500us       140.00%       7.000us       3.500us             2            --  
----------  ------------  ------------  ------------  ------------  ------------  ------------  ------------  
Self CPU time total: 5.000us
END
finish
