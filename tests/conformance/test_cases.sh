#!/bin/bash
# Every case of the project's own case file holds and none of it is passed
# over, and every case of the file that SW_CASES names, when it names one.
set -u
driver=$abs_top_builddir/tests/conformance/sw-conformance

[ -x "$driver" ] || { echo "$driver is not built"; exit 77; }
failed=0
verdicts=$(mktemp)
trap 'rm -f "$verdicts"' EXIT
"$driver" -v "$abs_top_srcdir/tests/conformance/tensor-cases.json" >"$verdicts" || failed=1
cat "$verdicts"

# What may be skipped: a case about an error that C does not have, and traces where there are none.
may_be=(-e ': a coordinate of one leaf is the ordinal in C$')
grep -Eq '^#define SW_ENABLE_PROFILING [^0]' "$abs_top_builddir/config.h" ||
    may_be+=(-e ': the library was built without profiling$')
if grep '^SKIP ' "$verdicts" | grep -v "${may_be[@]}"; then
    echo "these cases should run"
    failed=1
fi

if [ -n "${SW_CASES:-}" ]; then
    "$driver" -v "$SW_CASES" || failed=1
fi
exit "$failed"
