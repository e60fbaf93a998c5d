#!/bin/bash
# swprof-bench as a program: commands, refusals, rows and reports.
set -u
. "${abs_top_srcdir:?}/tests/configured.sh"
bench=$abs_top_builddir/preload/swprof-bench
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset MAKEFLAGS PYTEST_XDIST_WORKER LD_PRELOAD
export LC_ALL=C
n_failed=0

fail() {
    printf 'FAILED: %s\n' "$*" >&2
    n_failed=$((n_failed + 1))
}

# expect STATUS WORDS ARGUMENT...: it ends so, and says so, or prints it.
expect() {
    local status=$1 words=$2 got
    shift 2
    "$bench" "$@" >"$folder/out" 2>"$folder/err" </dev/null
    got=$?
    [ "$got" -eq "$status" ] || fail "status $got instead of $status: $* ($(cat "$folder/err"))"
    grep -qF -- "$words" "$folder/out" "$folder/err" || fail "no '$words' from $*: $(cat "$folder/out" "$folder/err")"
}

expect 0 'usage: swprof-bench COMMAND' --help
expect 0 'swprof-bench ' --version
expect 2 'no command; see --help'
expect 2 'guess is no command' guess
expect 2 'no case is called nothing' case nothing
expect 2 '--benchmark is no option of control' control --benchmark
expect 2 'warmup_iterations must be non-negative' control --warmup-iterations -1
expect 2 'iterations must be positive' control --iterations 0
expect 2 'rounds must be positive' control --rounds 0
expect 2 'expected an integer' control --rounds many
expect 2 'expected host-ranges, profiler or shim' control --observer nobody
expect 2 '--host-range-profile requires --benchmark' case --host-range-profile "$folder/rows"
MAKEFLAGS='-j2 --jobserver-auth=3,4' \
    expect 2 'host range profiling does not support parallel test workers' \
    case --benchmark --host-range-profile "$folder/rows"
[ ! -e "$folder/rows" ] || fail "a refused profile was made"
expect 1 'no shim is loaded' control --observer shim --alternate

expect 0 'add' list
expect 0 'gemm: 4 x float32 (48,64) x (64,6): the result is right' case
[ "$(wc -l <"$folder/out")" -eq 2 ] || fail "not two cases: $(cat "$folder/out")"
expect 0 'add: float32 (13,4) + (13,4): median' case --benchmark --min-run-time 0.001 add
[ "$(wc -l <"$folder/out")" -eq 1 ] || fail "not one case: $(cat "$folder/out")"

brief='--warmup-iterations 1 --iterations 5 --rounds 3'
# shellcheck disable=SC2086 # a list of words
expect 0 '"profiling_active": false' control $brief --label 'a "label"' --output - gemm
keys=$(sed -n 's/^ *"\([a-z_]*\)":.*/\1/p' "$folder/out" | tr '\n' ' ')
[ "$keys" = "device label measurement observer profiling_active profiling_compiled results benchmark \
iterations_per_round mean median params profiling_active rounds samples unit warmup_iterations " ] ||
    fail "keys of a report: $keys"
expect_number() { grep -qE "$1" "$folder/out" || fail "no '$1' in: $(cat "$folder/out")"; }
expect_number '^  "label": "a \\"label\\"",$'
expect_number '^      "mean": [0-9]+\.[0-9]+,$'
[ "$(grep -cE '^        [0-9]+\.[0-9]+,?$' "$folder/out")" -eq 3 ] || fail "not three samples: $(cat "$folder/out")"
if configured SW_ENABLE_PROFILING; then
    # shellcheck disable=SC2086
    expect 0 'the observer effect of profiler is' control $brief --observer profiler --alternate add
    # shellcheck disable=SC2086
    expect 0 '"observer_effect": {' control $brief --observer profiler --alternate --output -
else
    expect 1 'this library was built without profiling' control --observer profiler --alternate
fi
expect 2 'observes every round' control --alternate --activate-profile

if configured SW_ENABLE_HOST_RANGES; then
    expect 0 'a range costs' calibrate --iterations 100
    expect 0 '"unit": "ns"' calibrate --iterations 100 --output -
    expect 0 'gemm' case --benchmark --host-range-profile "$folder/new/rows" --min-run-time 0.001 --most-calls 100
    # 11 ranges cold, 10 warm, two rows each, and end_to_end; for two cases.
    [ "$(wc -l <"$folder/new/rows")" -eq 86 ] || fail "$(wc -l <"$folder/new/rows") rows"
    [ "$(grep -c '"range":"end_to_end","metric":"inclusive"' "$folder/new/rows")" -eq 2 ] || fail "not two end_to_end"
    [ "$(grep -c '"phase":"cold".*"range":"binding.body".*"count":4,' "$folder/new/rows")" -eq 2 ] ||
        fail "a call of gemm is not four operations"
    # shellcheck disable=SC2086
    expect 0 'host-ranges: median' control $brief --activate-profile add
else
    expect 1 'host range profiling is not compiled' calibrate
    expect 1 'cannot activate profiling in a profiling-disabled build' control --activate-profile
    expect 2 'host-range profiling is not compiled into libstrideweave' \
        case --benchmark --host-range-profile "$folder/rows"
fi

# Every option is in the manual page.
"$bench" --help | sed -n 's/^  -., --\([a-z-]*\).*/\1/p' | sort -u | while read -r option; do
    grep -qF -- "\\-\\-${option//-/\\-}" "$abs_top_srcdir/doc/man/swprof-bench.1" || echo "$option"
done >"$folder/undocumented"
[ ! -s "$folder/undocumented" ] || fail "not in swprof-bench(1): $(cat "$folder/undocumented")"
exit $((n_failed > 0))
