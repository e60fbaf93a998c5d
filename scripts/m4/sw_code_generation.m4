# SW_CODE_GENERATION
# ------------------
# SW_CODE_CFLAGS, for every C file: what the code's meaning depends on.
#   -ffp-contract=off   results do not depend on whether the machine fuses
#   -fexceptions        cleanups run for C++ exceptions and cancelled threads
#   -fvisibility=hidden only what a public header annotates is exported
#
# SW_KERNEL_CFLAGS, for the kernels only: what -O3 adds for loops over arrays.
# -O3 itself would be overruled by the -O of the user's CFLAGS, which come last
# on the command line; single flags are not, and at -O0 they do nothing, so a
# debugging build stays one. errno and floating-point traps are no results:
# nothing here changes a value.
#
# SW_SHIM_LDFLAGS, for the object that every program of a command may load, used
# or not: fewer mappings, and fewer pages that loading touches. LDFLAGS come last,
# so that who wants the loader to protect them (-z relro) has his way.
AC_DEFUN([SW_CODE_GENERATION], [
SW_CODE_CFLAGS="-std=gnu11 -ffp-contract=off -fexceptions -fvisibility=hidden"
AC_SUBST([SW_CODE_CFLAGS])

SW_KERNEL_CFLAGS="-fno-math-errno -fno-trapping-math"
for sw_flag in -ftree-vectorize -fvect-cost-model=dynamic -funswitch-loops -fpeel-loops -fsplit-loops \
               -fpredictive-commoning -fversion-loops-for-strides -floop-interchange -floop-unroll-and-jam; do
    _SW_CHECK_CFLAG([$sw_flag], [SW_KERNEL_CFLAGS="$SW_KERNEL_CFLAGS $sw_flag"])
done
AC_SUBST([SW_KERNEL_CFLAGS])
_SW_X86_LEVELS

SW_SHIM_LDFLAGS=
for sw_flag in -Wl,-z,noseparate-code -Wl,-z,norelro; do
    _SW_CHECK_LDFLAG([$sw_flag], [SW_SHIM_LDFLAGS="$SW_SHIM_LDFLAGS $sw_flag"])
done
AC_SUBST([SW_SHIM_LDFLAGS])
])

# _SW_X86_LEVELS
# --------------
# SW_AVX2_CFLAGS and SW_AVX512_CFLAGS: what the kernels are compiled with once
# more each, for processors that have it, and HAVE_X86_LEVELS. The compiler has to
# know how to ask the processor, too.
AC_DEFUN([_SW_X86_LEVELS], [
SW_AVX2_CFLAGS="-mavx2 -DSW__COMPILED_FOR_AVX2"
SW_AVX512_CFLAGS="-mavx512f -mavx512dq -mavx512bw -mavx512vl -mprefer-vector-width=512 -DSW__COMPILED_FOR_AVX512"
AC_CACHE_CHECK([whether $CC builds for levels of x86], [sw_cv_x86_levels], [
    sw_saved_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS -Werror $SW_AVX2_CFLAGS $SW_AVX512_CFLAGS"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <immintrin.h>
        __m512d twice(__m512d x) { return _mm512_add_pd(x, x); }]],
        [[__builtin_cpu_init(); return __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx2");]])],
        [sw_cv_x86_levels=yes], [sw_cv_x86_levels=no])
    CFLAGS=$sw_saved_CFLAGS
])
AS_VAR_IF([sw_cv_x86_levels], [yes],
    [AC_DEFINE([HAVE_X86_LEVELS], [1], [Define when kernels are compiled for levels of x86, too.])])
AM_CONDITIONAL([X86_LEVELS], [test $sw_cv_x86_levels = yes])
AC_SUBST([SW_AVX2_CFLAGS])
AC_SUBST([SW_AVX512_CFLAGS])
])

# _SW_CHECK_CFLAG(FLAG, IF-ACCEPTED)
# ----------------------------------
# Clang warns of flags it ignores, hence -Werror.
AC_DEFUN([_SW_CHECK_CFLAG], [
AS_VAR_PUSHDEF([sw_cached], [sw_cv_cflag_$1])
AC_CACHE_CHECK([whether $CC accepts $1], [sw_cached], [
    sw_saved_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS -Werror $1"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])], [AS_VAR_SET([sw_cached], [yes])], [AS_VAR_SET([sw_cached], [no])])
    CFLAGS=$sw_saved_CFLAGS
])
AS_VAR_IF([sw_cached], [yes], [$2])
AS_VAR_POPDEF([sw_cached])
])

# _SW_CHECK_LDFLAG(FLAG, IF-ACCEPTED)
# -----------------------------------
AC_DEFUN([_SW_CHECK_LDFLAG], [
AS_VAR_PUSHDEF([sw_cached], [sw_cv_ldflag_$1])
AC_CACHE_CHECK([whether the linker accepts $1], [sw_cached], [
    sw_saved_LDFLAGS=$LDFLAGS
    LDFLAGS="$LDFLAGS $1"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])], [AS_VAR_SET([sw_cached], [yes])], [AS_VAR_SET([sw_cached], [no])])
    LDFLAGS=$sw_saved_LDFLAGS
])
AS_VAR_IF([sw_cached], [yes], [$2])
AS_VAR_POPDEF([sw_cached])
])
