# shellcheck shell=bash
# What the shell tests of the report's commands share. Sourced.
set -u
report=$abs_top_srcdir/tests/checked-report
run=${SWPROF_RUN:-$abs_top_builddir/preload/swprof-run}
samples=${MAKE_SAMPLES:-$abs_top_builddir/tests/report/make_samples}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset COLUMNS NO_COLOR
export TZ=UTC LC_ALL=C
n_failed=0

fail() {
    printf 'FAILED: %s\n' "$*" >&2
    n_failed=$((n_failed + 1))
}

# expect_status STATUS WORDS COMMAND...: the command ends so, and its stderr has the words.
expect_status() {
    local status=$1 words=$2 got
    shift 2
    "$@" >"$folder/out" 2>"$folder/err" </dev/null
    got=$?
    [ "$got" -eq "$status" ] || fail "status $got instead of $status: $* ($(cat "$folder/err"))"
    case $(cat "$folder/err") in
    *"$words"*) ;;
    *) fail "stderr of $* does not say '$words': $(cat "$folder/err")" ;;
    esac
}

# expect_text FILE WORDS: a file has a line with the words.
expect_text() {
    grep -qF -- "$2" "$1" || fail "no '$2' in: $(cat "$1")"
}

# kept_shows NAME FILE: what is compared of a kept report; of one with thousands of events no single ones.
kept_shows() {
    local percentiles=-p
    case $1 in 1.0-*) percentiles= ;; esac
    "$report" -g $percentiles -f csv "$2" && echo &&
        "$report" -g $percentiles -f csv --session 1 "$2" && echo &&
        case $1 in
        *-full | *-ring*) ;;
        # Stacks of the program's own frames, whose file is gone: addresses, wherever this is run.
        *-stacks) "$report" events --stacks -f csv "$2" 2>/dev/null ;;
        *) "$report" events -f csv "$2" ;;
        esac
}

finish() {
    [ "$n_failed" -eq 0 ] || exit 1
    exit 0
}
