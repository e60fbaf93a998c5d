#!/bin/bash
# list, save, rm, and the choice of the newest report.
. "${abs_top_srcdir:?}/tests/report/common.sh" || exit 99

shm=$folder/shm
mkdir "$shm"
"$samples" unfinished-killed "$shm/swprof-0-old-1-1-1"
touch -d '2020-01-01' "$shm/swprof-0-old-1-1-1"
"$samples" good-plain "$shm/swprof-0-new-1-1-1"
"$samples" unsupported-newer "$shm/swprof-0-future-1-1-1"
touch -d '2019-01-01' "$shm/swprof-0-future-1-1-1"
printf 'hello' >"$shm/swprof-0-text"
touch -d '2030-01-01' "$shm/swprof-0-text"
printf 'hello' >"$shm/other"
ln -s "$shm/swprof-0-new-1-1-1" "$shm/swprof-0-link"

# Every report with its state; links and other files are not looked at.
expect_status 0 '' "$report" list -d "$shm" -f csv
cut -d, -f1,2,3,7-9 "$folder/out" >"$folder/columns"
diff - "$folder/columns" <<'END' || fail 'the list'
program,pid,state,events,summed_operations,lost_events
,,not a report,,,
ops,1,frozen,5,0,0
ops,1,killed,5,0,0
,,newer than this tool,,,
END

# Reports with names of one's own are reports; the list of a folder without any is one, too.
mkdir "$folder/own" "$folder/none"
cp "$shm/swprof-0-new-1-1-1" "$folder/own/mine"
cp "$shm/other" "$folder/own"
ln -s mine "$folder/own/link"
mkfifo "$folder/own/pipe"
expect_status 0 '' timeout 60 "$report" list -d "$folder/own" -f csv
cut -d, -f3,10 "$folder/out" | diff - <(printf 'state,path\nfrozen,%s\n' "$folder/own/mine") || fail 'the list of own names'
expect_status 0 "$folder/own/mine, the newest of 1" "$report" -d "$folder/own"
expect_status 6 "no report of this user in $folder/none" "$report" list -d "$folder/none" -f json
tr -d ' \n' <"$folder/out" >"$folder/flat"
grep -q "^{\"report\":{\"directory\":\"$folder/none\",\"listed\":\"[-0-9T:.]*Z\"},\"rows\":\[\],\"totals\":{\"reports\":0}}$" \
    "$folder/flat" || fail "an empty list is $(cat "$folder/out")"
expect_status 6 '' "$report" list -d "$folder/none" -f csv
[ "$(cat "$folder/out")" = program,pid,state,age_ns,started,disk_bytes,events,summed_operations,lost_events,path ] ||
    fail "an empty list is $(cat "$folder/out")"
expect_status 3 'a symbolic link' "$report" rm "$folder/own/link"
expect_status 0 '' timeout 60 "$report" rm --all -d "$folder/own"
[ "$(ls "$folder/own" | tr '\n' ' ')" = 'link other pipe ' ] || fail "rm --all left $(ls "$folder/own")"

# The newest is chosen, and named.
expect_status 0 "$shm/swprof-0-new-1-1-1, the newest of 4" "$report" -d "$shm"
expect_text "$folder/out" 'ended normally'
# A name without a folder is looked for there too.
expect_status 0 '' "$report" -d "$shm" swprof-0-old-1-1-1
expect_text "$folder/out" 'ended abruptly'

# A copy shows the same, and has no holes.
for name in new old; do
    expect_status 0 '' "$report" save --force -d "$shm" "swprof-0-$name-1-1-1" "$folder/copy"
    [ "$(stat -c %a "$folder/copy")" = 600 ] || fail "others may read the copy: $(stat -c %a "$folder/copy")"
    "$report" "$shm/swprof-0-$name-1-1-1" >"$folder/one"
    "$report" "$folder/copy" >"$folder/two"
    diff "$folder/one" "$folder/two" || fail "the copy of $name differs"
done
expect_status 2 'the file to write is wanted' "$report" save
expect_status 1 'cannot be' "$report" save -d "$shm" swprof-0-new-1-1-1 "$folder/no/where"
expect_status 4 'newer than this tool' "$report" save "$shm/swprof-0-future-1-1-1" "$folder/copy2"
[ ! -e "$folder/copy2" ] || fail 'a refused copy left a file'


# What exists is not overwritten; the operand that is missing is named.
cp "$shm/swprof-0-old-1-1-1" "$folder/mine"
expect_status 2 "save $folder/mine FILE: the operand FILE is missing" "$report" save -d "$shm" "$folder/mine"
cmp "$shm/swprof-0-old-1-1-1" "$folder/mine" || fail 'save overwrote the report it was to copy'
expect_status 2 'FILE is missing' env -C "$folder" "$report" save -d "$shm" swprof-0-old-1-1-1
[ ! -e "$folder/swprof-0-old-1-1-1" ] || fail 'the newest was saved under the name of another'
expect_status 2 'exists; --force replaces it' "$report" save "$shm/swprof-0-new-1-1-1" "$folder/mine"
cmp "$shm/swprof-0-old-1-1-1" "$folder/mine" || fail 'save overwrote a report'
expect_status 2 'is the report to copy' "$report" save --force "$folder/mine" "$folder/mine"
printf 'text' >"$folder/notes"
for force in '' --force; do
    expect_status 2 "$folder/notes: exists and is not a report" "$report" save $force "$folder/mine" "$folder/notes"
    expect_status 2 "$folder/notes: exists and is not a report" "$report" save $force -d "$shm" "$folder/notes"
done
[ "$(cat "$folder/notes")" = text ] || fail 'save overwrote a file that is no report'
expect_status 0 '' "$report" save -d "$shm" "$folder/newest"

# Into a pipe, or behind what is there already: the same report.
"$report" save "$folder/mine" - | cat >"$folder/piped" || fail 'no copy through a pipe'
{ printf 'before' && "$report" save "$folder/mine" -; } >"$folder/behind"
tail -c +7 "$folder/behind" | cmp - "$folder/piped" || fail 'a copy behind something differs'
"$report" -f json "$folder/piped" | sed 's/"path": .*//' >"$folder/one"
"$report" -f json "$folder/mine" | sed 's/"path": .*//' | cmp - "$folder/one" || fail 'the copy through a pipe differs'
expect_status 0 "$shm/swprof-0-new-1-1-1, the newest of" "$report" save -d "$shm" -
cmp "$folder/out" "$folder/newest" || fail 'save - is another copy'
[ ! -e ./- ] || fail 'a file called - was made'

# What is no report is never removed; what still runs neither.
expect_status 3 'not a report' "$report" rm "$shm/other"
[ -e "$shm/other" ] || fail 'a file that is no report was removed'
expect_status 2 'a report is wanted' "$report" rm
before=$(ls "$shm")
expect_status 2 'takes no report' "$report" rm -d "$shm" --all swprof-0-old-1-1-1
expect_status 2 'takes no report' "$report" rm -d "$shm" "$shm/other" --all
[ "$(ls "$shm")" = "$before" ] || fail "rm --all REPORT removed something: $(ls "$shm")"
expect_status 0 '' "$report" rm -d "$shm" swprof-0-old-1-1-1
[ ! -e "$shm/swprof-0-old-1-1-1" ] || fail 'rm leaves the report'
expect_status 0 '' "$report" rm -d "$shm" --all
[ "$(ls "$shm" | tr '\n' ' ')" = 'other swprof-0-link swprof-0-text ' ] || fail "left: $(ls "$shm")"
expect_status 6 'no report of this user' "$report" -d "$shm"
finish
