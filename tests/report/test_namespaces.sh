#!/bin/bash
# A program of another PID namespace: nobody here knows whether it runs, and its report is left alone.
. "${abs_top_srcdir:?}/tests/report/common.sh" || exit 99

caller=$abs_top_builddir/tests/shim/fake_caller
library=$abs_top_builddir/preload/.libs/libswprof.so
if ! unshare --pid --fork true 2>"$folder/err"; then
    echo "no PID namespaces here: $(cat "$folder/err")"
    exit 77
fi

# A namespace with a program that runs until its stdin ends, and says so when it has recorded.
begin() { # REPORT
    mkfifo "$1.ready"
    SWPROF_OUTPUT=$1 LD_PRELOAD=$library unshare --pid --fork --kill-child "$caller" until_killed 100 >"$1.ready" &
    program=$!
    read -r line <"$1.ready"
    [ "$line" = ready ] || fail "the program said '$line'"
}

begin "$folder/live"
expect_status 0 '' "$report" "$folder/live"
expect_text "$folder/out" 'may still run: unknown (another PID namespace)'
expect_text "$folder/out" 'op0'
expect_status 7 'incomplete: the program may still run: unknown (another PID namespace)' "$report" --strict "$folder/live"
expect_status 0 '' "$report" -f json "$folder/live"
expect_text "$folder/out" '"report_state": "unknown"'
mkdir "$folder/listed"
ln "$folder/live" "$folder/listed/live"
expect_status 0 '' "$report" list -d "$folder/listed" -f csv
[ "$(cut -d, -f3 "$folder/out" | tail -n 1)" = unknown ] || fail "the list: $(cat "$folder/out")"
expect_status 2 'stays: its program may still be running in another PID namespace' "$report" rm "$folder/live"
expect_status 0 '' "$report" rm --all -d "$folder/listed"
[ -e "$folder/listed/live" ] || fail 'rm --all removed it'
"$samples" good-plain "$folder/good"
expect_status 2 'stays: its program may still run' "$report" save --force "$folder/good" "$folder/live"

# Another program with the same place does not take it for abandoned.
SWPROF_OUTPUT=$folder/live LD_PRELOAD=$library "$caller" count 7
expect_status 0 '' "$report" "$folder/live"
expect_text "$folder/out" 'another PID namespace'
expect_status 0 '' "$report" "$folder/live.1"
expect_text "$folder/out" '7 events'

# Nor does one whose /proc is of another namespace than itself; what has ended is replaced.
SWPROF_OUTPUT=$folder/live LD_PRELOAD=$library unshare --pid --fork "$caller" count 8
expect_status 0 '' "$report" "$folder/live.1"
expect_text "$folder/out" '8 events'
# One that has ended has ended, wherever it was.
expect_text "$folder/out" 'ended normally'
kill -9 "$program" # unshare heeds no other signal
wait "$program" 2>/dev/null

# In its own namespace a report is running, then killed; where /proc is of another, unknown.
cat >"$folder/inside" <<'END'
SWPROF_OUTPUT=$1 LD_PRELOAD=$2 "$3" until_killed 100 >"$1.ready" &
read -r line <"$1.ready"
"$4" list -d "${1%/*}" -f csv
kill -9 $!
wait $! 2>/dev/null
"$4" list -d "${1%/*}" -f csv
END
for way in '' --mount-proc; do
    mkdir "$folder/own$way"
    mkfifo "$folder/own$way/report.ready"
    # shellcheck disable=SC2086 # no word or one
    unshare --pid --fork $way bash "$folder/inside" "$folder/own$way/report" "$library" "$caller" "$report" \
        >"$folder/states" 2>"$folder/err" || fail "$way: $(cat "$folder/err")"
    states=$(sed -n '/^fake_caller/p' "$folder/states" | cut -d, -f3 | tr '\n' ' ')
    case $way in
    '') [ "$states" = 'unknown unknown ' ] || fail "without its /proc: $states" ;;
    *) [ "$states" = 'recording killed ' ] || fail "with its /proc: $states" ;;
    esac
done
finish
