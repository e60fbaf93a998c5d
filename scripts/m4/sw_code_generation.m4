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
AC_DEFUN([SW_CODE_GENERATION], [
SW_CODE_CFLAGS="-std=gnu11 -ffp-contract=off -fexceptions -fvisibility=hidden"
AC_SUBST([SW_CODE_CFLAGS])

SW_KERNEL_CFLAGS="-fno-math-errno -fno-trapping-math"
for sw_flag in -ftree-vectorize -fvect-cost-model=dynamic -funswitch-loops -fpeel-loops -fsplit-loops \
               -fpredictive-commoning -fversion-loops-for-strides -floop-interchange -floop-unroll-and-jam; do
    _SW_CHECK_CFLAG([$sw_flag], [SW_KERNEL_CFLAGS="$SW_KERNEL_CFLAGS $sw_flag"])
done
AC_SUBST([SW_KERNEL_CFLAGS])
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
