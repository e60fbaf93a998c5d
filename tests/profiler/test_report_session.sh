#!/bin/bash
# Profilers under a capture: a report's session has what the Profiler has, and the report as a whole counts every
# boundary once.
. "${abs_top_srcdir:?}/tests/report/common.sh" || exit 99
. "$abs_top_srcdir/tests/configured.sh"
. "$abs_top_srcdir/tests/sanitizer.sh"

skip_without_profiling
# What a jump or an exception passes over is not given back.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
program=$abs_top_builddir/tests/profiler/report_session
shim=$abs_top_builddir/preload/.libs/libswprof.so

# record CASE [VARIABLE=VALUE...]: run one test of the program into $folder/CASE; its report is $capture.
record() {
    local case=$1
    shift
    capture=$folder/$case/swprof-0-capture
    mkdir "$folder/$case"
    env "$@" CK_FORK=no CK_VERBOSITY=minimal CK_RUN_CASE="$case" REPORT_SESSION_FOLDER="$folder/$case" \
        SWPROF_OUTPUT="$capture" LD_PRELOAD="$(preloads "$shim")" "$program" >"$folder/out" ||
        fail "the program: $(cat "$folder/out")"
    tables=$folder/$case
}

# rows N: name, carrier and calls of the table that Profiler N printed.
rows() {
    awk 'NR > 2 && NF > 3 { print $1, $2, $3 }' "$tables/table.$1" | sort
}

# shown ARGUMENT...: the same of the report.
shown() {
    "$report" table --format csv "$@" "$capture" | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { print $at["name"], $at["carrier"], $at["calls"] }' | sort
}

same_table() { # PROFILER SESSION
    diff <(rows "$1") <(shown --session "$2") || fail "session $2 differs from Profiler $1 of $capture"
}

calls() { # ARGUMENT...: sum of the calls
    shown "$@" | awk '{ n += $3 } END { print n + 0 }'
}

expect() { # WHAT GOT WANTED
    [ "$2" = "$3" ] || fail "$1: $2 instead of $3"
}

for clock in tsc monotonic; do
    rm -rf "$folder/whole"
    record whole SWPROF_CLOCK=$clock
    "$report" "$capture" >"$folder/heading"
    expect_text "$folder/heading" '3 Profiler sessions: --session 2 (thread '
    expect_text "$folder/heading" ', 4,800 calls), --session 3 (thread '
    expect_text "$folder/heading" ' calls), --session 4 (thread '
    for session in 1 2 3; do
        same_table $session $((session + 1))
    done
    expect 'calls of the first Profiler' "$(calls --session 2)" 4800 # 400 times 12
    expect 'calls of the second' "$(calls --session 3)" 10
    expect 'calls of the third, which selects none' "$(calls --session 4)" 0
    expect 'all calls' "$(calls)" "$(cat "$tables/boundaries")"
    expect 'all calls of the round' "$(calls --session 1)" "$(cat "$tables/boundaries")"
    expect 'events of the list' "$("$report" list -d "$tables" -f csv | cut -d, -f7 | tail -n 1)" \
        "$(cat "$tables/boundaries")"
    "$report" --session 2 "$capture" >"$folder/heading"
    expect_text "$folder/heading" 'only session 2: a Profiler of thread '
    expect_text "$folder/heading" '4,800 events of 1 thread'
    ! grep -q 'in the report' "$folder/heading" || fail "a whole session is said not to be: $(cat "$folder/heading")"
done

# Events and exports say which session they are of.
"$report" events --session 3 -f csv "$capture" >"$folder/csv"
expect 'columns of the events' "$(head -n 1 "$folder/csv" | sed 's/.*lost_events,//')" \
    session,session_kind,session_events
expect 'session of an event' "$(tail -n 1 "$folder/csv" | grep -o '[^,]*,[^,]*,[^,]*$')" 3,profiler,10
expect 'lines of events' "$(wc -l <"$folder/csv")" 11
"$report" --session 3 -f json "$capture" >"$folder/json"
expect_text "$folder/json" '"session_kind": "profiler"'
expect_text "$folder/json" '"session_events": 10'
expect_text "$folder/json" '"profiler_sessions": 3'
expect 'carriers of a selection' "$(shown --session 3 --carrier plugin.Plugin)" ''

# A capture of one carrier holds less than a Profiler has, and says so.
rm -rf "$folder/whole"
record whole SWPROF_CARRIERS=plugin.Plugin
"$report" --session 2 "$capture" >"$folder/heading"
expect_text "$folder/heading" '; 4,000 of its 4,800 events are in the report'

record partial
"$report" "$capture" >"$folder/heading"
expect_text "$folder/heading" 'sessions: 1 '
expect_text "$folder/heading" '4 calls, not all recorded)'
"$report" --session 2 "$capture" >"$folder/heading"
expect_text "$folder/heading" '; 2 of its 4 events are in the report: no round was open during part of it'
"$report" --session 4 "$capture" >"$folder/heading"
expect_text "$folder/heading" '; 0 of its 1 event is in the report: no round was open during part of it'
expect 'all calls but those without a round' "$(calls)" $(($(cat "$tables/boundaries") - 3))

# A Profiler inside of an operation, and one with an operation that was left by a jump.
record inside
same_table 1 2
same_table 2 3
expect 'all calls' "$(calls)" "$(cat "$tables/boundaries")"

# Without an operation nothing is left behind.
record nothing
[ ! -e "$capture" ] || fail 'a report without operations'
finish
