#!/bin/bash
# Where the output goes and what may go wrong there; exports that other programs parse.
. "${abs_top_srcdir:?}/tests/report/common.sh" || exit 99

for kind in good-plain good-wild-names good-many unfinished-killed; do
    "$samples" "$kind" "$folder/${kind#*-}"
done

# No byte that a terminal would act on, and no line too many.
"$report" "$folder/wild-names" >"$folder/out"
LC_ALL=C grep -q "$(printf '[\001-\011\013-\037\177]')" "$folder/out" && fail 'a control character in the text'
[ "$(grep -c strideweave "$folder/out")" -eq 13 ] || fail 'rows are not lines'
expect_text "$folder/out" 'session: 1 tab\there 10.0 us' # the label of the only round
"$report" --style spec "$folder/wild-names" >"$folder/out" 2>/dev/null
LC_ALL=C grep -q "$(printf '[\001-\011\013-\037\177]')" "$folder/out" && fail 'a control character in the table'

# Names fit the screen.
COLUMNS=80 "$report" "$folder/plain" >"$folder/out"
[ "$(wc -L <"$folder/out")" -le 80 ] || fail 'wider than the screen'

# A file appears whole or not at all.
"$report" "$folder/plain" -o "$folder/table.txt" || fail 'no table in a file'
"$report" "$folder/plain" | diff - "$folder/table.txt" || fail 'the file differs from the output'
expect_status 1 'No space left' "$report" "$folder/plain" -o /dev/full
expect_status 1 'cannot be created' "$report" "$folder/plain" -o "$folder/no/such/folder"
mkdir "$folder/kept"
printf 'old' >"$folder/kept/file"
"$samples" bad-cut-short "$folder/cut"
"$report" -o "$folder/kept/file" "$folder/cut" 2>/dev/null
[ "$(cat "$folder/kept/file")" = old ] || fail 'a failing command touched the file'
[ "$(ls "$folder/kept")" = file ] || fail 'a temporary file was left'
"$report" "$folder/plain" >/dev/full 2>"$folder/err"
[ $? -eq 1 ] || fail 'a full disk is not noticed'
expect_text "$folder/err" 'No space left'

# Links stay links and are written through; what is no file is written to.
printf 'old' >"$folder/kept/target"
ln -s target "$folder/kept/link"
ln -s link "$folder/kept/second"
"$report" "$folder/plain" -o "$folder/kept/second" || fail 'no output through links'
cmp "$folder/table.txt" "$folder/kept/target" || fail 'the target of the link is not the table'
[ "$(readlink "$folder/kept/second") $(readlink "$folder/kept/link")" = 'link target' ] || fail 'a link was replaced'
[ "$(ls "$folder/kept" | tr '\n' ' ')" = 'file link second target ' ] || fail "left: $(ls "$folder/kept")"
ln -s nowhere "$folder/kept/dangling"
expect_status 1 'dangling: cannot be followed: No such file' "$report" "$folder/plain" -o "$folder/kept/dangling"
"$report" "$folder/plain" -o - | cmp - "$folder/table.txt" || fail '-o - is not the standard output'
[ ! -e ./- ] || fail 'a file called - was made'
ln -s /dev/stdout "$folder/stdout"
"$report" "$folder/plain" -o "$folder/stdout" | cmp - "$folder/table.txt" || fail 'nothing through a link to a pipe'
{ echo first && "$report" "$folder/plain" -o "$folder/stdout" && echo last; } >"$folder/all"
{ echo first && cat "$folder/table.txt" && echo last; } | cmp - "$folder/all" || fail 'the standard output was replaced'
[ -L "$folder/stdout" ] || fail 'the link to the standard output was replaced'
mkfifo "$folder/pipe"
expect_status 1 'a pipe that nobody reads' timeout 20 "$report" "$folder/plain" -o "$folder/pipe"
cat "$folder/pipe" >"$folder/piped" &
exec 8>"$folder/pipe" # open once the reader is there
"$report" "$folder/plain" -o "$folder/pipe" || fail 'no output into a pipe'
exec 8>&-
wait $!
cmp "$folder/piped" "$folder/table.txt" || fail 'the pipe got something else'
[ -p "$folder/pipe" ] || fail 'the pipe was replaced'

# A reader that goes away is no error worth a word.
"$report" events "$folder/many" 2>"$folder/err" | head -n 1 >/dev/null
[ ! -s "$folder/err" ] || fail "a broken pipe is talked about: $(cat "$folder/err")"
(trap '' PIPE; "$report" events "$folder/many" 2>"$folder/err") | head -n 1 >/dev/null
[ ! -s "$folder/err" ] || fail "a broken pipe is talked about: $(cat "$folder/err")"

# The same command twice, in whatever locale: the same bytes.
for format in text csv json; do
    "$report" -f $format "$folder/many" >"$folder/one"
    LC_ALL=de_DE.UTF-8 "$report" -f $format "$folder/many" >"$folder/two"
    cmp "$folder/one" "$folder/two" || fail "$format is not the same twice"
done

# Parsed by others, names come back as they were (what was no UTF-8 as U+FFFD).
if command -v python3 >/dev/null; then
    "$report" -f json "$folder/wild-names" >"$folder/json"
    "$report" -f csv "$folder/wild-names" >"$folder/csv"
    "$report" events -f json "$folder/killed" >"$folder/events.json"
    PYTHONIOENCODING=utf-8 python3 - "$folder" <<'END' || fail 'an export is not what it should be'
import csv, json, sys
folder = sys.argv[1]
expected = {'esc\x1b[31mred', 'line\nbreak', 'quote"d', 'comma,name', "=cmd|' /C calc'!A0", 'back\\slash',
            'latin\ufffd', 'over\ufffd\ufffdslash', 'right\u202eleft', 'emoji \U0001F600', 'bell\x07', '</script>', 'semi;colon'}
table = json.load(open(folder + '/json', encoding='utf-8'))
assert {row['name'] for row in table['rows']} == expected
assert table['report']['report_state'] == 'frozen' and table['report']['started'] == '2023-11-14T22:13:20.123Z'
assert table['totals'] == {'calls': 13, 'failures': 0, 'self_ns': 650, 'threads': 1, 'threads_alive_ns': 10000,
                           'outside_ns': 9350}
rows = list(csv.DictReader(open(folder + '/csv', encoding='utf-8', newline='')))
assert {row['name'] for row in rows} == expected
assert all(row['self_ns'] == '50' and row['report_state'] == 'frozen' for row in rows)
events = json.load(open(folder + '/events.json', encoding='utf-8'))
assert [row['state'] for row in events['rows']] == ['ok'] * 4 + ['open'] * 2 + ['ok', 'failed']
assert events['rows'][6]['parent_id'] == 5 and events['rows'][6]['input_shapes'] is None
END
fi
finish
