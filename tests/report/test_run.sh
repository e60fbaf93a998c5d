#!/bin/bash
# swprof-run: the program's own ways stay, and an empty profile is explained.
. "${abs_top_srcdir:?}/tests/report/common.sh" || exit 99

compile() { # NAME FLAGS... < SOURCE
    local name=$1
    shift
    ${CC:-cc} -x c - -o "$folder/$name" "$@" 2>/dev/null
}

# Status and signals are the program's.
for status in 0 1 77 255; do
    expect_status "$status" 'ran no operation of libstrideweave.so' "$run" -- sh -c "exit $status"
done
expect_status 0 'does not use libstrideweave.so' "$run" -- cat
for signal in 6 9 11 15; do
    (ulimit -c 0; "$run" -- sh -c "kill -$signal \$\$") 2>/dev/null
    [ $? -eq $((128 + signal)) ] || fail "a death by signal $signal is not passed on"
done
expect_status 127 'cannot be run: No such file' "$run" -- no-such-program-anywhere
expect_status 127 'cannot be run: No such file' "$run" "$folder/nowhere"
expect_status 126 'cannot be run: Permission denied' "$run" "$folder"
printf 'not a program' >"$folder/text"
expect_status 126 'cannot be run: Permission denied' "$run" "$folder/text"
expect_status 125 'a program to run is wanted' "$run"
expect_status 125 'is no option' "$run" --nonsense true
expect_status 0 '' "$run" --help
expect_status 0 '' "$run" --version

# stdin, stdout and arguments are the program's; options behind it are not ours.
got=$(printf 'in' | "$run" sh -c 'cat; printf " %s" "$@"' name --rm -o x 2>/dev/null)
[ "$got" = 'in --rm -o x' ] || fail "the program got '$got'"

# Options are variables; an LD_PRELOAD of the user's stays, behind.
got=$("$run" --output /x/%p --buffer 1M --carriers Generic --shapes --clock monotonic --signal USR2 --start-off -- sh -c \
    'echo "$SWPROF_OUTPUT $SWPROF_BUFFER $SWPROF_CARRIERS $SWPROF_SHAPES $SWPROF_CLOCK $SWPROF_SIGNAL $SWPROF_START"' \
    2>/dev/null)
[ "$got" = '/x/%p 1M Generic 1 monotonic USR2 off' ] || fail "settings are '$got'"
if [ "${SW_SANITIZERS:-no}" = no ]; then
    got=$(LD_PRELOAD=/other/lib.so "$run" -- sh -c 'echo "$LD_PRELOAD"' 2>/dev/null)
    case $got in
    */libswprof.so:/other/lib.so) ;;
    *) fail "LD_PRELOAD is '$got'" ;;
    esac
fi
got=$("$run" -- sh -c 'ls /proc/self/fd | sort -n | head -n 4 | tr "\n" " "' 2>/dev/null)
[ "$got" = '0 1 2 3 ' ] || fail "the program finds the descriptors $got"

# Values that would not be understood are refused before the program starts.
for size in '' 0 63K 33G 12Q M -1M 1.5M 64MM 99999999999999999999; do
    expect_status 125 "--buffer '$size': expected a size from 64K to 32G" \
        "$run" --buffer "$size" touch "$folder/started"
done
for clock in '' TSC fast; do
    expect_status 125 "--clock '$clock': expected tsc or monotonic" "$run" --clock "$clock" touch "$folder/started"
done
for signal in '' KILL usr2 SIG 12 33 65; do
    expect_status 125 "--signal '$signal': expected USR1, USR2 or HUP" "$run" --signal "$signal" touch "$folder/started"
done
for policy in '' Ring none; do
    expect_status 125 "--full '$policy': expected stop, ring or summary" "$run" --full "$policy" touch "$folder/started"
done
got=$("$run" --full ring -- sh -c 'echo "$SWPROF_FULL"' 2>/dev/null)
[ "$got" = ring ] || fail "SWPROF_FULL is '$got'"
[ ! -e "$folder/started" ] || fail 'a bad value does not keep the program from being started'
for size in 65536 64K 1MiB 32G; do
    expect_status 0 '' "$run" -q --buffer "$size" --clock tsc true
done

# A signal for the recording does not end the program; another one does.
expect_status 3 '' "$run" -q --signal USR1 -- sh -c 'kill -USR1 $$; exit 3'
(ulimit -c 0; "$run" -q --signal USR1 -- sh -c 'kill -USR2 $$; exit 3') 2>/dev/null
[ $? -eq $((128 + 12)) ] || fail '--signal USR1 keeps SIGUSR2 from its work'

# Signals that are sent to swprof-run reach the program.
"$run" -- sh -c 'trap "exit 42" TERM; echo ready >"$0"; while :; do sleep 0.05; done' "$folder/ready" 2>/dev/null &
pid=$!
while [ ! -s "$folder/ready" ]; do :; done
kill -TERM "$pid"
wait "$pid"
[ $? -eq 42 ] || fail 'SIGTERM is not passed on'

# Why there is nothing to see.
if compile static -static <<<'int main(void) { return 3; }'; then
    expect_status 3 'is a static executable' "$run" "$folder/static"
fi
printf '#!/bin/sh\nexec env -u LD_PRELOAD true\n' >"$folder/script"
chmod +x "$folder/script"
expect_status 0 'nothing was recorded' "$run" "$folder/script"
expect_status 0 'nothing was recorded' env -i PATH="$PATH" "$run" -q -- true

# A library of the program's own that is missing is not mistaken for a lost preload.
if compile library.so -shared -fPIC <<<'int answer(void) { return 42; }' &&
    compile needy "$folder/library.so" <<<'int answer(void); int main(void) { return answer(); }'; then
    expect_status 42 'does not use libstrideweave.so' "$run" "$folder/needy"
    mv "$folder/library.so" "$folder/gone.so"
    expect_status 127 'a shared library that it needs is missing' "$run" "$folder/needy"
fi

# A program with operations: what it says, what is shown, what is left.
library=$abs_top_builddir/lib/.libs
if [ "${SW_SANITIZERS:-no}" = no ] && grep -q '^#define SW_ENABLE_PROFILING 1' "$abs_top_builddir/config.h" &&
    compile ops -I"$abs_top_srcdir/include" -L"$library" -Wl,-rpath,"$library" -lstrideweave <<'END'
#include <stdio.h>
#include <strideweave/strideweave.h>
/* Seven operations, then a word, then nothing until the input ends. */
int main(void)
{
    struct sw_tree *shape;
    struct sw_tensor *tensor, *next;
    if (sw_tree_parse("(2,3)", &shape) != SW_OK ||
        sw_tensor_arange(sw_generic_class(), SW_FLOAT32, shape, &tensor) != SW_OK)
        return 1;
    for (int i = 0; i < 7; i++) {
        if (sw_neg(tensor, &next) != SW_OK)
            return 1;
        sw_tensor_unref(tensor);
        tensor = next;
    }
    puts("done");
    fflush(stdout);
    while (getchar() != EOF)
        continue;
    return 5;
}
END
then
    expect_status 5 '7 events of 1 thread; none lost' "$run" --output "$folder/kept" --shapes -g -- "$folder/ops"
    expect_text "$folder/err" 'neg   strideweave.Generic  ((2, 3),)'
    expect_text "$folder/err" "swprof-run: report of the program: $folder/kept"
    [ "$(cat "$folder/out")" = done ] || fail "the program's output is '$(cat "$folder/out")'"
    expect_status 0 '' "$report" "$folder/kept"
    expect_text "$folder/out" 'ended normally'
    expect_status 5 '' "$run" --output "$folder/gone" --rm -o "$folder/table" "$folder/ops"
    expect_text "$folder/table" '7 events of 1 thread'
    [ ! -e "$folder/gone" ] || fail '--rm leaves the report'
    [ ! -s "$folder/err" ] || fail "words beside the table: $(cat "$folder/err")"
    # Where its report is, is the program's word: what is no report, or another process's, stays with --rm.
    if compile liar -I"$abs_top_srcdir/include" <<'END'
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <swprof/launch.h>
int main(int n, char **paths)
{
    struct swprof_launch *launch = mmap(NULL, SWPROF_LAUNCH_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
                                        atoi(getenv(SWPROF_LAUNCH_VARIABLE)), 0);
    for (int i = 1; i < n; i++) {
        strcpy(launch->slots[launch->n_slots].report, paths[i]);
        launch->slots[launch->n_slots].flags = SWPROF_LAUNCH_RECORDED;
        launch->slots[launch->n_slots++].pid = i == 1 ? getpid() : 1;
    }
    launch->n_recorded = (unsigned)n - 1;
    return 0;
}
END
    then
        printf 'mine' >"$folder/victim"
        "$samples" good-plain "$folder/foreign-report"
        expect_status 0 'not a report' "$run" -q --rm "$folder/liar" "$folder/victim" "$folder/foreign-report"
        [ "$(cat "$folder/victim")" = mine ] || fail 'swprof-run removed a file at the word of the program'
        [ -e "$folder/foreign-report" ] || fail 'swprof-run removed the report of another process'
    fi
    expect_status 0 'only child processes of the program recorded (1)' "$run" --output "$folder/child" --rm -- \
        sh -c "'$folder/ops'; exit 0"
    expect_text "$folder/err" '7 events of 1 thread'
    expect_status 5 'SWPROF_CARRIERS=Nope selected none of the operations; carriers seen: strideweave.Generic' \
        "$run" --carriers Nope --output "$folder/gone" --rm "$folder/ops"
    expect_text "$folder/err" 'outside selected operations'
    expect_status 5 'never called swprof_enable()' "$run" --start-off "$folder/ops"
    expect_status 5 'could not be created: No such file' "$run" --output "$folder/no/where" "$folder/ops"

    # While it runs, and after it was killed.
    mkfifo "$folder/input"
    "$run" -q --output "$folder/live" sh -c 'echo $$ >"$0"; exec "$1"' "$folder/pid" "$folder/ops" \
        <"$folder/input" >"$folder/words" 2>/dev/null &
    pid=$!
    exec 9>"$folder/input"
    while [ ! -s "$folder/words" ]; do :; done
    expect_status 0 '' "$report" "$folder/live"
    expect_text "$folder/out" 'still running'
    expect_text "$folder/out" '7 events of 1 thread; none lost'
    expect_status 2 'stays: its program is still running' "$report" rm "$folder/live"
    expect_status 0 '' "$report" save "$folder/live" "$folder/copy"
    kill -KILL "$(cat "$folder/pid")"
    wait "$pid" 2>/dev/null
    [ $? -eq 137 ] || fail 'a killed program is not passed on'
    exec 9>&-
    expect_status 0 '' "$report" "$folder/live"
    expect_text "$folder/out" 'ended abruptly'
    expect_text "$folder/out" '7 events of 1 thread; none lost'
    expect_status 0 '' "$report" "$folder/copy"
    expect_text "$folder/out" '7 events of 1 thread; none lost'
    # Followed by its process, which has no report yet; the end of the program is the end of the following.
    mkdir "$folder/reports"
    mkfifo "$folder/start"
    rm -f "$folder/pid"
    "$run" -q --output "$folder/reports/" sh -c 'echo $$ >"$0"; read -r word <"$2"; exec "$1"' "$folder/pid" \
        "$folder/ops" "$folder/start" <"$folder/input" >"$folder/words2" 2>/dev/null &
    pid=$!
    exec 9>"$folder/input"
    while [ ! -s "$folder/pid" ]; do :; done
    timeout 120 "$report" --follow --interval 0.05 --pid "$(cat "$folder/pid")" -d "$folder/reports" \
        >"$folder/followed" 2>"$folder/err" 9>&- & # without the end of the input that keeps the program
    follower=$!
    echo go >"$folder/start"
    while ! grep -qs 'still running' "$folder/followed"; do kill -0 $follower || break; done
    exec 9>&-
    wait $follower || fail "following a process: status $? ($(cat "$folder/err"))"
    expect_text "$folder/followed" 'ended normally'
    expect_text "$folder/followed" '7 events of 1 thread; none lost'
    wait "$pid"
fi

# A folder that LD_PRELOAD cannot express.
mkdir -p "$folder/a b:c/.libs"
cp "$(readlink -f "$run")" "$folder/a b:c/swprof-run" 2>/dev/null
: >"$folder/a b:c/.libs/libswprof.so"
if [ "$(head -c 2 "$folder/a b:c/swprof-run")" != '#!' ]; then
    expect_status 125 'cannot be preloaded: install it elsewhere' "$folder/a b:c/swprof-run" true
fi
finish
