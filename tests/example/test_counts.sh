#!/bin/bash
# As many events are reported as boundaries were crossed: the number that the
# program counts, the events of its report and the calls of its table agree.
# shellcheck source=tests/example/common.sh
. "$abs_top_srcdir/tests/example/common.sh" || exit 99
. "$abs_top_srcdir/tests/configured.sh"
skip_without_profiling

[ -r "$shim" ] || skip "$shim is not built"
[ -x "$report" ] || skip "$report is not built"

# By hand. threads: 9 boundaries per round (add with two broadcasts, permute,
# matmul, view, rearrange, reduce_sum, a refused matmul), 500 rounds, 4 threads.
threads_boundaries=18000
# train: 33 per batch (2 views of rows; 7 of the two layers; 16 of the loss; none
# of the backward pass; 8 of four descents), 300 batches; 10 per 1000
# tested images (view, 7 of the layers, 2 of argmax), 10 times in 3 epochs; 4 of
# the data sets (permute and gather, twice).
train_boundaries=10204
# transformer: 93 per layer (18 of each of two normalisations; 46 of attention: 3 projections of 6, 2 contractions of 7,
# 9 of the softmax, 5 of scaling and the last layer; 9 of the two linear layers; 2 residual sums), 2 layers, and 5 of the
# loss per pass; none of the backward pass; 3 transposed views. 10 passes.
transformer_boundaries=1913
# detector: 19 of the weights (a view and a copy of each kernel, 11 views of the others); 57 per frame (3 to have it, 3 of the transform, 6 of the spectrum, 22 of four convolutions,
# a reshape, 18 of the cell, 4 of the last layer), 125 frames.
detector_boundaries=7144

# compare NAME EXPECTED COMMAND...
compare() {
    name=$1 expected=$2 file=$work/$1.swprof
    shift 2
    under_shim "$file" "$@" >"$work/$name.out" || fail "$name: status $?"
    counted=$(sed -n 's/^boundaries crossed: //p' "$work/$name.out")
    "$report" events --strict --format csv "$file" >"$work/$name.csv" || fail "$name: events ended with status $?"
    "$report" table --strict --format json "$file" >"$work/$name.json" || fail "$name: table ended with status $?"
    events=$(grep -c "^[0-9]" "$work/$name.csv") # ranges and steps have no id
    calls=$(awk '/^    \{/ && match($0, /"calls": [0-9]+/) { sum += substr($0, RSTART + 9, RLENGTH - 9) }
                 END { print sum + 0 }' "$work/$name.json")
    echo "$name: $counted boundaries counted, $events events, $calls calls in the table, $expected expected"
    [ "$counted $events $calls" = "$expected $expected $expected" ] || fail "$name: the numbers differ"
}

compare threads $threads_boundaries "$threads"
if [ -x "$example" ] && [ -r "$data/train-images-idx3-ubyte.gz" ]; then
    compare train $train_boundaries "$example" --data "$data"
else
    echo "train: not compared, the example or its data set is absent"
fi
[ ! -x "$transformer" ] || compare transformer $transformer_boundaries "$transformer" --passes 10
if [ -x "$detector" ] && command -v python3 >/dev/null; then
    make_inputs
    compare detector $detector_boundaries "$detector" "$work/seeded.weights" "$work/recording.s16"
else
    echo "detector: not compared, no python3 to make its inputs"
fi
exit "$failed"
