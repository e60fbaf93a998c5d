# shellcheck shell=sh
# Sourced by shell tests that depend on how the build was configured.

# configured NAME: config.h defines NAME, as something other than 0.
configured() {
    grep -Eq "^#define $1 [^0]" "$abs_top_builddir/config.h"
}

# lacks VARIABLE REASON: end the test, skipped, or failed where the variable is set.
lacks() {
    echo "$2"
    eval "expected=\${$1-}"
    # shellcheck disable=SC2154 # set by eval
    case $expected in '' | 0) exit 77 ;; esac
    exit 1
}

skip_without_profiling() {
    configured SW_ENABLE_PROFILING || lacks SW_EXPECT_PROFILING "built with --disable-profiling"
}

skip_without_host_ranges() {
    configured SW_ENABLE_HOST_RANGES || lacks SW_EXPECT_HOST_RANGES "built without --enable-host-ranges"
}
