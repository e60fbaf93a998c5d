#!/bin/bash
# All cases, and the traces in particular, with the shim preloaded into the driver.
. "${abs_top_srcdir:?}/tests/conformance/common.sh" || exit 99
shim=$abs_top_builddir/preload/.libs/libswprof.so
[ -f "$shim" ] || skip "$shim is not built"

. "$abs_top_srcdir/tests/sanitizer.sh"

preloaded() {
    LD_PRELOAD=$(preloads "$shim") "$@"
}

# Without arguments the driver ends with status 2 and runs nothing.
preloaded "$driver" >"$work/start" 2>&1
if [ $? -ne 2 ]; then
    cat "$work/start"
    [ "${SW_SANITIZERS:-no}" = no ] || skip "this sanitizer's runtime ($SW_SANITIZERS) takes no preloaded shim"
    fail "the driver does not start with the shim"
fi
check_shim preloaded "$driver"
exit "$failed"
