#!/bin/bash
# All cases, and the traces in particular, in a driver that is linked with the shim.
. "${abs_top_srcdir:?}/tests/conformance/common.sh" || exit 99

[ -x "$driver-linked" ] || skip "$driver-linked is not built"
check_shim "$driver-linked"
exit "$failed"
