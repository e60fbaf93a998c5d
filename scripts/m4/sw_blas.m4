# SW_BLAS
# -------
# --with-blas: a library with the C interface of BLAS for the large products of
# libstrideweave, which alone is linked with CBLAS_LIBS.
AC_DEFUN([SW_BLAS], [
AC_ARG_WITH([blas],
    [AS_HELP_STRING([--with-blas=LIB], [openblas, blis, atlas, no, or a library's name or linker flags @<:@first found@:>@])],
    [], [with_blas=yes])
sw_blas=no
CBLAS_CFLAGS=
CBLAS_LIBS=
AS_CASE([$with_blas],
    [no],                  [],
    [yes|auto],            [for sw_candidate in openblas blis cblas; do
                                AS_IF([test "$sw_blas" = no], [_SW_TRY_BLAS([$sw_candidate])])
                            done],
    [atlas],               [_SW_TRY_BLAS([blas-atlas])
                            AS_IF([test "$sw_blas" = no], [_SW_TRY_BLAS([cblas])])],
                           [_SW_TRY_BLAS([$with_blas])])
AS_CASE([$with_blas],
    [no|yes|auto],         [],
    [AS_IF([test "$sw_blas" = no],
        [AC_MSG_ERROR([--with-blas=$with_blas: no cblas_sgemm in it; see config.log, or say --with-blas=no])])])
AS_IF([test "$sw_blas" != no], [AC_DEFINE([HAVE_CBLAS], [1], [Define when cblas.h and a library for it are there.])])
AC_SUBST([CBLAS_CFLAGS])
AC_SUBST([CBLAS_LIBS])
])

# _SW_TRY_BLAS(NAME)
# ------------------
# By pkg-config, else as -lNAME, else NAME itself as linker flags.
AC_DEFUN([_SW_TRY_BLAS], [
AS_CASE([$1],
    [-*|/*], [sw_blas_libs="$1"
              sw_blas_cflags=],
    [sw_blas_libs=`$PKG_CONFIG --libs $1 2>/dev/null`
     sw_blas_cflags=`$PKG_CONFIG --cflags $1 2>/dev/null`
     test -n "$sw_blas_libs" || sw_blas_libs="-l$1"])
AC_MSG_CHECKING([for cblas_sgemm in $sw_blas_libs])
sw_saved_CPPFLAGS=$CPPFLAGS
sw_saved_LIBS=$LIBS
CPPFLAGS="$CPPFLAGS $sw_blas_cflags"
LIBS="$sw_blas_libs $LIBS"
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <cblas.h>]],
    [[cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, 0, 0, 0, 0.0f, 0, 1, 0, 1, 0.0f, 0, 1);]])],
    [sw_blas="$1"
     CBLAS_CFLAGS=$sw_blas_cflags
     CBLAS_LIBS=$sw_blas_libs])
CPPFLAGS=$sw_saved_CPPFLAGS
LIBS=$sw_saved_LIBS
AC_MSG_RESULT([$sw_blas])
])
