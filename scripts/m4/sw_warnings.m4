# SW_WARNINGS
# -----------
# The project's warnings are always on; --enable-werror makes them errors.
# The flags stay out of the user's CFLAGS: SW_WARNING_CFLAGS is for C,
# SW_WARNING_CXXFLAGS for the few C++ tests.
AC_DEFUN([SW_WARNINGS], [
AC_ARG_ENABLE([werror],
    [AS_HELP_STRING([--enable-werror], [make compiler warnings errors])], [], [enable_werror=no])
SW_WARNING_CXXFLAGS="-Wall -Wextra -Wshadow"
SW_WARNING_CFLAGS="$SW_WARNING_CXXFLAGS -Wconversion -Wstrict-prototypes"
AS_IF([test "x$enable_werror" != xno], [
    SW_WARNING_CXXFLAGS="$SW_WARNING_CXXFLAGS -Werror"
    SW_WARNING_CFLAGS="$SW_WARNING_CFLAGS -Werror"
])
AC_SUBST([SW_WARNING_CFLAGS])
AC_SUBST([SW_WARNING_CXXFLAGS])
])
