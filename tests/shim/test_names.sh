#!/bin/bash
# Whatever operations are called: each form of export can be parsed by others, which find the names, and is the same in
# every locale. What is no UTF-8 is U+FFFD there; of a very long name the report keeps the beginning.
. "$(dirname "$0")/../contract/common.sh"
skip_when_sanitized
report=$abs_top_srcdir/tests/checked-report
command -v python3 >/dev/null || skip "no python3: the exports were not parsed"

# A locale with another decimal point, where the system can make one.
mkdir "$work/locales"
localedef -i de_DE -f UTF-8 "$work/locales/de_DE.UTF-8" >"$work/log" 2>&1 || echo "no locale de_DE.UTF-8: $(tail -1 "$work/log")"

SWPROF_OUTPUT=$work/report SWPROF_STACK=8 LD_PRELOAD=$shim "$abs_top_builddir/tests/shim/fake_names" ||
    fail "status $? of the program"
for form in chrome chrome-list csv jsonl folded stacks runtime; do
    LC_ALL=C "$report" export $form "$work/report" >"$work/$form" 2>"$work/err" || fail "$form: $(cat "$work/err")"
    LOCPATH=$work/locales LC_ALL=de_DE.UTF-8 "$report" export $form "$work/report" >"$work/german" 2>"$work/err" ||
        fail "$form in German: $(cat "$work/err")"
    cmp "$work/$form" "$work/german" || fail "$form is another in German"
done
PYTHONIOENCODING=utf-8 python3 - "$work" <<'END' || fail 'a name is lost'
import csv, json, os, sys
os.chdir(sys.argv[1])
def text(form):
    return open(form, encoding='utf-8', newline='')
names = ['controls' + ''.join(map(chr, range(1, 32))) + '\x7f', 'c1 \x80 to \x9f', 'quotes "\'`\\ ,;\t{}[]</',
         'no UTF-8 \ufffd\ufffd\ufffd\ufffd\ufffd\ufffd nor \ufffd', 1024 * 'x']
def has_all(found, form):
    # As many U+FFFD as there were bytes or sequences, which Unicode leaves open.
    def squeezed(name):
        while '\ufffd\ufffd' in name:
            name = name.replace('\ufffd\ufffd', '\ufffd')
        return name
    found = set(map(squeezed, found))
    assert found == set(map(squeezed, names)), (form, found ^ set(map(squeezed, names)))
has_all((e['name'] for e in json.load(text('chrome'))['traceEvents'] if e.get('cat') == 'cpu_op'), 'chrome')
has_all((e['name'] for e in json.load(text('chrome-list'))), 'chrome-list')
has_all((row['name'] for row in csv.DictReader(text('csv'))), 'csv')
has_all((json.loads(line)['name'] for line in text('jsonl')), 'jsonl')
has_all((json.loads(line)['op'] for line in text('runtime') if '"operation"' in line), 'runtime')
# Lines of what has no quotes: one per operation, all that a terminal or a parser would act on made visible.
for form in 'folded', 'stacks':
    for line in text(form).read().split('\n')[:-1]:
        frames, weight = line.rsplit(' ', 1)
        assert weight.isdigit() and all(c.isprintable() or c == '\ufffd' for c in frames), (form, line)
assert len(text('folded').read().split('\n')) - 1 == len(names)
END
