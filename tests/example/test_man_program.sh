#!/bin/bash
# The first program of strideweave(7) is complete: it compiles as the page says
# and prints what the page says.
# shellcheck source=tests/example/common.sh
. "$abs_top_srcdir/tests/example/common.sh" || exit 99

page=$abs_top_srcdir/doc/man/strideweave.7
library=$abs_top_builddir/lib/.libs

# The text between two comments of the page, as man would show it.
extract() { # NAME
    sed -n "/^\.\\\\\" begin $1\$/,/^\.\\\\\" end $1\$/p" "$page" |
        sed -e '/^\./d' -e 's/\\e/\\/g' -e 's/\\-/-/g' -e 's/^\\&//'
}

extract program >"$work/first.c"
extract output >"$work/expected"
if ! [ -s "$work/first.c" ] || ! [ -s "$work/expected" ]; then
    echo "the page has no program or no output"
    exit 1
fi
# shellcheck disable=SC2086,SC2046 # lists of words
$CC ${CFLAGS:-} $(sanitizer_flags) -Wall -Wextra -Werror \
    -I"$abs_top_srcdir/include" -o "$work/first" "$work/first.c" -L"$library" -lstrideweave ||
    { echo "the program does not compile"; exit 1; }
LD_LIBRARY_PATH=$library "$work/first" >"$work/came" || fail "the program failed with status $?"
diff "$work/expected" "$work/came" || fail "the program prints something else than the page says"
exit "$failed"
