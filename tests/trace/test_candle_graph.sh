#!/bin/bash
# candle-graph's runtime traces, point by point of their contract: what a session writes, what a reader takes and
# refuses (each refusal with its place), the roll-up, the audit, the identity, the queries.
. "${abs_top_srcdir:?}/tests/report/common.sh" || exit 99
write_trace=$abs_top_builddir/tests/trace/write_trace
meta='{"kind":"meta","schema":"candle-graph/runtime/3","entrypoint":"m","profile":"release"}'

# ---- What a session writes, read by a stranger ------------------------------------
"$write_trace" "$folder/a/b/own.jsonl" 40 >"$folder/out" || fail 'no trace was written'
[ "$(cat "$folder/out")" = '280 records, 1 dropped' ] || fail "the trace: $(cat "$folder/out")"
[ "$(wc -l <"$folder/a/b/own.jsonl")" -eq 281 ] || fail 'not a line for each record'
if command -v python3 >/dev/null; then
    python3 "$abs_top_srcdir/tests/trace/read_runtime.py" "$folder/a/b/own.jsonl" >"$folder/read" 2>"$folder/err" ||
        fail "an independent reader: $(cat "$folder/err")"
    [ "$(grep -c '^operation' "$folder/read")" -eq 80 ] || fail 'not two operations of each step'
    grep -qx 'operation train-op-39-275' "$folder/read" || fail 'the ids do not go on over steps'
    grep -qx 'edge_timing train-edge-0-3' "$folder/read" || fail 'edges are not counted with operations'
else
    echo 'not checked for want of python3: whether an independent reader takes a trace' >&2
fi
if [ -w /dev/full ]; then
    "$write_trace" /dev/full 1 >/dev/null 2>"$folder/err" && fail 'a full device was not noticed'
    expect_text "$folder/err" '/dev/full: cannot be written: No space left on device'
fi

# ---- Forms ------------------------------------------------------------------------
printf '%s\n' "$meta" >"$folder/meta.jsonl"
"$report" runtime "$folder/meta.jsonl" >"$folder/out" 2>"$folder/err"
if grep -q 'without jansson' "$folder/err"; then
    echo 'not checked for want of libjansson: the reader of traces' >&2
    finish
fi
expect_status 0 '' "$report" runtime "$folder/meta.jsonl" # a stream of one line is a stream
expect_text "$folder/out" 'audit: clean'
printf '%s' "$meta" >"$folder/unended.jsonl" # also without its end
expect_status 0 '' "$report" runtime "$folder/unended.jsonl"
for version in 1 2 3; do
    {
        printf '\n  \n%s\r\n' "${meta/runtime\/3/runtime\/$version}"
        printf '%s\n' '{"kind":"operation","event_id":"a","op":"x","static_id":"s","duration_ns":5,"new":[{}]}'
    } >"$folder/$version.jsonl"
    expect_status 0 '' "$report" runtime query operations "$folder/$version.jsonl"
    expect_text "$folder/out" '  s  x  5 ns'
    printf '{"schema":"candle-graph/runtime/%s","run":{"entrypoint":"m","profile":"p","cfg":["b","a","b"],"phase":null},\n"operations":[{"event_id":"a","op":"x","static_id":"s","duration_ns":5}]}' \
        $version >"$folder/$version.json"
    expect_status 0 '' "$report" runtime query operations "$folder/$version.json"
    expect_text "$folder/out" '  s  x  5 ns'
done
tr '\n' ' ' <"$folder/3.json" >"$folder/line.json"
expect_status 0 '' "$report" runtime "$folder/line.json"
# The metadata may stand anywhere, and everything of 64 bits is read exactly.
{
    echo '{"kind":"operation","event_id":"a","op":"x","static_id":"s","step":18446744073709551615,"duration_ns":18446744073709551615}'
    echo '{"kind":"operation","event_id":"b","op":"x","static_id":"s","duration_ns":18446744073709551613}'
    echo "$meta"
} >"$folder/large.jsonl"
expect_status 0 '' "$report" runtime query operations -f json "$folder/large.jsonl"
expect_text "$folder/out" '"timing":{"samples":2,"avg_ns":18446744073709551614,"min_ns":18446744073709551613,"max_ns":18446744073709551615}'
gzip -c "$folder/3.jsonl" >"$folder/3.jsonl.gz"
. "$abs_top_srcdir/tests/configured.sh"
if configured HAVE_ZLIB; then
    expect_status 0 '' "$report" runtime "$folder/3.jsonl.gz"
    # Cut at whole lines of what it holds or not: a stream without its end is none.
    head -c -9 "$folder/3.jsonl.gz" >"$folder/cut.jsonl.gz"
    expect_status 1 'cut.jsonl.gz: cannot be read: ' "$report" runtime "$folder/cut.jsonl.gz"
fi

# ---- Refusals: each with its place --------------------------------------------------
# refused WORDS LINES: the stream is refused, and the sentence has the words.
refused() {
    printf '%s\n' "$2" >"$folder/bad.jsonl"
    expect_status 5 "$1" "$report" runtime "$folder/bad.jsonl"
}
op='{"kind":"operation","event_id":"a","op":"x"}'
: >"$folder/bad.jsonl"
expect_status 5 'bad.jsonl: empty runtime evidence input' "$report" runtime "$folder/bad.jsonl"
refused 'empty runtime evidence input' $' \n\t\n'
refused 'failed to parse runtime JSONL line 1' 'nothing'
refused 'failed to parse runtime JSONL line 3' "$meta"$'\n\n''{"kind":'
refused 'failed to parse runtime JSONL line 2' "$meta"$'\n'"$op$op"
refused 'failed to parse runtime JSONL line 2: no object' "$meta"$'\n''[]'
refused 'line 2: kind is missing' "$meta"$'\n''{"event_id":"a"}'
refused 'line 2: no kind of record is called span' "$meta"$'\n''{"kind":"span","event_id":"a"}'
refused 'duplicate meta event on JSONL line 3' "$meta"$'\n'"$op"$'\n'"$meta"
refused 'JSONL stream is missing a meta event with run metadata' "$op"
refused 'JSONL stream is missing a meta event with run metadata' "$op"$'\n'"${op/\"a\"/\"b\"}"
refused 'line 1: unsupported runtime schema "candle-graph/runtime/4"; expected' "${meta/runtime\/3/runtime\/4}"
refused 'line 1: schema is missing' '{"kind":"meta","entrypoint":"m","profile":"p"}'
refused 'line 1: profile is missing' '{"kind":"meta","schema":"candle-graph/runtime/3","entrypoint":"m"}'
refused 'line 1: cfg is no list' "${meta/\}/,\"cfg\":null\}}"
refused 'line 1: cargo_features is no text' "${meta/\}/,\"cargo_features\":[1]\}}"
refused 'line 2: empty event_id is not allowed' "$meta"$'\n''{"kind":"operation","event_id":"","op":"x"}'
refused 'line 4: duplicate event_id `a`' "$meta"$'\n'"$op"$'\n\n''{"kind":"edge_timing","event_id":"a","from_static_id":"f","to_static_id":"t","duration_ns":1}'
refused 'line 2: op is missing' "$meta"$'\n''{"kind":"operation","event_id":"a"}'
refused 'line 2: op is no text' "$meta"$'\n''{"kind":"operation","event_id":"a","op":null}'
for wrong in -1 1.0 1.5 '"1"' true 18446744073709551616 1e3; do
    refused 'line 2: duration_ns is no whole number' "$meta"$'\n'"{\"kind\":\"operation\",\"event_id\":\"a\",\"op\":\"x\",\"duration_ns\":$wrong}"
done
refused 'line 2: duration_ns is missing' "$meta"$'\n''{"kind":"edge_timing","event_id":"a","from_static_id":"f","to_static_id":"t"}'
refused 'line 2: duration_ns is no whole number' "$meta"$'\n''{"kind":"edge_timing","event_id":"a","from_static_id":"f","to_static_id":"t","duration_ns":null}'
refused 'line 2: contiguous is neither true nor false' "$meta"$'\n''{"kind":"tensor","event_id":"a","shape":[],"dtype":"f32","device":"cpu","contiguous":1,"requires_grad":true}'
refused 'line 2: shape is no whole number' "$meta"$'\n''{"kind":"tensor","event_id":"a","shape":[-2],"dtype":"f32","device":"cpu","contiguous":true,"requires_grad":true}'
refused 'line 2: min is no number' "$meta"$'\n''{"kind":"value","event_id":"a","min":null,"max":1,"abs_max":1}'
refused 'line 2: nonfinite_count is no whole number' "$meta"$'\n''{"kind":"value","event_id":"a","min":0,"max":1,"abs_max":1,"nonfinite_count":null}'
refused 'failed to parse runtime JSONL line 2' "$meta"$'\n''{"kind":"value","event_id":"a","min":1e999,"max":1,"abs_max":1}'
refused 'failed to parse runtime JSONL line 2' "$meta"$'\n''{"kind":"value","event_id":"a","min":NaN,"max":1,"abs_max":1}'
refused 'failed to parse runtime JSONL line 2' "$meta"$'\n''{"kind":"operation","event_id":"a","event_id":"b","op":"x"}'
refused 'failed to parse runtime JSONL line 2' "$meta"$'\n''{"kind":"operation","event_id":"\u0000","op":"x"}'
refused 'failed to parse runtime JSONL line 2' "$meta"$'\n'$'{"kind":"operation","event_id":"\xff","op":"x"}'
refused 'failed to parse runtime JSONL line 2' "$meta"$'\n'"$(printf '[%.0s' {1..5000})"
gradient() { printf '%s\n{"kind":"gradient","event_id":"a","root":"loss","key":"w","state":"%s","norm":%s}' "$meta" "$1" "$2"; }
refused 'line 2: invalid gradient fact loss:w: missing state must not carry a norm' "$(gradient missing 0)"
refused 'line 2: invalid gradient fact loss:w: present state cannot have zero norm (use zero)' "$(gradient present 0.0)"
refused 'line 2: invalid gradient fact loss:w: zero state requires norm 0.0 when set' "$(gradient zero 0.1)"
refused 'line 2: invalid gradient fact loss:w: non_finite state cannot have finite norm' "$(gradient non_finite 2)"
refused 'line 2: state is none of' "$(gradient fine 2)"
gradient non_finite null >"$folder/null.jsonl" # what the reference writes for NaN
expect_status 0 '' "$report" runtime "$folder/null.jsonl"
# Documents: the place is the member.
refused 'failed to parse runtime JSON document' '{"schema":"candle-graph/runtime/3"}'
refused 'failed to parse runtime JSON document' '{"schema":'
refused 'failed to parse runtime JSON document: run: profile is missing' '{"schema":"candle-graph/runtime/3","run":{"entrypoint":"m"}}'
run='"schema":"candle-graph/runtime/3","run":{"entrypoint":"m","profile":"p"}'
refused 'operations[1]: duplicate event_id `a`' "{$run,\"operations\":[{\"event_id\":\"a\",\"op\":\"x\"},{\"event_id\":\"a\",\"op\":\"x\"}]}"
refused 'operations[0]: no object' "{$run,\"operations\":[1]}"
refused 'tensors is no list' "{$run,\"tensors\":{}}"
refused 'run: unsupported runtime schema' "{${run/runtime\/3/trace\/9}}"
expect_status 1 'no/such' "$report" runtime "$folder/no/such"
expect_status 2 'expected a trace' "$report" runtime
expect_status 2 'expected operations, edges, audit, query or document' "$report" runtime what "$folder/3.jsonl"

# ---- Order ------------------------------------------------------------------------
{
    echo '{"kind":"meta","schema":"candle-graph/runtime/3","entrypoint":"m","profile":"p","cargo_features":["b","a","b"]}'
    echo '{"kind":"operation","event_id":"train-op-0-2","op":"x"}'
    echo '{"kind":"operation","event_id":"train-op-0-10","op":"x","inputs":["z","a"]}'
    echo '{"kind":"edge_timing","event_id":"e1","from_static_id":"b","to_static_id":"a","duration_ns":1,"step":3}'
    echo '{"kind":"edge_timing","event_id":"e2","from_static_id":"b","to_static_id":"a","duration_ns":1}'
    echo '{"kind":"edge_timing","event_id":"e3","from_static_id":"a","to_static_id":"z","duration_ns":1}'
} >"$folder/order.jsonl"
"$report" runtime document "$folder/order.jsonl" >"$folder/out"
cat >"$folder/expected" <<'END'
{"schema":"candle-graph/runtime/3",
"run":{"entrypoint":"m","profile":"p","cargo_features":["a","b"],"cfg":[]},
"tensors":[],
"operations":[
{"event_id":"train-op-0-10","op":"x","inputs":["z","a"]},
{"event_id":"train-op-0-2","op":"x","inputs":[]}
],
"gradients":[],
"values":[],
"edge_timings":[
{"event_id":"e3","from_static_id":"a","to_static_id":"z","duration_ns":1},
{"event_id":"e2","from_static_id":"b","to_static_id":"a","duration_ns":1},
{"event_id":"e1","from_static_id":"b","to_static_id":"a","duration_ns":1,"step":3}
]}
END
cmp -s "$folder/out" "$folder/expected" || fail "ordered: $(cat "$folder/out")"
"$report" runtime document "$folder/out" | cmp -s - "$folder/expected" || fail 'a document is not read back as it was written'

# ---- Roll-up ------------------------------------------------------------------------
{
    echo "${meta/\}/,\"phase\":\"Training\",\"analysis_id\":\"A\"\}}"
    for ns in 100 300 200; do
        echo "{\"kind\":\"operation\",\"event_id\":\"o$ns\",\"op\":\"matmul\",\"static_id\":\"s\",\"duration_ns\":$ns}"
        echo "{\"kind\":\"edge_timing\",\"event_id\":\"e$ns\",\"from_static_id\":\"s\",\"to_static_id\":\"t\",\"duration_ns\":$ns}"
    done
    echo '{"kind":"operation","event_id":"p1","op":"add","static_id":"fast","source":"m.rs:3","duration_ns":1}'
    echo '{"kind":"operation","event_id":"p2","op":"add","static_id":"fast","duration_ns":2}'
    echo '{"kind":"operation","event_id":"p3","op":"add","duration_ns":97}'
    echo '{"kind":"operation","event_id":"p4","op":"add","static_id":"untimed"}'
} >"$folder/sums.jsonl"
summary='{"trace_schema":"candle-graph/runtime/3","entrypoint":"m","profile":"release","tensor_observations":0,"operation_observations":7,"gradient_observations":0,"missing_gradients":0,"zero_gradients":0,"non_finite_gradients":0,"tensor_conflicts":0,"gradient_conflicts":0,"identity_mismatches":0,"saturating_activations":0,"value_observations":0,"execution_phase":"train","avg_operation_duration_ns":116,"edge_timings":[{"from":"s","to":"t","timing":{"samples":3,"avg_ns":200,"min_ns":100,"max_ns":300}}]}'
envelope='{"schema":"candle-graph/query/1","analysis_id":"A","kind":"%s","selector":null,"total":1,"returned":1,"offset":0,"truncated":false,"items":[%s]}\n'
# shellcheck disable=SC2059 # the format is above
printf "$envelope" profile '{"id":"profile","runtime":'"$summary"',"slowest_operations":[{"id":"s","name":"matmul","phase":"train","timing":{"samples":3,"avg_ns":200,"min_ns":100,"max_ns":300}},{"id":"fast","name":"add","phase":"train","timing":{"samples":2,"avg_ns":1,"min_ns":1,"max_ns":2}}],"drill_down":["operations","edges"]}' >"$folder/expected"
"$report" runtime query profile -f json "$folder/sums.jsonl" >"$folder/out" || fail 'query profile'
cmp -s "$folder/out" "$folder/expected" || fail "query profile: $(cat "$folder/out")"
# shellcheck disable=SC2059
printf "$envelope" runtime '{"id":"runtime","summary":'"$summary"',"gradient_finding_count":0,"drill_down":["operations","edges"]}' >"$folder/expected"
"$report" runtime query runtime -f json "$folder/sums.jsonl" | cmp -s - "$folder/expected" || fail 'query runtime'
"$report" runtime query profile "$folder/sums.jsonl" >"$folder/out"
[ "$(head -n 1 "$folder/out")" = 'query Profile: 1 result(s)' ] || fail "as text: $(cat "$folder/out")"
"$report" runtime query operations "$folder/sums.jsonl" --limit 1 --offset 1 >"$folder/out"
[ "$(head -n 1 "$folder/out")" = 'query Operations: 2 result(s) (offset 1, showing 1)' ] || fail "a part: $(cat "$folder/out")"
expect_text "$folder/out" '  s  matmul  200 ns · 100–300 ns'
"$report" runtime query operations "$folder/sums.jsonl" >"$folder/out"
expect_text "$folder/out" '  fast  add  @m.rs:3  1 ns'
"$report" runtime query operations "$folder/sums.jsonl" -f json --limit 1 >"$folder/out"
expect_text "$folder/out" '"total":2,"returned":1,"offset":0,"truncated":true'
"$report" runtime query edges "$folder/sums.jsonl" -f json --offset 99 >"$folder/out"
expect_text "$folder/out" '"total":1,"returned":0,"offset":1,"truncated":false,"items":[]'
expect_status 2 'at least one result' "$report" runtime query profile --limit 0 "$folder/sums.jsonl"
expect_status 2 'text or json' "$report" runtime query profile -f csv "$folder/sums.jsonl"
expect_status 2 'expected profile, runtime, operations or edges' "$report" runtime query nothing "$folder/sums.jsonl"
expect_status 2 'of queries only' "$report" runtime --offset 1 "$folder/sums.jsonl"
"$report" runtime -f csv "$folder/sums.jsonl" >"$folder/out"
expect_text "$folder/out" '200,100,300,3,matmul,s'
"$report" runtime edges -f csv "$folder/sums.jsonl" | grep -qx 'avg_ns,min_ns,max_ns,samples,from_static_id,to_static_id' || fail 'columns of edges'
# At most 50 of the slowest; a query has 100 results unless it asks for others.
{
    echo "$meta"
    for i in {100..299}; do
        echo "{\"kind\":\"operation\",\"event_id\":\"$i\",\"op\":\"x\",\"static_id\":\"s$i\",\"duration_ns\":$i}"
    done
} >"$folder/many.jsonl"
"$report" runtime query profile -f json "$folder/many.jsonl" >"$folder/out"
[ "$(grep -o '"samples":1' "$folder/out" | wc -l)" -eq 50 ] || fail 'not fifty of the slowest'
grep -q '"slowest_operations":\[{"id":"s299"' "$folder/out" || fail 'the slowest is not the first'
"$report" runtime query operations "$folder/many.jsonl" | head -n 1 | grep -qx 'query Operations: 200 result(s) (offset 0, showing 100)' || fail 'not a hundred'
# Phases by their other names; what is none is absent.
for phase in train:train TRAINING:train infer:infer Inference:infer eval:infer evaluate:infer; do
    echo "${meta/\}/,\"phase\":\"${phase%:*}\"\}}" >"$folder/phase.jsonl"
    "$report" runtime query runtime -f json "$folder/phase.jsonl" | grep -q "\"execution_phase\":\"${phase#*:}\"" || fail "phase $phase"
done
echo "${meta/\}/,\"phase\":\"other\"\}}" >"$folder/phase.jsonl"
"$report" runtime query runtime -f json "$folder/phase.jsonl" | grep -q execution_phase && fail 'a phase that is none'

# ---- Audit ------------------------------------------------------------------------
tensor() { printf '{"kind":"tensor","event_id":"%s","static_id":"%s","shape":%s,"dtype":"%s","device":"cpu","contiguous":%s,"requires_grad":false}\n' "$@"; }
fact() { printf '{"kind":"gradient","event_id":"%s","root":"loss","key":"%s","state":"%s"%s}\n' "$@"; }
{
    echo "$meta"
    tensor t1 same '[2]' f32 true
    tensor t2 same '[2]' f32 true
    tensor t3 other '[2]' f32 true
    tensor t4 other '[3]' bf16 false
    fact g1 series zero ',"step":1'
    fact g2 series present ',"step":2,"norm":1'
    fact g3 clash zero ''
    fact g4 clash missing ''
    fact g5 lost missing ''
    fact g6 bad non_finite ',"step":9'
    fact g7 bad non_finite ',"step":7'
    fact g8 flat zero ',"norm":0'
    fact g9 norms present ',"norm":1'
    fact g0 norms present ',"norm":2'
    echo '{"kind":"value","event_id":"v1","source":"relu","min":0,"max":1,"abs_max":1,"saturated_count":3}'
    echo '{"kind":"value","event_id":"v2","source":"relu","min":0,"max":1,"abs_max":1,"saturated_count":1}'
    echo '{"kind":"value","event_id":"v3","source":"tanh","min":0,"max":1,"abs_max":1}'
} >"$folder/audit.jsonl"
cat >"$folder/expected" <<'END'
finding,subject,property,values
tensor_conflict,other,dtype,"bf16, f32"
tensor_conflict,other,layout,"contiguous, not contiguous"
tensor_conflict,other,shape,"[2], [3]"
gradient_conflict,loss:clash,,"missing, zero in g3, g4"
gradient_conflict,loss:norms,,"present in g0, g9"
missing_gradient,loss:lost,,
non_finite_gradient,loss:bad,,step 9
zero_gradient,loss:flat,,
saturating_activation,relu,,
END
expect_status 9 'not clean' "$report" runtime audit -f csv "$folder/audit.jsonl"
cmp -s "$folder/out" "$folder/expected" || fail "audit: $(cat "$folder/out")"
"$report" runtime query runtime -f json "$folder/audit.jsonl" >"$folder/out"
for fact in '"first_non_finite_step":7' '"tensor_conflicts":3' '"gradient_conflicts":2' '"missing_gradients":1' \
    '"zero_gradients":1' '"non_finite_gradients":1' '"saturating_activations":1' '"gradient_finding_count":5'; do
    expect_text "$folder/out" "$fact"
done
expect_status 0 '' "$report" runtime audit "$folder/sums.jsonl"

# ---- Identity ---------------------------------------------------------------------
expect_status 0 '' "$report" runtime --analysis-id A --build-id B "$folder/sums.jsonl" # the trace names no build
[ -s "$folder/err" ] && fail "an identity that fits: $(cat "$folder/err")"
expect_status 0 'runtime-identity: error: runtime analysis_id mismatch: expected X, observed A; trace was not merged' \
    "$report" runtime query profile -f json --analysis-id X "$folder/sums.jsonl"
expect_text "$folder/out" '"identity_mismatches":1'
expect_text "$folder/out" '"slowest_operations":[]'
expect_text "$folder/out" '"edge_timings":[{"from":"s"'
expect_status 9 'runtime analysis_id mismatch: expected "X", observed "A"' "$report" runtime --strict --analysis-id X "$folder/sums.jsonl"
[ -s "$folder/out" ] && fail 'something is shown of a trace that was refused'
expect_status 9 '' "$report" runtime audit --analysis-id X "$folder/sums.jsonl"

# ---- What a session writes, read by ourselves ----------------------------------------
"$report" runtime query runtime -f json "$folder/a/b/own.jsonl" >"$folder/out" || fail 'our own trace'
for fact in '"tensor_observations":40' '"operation_observations":80' '"non_finite_gradients":0' '"first_non_finite_step":3' \
    '"saturating_activations":1' '"execution_phase":"train"' '"samples":40,"avg_ns":2050,"min_ns":100,"max_ns":4000' \
    '"analysis_id":"analysis-1"'; do
    expect_text "$folder/out" "$fact"
done
# Output goes where it is told to, whole or not at all.
expect_status 1 'cannot be written' "$report" runtime -f json -o /dev/full "$folder/a/b/own.jsonl"
finish
