#!/bin/bash
# The shim counts itself once in the word in which tools say what they want,
# also when the executable has a copy of the word: lowered once, nothing is
# recorded; raised again, it is.
. "$(dirname "$0")/common.sh"
skip_when_sanitized
skip_without_profiling

for model in "-fPIE -pie" "-fno-PIE -no-pie"; do
    # shellcheck disable=SC2086
    $CC $model -I"$include" "$abs_top_srcdir/tests/contract/pausing_program.c" -o "$work/program" \
        -L"${library%/*}" -lstrideweave -Wl,-rpath,"${library%/*}"
    SWPROF_OUTPUT=$work/report LD_PRELOAD=$shim "$work/program" || fail "the program failed ($model)"
    calls=$("$abs_top_builddir/preload/swprof-report" table --style spec "$work/report" 2>/dev/null |
        awk '$1 == "neg" { print $3 }')
    [ "$calls" = 12 ] || fail "expected 12 recorded operations, found '$calls' ($model)"
    rm -f "$work/report"
done
