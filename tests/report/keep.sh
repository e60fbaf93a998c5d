#!/bin/bash
# Write the reports that are kept of this version of the format into a new folder: by hand, before the version changes.
# Usage: keep.sh VERSION FOLDER [NAME], in a build's environment (abs_top_srcdir, abs_top_builddir). What each is stands in
# kept/list. Host and program get neutral names, at the offsets of swprof_report(5).
. "${abs_top_srcdir:?}/tests/report/common.sh" || exit 99
version=${1:?version} target=${2:?folder}
man=$abs_top_srcdir/doc/man/swprof_report.5

field() { # NAME TEXT: of the header of $folder/kept
    local offset bytes
    read -r offset bytes <<<"$(sed -n "s/^\.It \([0-9]*\) Ta \([0-9]*\) Ta $1 Ta.*/\1 \2/p" "$man" | head -n 1)"
    { printf '%s' "$2" && head -c "$bytes" /dev/zero; } | head -c "$bytes" |
        dd of="$folder/kept" bs=1 seek="$offset" conv=notrunc status=none
}

mkdir -p "$target" || exit
# Reports with call stacks name the files of program and shim: neither stays at that place.
home=$(mktemp -d /tmp/kept-XXXXXX) || exit
trap 'rm -rf "$folder" "$home"' EXIT
while read -r name program count _ settings; do
    rm -f "$folder/kept" "$folder/written"
    kind=$(sed -n 's/:.*//p' <<<"$program")
    cp "$abs_top_builddir/preload/.libs/libswprof.so" "$home/libswprof.so" || exit
    cp "$abs_top_builddir/tests/shim/fake_${kind:-caller}" "$home/caller" || exit
    # shellcheck disable=SC2086 # settings are words
    env $settings SWPROF_OUTPUT="$folder/written" LD_PRELOAD="$home/libswprof.so" \
        "$home/caller" "${program##*:}" $count >/dev/null 2>&1
    rm -f "$home/caller"
    "$report" save "$folder/written" "$folder/kept" || fail "no report of $name"
    field program caller
    field host elsewhere
    field executable /usr/bin/caller
    field command_line "caller $name"
    gzip -9nc "$folder/kept" >"$target/$version-$name.swprof.gz"
    kept_shows "$version-$name" "$folder/kept" >"$target/$version-$name.csv" || fail "$name cannot be shown"
done < <(sed -n "s/^$version-//p" "$abs_top_srcdir/tests/report/kept/list" | grep "^${3:-}")
finish
