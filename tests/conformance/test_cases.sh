#!/bin/bash
# Every case of the project's own case file holds, and of the file that
# SW_CASES names, when it names one.
set -u
driver=$abs_top_builddir/tests/conformance/sw-conformance

[ -x "$driver" ] || { echo "$driver is not built"; exit 77; }
failed=0
"$driver" -v "$abs_top_srcdir/tests/conformance/tensor-cases.json" || failed=1
if [ -n "${SW_CASES:-}" ]; then
    "$driver" -v "$SW_CASES" || failed=1
fi
exit "$failed"
