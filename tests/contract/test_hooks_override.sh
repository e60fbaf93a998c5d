#!/bin/bash
# A preloaded tool gets every call however library and program were built: the
# library is made again with each linker and with the flags that are known to
# bind symbols early, and run by programs that link or open it in several ways.
. "$(dirname "$0")/common.sh"
skip_when_sanitized
skip_without_profiling

source_of_program=$abs_top_srcdir/tests/contract/hooked_program.c
build_toy_tool "$work/libtool.so"

# The library is linked again from the archive of its objects, asked for every
# public symbol. For a variant, those around the hooks are compiled anew and come
# before the archive, whose own are then not needed.
archive=$abs_top_builddir/lib/.libs/libcore.a
exported "$library" | sed 's/^/-Wl,-u,/' >"$work/wanted"
mapfile -t hook_sources < <(cd "$abs_top_srcdir" && grep -lE 'sw_hook_|sw__hook' lib/*/*.c |
    while read -r source; do [ ! -e "$abs_top_builddir/${source%.c}.lo" ] || echo "$source"; done)
[ ${#hook_sources[@]} -gt 1 ] || fail "no sources with hooks found"

# The list that keeps hooks open, as the library has it. mold misreads it.
list_for() { # LINKER
    [ "$1" = mold ] || echo "-Wl,--dynamic-list=$abs_top_srcdir/lib/hooks.list"
}

# relink OUTPUT COMPILER LINKER FLAGS...: the shared library out of $recompiled and the archive.
relink() {
    local output=$1 compiler=$2 linker=$3
    shift 3
    # shellcheck disable=SC2086 # lists of flags
    $compiler -shared -o "$output" "${recompiled[@]}" "@$work/wanted" "$archive" -fuse-ld="$linker" "$@" \
        -Wl,-soname,libstrideweave.so.0 -Wl,--version-script="$abs_top_srcdir/lib/libstrideweave.map" \
        $(list_for "$linker") -Wl,-z,nodelete ${CBLAS_LIBS-} -lm >"$work/log" 2>&1
}

# recompile COMPILER FLAGS...: fill $recompiled.
recompile() {
    local compiler=$1 source object
    shift
    recompiled=()
    for source in "${hook_sources[@]}"; do
        object=$work/$(tr '/' '-' <<<"${source%.c}").o
        $compiler -std=gnu11 -fPIC -fexceptions -fvisibility=hidden "$@" -I"$abs_top_builddir" -I"$include" \
            -I"$abs_top_srcdir/lib" -c -o "$object" "$abs_top_srcdir/$source" || return
        recompiled+=("$object")
    done
}

# counted WHAT COMMAND...: the tool, in the process by $preload, saw what the program counted.
counted() {
    local what=$1 output
    shift
    output=$(LD_PRELOAD=$preload "$@" 2>"$work/said") || fail "$what: $* failed: $(cat "$work/said")"
    [ "$output" -ge 3 ] || fail "$what: $output boundaries"
    grep -qx "count_calls: $output calls, 0 failed" "$work/said" ||
        fail "$what: of $output calls the tool says '$(cat "$work/said")'"
}

# try_library WHAT: the library in $work/lib is hooked by programs of all kinds.
try_library() {
    local pie
    preload=$work/libtool.so
    for pie in -pie -no-pie; do
        $CC -std=gnu11 $pie -I"$include" -o "$work/program" "$source_of_program" "$work/lib/libstrideweave.so.0" \
            -Wl,-rpath,"$work/lib"
        counted "$1, program $pie" "$work/program"
    done
    $CC -std=gnu11 -I"$include" -DBY_DLOPEN='"libstrideweave.so.0"' -o "$work/program" "$source_of_program" \
        -Wl,-rpath,"$work/lib" -ldl
    counted "$1, opened RTLD_LOCAL" "$work/program"
    echo "hooked: $1"
    tried=$((tried + 1))
}

# try_variant COMPILER LINKER FLAGS...: one more library, if there is such a linker.
try_variant() {
    local compiler=$1 linker=$2 what="$*"
    shift 2
    if ! relink "$work/lib/libstrideweave.so.0" "$compiler" "$linker" "$@"; then
        command -v "ld.$linker" >/dev/null && fail "cannot link with $what: $(cat "$work/log")"
        echo "no linker $linker"
        return 0
    fi
    try_library "$what"
}

tried=0
mkdir -p "$work/lib"
recompiled=()
for linker in bfd gold lld mold; do
    try_variant "$CC" $linker -Wl,-O1
done
for linker in bfd gold lld; do
    try_variant "$CC" $linker -Wl,-Bsymbolic-functions
done
# Where a flag is missing here, the linker obeys it over the list of hooks, and configure refuses it.
for linker in bfd gold; do
    try_variant "$CC" $linker -Wl,-Bsymbolic
done

for compiler in gcc clang; do
    command -v $compiler >/dev/null || { echo "no compiler $compiler"; continue; }
    linker=bfd
    if [ $compiler = clang ]; then linker=lld; fi
    for flags in "-O0" "-O3 -fno-semantic-interposition" "-O3 -flto -fno-semantic-interposition"; do
        # shellcheck disable=SC2086 # a list of flags
        recompile $compiler $flags || fail "cannot compile with $compiler $flags"
        # shellcheck disable=SC2086
        try_variant $compiler $linker $flags -Wl,-Bsymbolic-functions
    done
done
[ $tried -gt 0 ] || fail "no variant was tried"

# A tool may also be linked instead of preloaded. Before the library it is
# called; after it, only when it is preloaded as well.
cp "$library" "$work/lib/libstrideweave.so.0"
for order in "libtool.so lib/libstrideweave.so.0" "lib/libstrideweave.so.0 libtool.so"; do
    # shellcheck disable=SC2086 # a list of files
    (cd "$work" && $CC -std=gnu11 -I"$include" -o program "$source_of_program" -Wl,--no-as-needed $order \
        -Wl,-rpath,"$work/lib:$work")
    preload=$work/libtool.so
    counted "linked as $order and preloaded" "$work/program"
    [[ $order == libtool* ]] || continue
    preload=
    counted "linked as $order" "$work/program"
done
"$work/program" >"$work/output" 2>"$work/said"
grep -qx 'count_calls: 0 calls, 0 failed' "$work/said" || fail "a tool linked after the library: $(cat "$work/said")"
