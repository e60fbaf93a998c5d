#!/bin/bash
# What an interface promises to refuse at compile time is refused, and for that reason.
. "$(dirname "$0")/common.sh"

compile() { # NUMBER
    $CC -std=c11 -fsyntax-only -I"$include" -DMISTAKE="$1" "$abs_top_srcdir/tests/contract/compile_fail.c" 2>&1
}

refused() { # NUMBER WORDS: refused, with a message that matches
    if said=$(LC_ALL=C compile "$1"); then fail "mistake $1 compiles"; fi
    grep -Eq "$2" <<<"$said" || fail "mistake $1 is refused for another reason: $said"
}

compile 0 || fail "the correct program does not compile"
refused 1 'too few arguments'
refused 2 'too many arguments'
refused 3 "no member named .colour."
refused 4 "(no member named|field designator) .colour."
refused 5 'incomplete (definition|type)|undefined type'
refused 6 'incompatible type'
refused 7 'incompatible type'
