#!/bin/sh
# Every complete program of doc/profiling.md compiles without a warning and runs;
# where the page shows its output, that is what it prints.
set -eu
. "$abs_top_srcdir/tests/configured.sh"
. "$abs_top_srcdir/tests/sanitizer.sh"

skip_without_profiling

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page=$abs_top_srcdir/doc/profiling.md

# Program and output blocks, numbered in order: N.c, and N.txt for the text block behind it.
awk -v dir="$work" '
    /^```c$/    { n++; file = dir "/" n ".c"; next }
    /^```text$/ { file = dir "/" n ".txt"; next }
    /^```$/     { file = ""; next }
    file != ""  { print > file }
' "$page"

n_programs=0
for source in "$work"/*.c; do
    program=${source%.c}
    # shellcheck disable=SC2046,SC2086
    ${CC:-cc} -std=gnu11 -Wall -Wextra -Werror $(sanitizer_flags) -I"$abs_top_srcdir/include" "$source" -o "$program" \
        -L"$abs_top_builddir/lib/.libs" -lstrideweave -lpthread -Wl,-rpath,"$abs_top_builddir/lib/.libs"
    "$program" >"$program.out"
    if [ -f "$program.txt" ]; then
        diff "$program.txt" "$program.out"
    fi
    n_programs=$((n_programs + 1))
done
[ "$n_programs" -eq 3 ] || {
    echo "expected 3 programs in the page, found $n_programs"
    exit 1
}
