#!/bin/bash
# Storage that waits for its next use is out of bounds for the tools that watch memory, also where the library was not
# built for them: a program that uses what it gave back is told so, and one that goes beyond what it asked for.
. "$(dirname "$0")/common.sh"
skip_when_sanitized

cat >"$work/program.c" <<'END'
#include <stdio.h>
#include <string.h>
#include <strideweave/strideweave.h>

/* Uses storage, gives it back, and uses it again by a new carrier of less; "again": also without one; "beyond": more. */
int main(int argc, char **argv)
{
    const char *fault = argc > 1 ? argv[1] : "";
    struct sw_carrier *carrier;
    for (size_t n = 1 << 18; n > (1 << 18) - 3000; n -= 1000) {
        if (sw_cpu_new(n, NULL, &carrier) != SW_OK)
            return 3;
        float *values = sw_cpu_pointer(carrier);
        memset(values, 1, n * sizeof *values);
        if (strcmp(fault, "beyond") == 0)
            printf("%g\n", (double)values[n]);
        sw_carrier_unref(carrier);
        if (strcmp(fault, "again") == 0)
            printf("%g\n", (double)values[n / 2]);
    }
    printf("%d\n", sw_memory_cached() >= (1 << 18) * sizeof(float));
    return 0;
}
END

build() { # NAME FLAGS...
    name=$1
    shift
    $CC "$@" -g -I"$include" "$work/program.c" -o "$work/$name" "$library" -Wl,-rpath,"$(dirname "$library")" 2>"$work/log"
}

# says TEXT COMMAND...: the command fails and says it.
says() {
    text=$1
    shift
    ! "$@" >"$work/out" 2>"$work/err" || fail "nobody sees it: $*"
    grep -q "$text" "$work/err" || fail "$* does not say \"$text\": $(head -5 "$work/err")"
}

# is_fine COMMAND...: it works, with the cache in use and nothing said.
is_fine() {
    "$@" >"$work/out" 2>"$work/err" || fail "$*: $(head -5 "$work/err")"
    [ "$(cat "$work/out")" = 1 ] || fail "$*: no storage waits"
}

tried=
if build watched -fsanitize=address && "$work/watched" >/dev/null 2>&1; then
    is_fine "$work/watched"
    says use-after-poison "$work/watched" again
    says use-after-poison "$work/watched" beyond
    says heap-use-after-free env SW_STORAGE_CACHE=0 "$work/watched" again
    tried="$tried AddressSanitizer"
fi
build plain || fail "the program is not built: $(cat "$work/log")"
is_fine "$work/plain"
memcheck=(valgrind -q --error-exitcode=9)
if configured HAVE_VALGRIND_MEMCHECK_H && "${memcheck[@]}" true >/dev/null 2>&1; then
    is_fine "${memcheck[@]}" "$work/plain"
    says 'Invalid read' "${memcheck[@]}" "$work/plain" again
    says 'Invalid read' "${memcheck[@]}" "$work/plain" beyond
    tried="$tried memcheck"
fi
[ -n "$tried" ] || skip "neither AddressSanitizer nor memcheck"
echo "tried:$tried"
