#!/bin/bash
# configure --disable-profiling: no part of the library calls a hook or looks
# at what tools want. The table and the weak hooks themselves stay: they are the
# library's ABI.
. "$(dirname "$0")/common.sh"

# Objects that refer to the hook table, or to a hook.
callers=$(for object in "$abs_top_builddir"/lib/*/{.libs,front/.libs,kernels/.libs,grads/.libs}/*.o; do
    [ -f "$object" ] || continue
    ! $NM -u "$object" | grep -Eq ' (sw__hooks|sw_hooks_wanted|sw_hook_(compute|range|storage|session|control).*)$' ||
        basename "$object" .o | sed 's/^lib[a-z0-9]*_la-//'
done | LC_ALL=C sort -u)
if configured SW_ENABLE_PROFILING; then
    # The test sees what it looks for.
    for part in execute profiler control defaults hooks; do
        grep -qx "$part" <<<"$callers" || fail "$part calls no hook, only: $callers"
    done
    exit 0
fi
same "somebody calls hooks in a library that has none to call" "$(printf 'defaults\nhooks')" "$callers"
# Of those two one is the table, the other says where it is: neither has code that reads it.
for part in defaults hooks; do
    object=$abs_top_builddir/lib/$(if [ $part = hooks ]; then echo base; else echo profiler; fi)/.libs/$part.o
    ! readelf -rW "$object" | awk '/^Relocation section/ { code = /\.rela?\.text/ } code' |
        grep -Eq ' (sw__hooks|sw_hooks_wanted)( |$)' || fail "code in $part.o reads the hook table"
done
