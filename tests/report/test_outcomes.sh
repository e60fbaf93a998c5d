#!/bin/bash
# Each kind of file: one exit status, one sentence.
. "${abs_top_srcdir:?}/tests/report/common.sh" || exit 99

check() { # KIND STATUS WORDS
    "$samples" "$1" "$folder/$1" || fail "no sample $1"
    expect_status "$2" "$3" "$report" table "$folder/$1"
    [ "$2" -eq 0 ] || [ "$(wc -l <"$folder/err")" -eq 1 ] || fail "$1: more than one sentence"
    [ "$2" -eq 0 ] || [ ! -s "$folder/out" ] || fail "$1: output beside the refusal"
}

# The name of a sample begins with what the reader makes of it.
for kind in $("$samples" --list); do
    case $kind in
    good-*)
        check "$kind" 0 ''
        expect_text "$folder/out" 'ended normally'
        ;;
    unfinished-*)
        check "$kind" 0 ''
        grep -q 'ended normally' "$folder/out" && fail "$kind ended normally"
        expect_status 7 'the program' "$report" --strict "$folder/$kind"
        expect_text "$folder/err" 'incomplete: '
        ;;
    unsupported-newer*) check "$kind" 4 'newer than this tool' ;;
    unsupported-*) check "$kind" 3 'not a report' ;;
    bad-*) check "$kind" 5 'damaged' ;;
    *) fail "$kind begins with no outcome" ;;
    esac
done

check unsupported-swapped 3 'other byte order'
check unsupported-newer 4 'newer than this tool: format 2.0'
check unsupported-newer-feature 4 'newer than this tool: uses features 0x4'
check bad-cut-short 5 'damaged: cut short at byte'
check bad-reference 5 'damaged: an event of operation 55'
check bad-huge-count 5 'damaged at byte 4096'
check bad-block-loop 5 'a block without type or size'
check bad-dispatch-number 5 'an operation with an impossible number'
check bad-text-of-64-kib 5 'a text that is longer than any name'
check good-plain 0 ''
: >"$folder/nothing"
expect_status 3 'not a report: too short' "$report" "$folder/nothing"
expect_status 3 'not a regular file' "$report" /dev/zero
expect_status 3 'not a regular file' "$report" "$folder"
expect_status 3 'not a report' "$report" /dev/null
mkfifo "$folder/pipe"
expect_status 3 'not a regular file' timeout 60 "$report" "$folder/pipe"
ln -s loop "$folder/loop"
expect_status 1 'cannot be opened: Too many levels' "$report" "$folder/loop"
expect_status 1 'cannot be opened: No such file' "$report" "$folder/nowhere"
mkdir "$folder/none"
expect_status 6 'no report of this user' "$report" --directory "$folder/none"
expect_status 6 "no report of this user in $folder/none" "$report" list --directory "$folder/none"
[ ! -s "$folder/out" ] || fail 'an empty list is printed'

# Not finished is usable, and says so.
check unfinished-killed 0 ''
expect_text "$folder/out" 'ended abruptly'
expect_text "$folder/out" '2 operations still open'
# A program was seen until the last thing that is known of it: here an operation that ended at 8000 of 1000.
check unfinished-killed-late 0 ''
expect_text "$folder/out" 'seen for 7.00 us'
expect_text "$folder/out" 'of 7.00 us that 1 thread was alive'
check unfinished-other-host 0 ''
expect_text "$folder/out" 'copied from another host'
check good-lost 0 ''
expect_text "$folder/out" 'LOST 9,000 events: the report reached its cap (SWPROF_BUFFER)'
expect_text "$folder/out" 'only the first part of the run was recorded; SWPROF_BUFFER=1M would hold all of it'
# The recorder's own time is told where it is a hundredth of the threads' or more.
check good-recorder-time 0 ''
expect_text "$folder/out" "of that 1.50 us was the recorder's own work; 500 ns more of it lay inside operations"
check good-plain 0 ''
grep -q recorder "$folder/out" && fail 'no time of the recorder is told'
check good-odd-nesting 0 ''
expect_text "$folder/out" 'SUSPECT 1 interval contradicts the nesting'

# --strict makes it a status.
expect_status 0 '' "$report" --strict "$folder/good-plain"
expect_status 7 'incomplete: 9001 events were lost' "$report" --strict "$folder/good-lost"
expect_status 7 'incomplete: the program ended abruptly' "$report" --strict "$folder/unfinished-killed"

expect_status 7 'incomplete: 1 event was lost' "$report" --strict "$folder/good-sums-gaps"
expect_status 7 'incomplete: 137 events were lost; the program ' "$report" --strict "$folder/unfinished-ring-emptying"

# A selection that leaves nothing says so, and what there would be.
expect_status 0 '' "$report" --carrier Nope "$folder/good-plain"
expect_text "$folder/out" "no operation on 'Nope'; carriers seen: strideweave.Generic"
expect_status 0 '' "$report" --carrier Nope,Generic "$folder/good-plain"
expect_text "$folder/out" 'only carrier Nope,Generic'
check good-none-selected 0 ''
expect_text "$folder/out" 'SWPROF_CARRIERS=Nope selected none of the operations; carriers seen: strideweave.Generic'
expect_text "$folder/out" 'outside selected operations'
grep -q 'outside any' "$folder/out" && fail 'what was not recorded is taken for no operation'

# One field has one meaning, by whichever of its names.
for names in 'name' 'carrier carrier_type' 'shapes input_shapes' 'calls count' 'total total_ns total_time_ns' \
    'self self_ns self_total_time_ns' 'mean mean_ns mean_time_ns' 'min min_ns min_time_ns' 'max max_ns max_time_ns'; do
    "$report" -g -s "${names%% *}" "$folder/good-plain" >"$folder/first"
    for name in $names; do
        "$report" -g --sort "$name" "$folder/good-plain" | cmp - "$folder/first" || fail "--sort $name is another order"
    done
done

# Numbers of columns on request order rows by what exports say, whatever else is shown.
gzip -dc "$abs_top_srcdir/tests/report/kept/1.0-threads.swprof.gz" >"$folder/threads" || fail 'no kept report'
for key in self_percent:self_ns p50_ns p95_ns p99_ns flops gflops_per_s allocated_bytes released_bytes net_bytes \
    self_net_bytes failures; do
    for file in good-plain threads; do
        "$report" --sort "${key%:*}" -f json "$folder/$file" | tr '{' '\n' |
            sed -nE "s/.*\"${key#*:}\": ([-0-9.]+|null).*\"name\".*/\1/p" | sed 's/null/-1/' >"$folder/order"
        [ -s "$folder/order" ] || fail "--sort $key does not show it"
        sort -c -g -r "$folder/order" || fail "--sort $key: $(tr '\n' ' ' <"$folder/order")"
    done
done

# Usage.
expect_status 2 '--sort colour: expected a column' "$report" --sort colour "$folder/good-plain"
expect_status 2 '--nonsense is no option' "$report" --nonsense "$folder/good-plain"
expect_status 2 '--limit needs a value' "$report" --limit
expect_status 2 '--sort is no option of list' "$report" list --sort self
expect_status 2 'one report at a time' "$report" "$folder/good-plain" "$folder/good-lost"
expect_status 2 'no such thread' "$report" --thread 4711 "$folder/good-plain"
expect_status 2 'the report has 1' "$report" --session 2 "$folder/good-plain"
expect_status 0 '' "$report" --help
for command in table events list save rm; do
    expect_status 0 '' "$report" "$command" --help
    expect_text "$folder/out" "Usage: swprof-report $command "
    # It has the options that the command takes, and no others.
    sed -n 's/.*--\([a-z-]*\).*/\1/p' "$folder/out" | sort -u >"$folder/told"
    grep -qx force "$folder/told" && [ "$command" != save ] && fail "$command --help has an option of save"
    grep -qx directory "$folder/told" || fail "$command --help has no --directory"
done
[ -z "$("$report" --help | grep -oE '^ +-[A-Za-z],' | sort | uniq -d)" ] || fail 'two options have one letter'
expect_status 2 "was 'table' meant?" "$report" tabel
expect_status 2 "was 'events' meant?" "$report" -d "$folder" evnts
expect_status 2 "was 'rm' meant?" "$report" rn
expect_status 1 'cannot be opened' "$report" nowhere
cp "$folder/good-plain" "$folder/tabel"
expect_status 0 '' "$report" -d "$folder" tabel
expect_status 2 'see swprof-report list --help' "$report" list --sort self
expect_status 2 '--follow draws tables' "$report" --follow -f json "$folder/good-plain"
expect_status 2 '--interval is between the drawings' "$report" --interval 2 "$folder/good-plain"
expect_status 2 'expected seconds' "$report" --follow --interval nan "$folder/good-plain"
expect_status 2 '--pid says already which report' "$report" --pid 7 "$folder/good-plain"
expect_status 6 'no report of process 7 in' "$report" --pid 7 -d "$folder/none"
expect_status 0 "$folder/" "$report" --pid 1 -d "$folder"
expect_status 0 '' "$report" --follow --percentiles "$folder/good-plain"
expect_text "$folder/out" 'P95'
# What has ended is printed once.
expect_status 0 '' "$report" --follow "$folder/good-plain"
"$report" --no-check "$folder/good-plain" | cmp - "$folder/out" || fail 'the last table of --follow is another'

# Nothing of a name acts on the terminal in a sentence either.
expect_status 1 'no\x1b[31m\nwhere' "$report" "$folder/"$'no\e[31m\nwhere'
expect_status 0 '' "$report" --version
finish
