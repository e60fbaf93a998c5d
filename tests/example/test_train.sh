#!/bin/bash
# The example learns what another implementation of the same network learns,
# and neither its output nor its failures change under the shim.
# shellcheck source=tests/example/common.sh
. "$abs_top_srcdir/tests/example/common.sh" || exit 99

# What tests/example/reference_numpy.py prints (NumPy 1.24):
#     epoch 1: loss 1.1487, test accuracy 69.30 %
#     epoch 2: loss 0.7107, test accuracy 73.12 %
#     epoch 3: loss 0.6144, test accuracy 75.60 %
reference_accuracy=75.60
reference_loss=0.6144

[ -x "$example" ] || skip "$example is not built"
[ -r "$data/train-images-idx3-ubyte.gz" ] || skip "no data set in $data (Debian: dataset-fashion-mnist)"

"$example" --data "$data" >"$work/plain" 2>"$work/plain.err" || fail "the example failed with status $?"
cat "$work/plain" "$work/plain.err"
[ -s "$work/plain.err" ] && fail "something was written to stderr, which is no terminal"

awk -v accuracy=$reference_accuracy -v loss=$reference_loss '
    /^epoch 3:/ { sub(",", "", $4); seen = ($4 - loss) ^ 2 < 0.02 ^ 2 && ($7 - accuracy) ^ 2 < 1.5 ^ 2 }
    END { exit !seen }' "$work/plain" ||
    fail "loss $reference_loss and accuracy $reference_accuracy % were expected after 3 epochs"
grep -qx 'boundaries crossed: [1-9][0-9]*' "$work/plain" || fail "the count of boundaries is missing"

# failure NAME STATUS ARGUMENT...: it fails so, with one sentence on stderr and nothing on stdout.
failure() {
    name=$1 wanted=$2
    shift 2
    "$example" "$@" >"$work/$name.out" 2>"$work/$name.err"
    status=$?
    [ $status -eq "$wanted" ] || fail "$name: status $wanted expected, $status came"
    [ -s "$work/$name.out" ] && fail "$name: something was written to stdout"
    [ "$(wc -l <"$work/$name.err")" -eq 1 ] || fail "$name: one line on stderr expected: $(cat "$work/$name.err")"
    [ -r "$shim" ] || return
    under_shim "$work/$name.swprof" "$example" "$@" >"$work/shim.out" 2>"$work/shim.err"
    [ $? -eq $status ] || fail "$name: another status under the shim"
    cmp "$work/$name.err" "$work/shim.err" || fail "$name: another message under the shim"
}

failure absent 1 --data "$work/nowhere"
mkdir "$work/damaged"
printf 'no idx' | gzip >"$work/damaged/train-images-idx3-ubyte.gz"
failure damaged 1 --data "$work/damaged"
mkdir "$work/cut"
head -c 100000 "$data/train-images-idx3-ubyte.gz" >"$work/cut/train-images-idx3-ubyte.gz"
failure cut 1 --data "$work/cut"
failure carrier 2 --carrier GPU
failure images 2 --images 150
failure argument 2 more
"$example" --help | grep -q -e --carrier || fail "--help does not help"

if [ -r "$shim" ]; then
    under_shim "$work/train.swprof" "$example" --data "$data" >"$work/shimmed" 2>"$work/shimmed.err" ||
        fail "the example failed under the shim with status $?"
    cmp "$work/plain" "$work/shimmed" || fail "another output under the shim"
    [ -s "$work/shimmed.err" ] && fail "something was written to stderr under the shim: $(cat "$work/shimmed.err")"
    # 10000 images in batches of 100, three times: the last step is cut by the end.
    "$abs_top_builddir/preload/swprof-report" table --ranges --format csv "$work/train.swprof" |
        awk -F, '{ times[$10] = $3 } END { exit !(times["ProfilerStep*"] == 300 && times["backward"] == 300 &&
                                                  times["epoch"] == 3 && times["test"] == 3) }' ||
        fail "the report has other steps and ranges than the example"
else
    echo "$shim is not built: nothing was compared under it"
fi
exit "$failed"
