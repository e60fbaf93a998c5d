#!/bin/bash
# A set-uid program: the shim, linked to it, is inert. No variable has a meaning, no file and no word comes of it.
. "$(dirname "$0")/common.sh"
skip_when_sanitized
skip_without_profiling
[ "$(id -u)" = 0 ] || skip "only root can make a program of another user"
command -v setpriv >/dev/null || skip "no setpriv"

# Where anybody may look, and nobody has mounted nosuid.
open=$(mktemp -d)
trap 'rm -rf "$work" "$open"' EXIT
mkdir "$open/reports"
chmod 755 "$open"
chmod 1777 "$open/reports"
cp -L "$library" "$open/libstrideweave.so.0"
cp -L "$shim" "$open/libswprof.so.0"
cat >"$work/ops.c" <<'END'
#include <stdio.h>
#include <strideweave/strideweave.h>
#include <sys/auxv.h>
int main(void)
{
    struct sw_tree *shape;
    struct sw_tensor *tensor, *negative;
    if (sw_tree_parse("(2,3)", &shape) != SW_OK ||
        sw_tensor_arange(sw_generic_class(), SW_FLOAT32, shape, &tensor) != SW_OK ||
        sw_neg(tensor, &negative) != SW_OK)
        return 1;
    printf("%d\n", getauxval(AT_SECURE) != 0);
    return 0;
}
END
$CC -I"$include" "$work/ops.c" -o "$open/ops" -Wl,--no-as-needed "$open/libswprof.so.0" "$open/libstrideweave.so.0" \
    -Wl,-rpath,"$open" || fail "the program is not built"

run_as_nobody() {
    setpriv --reuid=65534 --regid=65534 --clear-groups env SWPROF_OUTPUT="$open/reports/" SWPROF_VERBOSE=1 \
        "$open/ops" 2>"$work/words"
}

before=$(ls /dev/shm)
[ "$(run_as_nobody)" = 0 ] || fail "the plain program does not run"
[ "$(find "$open/reports" -type f | wc -l)" = 1 ] || fail "linked to a program, the shim records nothing: the test is void"
rm -f "$open/reports"/*
chmod u+s "$open/ops"
[ "$(run_as_nobody)" = 1 ] || skip "set-uid has no effect here"
[ ! -s "$work/words" ] || fail "words in a set-uid program: $(cat "$work/words")"
[ -z "$(ls "$open/reports")" ] || fail "a report of a set-uid program at the caller's place"
[ "$(ls /dev/shm)" = "$before" ] || fail "a report of a set-uid program in shared memory"
