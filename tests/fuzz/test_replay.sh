#!/bin/bash
# Every fuzz target over its seeds, and over what a damaged disk makes of a good report: cut after each byte, and each
# byte of its header's numbers changed, to a dozen values. SWPROF_ALL_VALUES=1: each byte of the whole header to every
# value (a quarter of an hour), as scripts/fuzz does.
. "${abs_top_srcdir:?}/tests/report/common.sh" || exit 99

fuzz=$abs_top_builddir/tests/fuzz
seeds=$abs_top_srcdir/tests/fuzz/seeds

replay() { # TARGET ARGUMENTS...
    local target=$1
    shift
    "$fuzz/replay_$target" "$@" >"$folder/out" 2>"$folder/err" ||
        fail "$target: status $? ($(tail -n 5 "$folder/err"))"
}

for target in layout names options settings; do
    replay "$target" --cuts --changes 200 "$seeds/$target"/*
done
. "$abs_top_srcdir/tests/configured.sh"
if configured HAVE_JANSSON; then
    replay runtime --cuts --changes 400 "$seeds/runtime"/*
fi
printf '#!/bin/sh -e\n' >"$folder/script"
replay elf --cuts --changes 100 "$folder/script"
head -c 2000 "$(command -v bash)" >"$folder/program"
replay elf --cuts --changes 1000 "$folder/program"
replay elf "$(command -v bash)"

kinds=$("$samples" --list) || fail 'no list of samples'
for kind in $kinds; do
    "$samples" "$kind" "$folder/$kind" || fail "no sample $kind"
done
# shellcheck disable=SC2086 # a list of words
replay report $(for kind in $kinds; do printf '%s ' "$folder/$kind"; done)
for whole in good-plain good-sums-sessions good-ring-sessions good-stacks; do
    if [ -n "${SWPROF_ALL_VALUES:-}" ]; then
        replay report --changes 2168 --all-values "$folder/$whole"
    else
        replay report --changes 320 "$folder/$whole"
    fi
    replay report --cuts "$folder/$whole"
done
finish
