#!/bin/sh
# Every complete program of the pages on profiling compiles without a warning and
# runs; where a page shows its output, that is what it prints.
set -eu
. "$abs_top_srcdir/tests/configured.sh"
. "$abs_top_srcdir/tests/sanitizer.sh"

skip_without_profiling

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# check_page NAME N: a page with so many programs. Program and output blocks are
# numbered in order: N.c, and N.txt for the text block behind it.
check_page() {
    dir=$work/$1
    mkdir "$dir"
    awk -v dir="$dir" '
        /^```c$/    { n++; file = dir "/" n ".c"; next }
        /^```text$/ { file = dir "/" n ".txt"; next }
        /^```$/     { file = ""; next }
        file != ""  { print > file }
    ' "$abs_top_srcdir/doc/$1"

    n_programs=0
    for source in "$dir"/*.c; do
        program=${source%.c}
        # shellcheck disable=SC2046,SC2086
        ${CC:-cc} -std=gnu11 -Wall -Wextra -Werror $(sanitizer_flags) -I"$abs_top_srcdir/include" "$source" \
            -o "$program" -L"$abs_top_builddir/lib/.libs" -lstrideweave -lpthread \
            -Wl,-rpath,"$abs_top_builddir/lib/.libs"
        "$program" >"$program.out"
        if [ -f "$program.txt" ]; then
            diff "$program.txt" "$program.out"
        fi
        n_programs=$((n_programs + 1))
    done
    [ "$n_programs" -eq "$2" ] || {
        echo "expected $2 programs in $1, found $n_programs"
        exit 1
    }
}

check_page profiling.md 3
check_page from-pytorch.md 2
