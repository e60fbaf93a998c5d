#!/bin/bash
# The example tool, made with the public header alone, counts the calls of a
# program that knows nothing of it, alone and before another tool.
. "$(dirname "$0")/common.sh"
skip_when_sanitized
skip_without_profiling

build_toy_tool "$work/first.so"
cp "$work/first.so" "$work/second.so"
$CC -std=gnu11 -I"$include" -o "$work/program" "$abs_top_srcdir/tests/contract/hooked_program.c" \
    "$library" -Wl,-rpath,"$(dirname "$library")"

plain=$("$work/program")
[ "$plain" -ge 3 ] || fail "three operations made $plain boundaries"
expected="count_calls: $plain calls, 0 failed"

output=$(LD_PRELOAD=$work/first.so "$work/program" 2>"$work/said")
same "the tool changed what the program prints" "$plain" "$output"
same "the tool did not see every call" "$expected" "$(cat "$work/said")"

LD_PRELOAD=$work/first.so:$work/second.so "$work/program" 2>"$work/said" >"$work/output"
same "two tools do not both see every call" "$expected"$'\n'"$expected" "$(cat "$work/said")"
