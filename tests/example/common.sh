# shellcheck shell=bash disable=SC2034,SC2154 # what the tests use; what make exports
# Sourced by the tests of this folder: where the things are, how the shim is
# preloaded, and how a test fails.
set -u
example=$abs_top_builddir/doc/examples/train_fashion_mnist
threads=$abs_top_builddir/tests/example/threads
transformer=$abs_top_builddir/doc/examples/transformer
detector=$abs_top_builddir/doc/examples/detect_speech
shim=$abs_top_builddir/preload/.libs/libswprof.so
report=$abs_top_srcdir/tests/checked-report
data=${FASHION_MNIST:-/usr/share/datasets/fashion-mnist}
failed=0

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

fail() {
    echo "$*"
    failed=1
}

skip() {
    echo "$*"
    exit 77
}

. "${abs_top_srcdir:?}/tests/sanitizer.sh"

# python3, in bytes that are read anew: nothing is written beside a script.
python() {
    PYTHONDONTWRITEBYTECODE=1 python3 "$@"
}

# make_inputs: $work/seeded.weights and $work/recording.s16, which the detector takes.
make_inputs() {
    command -v python3 >/dev/null || skip "no python3: the inputs were not made"
    python "$abs_top_srcdir/tests/example/make_detector.py" weights "$work/seeded.weights" &&
        python "$abs_top_srcdir/tests/example/make_detector.py" recording "$work/recording.s16" || exit 99
}

# close_to EXPECTED CAME TOLERANCE: lists of numbers, one a line, of the same length.
close_to() {
    paste "$1" "$2" | awk -v tolerance="$3" '
        NF != 2 { print "another number of lines"; failed = 1; exit }
        { difference = $1 > $2 ? $1 - $2 : $2 - $1; if (difference > worst) worst = difference }
        END {
            if (failed || NR == 0) exit 1
            printf "%d numbers, at most %.1e from what they should be; %.1e is allowed\n", NR, worst, tolerance
            exit !(worst <= tolerance)
        }'
}

# probabilities OUTPUT: of each frame, as the detector printed them.
probabilities() {
    awk '/^ *[0-9.]+  [0-9.]+$/ { print $2 }' "$1"
}

# table_names REPORT NAME...: the table of the report has a row for each operation.
table_names() {
    "$report" table --strict "$1" >"$work/table" || fail "the table of $1 ended with status $?"
    shift
    for name; do
        grep -Eq " $name +strideweave\.CPU\$" "$work/table" || fail "the table does not name $name: $(cat "$work/table")"
    done
}

# under_shim OUTPUT COMMAND...: the command with the shim, reporting into a file.
under_shim() {
    output=$1
    shift
    LD_PRELOAD=$(preloads "$shim") SWPROF_OUTPUT=$output "$@"
}
