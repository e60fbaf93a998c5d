#!/bin/bash
# What the libraries export is what the public headers annotate: no more, no less.
. "$(dirname "$0")/common.sh"
export LC_ALL=C

# One header says what the shim alone exports; the others are the library's.
of_shim=$include/swprof/shim.h
public=$(find "$include/strideweave" "$include/swprof" -name '*.h' ! -path "$of_shim" | LC_ALL=C sort)
# shellcheck disable=SC2086 # a list of files
expected=$(annotated $public)
[ "$(wc -l <<<"$expected")" -gt 50 ] || fail "only these annotated names were found: $expected"
if configured SW_FAILURE_INJECTION; then
    expected=$(printf '%s\n' "$expected" "$(annotated "$abs_top_srcdir/lib/base/inject.h")" | LC_ALL=C sort -u)
fi
same "libstrideweave.so exports something else than the headers declare" "$expected" "$(exported "$library")"
# The shim has the control calls, the hooks that carry a capture, and others of the hooks if it likes.
control=$(annotated "$include/swprof/swprof.h")
shim_only=$(annotated "$of_shim")
[ -n "$shim_only" ] || fail "no annotated name was found in $of_shim"
needed=$(printf '%s\n' "$control" "$shim_only" sw_hook_compute_enter sw_hook_compute_exit sw_hook_control sw_hooks_wanted)
missing=$(comm -23 <(LC_ALL=C sort -u <<<"$needed") <(exported "$shim"))
[ -z "$missing" ] || fail "libswprof.so lacks $missing"
surplus=$(comm -13 <(printf '%s\n' "$needed" "$(hooks)" | LC_ALL=C sort -u) <(exported "$shim"))
[ -z "$surplus" ] || fail "libswprof.so exports $surplus"

# The compiler hides what is internal, not only the version script.
hidden=$($NM "$library" 2>/dev/null | awk '$2 ~ /[TDBRVW]/ && $3 ~ /^sw__/ { print $3 }' |
    grep -v '^sw__inject_' || true)
[ -z "$hidden" ] || fail "internal names with default visibility: $hidden"
