#!/bin/bash
# The project's own checks hold here, and notice what they are there for.
. "$(dirname "$0")/common.sh"

scripts=$abs_top_srcdir/scripts
"$scripts/check-layers" || fail "layers"
"$scripts/check-style" || fail "style"

# Each time a tree with one fault.
tree=$work/tree
fresh() {
    rm -rf "$tree"
    mkdir -p "$tree"/{lib/{base,op},preload/{shim,report},include/strideweave,tests,doc,scripts}
    printf '/* Good. */\n#include "config.h"\n\n#include "base/alloc.h"\n\nint good;\n' | tee "$tree/lib/op/good.c" \
        >"$tree/preload/shim/good.c"
    printf '/* Good. */\n#include <strideweave/export.h>\n' >"$tree/include/strideweave/good.h"
}

notices() { # SCRIPT WORDS: it fails and says so
    if said=$("$scripts/$1" "$tree"); then fail "$1 does not notice: $2"; fi
    grep -q -- "$2" <<<"$said" || fail "$1 does not say '$2' but: $said"
}

fresh
"$scripts/check-layers" "$tree" || fail "a good tree is refused"
"$scripts/check-style" "$tree" || fail "a good tree is refused"

echo '#include "op/good.h"' >>"$tree/lib/base/bad.c"
notices check-layers 'lib/base may not include from op'
fresh
echo '#include "op/good.h"' >>"$tree/preload/shim/bad.c"
notices check-layers 'preload/shim may not include from op'
fresh
echo '#include "good.h"' >>"$tree/lib/op/good.c"
notices check-layers 'say "room/good.h"'
fresh
echo '#include "base/alloc.h"' >>"$tree/include/strideweave/good.h"
notices check-layers 'a public header includes'
fresh
mkdir "$tree/lib/new"
cp "$tree/lib/op/good.c" "$tree/lib/new"
notices check-layers 'has no rule'

fault() { # TEXT WORDS: a line in the library that check-style notices
    fresh
    printf '%b\n' "$1" >>"$tree/lib/op/good.c"
    notices check-style "$2"
}
fault '\tint tab;' 'no tabs'
fault "/* $(echo TO)DO later */" 'finish it'
fault '    if (x) abort();' 'do not end the program'
fault '    printf("%d", 1);' 'do not print'
fault '    fprintf(stderr, "x");' 'do not print'
fault '    getenv("HOME");' 'the environment is read in'
fault "$(yes 'int x;' | head -n 500)" 'over 500 lines'
fresh
sed -i 1d "$tree/lib/op/good.c"
notices check-style 'say what the file is for'
fresh
printf '%s\n' '/* abort() and' ' * printf() in words */' 'char *text = "exit(1)"; snprintf(text, 1, "");' >>"$tree/lib/op/good.c"
"$scripts/check-style" "$tree" || fail "words in comments and strings are no calls"
