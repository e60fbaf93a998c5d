# shellcheck shell=sh
# Sourced by shell tests that depend on how the build was configured.

# configured NAME: config.h defines NAME, as something other than 0.
configured() {
    grep -Eq "^#define $1 [^0]" "$abs_top_builddir/config.h"
}

skip_without_profiling() {
    configured SW_ENABLE_PROFILING && return 0
    echo "built with --disable-profiling"
    exit 77
}
