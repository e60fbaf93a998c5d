#!/bin/bash
# What is shown of sums, of a ring, and of what was lost: in text, CSV and JSON.
. "${abs_top_srcdir:?}/tests/report/common.sh" || exit 99

for kind in summary stopped ring; do
    "$samples" "good-$kind" "$folder/$kind"
done

expect_json() { # KEY VALUE
    grep -qE "^ +\"$1\": $2,?\$" "$folder/out" || fail "no $1: $2 in $(cat "$folder/out")"
}

expect_status 0 '' "$report" -p "$folder/summary"
cat >"$folder/expected" <<'END'
./ops --n 5  (process 1, testhost)
2023-11-14T22:13:20.123+00:00  ended normally; seen for 10.0 us
0 events and 7 operations known only in sums, of 1 thread, 1 failed; none lost; clock monotonic
recorded with SWPROF_FULL=summary: there are sums in the table, and no events
check: fine

Self %     Self    Total  Calls     Mean      Min      Max      P50      P95      P99  Failures  Name  Carrier
  93.0  8.00 us  10.0 us      4  2.50 us  1.00 us  4.00 us  2.01 us  4.00 us  4.00 us         1  nop   strideweave.Generic
   7.0   600 ns   600 ns      3   200 ns   100 ns   300 ns        -        -        -         0  nop   strideweave.Evictable

8.60 us self time in 7 calls
2.00 us outside any operation, of 10.0 us that 1 thread was alive (20.0 %)
END
diff -u "$folder/expected" "$folder/out" || fail 'table of a summary'

expect_status 0 '' "$report" -p -f csv -c Generic "$folder/summary"
expect_text "$folder/out" 'max_start_ns,p50_ns,p95_ns,p99_ns'
expect_text "$folder/out" '8000,10000,4,2500.0,1000,4000,6000,'
expect_status 0 '' "$report" -f json "$folder/summary"
expect_json full_policy '"summary"'
expect_json summed_operations 7
expect_json lost_events 0
expect_json calls 7
expect_status 0 '' "$report" events "$folder/summary"
expect_text "$folder/out" 'there are sums in the table, and no events'
expect_status 0 '' "$report" table --strict "$folder/summary"
expect_status 0 '' "$report" save "$folder/summary" "$folder/copy"
expect_status 0 '' "$report" -p "$folder/copy"
diff -u "$folder/expected" "$folder/out" || fail 'table of a saved summary'
expect_status 0 '' "$report" --session 1 "$folder/summary"
expect_text "$folder/out" '7 operations known only in sums'

# Of 9 lost events 7 are in the sums: two are missing.
expect_status 0 '' "$report" "$folder/stopped"
expect_text "$folder/out" '5 events and 7 operations known only in sums, of 1 thread'
expect_text "$folder/out" 'LOST 9 events: the report reached its cap'
expect_text "$folder/out" 'SUMS go on in the table where events ended'
expect_text "$folder/out" 'at most '
expect_status 0 '' "$report" -f csv "$folder/stopped"
expect_text "$folder/out" ',lost_events,lost_reasons'
expect_text "$folder/out" ',9,full=9'
expect_text "$folder/out" '3200,3200,10,'
expect_status 0 '' "$report" -f json "$folder/stopped"
expect_json lost_reasons '"full=9"'
expect_json full_policy '"stop"'
expect_json summed_operations 7
expect_status 7 'events were lost' "$report" --strict "$folder/stopped"
expect_status 0 '' "$report" "$folder/stopped"
expect_text "$folder/out" 'SWPROF_BUFFER=1M would hold all of it,'
expect_text "$folder/out" '     SWPROF_FULL=ring its last part, SWPROF_FULL=summary sums of all of it'

# The list has operations in sums beside the events.
mkdir "$folder/listed"
cp "$folder/summary" "$folder/stopped" "$folder/listed"
expect_status 0 '' "$report" list -d "$folder/listed" -f csv
cut -d, -f7-9 "$folder/out" | sort | diff - <(printf '0,7,0\n5,7,9\nevents,summed_operations,lost_events\n') ||
    fail 'the list of sums'

expect_status 0 '' "$report" "$folder/ring"
expect_text "$folder/out" 'LOST 12 events: older than what the ring keeps (SWPROF_FULL)'
expect_text "$folder/out" 'a larger SWPROF_BUFFER keeps more, SWPROF_FULL=summary sums of all of it'
expect_text "$folder/out" 'the events that were dropped began at 100 ns and ended at 900 ns of the run'
expect_status 0 '' "$report" events -f json "$folder/ring"
expect_json full_policy '"ring"'
expect_json lost_old 12
expect_json lost_reasons '"old=12"'
expect_status 0 '' "$report" events -f csv "$folder/ring"
expect_text "$folder/out" ',12,old=12'

# Events without their shapes are there: they are not lost, and their shapes are told apart from what is.
"$samples" good-shapeless "$folder/shapeless"
expect_status 0 '' "$report" "$folder/shapeless"
expect_text "$folder/out" '5 events of 1 thread, 1 failed; none lost'
expect_text "$folder/out" 'LOST 3 shape lists: no room for them'
expect_status 0 '' "$report" -f csv "$folder/shapeless"
expect_text "$folder/out" ',0,shapes=3'
expect_status 0 '' "$report" -f json "$folder/shapeless"
expect_json lost_shapes 3
expect_json lost_events 0
expect_status 7 'incomplete: shapes were lost, 3 times' "$report" --strict "$folder/shapeless"
finish
