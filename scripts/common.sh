# Shared by the scripts of this folder, which source it. Progress goes to stderr;
# nothing but a script's result is written to stdout.

top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)

# libtool runs in this shell for every file; configure's own choice, bash, takes half as long again for it.
CONFIG_SHELL=${CONFIG_SHELL:-/bin/sh}
export CONFIG_SHELL

say() {
    printf '%s\n' "$*" >&2
}

jobs() {
    nproc 2>/dev/null || echo 2
}

# configure_in DIR ARGUMENTS...: configure in build/DIR, unless it was done with these arguments already.
configure_in() {
    build=$top/build/$1
    shift
    mkdir -p "$build" || return
    wanted=$(printf '%s\n' "$@")
    if [ -f "$build/config.status" ] && [ -f "$build/Makefile" ] &&
        [ ! "$top/configure" -nt "$build/config.status" ] &&
        [ "$wanted" = "$(cat "$build/configure-arguments" 2>/dev/null)" ]; then
        return 0
    fi
    say "configuring in ${build#"$top"/}"
    (cd "$build" && "$top/configure" "$@") || return
    printf '%s\n' "$wanted" >"$build/configure-arguments"
}

# quietly LOG COMMAND...: run with all output in LOG; on failure show its end.
quietly() {
    log=$1
    shift
    "$@" >"$log" 2>&1 </dev/null && return 0
    status=$?
    say "failed: $*"
    say "the end of $log:"
    tail -n 40 "$log" >&2
    return $status
}

# For scripts whose last line on stdout is 'N passed, N failed'.
n_passed=0
n_failed=0

# The last line, and the end.
verdict() {
    echo "$n_passed passed, $n_failed failed"
    [ $n_failed -eq 0 ]
    exit
}

# ready COMMAND...: it has to succeed; else that is what failed.
ready() {
    "$@" && return 0
    n_failed=$((n_failed + 1))
    verdict
}

count() { # LABEL LOG: a figure of the summaries that make check printed, summed
    awk -v label="# $1:" 'index($0, label) == 1 { n += $3 } END { print n + 0 }' "$2"
}

# step NAME COMMAND...: run it with its output in a log in $logs, and count what it says.
step() {
    name=$1
    log=$logs/$name.log
    shift
    say "== $name"
    begin=$(date +%s)
    "$@" >"$log" 2>&1 </dev/null
    status=$?
    passed=$(count PASS "$log")
    failed=$(($(count FAIL "$log") + $(count ERROR "$log") + $(count XPASS "$log")))
    skipped=$(count SKIP "$log")
    n_passed=$((n_passed + passed))
    n_failed=$((n_failed + failed))
    say "   $(($(date +%s) - begin)) s; $passed passed, $failed failed, $skipped skipped"
    [ $status -ne 0 ] || return 0
    [ $failed -gt 0 ] || n_failed=$((n_failed + 1))
    grep -E '^(FAIL|ERROR|XPASS):? ' "$log" | sort -u >&2
    [ $failed -gt 0 ] || tail -n 40 "$log" >&2
    say "   failed; everything it said is in ${log#"$top"/}"
    return 1
}
