# SW_FEATURES
# -----------
# What can be left out of, or for tests put into, the library.
AC_DEFUN([SW_FEATURES], [
AC_ARG_ENABLE([profiling],
    [AS_HELP_STRING([--disable-profiling], [leave the hooks out of the computation boundary])],
    [], [enable_profiling=yes])
AS_IF([test "x$enable_profiling" = xno], [sw_profiling=0], [enable_profiling=yes; sw_profiling=1])
AC_DEFINE_UNQUOTED([SW_ENABLE_PROFILING], [$sw_profiling], [1 when the computation boundary calls hooks, else 0.])
AM_CONDITIONAL([PROFILING], [test "x$enable_profiling" = xyes])

AC_ARG_ENABLE([host-ranges],
    [AS_HELP_STRING([--enable-host-ranges], [measure named ranges inside of calls (strideweave/host_ranges.h)])],
    [], [enable_host_ranges=no])
AS_IF([test "x$enable_host_ranges" = xno], [sw_host_ranges=0], [enable_host_ranges=yes; sw_host_ranges=1])
AC_DEFINE_UNQUOTED([SW_ENABLE_HOST_RANGES], [$sw_host_ranges], [1 when the library measures host ranges, else 0.])
AM_CONDITIONAL([HOST_RANGES], [test "x$enable_host_ranges" = xyes])

AC_ARG_ENABLE([failure-injection],
    [AS_HELP_STRING([--enable-failure-injection], [for tests: let allocations fail on demand])],
    [], [enable_failure_injection=no])
AS_IF([test "x$enable_failure_injection" != xno],
    [enable_failure_injection=yes
     AC_DEFINE([SW_FAILURE_INJECTION], [1], [Define to let tests make allocations fail.])])
AM_CONDITIONAL([FAILURE_INJECTION], [test "x$enable_failure_injection" = xyes])
])
