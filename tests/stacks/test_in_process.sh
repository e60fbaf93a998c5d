#!/bin/bash
# Call stacks that a program asks of the Profiler itself: names from symbol
# tables, whatever was taken out of its file, and never those of another file.
. "${abs_top_srcdir:?}/tests/report/common.sh" || exit 99
. "$abs_top_srcdir/tests/configured.sh"
skip_without_profiling
configured HAVE_LIBUNWIND || { echo 'built without libunwind'; exit 77; }
[ "$(uname -m)" = x86_64 ] || { echo 'call stacks are recorded on x86-64'; exit 77; }
[ "${SW_SANITIZERS:-no}" = no ] || { echo "programs built here lack the sanitizer's runtime"; exit 77; }
[ -n "${CXX:-}" ] || { echo 'no C++ compiler'; exit 77; }
ldconfig -p 2>/dev/null | grep -q libunwind-x86_64 || { echo 'no libunwind-x86_64.so.8'; exit 77; }
here=$abs_top_srcdir/tests/stacks
libs=$abs_top_builddir/lib/.libs
program=$folder/program

build() { # OUT OPTION...
    local out=$1
    shift
    $CXX "$@" -I"$abs_top_srcdir/include" "$here/in_process.cc" -o "$out" -L"$libs" -Wl,-rpath,"$libs" \
        -lstrideweave || exit 99
}

expect_first() { # WHAT LINE...: the output begins with these lines
    local what=$1 i=0
    shift
    for line in "$@"; do
        i=$((i + 1))
        [ "$(sed -n "${i}p" "$folder/out")" = "$line" ] ||
            fail "$what: line $i is '$(sed -n "${i}p" "$folder/out")', not '$line'"
    done
}

run() { # ARGUMENT...
    "$program" "$@" >"$folder/out" 2>"$folder/err" || fail "the program failed: $(cat "$folder/err")"
}

layer='program: model::Layer<double>::forward(double)'
for options in -O0 '-O2 -fomit-frame-pointer' '-O3 -fno-plt'; do
    # shellcheck disable=SC2086 # a list of words
    build "$program" $options
    run 64
    expect_first "$options" 'state 1' "$layer" 'program: once' 'program: main'
    # The dispatcher and the Profiler are no callers.
    ! grep -q 'libstrideweave\|sw_profiler\|sw_neg' "$folder/out" || fail "frames of the library: $(cat "$folder/out")"
    [ "$(grep -c '^$' "$folder/out")" -eq 3 ] || fail 'not three events'
    [ "$(sed -n '/^$/,$p' "$folder/out" | grep -c 'program: twice')" -eq 3 ] || fail "calls of twice ($options)"
done

# Under the shim its frames are left out, too.
SWPROF_OUTPUT="$folder/report" LD_PRELOAD=$abs_top_builddir/preload/.libs/libswprof.so run 64
expect_first 'under the shim' 'state 1' "$layer" 'program: once' 'program: main'

# No deeper than asked for; the one entry more says so. None when none are asked for.
run 1
expect_first 'depth 1' 'state 1' "$layer" '(deeper than was recorded)' '' "$layer"
run 0
expect_first 'depth 0' 'state 0' '' '' ''

# Another file in the program's place is not asked, whatever symbols it has.
build "$folder/other" -O1 -DANOTHER
cp "$program" "$folder/kept"
run 64 "$folder/other"
grep -q '^program+0x' "$folder/out" || fail 'no addresses of a file that was replaced'
! grep -q 'program: ' "$folder/out" || fail "names of another file: $(cat "$folder/out")"

# Names that are exported, when the symbol table is taken out.
build "$program" -O2 -rdynamic -fvisibility=hidden
strip "$program"
run 64
expect_first stripped 'state 1'
grep -qx 'program: once' "$folder/out" || fail 'no name of an exported function'
grep -q '^program+0x' "$folder/out" || fail 'no address of a function without a name'

# The symbol table in a file of its own, by build id, for the reader.
build "$program" -O2 -Wl,--build-id=sha1
objcopy --only-keep-debug "$program" "$folder/program.debug" && strip "$program" || exit 99
id=$(readelf -n "$program" | sed -n 's/.*Build ID: *//p')
mkdir -p "$folder/debug/.build-id/${id%"${id#??}"}"
rm -f "$folder/report"
SWPROF_STACK=64 SWPROF_OUTPUT="$folder/report" LD_PRELOAD=$abs_top_builddir/preload/.libs/libswprof.so run 0
stacks() {
    "$report" export folded --stacks -m calls "$@" "$folder/report" 2>"$folder/notes"
}
stacks --no-lines | grep -q ';program+0x' || fail 'no addresses without a symbol table'
cp "$folder/program.debug" "$folder/debug/.build-id/${id%"${id#??}"}/${id#??}.debug"
stacks --no-lines --debug-directory "$folder/debug" | grep -qF ";program: main;program: once;$layer;neg 1" ||
    fail "no names from a file of debug information: $(stacks --no-lines --debug-directory "$folder/debug")"

# Without libunwind the Profiler works, and says that there are no stacks.
${CC:-cc} -shared -fPIC "$here/no_unwind.c" -o "$folder/no_unwind.so" || exit 99
cp "$folder/kept" "$program"
LD_PRELOAD=$folder/no_unwind.so run 64
expect_first 'no libunwind' 'state 2' '' '' ''
finish
