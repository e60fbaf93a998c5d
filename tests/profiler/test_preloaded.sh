#!/bin/sh
# The Profiler's tests under the shim with its capture on: the results must be
# the same, and the shim must have recorded something.
set -eu
. "$abs_top_srcdir/tests/configured.sh"
. "$abs_top_srcdir/tests/sanitizer.sh"

skip_without_profiling

report_dir=$(mktemp -d)
trap 'rm -rf "$report_dir"' EXIT
shim=$abs_top_builddir/preload/.libs/libswprof.so
status=0
for program in "$abs_top_builddir"/tests/profiler/test_*; do
    case $program in
    *.o | *.log | *.trs | *.sh | *.c | *_linked) continue ;;
    esac
    [ -x "$program" ] && [ -f "$program" ] || continue
    CK_FORK=no SW_STORM_ROUNDS=500 SWPROF_OUTPUT=$report_dir LD_PRELOAD=$(preloads "$shim") "$program" || [ $? -eq 77 ] || status=1
done
if [ -z "$(ls "$report_dir")" ]; then
    echo "the shim recorded nothing"
    status=1
fi
exit $status
