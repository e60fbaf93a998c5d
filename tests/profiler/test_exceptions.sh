#!/bin/sh
# C++ exceptions through kernels and the C++ guard; skipped without a C++ compiler.
set -eu
. "$abs_top_srcdir/tests/configured.sh"
. "$abs_top_srcdir/tests/sanitizer.sh"

skip_without_profiling
# What a jump or an exception passes over is not given back.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"

cxx=${CXX:-c++}
command -v "$cxx" >/dev/null 2>&1 || {
    echo "no C++ compiler"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$abs_top_srcdir/tests/profiler
# shellcheck disable=SC2046,SC2086
${CC:-cc} -std=gnu11 -fexceptions $(sanitizer_flags) -I"$abs_top_builddir" -I"$abs_top_srcdir/include" -I"$here" \
    -c "$here/support.c" -o "$work/support.o"
# shellcheck disable=SC2046,SC2086
"$cxx" -std=c++17 -Wall -Wextra -Werror $(sanitizer_flags) -I"$abs_top_srcdir/include" \
    -I"$abs_top_srcdir/tests" -I"$here" "$here/exceptions.cc" \
    "$work/support.o" -o "$work/exceptions" -L"$abs_top_builddir/lib/.libs" -lstrideweave -lcheck -lsubunit -lm -lrt \
    -lpthread -Wl,-rpath,"$abs_top_builddir/lib/.libs"
"$work/exceptions"
