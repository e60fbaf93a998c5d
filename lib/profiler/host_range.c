/*
 * What there is to say of host ranges whether they are compiled in or not.
 */
#include "config.h"

#include <strideweave/host_ranges.h>

static const char *const names[] = {
#define SW_HOST_RANGE(enumerator, number, name) [number] = name,
#include <strideweave/host_range.def>
#undef SW_HOST_RANGE
};

int sw_host_range_compiled(void)
{
    return SW_ENABLE_HOST_RANGES;
}

const char *sw_host_range_name(enum sw_host_range range)
{
    return (size_t)range < SW_N_HOST_RANGES ? names[range] : NULL;
}

void sw_host_range_excess(const struct sw_host_range_calibration *calibration, uint64_t n_inside, uint64_t n_direct,
                          struct sw_host_range_excess *ret_excess)
{
    const double inside_ns = calibration->inside_ns, complete_ns = calibration->complete_ns;

    ret_excess->inclusive_ns = inside_ns + (double)n_inside * complete_ns;
    ret_excess->self_ns = inside_ns + (double)n_direct * (complete_ns - inside_ns);
}
