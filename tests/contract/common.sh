# shellcheck shell=bash
# Sourced by the tests of this folder: where things are, and how to end.
# Each test works in a folder of its own, which is gone when it ends.
set -euo pipefail
: "${abs_top_builddir:?run by make check}" "${abs_top_srcdir:?run by make check}"
: "${CC:=cc}" "${CXX:=}" "${NM:=nm}" "${PKG_CONFIG:=pkg-config}" "${MAKE:=make}" "${SW_SANITIZERS:=no}"

include=$abs_top_srcdir/include
library=$abs_top_builddir/lib/.libs/libstrideweave.so
shim=$abs_top_builddir/preload/.libs/libswprof.so

work=$(mktemp -d "$abs_top_builddir/contract.XXXXXX")
trap 'rm -rf "$work"' EXIT

skip() {
    echo "skipped: $*"
    exit 77
}

fail() {
    echo "FAILED: $*"
    exit 1
}

# Tests that build against, or preload into, what is not instrumented.
skip_when_sanitized() {
    [ "$SW_SANITIZERS" = no ] || skip "programs built here lack the sanitizer's runtime ($SW_SANITIZERS)"
}

. "${abs_top_srcdir:?}/tests/configured.sh"

# annotated HEADER...: names that the headers declare as exported (SW_API), macros expanded.
annotated() {
    for header; do
        printf '#include "%s"\n' "$header"
    done | $CC -E -P -I"$include" - | tr '\n' ' ' | tr ';' '\n' | awk '
        /visibility\("default"\)/ {
            sub(/^.*[{}]/, "")
            while (gsub(/__attribute__ *\(\(([^()]|\([^()]*\))*\)\)/, "")) { }
            sub(/[(\[=].*$/, "")
            print $NF
        }' | sed 's/^\**//' | LC_ALL=C sort -u
}

# exported LIBRARY: names that it defines for others.
exported() {
    $NM -D --defined-only "$1" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | LC_ALL=C sort -u
}

# hooks: every hook there is, as the header lists them, and the word beside them.
hooks() {
    {
        printf '#include <strideweave/hooks.h>\n#define HOOK_NAME(name, type) @sw_hook_##name;\nSW_HOOKS(HOOK_NAME)\n' |
            $CC -E -P -I"$include" - | tr ' ;' '\n\n' | sed -n 's/^@//p'
        echo sw_hooks_wanted
    } | LC_ALL=C sort -u
}

# same WHAT A B: two lists of lines are equal.
same() {
    diff -u <(printf '%s\n' "$2") <(printf '%s\n' "$3") || fail "$1"
}

# build_toy_tool OUTPUT: the call counter of doc/examples.
build_toy_tool() {
    $CC -shared -fPIC -std=c11 -Wall -Wextra -Werror -I"$include" \
        -o "$1" "$abs_top_srcdir/doc/examples/count_calls.c"
}
