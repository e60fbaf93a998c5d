#!/bin/sh
# The Profiler's tests in programs that are linked with the shim, capture on.
set -eu
. "$abs_top_srcdir/tests/configured.sh"

skip_without_profiling

report_dir=$(mktemp -d)
trap 'rm -rf "$report_dir"' EXIT
status=0
for program in "$abs_top_builddir"/tests/profiler/test_*_linked; do
    CK_FORK=no SW_STORM_ROUNDS=500 SWPROF_OUTPUT=$report_dir "$program" || [ $? -eq 77 ] || status=1
done
if [ -z "$(ls "$report_dir")" ]; then
    echo "the shim recorded nothing"
    status=1
fi
exit $status
