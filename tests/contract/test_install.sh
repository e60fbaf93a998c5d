#!/bin/bash
# `make install` puts everything where a packager and pkg-config expect it.
. "$(dirname "$0")/common.sh"

unset MAKEFLAGS MFLAGS MAKELEVEL
root=$work/root
$MAKE -C "$abs_top_builddir" install DESTDIR="$root" >"$work/log" 2>&1 || { tail -n 20 "$work/log"; fail "make install"; }

value() { # VARIABLE: as configured
    $MAKE -s -C "$abs_top_builddir" -f - show <<<"include Makefile"$'\n'"show:"$'\n\t'"@echo \$($1)"
}
bindir=$root$(value bindir)
libdir=$root$(value libdir)
includedir=$root$(value includedir)
mandir=$root$(value mandir)
docdir=$root$(value docdir)

internal=$(sed -n '/^noinst_HEADERS/,$ s|^[[:space:]]*include/\([^ ]*\).*|./\1|p' "$include/Makefile.inc")
[ -n "$internal" ] || fail "no header is said not to be installed"
same "installed headers are not those of include/" \
    "$(cd "$include" && find . -name '*.h' -o -name '*.def' | grep -vxF "$internal" | LC_ALL=C sort)" \
    "$(cd "$includedir" && find . -type f | LC_ALL=C sort)"
for file in "$bindir"/swprof-{report,run} "$libdir"/lib{strideweave,swprof}.so "$libdir"/pkgconfig/{strideweave,swprof}.pc \
    "$mandir"/man1/swprof-{report,run}.1 "$mandir"/man5/swprof_report.5 "$mandir"/man3/sw_{event_list,profiler}.3 "$mandir"/man7/{libswprof,strideweave}.7 \
    "$docdir"/examples/{Makefile,count_calls.c,onnx_tensors.py} "$docdir"/examples.md; do
    [ -s "$file" ] || fail "not installed: ${file#"$root"}"
done
[ -z "$(find "$root" -name 'libcore*' -o -name 'librecord*' -o -name 'libreport*')" ] || fail "internal libraries installed"

skip_when_sanitized
command -v "$PKG_CONFIG" >/dev/null || skip "no pkg-config: the program was not built"
export PKG_CONFIG_PATH=$libdir/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root LD_LIBRARY_PATH=$libdir

run_with() { # MODULE OUTPUT: build with its flags, expect the output
    flags=$($PKG_CONFIG --cflags --libs "$1")
    # shellcheck disable=SC2086 # a list of flags
    $CC -o "$work/program" "$abs_top_srcdir/tests/contract/installed_program.c" $flags || fail "$1: $flags"
    same "a program built with '$flags'" "$2" "$("$work/program")"
}
version=$($PKG_CONFIG --modversion strideweave)
run_with strideweave "$version 0"
if configured SW_ENABLE_PROFILING; then
    run_with swprof "$version 1"
    same "with 'swprof' the shim comes first" "libswprof.so.0 libstrideweave.so.0" \
        "$(readelf -dW "$work/program" | sed -n 's/.*(NEEDED).*\[\(libs[tw].*\)\]/\1/p' | tr '\n' ' ' | sed 's/ $//')"
fi

# The examples build where they are copied to, with what their Makefile asks pkg-config for.
cp -R "$docdir/examples" "$work/examples"
programs='count_calls.so detect_speech transformer'
! configured HAVE_ZLIB || programs="$programs train_fashion_mnist"
# shellcheck disable=SC2086 # a list of targets
$MAKE -C "$work/examples" CC="$CC" CFLAGS='-O1 -Wall -Wextra -Werror' PKG_CONFIG="$PKG_CONFIG" $programs >"$work/log" 2>&1 ||
    { cat "$work/log"; fail "the examples do not build against what is installed"; }
same "what the installed transformer counts" "boundaries crossed: 194" "$("$work/examples/transformer" | tail -n 1)"
