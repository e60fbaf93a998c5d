#!/bin/bash
# Host ranges that are not compiled in leave nothing behind: no scope in the
# library, no call of one in any object; and the same headers and exports.
. "$(dirname "$0")/common.sh"

# What test_exports.sh compares with the headers does not depend on how the library was configured.
if grep -rn 'SW_ENABLE_' "$include/strideweave" "$include/swprof"; then
    fail "a public header depends on the configuration"
fi

scopes=$($NM "$library" 2>/dev/null | awk '{ print $NF }' | grep -E '^sw__range_(enter|exit)$' | LC_ALL=C sort -u || true)
callers=$(for object in "$abs_top_builddir"/lib/{op,dispatch}/{.libs,front/.libs}/*.o; do
    [ -f "$object" ] || continue
    ! $NM -u "$object" | grep -q ' sw__range_' || basename "$object" .o
done | LC_ALL=C sort -u)
if configured SW_ENABLE_HOST_RANGES; then
    same "the library lacks scopes" "$(printf 'sw__range_enter\nsw__range_exit')" "$scopes"
    for part in front dispatch entry execute elementwise matmul; do
        grep -qx "$part" <<<"$callers" || fail "$part has no range, only: $callers"
    done
else
    [ -z "$scopes" ] || fail "scopes in a library without host ranges: $scopes"
    [ -z "$callers" ] || fail "ranges in a library without host ranges: $callers"
fi
