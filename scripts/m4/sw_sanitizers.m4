# SW_SANITIZERS
# -------------
# --enable-sanitizers=LIST instruments libraries, programs and tests. The flags
# stay out of CFLAGS, so that configure's own programs are not instrumented.
# fuzzer-no-link among them (clang) also builds the fuzz targets for libFuzzer.
AC_DEFUN([SW_SANITIZERS], [
AC_ARG_ENABLE([sanitizers],
    [AS_HELP_STRING([--enable-sanitizers=LIST], [instrument everything: address,undefined or thread])],
    [], [enable_sanitizers=no])
AS_CASE([$enable_sanitizers],
    [yes], [enable_sanitizers=address,undefined])
SW_SANITIZER_FLAGS=
AS_IF([test "x$enable_sanitizers" != xno], [
    SW_SANITIZER_FLAGS="-fsanitize=$enable_sanitizers -fno-omit-frame-pointer"
    AS_CASE([$enable_sanitizers],
        [*undefined*], [SW_SANITIZER_FLAGS="$SW_SANITIZER_FLAGS -fno-sanitize-recover=undefined"])
    AC_MSG_CHECKING([whether $CC can link with $SW_SANITIZER_FLAGS])
    sw_saved_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS $SW_SANITIZER_FLAGS"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
        [AC_MSG_RESULT([yes])],
        [AC_MSG_RESULT([no])
         AC_MSG_ERROR([$CC cannot build with the sanitizers '$enable_sanitizers'])])
    CFLAGS=$sw_saved_CFLAGS
])
AC_SUBST([SW_SANITIZER_FLAGS])
AC_SUBST([SW_SANITIZERS], [$enable_sanitizers])
AM_CONDITIONAL([SANITIZED], [test "x$enable_sanitizers" != xno])
AS_CASE([$enable_sanitizers], [*fuzzer-no-link*], [sw_fuzzing=yes], [sw_fuzzing=no])
AM_CONDITIONAL([FUZZING], [test $sw_fuzzing = yes])
])
