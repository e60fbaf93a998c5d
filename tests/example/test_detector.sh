#!/bin/bash
# The speech detector, on weights from a seed, computes what PyTorch does of the
# same network; its failures say what is wrong.
# shellcheck source=tests/example/common.sh
. "$abs_top_srcdir/tests/example/common.sh" || exit 99

[ -x "$detector" ] || skip "$detector is not built"
make_inputs

# The reference has 7 digits. PyTorch's own binary32 is 1e-7 from it, its last line says; ten times that, and what
# rounding to 6 digits in the output takes.
reference=$abs_top_srcdir/tests/example/detector.expected
sed '$d' "$reference" >"$work/expected"
tolerance=$(awk '$1 == "float32" { print 10 * $2 + 0.5e-6 }' "$reference")

for carrier in CPU Generic; do
    "$detector" --carrier $carrier "$work/seeded.weights" "$work/recording.s16" >"$work/$carrier" 2>"$work/err" ||
        fail "$carrier: status $?"
    [ -s "$work/err" ] && fail "$carrier: something was written to stderr"
    probabilities "$work/$carrier" >"$work/came"
    close_to "$work/expected" "$work/came" "$tolerance" || fail "$carrier: the probabilities are not those of PyTorch"
done

# The same samples as floating point.
python - "$work/recording.s16" "$work/recording.f32" <<'END' || exit 99
import array, sys
samples = array.array("h", open(sys.argv[1], "rb").read())
open(sys.argv[2], "wb").write(array.array("f", (s / 32768 for s in samples)).tobytes())
END
"$detector" --format f32 "$work/seeded.weights" "$work/recording.f32" >"$work/f32" || fail "f32: status $?"
cmp "$work/CPU" "$work/f32" || fail "the same samples as f32 give another output"

refused() { # STATUS WORDS ARGUMENT...: so it ends, with one line that has the words
    wanted=$1 words=$2
    shift 2
    "$detector" "$@" >"$work/out" 2>"$work/err"
    status=$?
    [ $status -eq "$wanted" ] || fail "$words: status $status where $wanted was expected"
    grep -q -- "$words" "$work/err" || fail "'$words' expected, not: $(cat "$work/err")"
    [ "$(wc -l <"$work/err")" -eq 1 ] || fail "$words: one line on stderr expected"
}
refused 2 'a recording are wanted' "$work/seeded.weights"
refused 2 '"mp3" is not what' --format mp3 "$work/seeded.weights" "$work/recording.s16"
refused 1 'No such file' "$work/nowhere" "$work/recording.s16"
refused 1 'No such file' "$work/seeded.weights" "$work/nowhere"
refused 1 'no file of named tensors' "$work/recording.s16" "$work/recording.s16"
head -c 100000 "$work/seeded.weights" >"$work/cut"
refused 1 'ends inside of the tensor stft' "$work/cut" "$work/recording.s16"
printf 'named tensors 1\nweight 2 x\n' >"$work/words"
refused 1 'has no list of extents' "$work/words" "$work/recording.s16"
printf 'named tensors 1\nweight 4611686018427387904 4\n' >"$work/vast"
refused 1 'OverflowError' "$work/vast" "$work/recording.s16"
head -c 264244 "$work/seeded.weights" >"$work/few"
refused 1 'there is no tensor encoder' "$work/few" "$work/recording.s16"
sed '2s/256 1 258/258 1 256/' "$work/seeded.weights" >"$work/turned"
refused 1 'another shape' "$work/turned" "$work/recording.s16"
head -c 1000 "$work/recording.s16" >"$work/short"
refused 1 'shorter than a frame' "$work/seeded.weights" "$work/short"

if [ -r "$shim" ] && [ -x "$report" ]; then
    under_shim "$work/report" "$detector" "$work/seeded.weights" "$work/recording.s16" >"$work/shimmed" ||
        fail "under the shim: status $?"
    cmp "$work/CPU" "$work/shimmed" || fail "another output under the shim"
    . "$abs_top_srcdir/tests/configured.sh"
    configured SW_ENABLE_PROFILING &&
        table_names "$work/report" conv_general matmul gather sigmoid tanh relu sqrt permute view
fi
exit "$failed"
