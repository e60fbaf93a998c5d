# shellcheck shell=bash disable=SC2034 # what the tests use
# Sourced by the tests that run the driver with the shim: the results must be
# those of the plain driver, and the report must hold the very events that the
# library's own Profiler saw.
set -u
: "${abs_top_builddir:?run by make check}" "${abs_top_srcdir:?run by make check}"
driver=$abs_top_builddir/tests/conformance/sw-conformance
report=$abs_top_srcdir/tests/checked-report
cases=$abs_top_srcdir/tests/conformance/tensor-cases.json
failed=0

skip() {
    echo "skipped: $*"
    exit 77
}

fail() {
    echo "FAILED: $*"
    failed=1
}

[ -x "$driver" ] || skip "$driver is not built"
. "${abs_top_srcdir:?}/tests/configured.sh"
skip_without_profiling

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# The events of a report as the driver writes its own: id, parent, state, name, carrier, shapes.
reported_events() { # REPORT
    "$report" events --format csv "$1" >"$work/csv" || return 1
    local fields='^([0-9]+),([0-9]*),([^,]*,){4}([^,]*),([^,]*),strideweave\.([^,]*),[^,]*,("[^"]*"|[^,]*),.*$'
    sed -E "1d; s/$fields/EVENT \\1 \\2 \\4 \\5 \\6 \\7/" "$work/csv" | sed -E '
        s/"//g; s/, /,/g; s/,\)/)/g; y/()/[]/; s/None/null/g'
}

# check_shim COMMAND...: the driver with the shim, however it comes in; SWPROF_OUTPUT is set.
check_shim() {
    "$driver" -v "$cases" >"$work/all.plain"
    SWPROF_OUTPUT=$work/all.report "$@" -v "$cases" >"$work/all.shim" || fail "cases fail with the shim"
    cmp "$work/all.plain" "$work/all.shim" || fail "other verdicts with the shim"
    "$report" table --strict --limit 0 "$work/all.report" || fail "the report of all cases is not whole"

    "$driver" -e -s boundary "$cases" >"$work/traces.plain"
    SWPROF_OUTPUT=$work/traces.report SWPROF_SHAPES=1 "$@" -e -s boundary "$cases" >"$work/traces.shim"
    cmp "$work/traces.plain" "$work/traces.shim" || fail "other traces with the shim"
    grep '^EVENT ' "$work/traces.plain" >"$work/expected" || fail "the driver prints no events"
    reported_events "$work/traces.report" >"$work/came" || fail "the report cannot be read"
    diff "$work/expected" "$work/came" || fail "the report holds other events than the Profiler saw"
}
