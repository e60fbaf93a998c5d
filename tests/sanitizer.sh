# shellcheck shell=sh
# Sourced by shell tests that compile or preload something in a sanitized build.

# Compiler flags of the sanitizers that the build is instrumented with.
sanitizer_flags() {
    case ${SW_SANITIZERS:-no} in
    no) ;;
    *) printf -- '-fsanitize=%s' "$SW_SANITIZERS" ;;
    esac
}

# preloads LIBRARY: what to preload; a sanitizer's runtime wants to be the first library.
preloads() {
    case ${SW_SANITIZERS:-no} in
    *address*) runtime=$(${CC%% *} -print-file-name=libasan.so) ;;
    *thread*) runtime=$(${CC%% *} -print-file-name=libtsan.so) ;;
    *) runtime= ;;
    esac
    case $runtime in
    /*) printf '%s:' "$runtime" ;;
    esac
    printf '%s' "$1"
}
