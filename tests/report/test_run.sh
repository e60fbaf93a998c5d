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
got=$("$run" --output /x/%p --buffer 1M --carriers Generic --shapes --clock monotonic --start-off -- sh -c \
    'echo "$SWPROF_OUTPUT $SWPROF_BUFFER $SWPROF_CARRIERS $SWPROF_SHAPES $SWPROF_CLOCK $SWPROF_START"' 2>/dev/null)
[ "$got" = '/x/%p 1M Generic 1 monotonic off' ] || fail "settings are '$got'"
if [ -z "${SW_SANITIZERS:-}" ]; then
    got=$(LD_PRELOAD=/other/lib.so "$run" -- sh -c 'echo "$LD_PRELOAD"' 2>/dev/null)
    case $got in
    */libswprof.so:/other/lib.so) ;;
    *) fail "LD_PRELOAD is '$got'" ;;
    esac
fi
got=$("$run" -- sh -c 'ls /proc/self/fd | sort -n | head -n 4 | tr "\n" " "' 2>/dev/null)
[ "$got" = '0 1 2 3 ' ] || fail "the program finds the descriptors $got"

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

# A folder that LD_PRELOAD cannot express.
mkdir -p "$folder/a b:c/.libs"
cp "$(readlink -f "$run")" "$folder/a b:c/swprof-run" 2>/dev/null
: >"$folder/a b:c/.libs/libswprof.so"
if [ "$(head -c 2 "$folder/a b:c/swprof-run")" != '#!' ]; then
    expect_status 125 'cannot be preloaded: install it elsewhere' "$folder/a b:c/swprof-run" true
fi
finish
