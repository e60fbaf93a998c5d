#!/bin/bash
# Every public header compiles alone, as strict C11 and as C++17, and so does
# every initialiser of an option structure.
. "$(dirname "$0")/common.sh"

compilers() { # FILE-STEM: compile it as C, and as C++ when there is a compiler
    $CC -std=c11 -pedantic -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Werror -fsyntax-only \
        -I"$include" -x c "$1" || fail "C11: $(cat "$1")"
    [ -n "$cxx" ] || return 0
    $cxx -std=c++17 -Wall -Wextra -Wconversion -Wno-missing-field-initializers -Werror -fsyntax-only \
        -I"$include" -x c++ "$1" || fail "C++17: $(cat "$1")"
}

cxx=
# shellcheck disable=SC2086 # a compiler with its flags
if [ -n "$CXX" ] && $CXX --version >/dev/null 2>&1; then cxx=$CXX; else echo "no C++ compiler: C only"; fi

for header in "$include"/strideweave/*.h "$include"/swprof/*.h; do
    name=${header#"$include"/}
    # Twice, so that a missing guard is seen.
    printf '#include <%s>\n#include <%s>\n' "$name" "$name" >"$work/header"
    compilers "$work/header"

    # SW_CPU_OPTIONS_INIT is for struct sw_cpu_options; a parameter is an operation's name.
    {
        printf '#include <%s>\n' "$name"
        sed -n 's/^#define \(SWP*R*O*F*_[A-Z_]*OPTIONS\)_INIT\((*\).*/\1 \2/p' "$header" | while read -r macro parameter; do
            type=$(tr '[:upper:]' '[:lower:]' <<<"$macro")
            printf 'struct %s use_%s(void);\nstruct %s use_%s(void)\n{\n    struct %s options = %s_INIT%s;\n' \
                "$type" "$type" "$type" "$type" "$type" "$macro" "${parameter:+(\"matmul\")}"
            printf '    return options;\n}\n'
        done
    } >"$work/header"
    compilers "$work/header"
done
