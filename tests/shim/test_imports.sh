#!/bin/bash
# libswprof.so calls nothing that a profiled program may have redefined with an effect: no allocator, no string
# function, no file function. A name that is new here has to be safe in a signal handler and in a program that
# defines it itself.
set -euo pipefail
library=$abs_top_builddir/preload/.libs/libswprof.so
if [ "${SW_SANITIZERS:-no}" != no ]; then
    echo "skipped: a sanitizer adds calls of its own"
    exit 77
fi
# dlopen: of libunwind, while the shim is loaded, when call stacks are asked for.
allowed='__environ _environ environ _ITM_deregisterTMCloneTable _ITM_registerTMCloneTable __cxa_finalize __errno_location __gmon_start__
    __libc_stack_end __register_atfork __stack_chk_fail clock_gettime dl_iterate_phdr dlopen dlsym getauxval pthread_key_create pthread_once
    pthread_self pthread_setspecific syscall __tls_get_addr'
status=0
# NM may hold options.
# shellcheck disable=SC2086
names=$(${NM:-nm} -D --undefined-only "$library" | awk '{ sub(/@.*/, "", $NF); print $NF }')
for name in $names; do
    case " $(echo $allowed) " in
    *" $name "*) ;;
    *) echo "libswprof.so calls $name"; status=1 ;;
    esac
done
exit $status
