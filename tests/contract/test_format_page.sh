#!/bin/bash
# The tables of swprof_report(5) are those of the compiled format: offsets, sizes, and no field left out.
set -eu
page=$abs_top_srcdir/doc/man/swprof_report.5
header=$abs_top_srcdir/include/swprof/format.h
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

{
    echo '#include <stddef.h>'
    echo '#include <swprof/format.h>'
    awk '
        /^\.Ss struct / { name = $3; next }
        /^\.S[sh] / { name = ""; next }
        name != "" && /^\.It [0-9]+ Ta [0-9]+ Ta \(end\) / {
            printf "_Static_assert(sizeof(struct %s) == %d, \"size of %s\");\n", name, $2, name; next }
        name != "" && /^\.It [0-9]+ Ta [0-9]+ Ta / {
            printf "_Static_assert(offsetof(struct %s, %s) == %d, \"offset of %s.%s\");\n", name, $6, $2, name, $6
            if ($4 != 0)
                printf "_Static_assert(sizeof(((struct %s *)0)->%s) == %d, \"size of %s.%s\");\n", name, $6, $4, name, $6
        }' "$page"
} > "$work/page.c"
${CC:-cc} -std=gnu11 -fsyntax-only -I"$abs_top_srcdir/include" "$work/page.c"

# "structure field" lines of both sides.
awk '/^struct swprof_[a-z]+ \{/ { name = $2; next }
     /^\}/ { name = "" }
     name != "" && match($0, /[a-z_]+(\[[A-Z_0-9]*\])?;/) {
         field = substr($0, RSTART, RLENGTH); sub(/[[;].*/, "", field); print name, field }' "$header" |
    sort > "$work/header"
awk '/^\.Ss struct / { name = $3; next } /^\.S[sh] / { name = "" }
     name != "" && /^\.It [0-9]+ Ta [0-9]+ Ta / && $6 != "(end)" { print name, $6 }' "$page" | sort > "$work/page"
diff "$work/header" "$work/page"
test "$(wc -l < "$work/page")" -gt 80

# Kinds of notes, each with what it is.
awk '/^enum swprof_note_kind/ { inside = 1; next } /^\}/ { inside = 0 }
     inside && match($0, /= [0-9]+/) { print substr($0, RSTART + 2, RLENGTH - 2) }' "$header" > "$work/header"
awk '/^Kinds:/ { inside = 1; next } /^\.El/ { inside = 0 } inside && /^\.It [0-9]+ Ta / { print $2 }' "$page" > "$work/page"
diff "$work/header" "$work/page"
test "$(wc -l < "$work/page")" -gt 10
