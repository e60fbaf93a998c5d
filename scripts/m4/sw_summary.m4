# SW_SUMMARY
# ----------
# What was found and what its absence means, in plain words.
AC_DEFUN([SW_SUMMARY], [
AS_IF([test "$sw_cv_hooks" = unknown], [sw_hooks_text="not tried (cross-compiling)"], [sw_hooks_text="can be overridden"])
AS_IF([test "$enable_profiling" = yes], [sw_profiling_text=yes], [sw_profiling_text="no: nothing can be observed"])
AS_IF([test "$enable_host_ranges" = yes], [sw_host_ranges_text=yes], [sw_host_ranges_text="no (--enable-host-ranges)"])
AS_IF([test "$sw_blas" = no], [sw_blas_text="no: large products use the library's own kernels"], [sw_blas_text="$CBLAS_LIBS"])
AS_IF([test "$sw_libunwind" = yes], [sw_libunwind_text="yes, opened at run time"], [sw_libunwind_text="no: no call stacks"])
AS_IF([test "$sw_ZLIB" = yes], [sw_zlib_text=yes], [sw_zlib_text="no: no compressed exports"])
AS_IF([test "$sw_CHECK" = yes], [sw_check_text=yes], [sw_check_text="no: 'make check' leaves the unit tests out"])
AS_IF([test "$sw_LIBDW" = yes], [sw_libdw_text=yes], [sw_libdw_text="no: call stacks have functions, without lines"])
AS_IF([test "$sw_JANSSON" = yes], [sw_jansson_text=yes], [sw_jansson_text="no: swprof-report cannot check traces"])
AS_IF([test "$ac_cv_header_valgrind_memcheck_h" = yes], [sw_memcheck_text=yes],
      [sw_memcheck_text="no: it cannot know what of the storage cache is in use"])
AC_MSG_NOTICE([

  $PACKAGE_STRING
    prefix              $prefix
    compiler            $CC $CFLAGS
    linker flags        ${LDFLAGS:-none}
    warnings are errors $enable_werror
    sanitizers          $enable_sanitizers
    failure injection   $enable_failure_injection

    hooks               $sw_hooks_text
    profiling           $sw_profiling_text
    host ranges         $sw_host_ranges_text
    BLAS                $sw_blas_text
    libunwind           $sw_libunwind_text
    zlib                $sw_zlib_text
    Check               $sw_check_text
    Jansson             $sw_jansson_text
    elfutils            $sw_libdw_text
    memcheck            $sw_memcheck_text
])
])
