#!/bin/bash
# The shim records with the time stamp counter only as long as the kernel itself keeps time with it.
. "$(dirname "$0")/../contract/common.sh"
skip_when_sanitized
export SWPROF_OUTPUT=$work/report

# clock_of SOURCE: what a program records with where the kernel says that SOURCE is its clock.
clock_of() {
    rm -f "$work/report"
    echo "$1" >"$work/source"
    # shellcheck disable=SC2016 # for the shell inside
    unshare --map-root-user --mount sh -c 'mount --bind "$1" "$2" && LD_PRELOAD=$3 exec "$4" count' sh \
        "$work/source" "$source" "$shim" "$abs_top_builddir/tests/shim/fake_caller" || fail "under $1: status $?"
    "$abs_top_builddir/preload/swprof-report" --format json "$work/report" | sed -n 's/.*"clock": "\([a-z]*\)".*/\1/p'
}

source=/sys/devices/system/clocksource/clocksource0/current_clocksource
[ -r "$source" ] || skip "the kernel does not say what its clock is"
# shellcheck disable=SC2016 # for the shell inside
unshare --map-root-user --mount sh -c 'mount --bind /dev/null "$1"' sh "$source" 2>/dev/null ||
    skip "another file cannot be put in the place of $source"

for distrusted in hpet acpi_pm jiffies xen ''; do
    [ "$(clock_of "$distrusted")" = monotonic ] || fail "the counter is used although the kernel's clock is '$distrusted'"
done
# Where the processor has a counter that can be used, trust is all that it takes.
if grep -qw constant_tsc /proc/cpuinfo && grep -qw nonstop_tsc /proc/cpuinfo; then
    for trusted in tsc kvm-clock; do
        [ "$(clock_of "$trusted")" = tsc ] || fail "the counter is not used although the kernel's clock is '$trusted'"
    done
fi
