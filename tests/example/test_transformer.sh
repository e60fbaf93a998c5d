#!/bin/bash
# The transformer computes what PyTorch's own does, forward and backward, and
# the same under the shim, whose table names its operations.
# shellcheck source=tests/example/common.sh
. "$abs_top_srcdir/tests/example/common.sh" || exit 99

expected=$abs_top_srcdir/tests/example/transformer.expected

# compare OUTPUT: with what reference_torch.py printed, which is exact to 8 digits. Another order of the same sums in
# binary32 moves an element by a part of the root mean square of its tensor; as much as PyTorch's own binary32 is moved
# (the line "float32"), times ten because what is compared is the worst of 400 elements, is allowed.
compare() {
    awk '
        FNR == 1 { file++ }
        file == 1 && $1 == "float32" { tolerance = 10 * $2 }
        file == 1 && $1 != "float32" { for (i = 2; i <= NF; i++) should[$1, i] = $i; n_should[$1] = NF }
        file == 2 && $1 == "loss" { $3 = $2 }
        file == 2 && $1 in n_should {
            seen++
            if (NF + 1 != n_should[$1]) { print $1 ": another number of figures"; failed = 1; next }
            rms = should[$1, 3] / sqrt(should[$1, 2])
            for (i = 2; i <= NF; i++) {
                difference = $i - should[$1, i + 1]
                if (difference < 0) difference = -difference
                difference /= i == 2 ? should[$1, 3] : rms
                if (difference > worst) worst = difference
                if (difference > tolerance) { print $1 ": " $i " where " should[$1, i + 1] " should be"; failed = 1 }
            }
        }
        END {
            for (name in n_should) wanted++
            printf "%d of %d tensors, at most %.1e from what they should be; %.1e is allowed\n", seen, wanted, worst, tolerance
            exit failed || wanted == 0 || seen != wanted
        }' "$expected" "$1"
}

[ -x "$transformer" ] || skip "$transformer is not built"

for carrier in CPU Generic; do
    "$transformer" --samples 16 --carrier $carrier >"$work/$carrier" 2>"$work/err" || fail "$carrier: status $?"
    compare "$work/$carrier" || fail "$carrier: the figures are not those of PyTorch"
    [ -s "$work/err" ] && fail "$carrier: something was written to stderr"
done
"$transformer" --seed 2 --samples 16 >"$work/other" || fail "another seed: status $?"
compare "$work/other" >/dev/null && fail "another seed gives the same figures"

"$transformer" --passes 2 --samples 16 >"$work/again" || fail "a second pass: status $?"
cmp <(grep -v boundaries "$work/CPU") <(grep -v boundaries "$work/again") || fail "a second pass gives other figures"

refused() { # ARGUMENT...: status 2 and a line on stderr
    "$transformer" "$@" >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] || fail "$*: another status than 2"
    [ -s "$work/out" ] && fail "$*: something was written to stdout"
    [ "$(wc -l <"$work/err")" -eq 1 ] || fail "$*: one line on stderr expected"
}
refused --seed x
refused --samples 65
refused --passes 0
refused --carrier GPU
refused more

if [ -r "$shim" ] && [ -x "$report" ]; then
    under_shim "$work/report" "$transformer" --samples 16 >"$work/shimmed" || fail "under the shim: status $?"
    cmp "$work/CPU" "$work/shimmed" || fail "another output under the shim"
    . "$abs_top_srcdir/tests/configured.sh"
    configured SW_ENABLE_PROFILING &&
        table_names "$work/report" matmul gelu exp rsqrt div reduce_max reduce_sum elementwise_mul rearrange view
fi
exit "$failed"
