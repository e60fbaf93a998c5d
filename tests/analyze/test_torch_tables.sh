#!/bin/bash
# Tables of event lists, byte for byte: what PyTorch 1.13.1 printed of the same
# lists, and what it has no counterpart of. In a locale with a comma, too.
set -eu
print=${abs_top_builddir:?}/tests/analyze/print_tables
cases=${abs_top_srcdir:?}/tests/analyze

n_wrong=0
for locale in C de_DE.UTF-8; do
    for file in torch-1.13 torch-new event-tables; do
        LC_ALL=$locale "$print" <"$cases/$file.txt" | diff -u "$cases/$file.txt" - ||
            { echo "FAILED: $file in locale $locale"; n_wrong=$((n_wrong + 1)); }
    done
done
[ "$(grep -c '^end$' "$cases/torch-1.13.txt")" -ge 50 ] || { echo "FAILED: where are the cases?"; exit 1; }
exit "$n_wrong"
