#!/bin/bash
# What an interface promises to refuse at compile time is refused, and for that reason.
. "$(dirname "$0")/common.sh"

program=$abs_top_srcdir/tests/contract/compile_fail.c

compile() { # NUMBER
    $CC -std=c11 -fsyntax-only -I"$include" -DMISTAKE="$1" "$program" 2>&1
}

refused() { # NUMBER WORDS: refused, with a message that matches, for the line below the mistake's number
    if said=$(LC_ALL=C compile "$1"); then fail "mistake $1 compiles"; fi
    errors=$(grep -E 'error: ' <<<"$said") || fail "mistake $1 is refused without an error: $said"
    grep -Eq "$2" <<<"$errors" || fail "mistake $1 is refused for another reason: $said"
    line=$(awk -v number="$1" '$2 == "MISTAKE" && $4 == number { print NR + 1 }' "$program")
    if grep -v ":$line:" <<<"$errors"; then fail "mistake $1 is on line $line, but others are refused"; fi
}

compile 0 || fail "the correct program does not compile"
refused 1 'too few arguments'
refused 2 'too many arguments'
refused 3 "no member named .colour."
refused 4 "(no member named|field designator) .colour."
refused 5 'incomplete (definition|type)|undefined type'
refused 6 'incompatible type'
refused 7 'incompatible type'
refused 8 'too few arguments'
refused 9 'too few arguments'
