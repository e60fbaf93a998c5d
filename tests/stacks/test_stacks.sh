#!/bin/bash
# Call stacks of real programs: the right functions and lines, whatever the
# compiler made of them, and never a wrong one.
. "${abs_top_srcdir:?}/tests/report/common.sh" || exit 99
. "$abs_top_srcdir/tests/configured.sh"
skip_without_profiling
configured HAVE_LIBUNWIND && configured HAVE_LIBDW || { echo 'built without libunwind or elfutils'; exit 77; }
[ "$(uname -m)" = x86_64 ] || { echo 'call stacks are recorded on x86-64'; exit 77; }
[ "${SW_SANITIZERS:-no}" = no ] || { echo "programs built here lack the sanitizer's runtime"; exit 77; }
here=$abs_top_srcdir/tests/stacks
shim=$abs_top_builddir/preload/.libs/libswprof.so
libs=$abs_top_builddir/lib/.libs
CC=${CC:-cc}
ldconfig -p 2>/dev/null | grep -q libunwind-x86_64 || { echo 'no libunwind-x86_64.so.8'; exit 77; }

build() { # OUT SOURCE OPTION...
    local out=$1 source=$2
    shift 2
    # The sources are named as a user would name them.
    (cd "$here" && $CC "$@" -g -I"$abs_top_srcdir/include" "$source" -o "$out" -L"$libs" -Wl,-rpath,"$libs" -lstrideweave) ||
        exit 99
}

line() { # SOURCE MARK: number of the line that has the mark
    grep -n "LINE $2 " "$here/$1" | cut -d: -f1
}

record() { # DEPTH PROGRAM ARGUMENT...: into $folder/report
    local depth=$1
    shift
    rm -f "$folder"/report*
    SWPROF_STACK=$depth SWPROF_OUTPUT="$folder/report" LD_PRELOAD="$shim" "$@" >"$folder/out" 2>"$folder/err"
}

stacks() { # OPTION...: those of the negations, a line each
    "$report" events --stacks -f csv "$@" "$folder/report" 2>"$folder/notes" | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        $column["name"] == "neg" { print $column["stack"] }'
}

# expect_stack ENTRY...: the innermost entries of the one stack, which stays in $shown: looking names up takes a while.
expect_stack() {
    local expected
    expected=$(IFS=';'; echo "$*")
    shown=$(stacks)
    case $shown in
    "$expected"*) ;;
    *) fail "no stack $expected in: $shown ($(cat "$folder/notes"))" ;;
    esac
}

entry() { # MARK [FUNCTION]: an entry of program.c
    echo "program.c($(line program.c "$1")): ${2:-$1}"
}

for options in -O0 '-O2 -fomit-frame-pointer' '-O3 -fomit-frame-pointer'; do
    # shellcheck disable=SC2086 # a list of words
    build "$folder/program" program.c $options
    record 64 "$folder/program" simple
    expect_stack "$(entry operate)" "$(entry inlined)" "$(entry outer)"
    record 64 "$folder/program" aligned
    expect_stack "$(entry operate)" "$(entry aligned)" 'program.c('
    record 16 "$folder/program" deep
    shown=$(stacks)
    n=$(echo "$shown" | tr ';' '\n' | grep -c recurse)
    [ "$n" -eq 15 ] || fail "$n frames of 16 in a recursion ($options)"
    case $shown in *'(deeper than was recorded)') ;; *) fail "no end of a cut stack" ;; esac
    record 600 "$folder/program" deep
    n=$(stacks | tr ';' '\n' | grep -c ': recurse$')
    [ "$n" -eq 501 ] || fail "$n frames of 501 in a recursion ($options)"
    for where in signal own-stack; do
        record 64 "$folder/program" $where
        expect_stack "$(entry operate)" "$(entry handle)"
        echo "$shown" | tr ';' '\n' | grep -qxF "$(entry interrupted)" || fail "no frame that a signal came to ($options)"
    done
    record 64 "$folder/program" malloc
    expect_stack "$(entry operate)" "$(entry allocate)"
    echo "$shown" | tr ';' '\n' | grep -qxF "$(entry in_malloc)" || fail "no caller of malloc ($options)"
done

# Inlined functions have entries of their own; without stacks nothing is recorded, and that is said.
record 0 "$folder/program" simple
expect_status 2 'SWPROF_STACK=32' "$report" events --stacks "$folder/report"

# A process that is killed, and one that was forked.
record 64 "$folder/program" killed
expect_stack "$(entry operate)" "$(entry inlined)" "$(entry outer)"
mkdir -p "$folder/both"
SWPROF_STACK=64 SWPROF_OUTPUT="$folder/both" LD_PRELOAD="$shim" "$folder/program" fork
for each in "$folder"/both/*; do
    cp "$each" "$folder/report"
    expect_stack "$(entry operate)" "$(entry inlined)" "$(entry outer)"
done

# Two plug-ins, one after the other at one place.
for name in one two; do
    (cd "$here" && $CC -O1 -g -shared -fPIC -DINNER=inner_$name plugin.c -o "$folder/plugin_$name.so") || exit 99
done
record 64 "$folder/program" "$folder/plugin_one.so" "$folder/plugin_two.so" "$folder/plugin_one.so"
[ "$(stacks | grep -oE 'inner_(one|two)' | tr '\n' ' ')" = 'inner_one inner_two inner_one ' ] ||
    fail "frames of plug-ins that took each other's place: $(stacks)"

# What was mapped twice is one file, looked for once.
rm "$folder/plugin_one.so"
stacks >/dev/null
[ "$(grep -c plugin_one "$folder/notes")" -eq 1 ] || fail "one file that is missing: $(cat "$folder/notes")"

# Symbol tables alone: what a reader without elfutils shows. Inlined functions have no entry then.
record 64 "$folder/program" simple
case $(stacks --no-lines) in
'program: operate;program: outer;'*) ;;
*) fail "names without lines: $(stacks --no-lines)" ;;
esac

# A name may be of any length: no more than 16384 bytes of it are shown.
long=$(printf 'x%.0s' {1..20000})
build "$folder/long" program.c -O1 "-Douter=$long"
record 64 "$folder/long" simple
for options in '' --no-lines; do
    # shellcheck disable=SC2086 # none or one
    n=$(stacks $options | grep -oE 'x{1000,}' | tr -d '\n' | wc -c)
    [ "$n" -eq 16384 ] || fail "$n bytes of a long name ($options)"
done

# Names that were taken out, with and without their own file.
cp "$folder/program" "$folder/full"
objcopy --only-keep-debug "$folder/program" "$folder/program.debug" && strip "$folder/program" &&
    (cd "$folder" && objcopy --add-gnu-debuglink=program.debug program) || exit 99
record 64 "$folder/program" simple
expect_stack "$(entry operate)" "$(entry inlined)" "$(entry outer)"
mkdir "$folder/elsewhere" && mv "$folder/program.debug" "$folder/elsewhere"
case $(stacks) in program+0x*\;program+0x*) ;; *) fail "a program without names: $(stacks)" ;; esac
case $(stacks --debug-directory "$folder/elsewhere") in
"$(entry operate);$(entry inlined)"*) ;;
*) fail '--debug-directory finds nothing' ;;
esac

# Another program at its place: never its names.
cp "$folder/full" "$folder/program"
record 64 "$folder/program" simple
build "$folder/other" program.c -O1 -DANOTHER
cp "$folder/other" "$folder/program"
case $(stacks) in program+0x*\;program+0x*) ;; *) fail "names of a program that has changed: $(stacks)" ;; esac
expect_text "$folder/notes" 'another build id'
case $(stacks --no-lines) in program+0x*\;program+0x*) ;; *) fail 'symbols of a program that has changed' ;; esac
expect_text "$folder/notes" 'another build id'
cp "$folder/full" "$folder/program"
expect_stack "$(entry operate)"

# C++.
if [ -n "${CXX:-}" ]; then
    (cd "$here" && $CXX -O1 -g -I"$abs_top_srcdir/include" program.cc -o "$folder/cplusplus" -L"$libs" \
        -Wl,-rpath,"$libs" -lstrideweave) || exit 99
    record 64 "$folder/cplusplus"
    expect_stack "program.cc($(line program.cc forward)): model::Layer<double>::forward(double)"
fi

# Views: rows by the innermost entries, PyTorch's table, and two exports.
record 64 "$folder/program" simple
"$report" --group-by-stack 1 -f csv "$folder/report" 2>/dev/null | grep -qF "$(entry operate)" ||
    fail 'no row by stack'
"$report" --style torch --group-by-stack 2 "$folder/report" 2>/dev/null >"$folder/table"
expect_text "$folder/table" 'Source Location'
expect_text "$folder/table" "$(entry operate)"
"$report" export folded --stacks -m calls "$folder/report" 2>/dev/null |
    grep -qF "$(entry outer);$(entry inlined);$(entry operate);neg 1" || fail 'collapsed stacks'
"$report" export chrome --stacks "$folder/report" 2>/dev/null | grep -qF "\"Call stack\":\"$(entry operate);" ||
    fail 'no call stack in a trace'
"$samples" good-stacks "$folder/made" || exit 99
"$report" export stacks "$folder/made" >"$folder/flame" 2>/dev/null || fail 'export stacks'
grep -qxF 'program+0x10 2' "$folder/flame" || fail 'a stack of one frame'
grep -qE 'program\+0x10;libmodel\.so\+0x20 3$' "$folder/flame" || fail 'outermost first'
expect_status 2 'metric should be one of' "$report" export stacks -m weight "$folder/report"

# Without libunwind there are none, and every view says so.
$CC -shared -fPIC "$here/no_unwind.c" -o "$folder/no_unwind.so" || exit 99
rm -f "$folder/report"
SWPROF_STACK=64 SWPROF_OUTPUT="$folder/report" LD_PRELOAD="$folder/no_unwind.so $shim" "$folder/program" simple ||
    fail 'a program without libunwind'
"$report" "$folder/report" >"$folder/out" 2>&1 || fail 'the table of a report without stacks'
expect_text "$folder/out" 'NO CALL STACKS'
expect_status 2 'found no libunwind' "$report" events --stacks "$folder/report"
finish
