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

# Compiler flags of the sanitizers that the build is instrumented with.
sanitizer_flags() {
    case ${SW_SANITIZERS:-no} in
    no) ;;
    *) printf -- '-fsanitize=%s' "$SW_SANITIZERS" ;;
    esac
}

# What to preload: a sanitizer's runtime wants to be the first library.
preloads() {
    case ${SW_SANITIZERS:-no} in
    *address*) runtime=$(${CC%% *} -print-file-name=libasan.so) ;;
    *thread*) runtime=$(${CC%% *} -print-file-name=libtsan.so) ;;
    *) runtime= ;;
    esac
    case $runtime in
    /*) printf '%s:' "$runtime" ;;
    esac
    printf '%s' "$shim"
}

# under_shim OUTPUT COMMAND...: the command with the shim, reporting into a file.
under_shim() {
    output=$1
    shift
    LD_PRELOAD=$(preloads) SWPROF_OUTPUT=$output "$@"
}
