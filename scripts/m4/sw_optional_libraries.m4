# SW_OPTIONAL_LIBRARIES
# ---------------------
# libunwind is opened at run time when call stacks are asked for and never
# linked; zlib serves the report tool's compressed exports, Jansson its checks of
# traces, elfutils (libdw) the names of frames in call stacks; Check serves the tests. Of valgrind
# only its header is used: code for requests, nothing to link. Whatever is absent is said in the summary.
AC_DEFUN([SW_OPTIONAL_LIBRARIES], [
AC_ARG_WITH([libunwind],
    [AS_HELP_STRING([--without-libunwind], [no call stacks])], [], [with_libunwind=yes])
sw_libunwind=no
AS_IF([test "x$with_libunwind" != xno],
    [PKG_CHECK_EXISTS([libunwind], [sw_libunwind=yes],
        [AC_CHECK_HEADER([libunwind.h], [sw_libunwind=yes])])])
AS_IF([test "$sw_libunwind" = yes],
    [AC_DEFINE([HAVE_LIBUNWIND], [1], [Define when call stacks may be captured with libunwind.])])

_SW_OPTIONAL_LIBRARY([ZLIB], [zlib])
_SW_OPTIONAL_LIBRARY([CHECK], [check >= 0.11])
_SW_OPTIONAL_LIBRARY([JANSSON], [jansson])
_SW_OPTIONAL_LIBRARY([LIBDW], [libdw])
AC_CHECK_HEADERS([valgrind/memcheck.h])
])

# _SW_OPTIONAL_LIBRARY(PREFIX, MODULE)
# ------------------------------------
# PREFIX_CFLAGS, PREFIX_LIBS, HAVE_PREFIX for make and config.h, sw_PREFIX for the summary.
AC_DEFUN([_SW_OPTIONAL_LIBRARY], [
PKG_CHECK_MODULES([$1], [$2],
    [sw_$1=yes
     AC_DEFINE([HAVE_$1], [1], [Define when the module $2 is there.])],
    [sw_$1=no])
AM_CONDITIONAL([HAVE_$1], [test "$sw_$1" = yes])
])
