#!/bin/bash
# Reports that earlier versions wrote are read for ever: what each shows is what it showed then. A kept report is called
# after the version of the format; how it was made stands in tests/report/kept/README.
. "${abs_top_srcdir:?}/tests/report/common.sh" || exit 99

kept=$abs_top_srcdir/tests/report/kept
n=0
for packed in "$kept"/*.swprof.gz; do
    name=$(basename "$packed" .swprof.gz)
    gunzip -c "$packed" >"$folder/$name" || fail "$name cannot be unpacked"
    {
        "$report" -g -f csv "$folder/$name" && echo &&
            "$report" -g -f csv --session 1 "$folder/$name" && echo &&
            case $name in *-full) ;; *) "$report" events -f csv "$folder/$name" ;; esac
    } >"$folder/csv" 2>"$folder/err" || fail "$name: $(cat "$folder/err")"
    diff "$kept/$name.csv" "$folder/csv" || fail "$name shows something else"
    n=$((n + 1))
done
[ "$n" -ge 9 ] || fail "only $n kept reports"
finish
