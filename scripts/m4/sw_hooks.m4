# SW_HOOKS_PROBE
# --------------
# The hooks are weak definitions that a preloaded object overrides. Some linker
# flags bind them inside the library for good, and then a profile would be
# silently empty. So a library made in the same way, with the user's flags, is
# built and run under a preloaded object; configure stops if it is not seen.
# The table is volatile: compilers fold a direct comparison of weak addresses.
#
# The list of hooks (--dynamic-list) keeps them open under -Bsymbolic-functions
# and the like. mold takes it as an order to bind them, so that the library is
# linked without the list where it works only so: HOOKS_LIST then is false.
AC_DEFUN([SW_HOOKS_PROBE], [
AC_CACHE_CHECK([whether hooks of a shared library can be overridden], [sw_cv_hooks], [
AS_IF([test "x$cross_compiling" = xyes], [sw_cv_hooks=unknown], [
rm -rf conftest.hooks
AS_MKDIR_P([conftest.hooks])
cat >conftest.hooks/library.c <<'_SWEOF'
__attribute__((weak, visibility("default"))) int sw_hook_probe(void) { return 1; }
static int (*const volatile table@<:@@:>@)(void) = { sw_hook_probe };
__attribute__((visibility("default"))) int sw_probe(void) { return table@<:@0@:>@(); }
_SWEOF
cat >conftest.hooks/tool.c <<'_SWEOF'
__attribute__((visibility("default"))) int sw_hook_probe(void) { return 0; }
_SWEOF
cat >conftest.hooks/program.c <<'_SWEOF'
int sw_probe(void);
int main(void) { return sw_probe(); }
_SWEOF
echo '{ sw_hook_probe; };' >conftest.hooks/hooks.list
echo 'PROBE_0 { global: sw_*; local: *; };' >conftest.hooks/library.map
sw_cv_hooks=unbuilt
_SW_TRY_HOOKS([-Wl,--dynamic-list=hooks.list], [yes])
_SW_TRY_HOOKS([], [without a list])
rm -rf conftest.hooks
])])
AM_CONDITIONAL([HOOKS_LIST], [test "$sw_cv_hooks" != "without a list"])
AS_CASE([$sw_cv_hooks],
    [yes|without*], [],
    [unknown], [AC_MSG_WARN([cross-compiling: it was not tried whether hooks can be overridden; run 'make check' on the target])],
    [unbuilt], [AC_MSG_ERROR([a shared library with a version script cannot be built with
  CC='$CC' CFLAGS='$CFLAGS' LDFLAGS='$LDFLAGS'; see config.log])],
    [AC_MSG_ERROR([the hooks of a library built with
  CC='$CC' CFLAGS='$CFLAGS' LDFLAGS='$LDFLAGS'
are bound inside it: no tool would ever be called. lld does this for -Wl,-Bsymbolic, mold
for all of its kin; drop that flag, or link with bfd or gold (LDFLAGS=-fuse-ld=bfd).])])
])

# _SW_TRY_HOOKS(LIST-FLAG, RESULT)
# --------------------------------
# Unless an earlier try worked: sw_cv_hooks is RESULT when the tool is called.
AC_DEFUN([_SW_TRY_HOOKS], [
sw_compile="$CC $CPPFLAGS $SW_CODE_CFLAGS $CFLAGS"
AS_CASE([$sw_cv_hooks], [unbuilt|no], [
AS_IF([(cd conftest.hooks &&
    $sw_compile -fPIC -shared -o libprobe.so library.c $LDFLAGS -Wl,--version-script=library.map $1 &&
    $sw_compile -fPIC -shared -o libtool.so tool.c $LDFLAGS &&
    $sw_compile -o program program.c $LDFLAGS ./libprobe.so) >&AS_MESSAGE_LOG_FD 2>&1], [
    AS_IF([(cd conftest.hooks && ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=./libtool.so ./program) \
        >&AS_MESSAGE_LOG_FD 2>&1], [sw_cv_hooks="$2"], [sw_cv_hooks=no])])
])
])
