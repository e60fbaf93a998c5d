#!/bin/bash
# Reports that earlier versions wrote are read for ever: what each shows is what it showed then, and as many calls as its
# program had by its source. A kept report is called after the version of the format; what each is stands in
# tests/report/kept/list.
. "${abs_top_srcdir:?}/tests/report/common.sh" || exit 99

kept=$abs_top_srcdir/tests/report/kept

# The calls of each operation in the first table; `all`: of all together, with those that were lost.
calls_of() { # CSV
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $0 == "" { exit }
        { gsub(/"[^"]*"/, "") }
        { n[$at["name"]] += $at["calls"]; all += $at["calls"]; lost = $at["lost_events"] }
        END { for (name in n) print name "=" n[name]; print "all=" all + lost }' "$1"
}

n=0
while read -r name _ _ calls _; do
    gunzip -c "$kept/$name.swprof.gz" >"$folder/$name" || fail "$name cannot be unpacked"
    kept_shows "$name" "$folder/$name" >"$folder/csv" 2>"$folder/err" || fail "$name: $(cat "$folder/err")"
    diff "$kept/$name.csv" "$folder/csv" || fail "$name shows something else"
    calls_of "$folder/csv" >"$folder/calls"
    for expected in ${calls//,/ }; do
        grep -qx "$expected" "$folder/calls" || fail "$name: not $expected, but $(tr '\n' ' ' <"$folder/calls")"
    done
    n=$((n + 1))
done < <(grep -v '^#' "$kept/list")
[ "$n" -ge 44 ] || fail "only $n kept reports"
[ "$n" -eq "$(find "$kept" -name '*.gz' | wc -l)" ] || fail 'kept reports that are not listed'
finish
