#!/bin/bash
# The shim beside others that are preloaded, in any order, and in a set-uid program; libstrideweave opened and closed
# again and again.
. "$(dirname "$0")/../contract/common.sh"
skip_when_sanitized
skip_without_profiling

chmod 755 "$work"
reports=$work/reports
mkdir "$reports"
chmod 777 "$reports"
export SWPROF_OUTPUT=$reports

# recorded N: exactly one report, with N calls and nothing lost.
recorded() {
    local files=("$reports"/*) said
    [ ${#files[@]} -eq 1 ] && [ -e "${files[0]}" ] || fail "$what: not one report but: ${files[*]}"
    said=$("$abs_top_builddir/preload/swprof-report" --format json "${files[0]}") || fail "$what: no readable report"
    grep -q '"report_state": "frozen"' <<<"$said" || fail "$what: not frozen"
    grep -q '"lost_events": 0,' <<<"$said" || fail "$what: lost events"
    [ "$(sed -n '/"totals"/,$ s/.*"calls": \([0-9]*\),.*/\1/p' <<<"$said")" -eq "$1" ] || fail "$what: not $1 calls: $said"
    rm -f "$reports"/*
}

# Small tools: one that interposes what many do, and the example of the documentation.
$CC -shared -fPIC -std=gnu11 -Wall -Wextra -Werror -o "$work/interposer.so" -xc - <<'END'
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
void *malloc(size_t n) { return __libc_malloc(n + 1); }
void *calloc(size_t n, size_t size) { return __libc_calloc(n + 1, size); }
/* A clock that is set back now and then, as testers of time do. */
int clock_gettime(clockid_t clock, struct timespec *now)
{
    static int (*next)(clockid_t, struct timespec *);
    if (next == NULL)
        next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int status = next(clock, now);
    if (clock == CLOCK_REALTIME)
        now->tv_sec -= 86400;
    return status;
}
END
build_toy_tool "$work/tool.so"
cp "$shim" "$work/copy.so"

program=$abs_top_builddir/tests/shim/fake_caller
for what in "$shim" "$shim $shim" "$shim $work/copy.so" "$work/copy.so $shim" "$work/interposer.so $shim" \
    "$shim $work/interposer.so" "$work/tool.so $shim" "$shim $work/tool.so" "$work/tool.so $shim $work/copy.so"; do
    LD_PRELOAD=$what "$program" threads 250 >"$work/output" 2>"$work/errors" || fail "$what: status $?"
    [ ! -s "$work/output" ] || fail "$what: output"
    grep -v '^count_calls: 1000 calls, 0 failed$' "$work/errors" >"$work/surplus" && fail "$what: $(cat "$work/surplus")"
    recorded 1000
done
for name in libjemalloc.so.2 libtcmalloc_minimal.so.4 faketime/libfaketime.so.1 coreutils/libstdbuf.so; do
    for folder in /usr/lib/x86_64-linux-gnu /usr/lib/aarch64-linux-gnu /usr/lib /usr/libexec; do
        other=$folder/$name
        [ -e "$other" ] || continue
        for what in "$other $shim" "$shim $other"; do
            LD_PRELOAD=$what "$program" threads 250 || fail "$what: status $?"
            recorded 1000
        done
    done
done

# A plug-in brings libstrideweave and takes it away again, out of sight of all others.
sed 's/^int main(void)/int plugin(void)/' "$abs_top_srcdir/tests/contract/hooked_program.c" >"$work/plugin.c"
$CC -shared -fPIC -std=gnu11 -I"$include" -o "$work/plugin.so" "$work/plugin.c" \
    "$library" -Wl,-rpath,"$(dirname "$library")"
$CC -std=gnu11 -Wall -Wextra -Werror -o "$work/host" -xc - <<'END'
#include <dlfcn.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    for (int i = 0; argc == 3 && i < atoi(argv[2]); i++) {
        void *plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        int (*run)(void) = plugin != NULL ? (int (*)(void))dlsym(plugin, "plugin") : NULL;
        if (run == NULL || run() != 0 || dlclose(plugin) != 0)
            return 1;
    }
    return 0;
}
END
what='dlopen and dlclose'
calls=$("$work/host" "$work/plugin.so" 1)
LD_PRELOAD=$shim "$work/host" "$work/plugin.so" 1 >"$work/output" || fail "$what: status $?"
same "$what: output" "$calls" "$(cat "$work/output")"
recorded "$calls"
LD_PRELOAD=$shim "$work/host" "$work/plugin.so" 50 >"$work/output" || fail "$what: status $?"
recorded "$(tail -n 1 "$work/output")"

# Set-uid: linked with the shim, as the loader would not preload it. It stays inert.
$CC -std=gnu11 -I"$include" -o "$work/secure" "$abs_top_srcdir/tests/contract/hooked_program.c" -Wl,--no-as-needed \
    "$shim" "$library" -Wl,-rpath,"$(dirname "$library"):$(dirname "$shim")"
what='the program before it is set-uid'
plain=$("$work/secure")
recorded "$plain"
if [ "$(id -u)" -ne 0 ] || ! command -v setpriv >/dev/null; then
    echo "left out: the set-uid program, which needs root and setpriv"
    exit 0
fi
nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
chmod 4755 "$work/secure"
if ! "${nobody[@]}" "$work/secure" >"$work/output" 2>&1; then
    echo "left out: the set-uid program, which nobody cannot run here: $(cat "$work/output")"
    exit 0
fi
same "set-uid: output" "$plain" "$(cat "$work/output")"
[ -z "$(ls "$reports")" ] || fail "a set-uid program left a report"
! compgen -G '/dev/shm/swprof-0-secure-*' >/dev/null || fail "a set-uid program left a report in the usual place"
