#!/bin/bash
# The manual pages say what there is: every column of every view with its key, every command, option and function,
# and nothing that there is not.
. "${abs_top_srcdir:?}/tests/contract/common.sh"
pages=$abs_top_srcdir/doc/man
report=$abs_top_srcdir/preload/report
bad=0
wrong() {
    echo "FAILED: $*"
    bad=1
}

# rows DEF...: "NAME KEY" of each row, once; the key only where there is one.
rows() {
    sed -nE 's/^[A-Z_]+\(([A-Z_0-9]+, )?"([^"]*)"(, "([a-z][a-z_0-9]*)")?[,)].*/\2 \4/p' "$@" | sed 's/ $//' | awk '!seen[$0]++'
}

# described PAGE SECTION: the same of a section's list.
described() {
    awk -v wanted=".Ss $2" '
        /^\.S[sh] / { inside = $0 == wanted; next }
        inside && /^\.It Sy "/ {
            line = $0; sub(/^\.It Sy "/, "", line)
            name = line; sub(/".*/, "", name)
            key = ""
            if (match(line, /" Pq Va /)) key = " " substr(line, RSTART + RLENGTH)
            print name key }' "$pages/$1"
}

# expect PAGE SECTION DEF...: every row is described, in the order in which it is shown.
expect() {
    local page=$1 section=$2
    shift 2
    rows "$@" >"$work/rows"
    described "$page" "$section" >"$work/page"
    [ -s "$work/rows" ] || wrong "no rows in $*"
    diff "$work/rows" "$work/page" || wrong "$page, $section: not what $* has"
}

cd "$report"
expect swprof-report-table.1 Columns table_columns.def
expect swprof-report-ranges.1 Columns ranges_columns.def
expect swprof-report-events.1 Columns events_columns.def
expect swprof-report-memory.1 'Columns of classes' memory_columns.def
expect swprof-report-memory.1 'Columns of the timeline' timeline_columns.def
expect swprof-report-memory.1 'Columns of what was left' alive_columns.def
expect swprof-report-diff.1 Columns diff_columns.def
expect swprof-report-diff.1 Verdicts diff_verdict.def
expect swprof-report-check.1 Columns check_columns.def
expect swprof-report-check.1 Rules check_rule.def
expect swprof-report-check.1 'Treatments of overlaps' overlap_mode.def
expect swprof-report-runtime.1 Views runtime_view.def
expect swprof-report-runtime.1 'Columns of operations and edges' runtime_columns.def
expect swprof-report-runtime.1 'Kinds of queries' runtime_query.def
expect swprof-report-runtime.1 'Findings of an audit' runtime_finding.def
expect swprof-report-list.1 Columns list_columns.def
expect swprof-report-list.1 States state.def
expect swprof-report-export.1 Forms export.def

# A view that somebody adds has to be in the list above.
for def in *_columns.def; do
    grep -q "^expect .* $def\$" "$abs_top_srcdir/tests/contract/test_pages.sh" || wrong "$def: in no page"
done

# So has each key of what the heading says, of the reasons of losses too.
for key in $(sed -nE 's/^.*[{(]( |heading, )"([a-z_]+)", .*CELL.*/\2/p' heading.c heading_sessions.c) \
    $(sed -nE 's/^REPORT_LOST\([A-Z]+, "([a-z]+)".*/lost_\1/p' lost.def); do
    grep -qE "^\.It Va (.* )?$key( |\$)" "$pages/swprof-report-table.1" || wrong "the key $key is in no page"
done

# Columns of PyTorch's table, commands and options are in the overview.
overview=$pages/swprof-report.1
rows "$abs_top_srcdir/lib/analyze/event_columns.def" | while read -r title; do
    grep -qF -- "$title" "$overview" || { echo "FAILED: no column '$title' in the overview"; exit 1; }
done || bad=1
for command in $(rows command.def); do
    [ -f "$pages/swprof-report-$command.1" ] || wrong "no page of the command $command"
    grep -qF "swprof\\-report\\-$command" "$overview" || wrong "the overview does not lead to $command"
done
for option in $(sed -nE "s/^REPORT_OPTION\\([^,]*, \"([^\"]*)\".*/\\1/p" option.def); do
    grep -qF -- "\\-\\-${option//-/\\-}" "$overview" || wrong "the option --$option is in no page"
done

# Functions: each has a page of its name, and each name in a page has one.
cd "$pages"
headers=(profiler event_list memory benchmark host_ranges trace_session)
for header in "${headers[@]}"; do
    for function in $(sed -nE 's/^SW_API .*[ *](sw_[a-z0-9_]+)\(.*/\1/p' "$include/strideweave/$header.h"); do
        [ -f "$function.3" ] || wrong "$function of $header.h has no page"
    done
done
for page in *.3; do
    target=$(sed -nE '1s/^\.so man3\///p' "$page")
    if [ -n "$target" ]; then
        [ -f "$target" ] || wrong "$page: leads to $target, which is not there"
        grep -qE "^\.Nm ${page%.3}( ,)?\$" "$target" || wrong "$page: $target does not name it"
    else
        for name in $(awk '/^\.Sh NAME/ { inside = 1; next } /^\.Sh/ { inside = 0 } inside && /^\.Nm/ { print $2 }' "$page"); do
            [ -f "$name.3" ] || wrong "$page names $name, which is no page"
        done
    fi
done

# What pages refer to among themselves is there.
grep -hoE '^\.Xr (sw_|swprof|strideweave|libswprof)[a-zA-Z0-9_-]* [0-9]' ./*.[1-9] | sort -u | while read -r _ name section; do
    [ -f "$name.$section" ] || { echo "FAILED: a page refers to $name($section)"; exit 1; }
done || bad=1

# Every page is installed.
for page in *.[1-9]; do
    grep -qF "doc/man/$page" "$abs_top_srcdir/doc/Makefile.inc" || wrong "$page is not in doc/Makefile.inc"
done
exit $bad
