#!/bin/bash
# What the table shows, byte by byte.
. "${abs_top_srcdir:?}/tests/report/common.sh" || exit 99

expect_output() { # EXPECTED-FROM-STDIN COMMAND...
    cat >"$folder/expected"
    "$@" >"$folder/out" 2>"$folder/err" || fail "status $? of $*: $(cat "$folder/err")"
    diff -u "$folder/expected" "$folder/out" || fail "output of $*"
}

"$samples" good-plain "$folder/good"
"$samples" good-rounds "$folder/rounds"
"$samples" unfinished-killed "$folder/killed"
"$samples" good-wild-names "$folder/wild"

expect_output "$report" "$folder/good" <<'END'
./ops --n 5  (process 1, testhost)
2023-11-14T22:13:20.123+00:00  ended normally; seen for 10.0 us
5 events of 1 thread, 1 failed; none lost; clock monotonic
check: fine

Self %     Self    Total  Calls     Mean      Min      Max  Failures  Name    Carrier
  50.0  2.50 us  2.50 us      3   833 ns   500 ns  1.00 us         1  add     strideweave.Generic
  30.0  1.50 us  3.00 us      1  3.00 us  3.00 us  3.00 us         0  matmul  strideweave.Generic
  20.0  1.00 us  4.00 us      1  4.00 us  4.00 us  4.00 us         0  matmul  strideweave.Evictable

5.00 us self time in 5 calls
5.00 us outside any operation, of 10.0 us that 1 thread was alive (50.0 %)
END

expect_output "$report" table --style spec "$folder/good" <<'END'
Name    Carrier                Calls  Total (ns)  Self total (ns)  Mean (ns)  Min (ns)  Max (ns)
------  ---------------------  -----  ----------  ---------------  ---------  --------  --------
add     strideweave.Generic    3      2500        2500             833.3      500       1000    
matmul  strideweave.Generic    1      3000        1500             3000.0     3000      3000    
matmul  strideweave.Evictable  1      4000        1000             4000.0     4000      4000    
END
expect_text "$folder/err" 'ended normally'

expect_output "$report" table --style spec -g --sort total_time_ns --ascending -n 1 "$folder/good" <<'END'
Name  Carrier              Input shapes         Calls  Total (ns)  Self total (ns)  Mean (ns)  Min (ns)  Max (ns)
----  -------------------  -------------------  -----  ----------  ---------------  ---------  --------  --------
add   strideweave.Generic  (((2, 3), 4), None)  3      2500        2500             833.3      500       1000    
END

expect_output "$report" --unit ns --limit 1 "$folder/good" <<'END'
./ops --n 5  (process 1, testhost)
2023-11-14T22:13:20.123+00:00  ended normally; seen for 10000 ns
5 events of 1 thread, 1 failed; none lost; clock monotonic
check: fine

Self %     Self    Total  Calls      Mean     Min      Max  Failures  Name  Carrier
  50.0  2500 ns  2500 ns      3  833.3 ns  500 ns  1000 ns         1  add   strideweave.Generic
2 more rows

5000 ns self time in 5 calls
5000 ns outside any operation, of 10000 ns that 1 thread was alive (50.0 %)
END

# costs FILE INSIDE OUTSIDE: put them, as words of one byte for printf, into the header.
costs() {
    printf "$2\\0\\0\\0\\0\\0\\0$3\\0\\0\\0\\0\\0\\0" | dd of="$1" bs=1 seek=232 conv=notrunc status=none
}

# 100 ns inside, 500 beside: of the outermost 100 + 3 * 600, of its own time 100 + 500.
cp "$folder/good" "$folder/costly"
costs "$folder/costly" '\144\0' '\364\1'
expect_output "$report" --unit ns --compensate "$folder/costly" <<'END'
./ops --n 5  (process 1, testhost)
2023-11-14T22:13:20.123+00:00  ended normally; seen for 10000 ns
5 events of 1 thread, 1 failed; none lost; clock monotonic; recording one takes about 600 ns, 100 of them inside it
compensated: less 100.0 ns inside of each call and 500.0 ns beside it; 0 times were shorter and stand as 0
check: fine

Self %     Self    Total  Calls       Mean      Min      Max  Failures  Name    Carrier
  73.3  2200 ns  2200 ns      3   733.3 ns   400 ns   900 ns         1  add     strideweave.Generic
  13.3   400 ns  2100 ns      1  2100.0 ns  2100 ns  2100 ns         0  matmul  strideweave.Evictable
  13.3   400 ns  1700 ns      1  1700.0 ns  1700 ns  1700 ns         0  matmul  strideweave.Generic

3000 ns self time in 5 calls
5000 ns outside any operation, of 10000 ns that 1 thread was alive (50.0 %)
END
# 600 ns inside: an operation of 500 becomes 0, twice.
costs "$folder/costly" '\130\2' '\0\0'
expect_output "$report" --unit ns --compensate --limit 1 "$folder/costly" <<'END'
./ops --n 5  (process 1, testhost)
2023-11-14T22:13:20.123+00:00  ended normally; seen for 10000 ns
5 events of 1 thread, 1 failed; none lost; clock monotonic; recording one takes about 600 ns, 600 of them inside it
compensated: less 600.0 ns inside of each call and 0.0 ns beside it; 2 times were shorter and stand as 0
check: fine

Self %    Self    Total  Calls       Mean      Min      Max  Failures  Name    Carrier
  42.9  900 ns  1200 ns      1  1200.0 ns  1200 ns  1200 ns         0  matmul  strideweave.Generic
2 more rows

2100 ns self time in 5 calls
5000 ns outside any operation, of 10000 ns that 1 thread was alive (50.0 %)
END
"$report" --compensate -f json "$folder/costly" >"$folder/out" || fail "status $? of --compensate -f json"
grep -q '"clamped_times": *2' "$folder/out" || fail "no clamped_times: $(cat "$folder/out")"
"$report" --compensate "$folder/good" >"$folder/out" || fail "status $? of --compensate without costs"
expect_text "$folder/out" 'not compensated: the report does not say what recording has cost'
expect_status 2 "--compensate is of the people's tables" "$report" --compensate --style spec "$folder/good"

# What is filtered out is its parent's nested time all the same.
expect_output "$report" -c Evictable "$folder/good" <<'END'
./ops --n 5  (process 1, testhost)
2023-11-14T22:13:20.123+00:00  ended normally; seen for 10.0 us
1 event of 1 thread; none lost; clock monotonic
only carrier Evictable
check: fine

Self %     Self    Total  Calls     Mean      Min      Max  Name    Carrier
 100.0  1.00 us  4.00 us      1  4.00 us  4.00 us  4.00 us  matmul  strideweave.Evictable

1.00 us self time in 1 call
5.00 us outside any operation, of 10.0 us that 1 thread was alive (50.0 %)
END

expect_output "$report" --session 2 "$folder/rounds" <<'END'
./ops --n 5  (process 1, testhost)
2023-11-14T22:13:20.123+00:00  ended normally; seen for 10.0 us
2 events of 1 thread; none lost; clock monotonic
sessions: 1 warm-up 3.00 us, 2 train 4.00 us
only session 2
check: fine

Self %     Self    Total  Calls     Mean     Min      Max  Name  Carrier
 100.0  2.50 us  2.50 us      2  1.25 us  500 ns  2.00 us  add   strideweave.Generic

2.50 us self time in 2 calls
2.50 us outside any operation, of 4.00 us that 1 thread was alive (62.5 %)
END

expect_output "$report" events -f csv "$folder/killed" <<'END'
id,parent_id,thread_id,start_ns,duration_ns,self_ns,state,name,carrier,implementation,input_shapes,report_state,clock,lost_events
0,,100,2000,4000,1000,ok,matmul,strideweave.Evictable,strideweave.op.Kernel,"((2, 3), (3, 4))",killed,monotonic,0
1,0,100,2500,3000,1500,ok,matmul,strideweave.Generic,strideweave.op.Kernel,"((2, 3), (3, 4))",killed,monotonic,0
2,1,100,3000,1000,1000,ok,add,strideweave.Generic,strideweave.op.Kernel,"(((2, 3), 4), None)",killed,monotonic,0
3,1,100,4000,500,500,ok,add,strideweave.Generic,strideweave.op.Kernel,"(((2, 3), 4), None)",killed,monotonic,0
4,,101,5000,6000,1000,open,matmul,strideweave.Evictable,strideweave.op.Kernel,,killed,monotonic,0
5,4,101,6000,5000,4500,open,matmul,strideweave.Generic,strideweave.op.Kernel,,killed,monotonic,0
6,5,101,6500,500,500,ok,add,strideweave.Generic,strideweave.op.Kernel,,killed,monotonic,0
7,,100,7000,1000,1000,failed,add,strideweave.Generic,strideweave.op.Kernel,"(((2, 3), 4), None)",killed,monotonic,0
END

expect_output "$report" --sort name -f csv "$folder/good" <<'END'
self_ns,total_ns,calls,mean_ns,min_ns,max_ns,failures,name,carrier,report_state,clock,lost_events
2500,2500,3,833.3,500,1000,1,add,strideweave.Generic,frozen,monotonic,0
1000,4000,1,4000.0,4000,4000,0,matmul,strideweave.Evictable,frozen,monotonic,0
1500,3000,1,3000.0,3000,3000,0,matmul,strideweave.Generic,frozen,monotonic,0
END

# Ties keep the ascending order of the key in both directions.
expect_output "$report" --sort name --descending -f csv "$folder/good" <<'END'
self_ns,total_ns,calls,mean_ns,min_ns,max_ns,failures,name,carrier,report_state,clock,lost_events
1000,4000,1,4000.0,4000,4000,0,matmul,strideweave.Evictable,frozen,monotonic,0
1500,3000,1,3000.0,3000,3000,0,matmul,strideweave.Generic,frozen,monotonic,0
2500,2500,3,833.3,500,1000,1,add,strideweave.Generic,frozen,monotonic,0
END
# 2 calls of 24 elements in 1.5 us that have an estimate; a third one failed. What has none is not 0.
expect_output "$report" --flops "$folder/good" <<'END'
./ops --n 5  (process 1, testhost)
2023-11-14T22:13:20.123+00:00  ended normally; seen for 10.0 us
5 events of 1 thread, 1 failed; none lost; clock monotonic
check: fine

Self %     Self    Total  Calls     Mean      Min      Max  FLOP  GFLOP/s  Failures  Name    Carrier
  50.0  2.50 us  2.50 us      3   833 ns   500 ns  1.00 us    48    0.032         1  add     strideweave.Generic
  30.0  1.50 us  3.00 us      1  3.00 us  3.00 us  3.00 us     -        -         0  matmul  strideweave.Generic
  20.0  1.00 us  4.00 us      1  4.00 us  4.00 us  4.00 us     -        -         0  matmul  strideweave.Evictable

5.00 us self time in 5 calls
5.00 us outside any operation, of 10.0 us that 1 thread was alive (50.0 %)
48 floating point operations, estimated from the input shapes of calls that have an estimate
END
"$report" --flops -c Evictable "$folder/good" >"$folder/out" || fail 'flops of what has none'
expect_text "$folder/out" 'no operation has an estimate of its flops'
gzip -dc "$abs_top_srcdir/tests/report/kept/1.0-threads.swprof.gz" >"$folder/threads" || fail 'no kept report'
"$report" --flops "$folder/threads" >"$folder/out" || fail 'flops without shapes'
expect_text "$folder/out" 'which were not recorded: SWPROF_SHAPES=1'
"$report" -g "$folder/threads" >"$folder/out" || fail 'rows per shapes without shapes'
expect_text "$folder/out" 'no input shapes were recorded: they are with SWPROF_SHAPES=1'
"$report" --memory "$folder/threads" >"$folder/out" || fail 'columns of storage without storage'
expect_text "$folder/out" 'no storage was recorded inside of operations: it is with SWPROF_MEMORY=1'
for style in torch spec; do
    expect_status 0 'no input shapes were recorded' "$report" --style $style -g "$folder/threads"
done
expect_status 0 'no storage was recorded' "$report" --style torch --memory "$folder/threads"
"$report" --flops -f json "$folder/good" >"$folder/out" || fail 'flops in JSON'
expect_text "$folder/out" '"flops": 48, "gflops_per_s": 0.032000'
expect_text "$folder/out" '"flops": null, "gflops_per_s": null'
"$report" events --flops -f json "$folder/good" | grep -c '"flops": 24}' >"$folder/n"
[ "$(cat "$folder/n")" = 2 ] || fail "events with an estimate: $(cat "$folder/n")"
"$report" events -f csv "$folder/good" | head -1 | grep -q flops && fail 'a column that was not asked for'
"$report" export chrome "$folder/good" 2>/dev/null | grep -c '"flops":24,' >"$folder/n"
[ "$(cat "$folder/n")" = 2 ] || fail "slices with an estimate: $(cat "$folder/n")"
[ "$("$report" export jsonl --flops "$folder/good" 2>/dev/null | grep -c '"flops": 24')" = 2 ] || fail 'lines with an estimate'
finish
