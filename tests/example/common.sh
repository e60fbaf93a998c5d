# shellcheck shell=bash disable=SC2034,SC2154 # what the tests use; what make exports
# Sourced by the tests of this folder: where the things are, how the shim is
# preloaded, and how a test fails.
set -u
example=$abs_top_builddir/doc/examples/train_fashion_mnist
threads=$abs_top_builddir/tests/example/threads
shim=$abs_top_builddir/preload/.libs/libswprof.so
report=$abs_top_builddir/preload/swprof-report
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

# under_shim OUTPUT COMMAND...: the command with the shim, reporting into a file.
under_shim() {
    output=$1
    shift
    LD_PRELOAD=$(preloads "$shim") SWPROF_OUTPUT=$output "$@"
}
