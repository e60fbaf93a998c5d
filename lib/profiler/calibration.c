/*
 * What a range costs: three empty ones, each in the one before.
 */
#include "config.h"

#include <strideweave/host_ranges.h>

#include "base/alloc.h"
#include "base/options.h"
#include "base/range.h"

/* By the means that the library's own path uses. */
static __attribute__((noinline)) void pass_depth3(void)
{
    struct sw__range range __attribute__((cleanup(sw__range_end)));
    sw__range_begin(&range, SW_HOST_RANGE_CALIBRATION_DEPTH3);
}

static __attribute__((noinline)) void pass_depth2(void)
{
    struct sw__range range __attribute__((cleanup(sw__range_end)));
    sw__range_begin(&range, SW_HOST_RANGE_CALIBRATION_DEPTH2);
    pass_depth3();
}

static __attribute__((noinline)) void pass_depth1(void)
{
    struct sw__range range __attribute__((cleanup(sw__range_end)));
    sw__range_begin(&range, SW_HOST_RANGE_CALIBRATION_DEPTH1);
    pass_depth2();
}

enum sw_status sw_host_ranges_calibrate(uint64_t iterations, struct sw_host_range_calibration *ret_calibration)
{
    struct sw_host_range_row *rows SW__OWNED = NULL;
    size_t n_rows;

    SW__TRY(sw__check_bytes("host range calibration", ret_calibration->struct_bytes, sizeof *ret_calibration));
    if (sw_host_ranges_session() != 0)
        return sw_error_set(SW_RUNTIME_ERROR, "cannot calibrate while the host range profiler is active");
    if (iterations == 0)
        return sw_error_set(SW_VALUE_ERROR, "host range calibration requires iterations");
    SW__TRY(sw_host_ranges_start());
    for (uint64_t i = 0; i < iterations; i++)
        pass_depth1();
    SW__TRY(sw_host_ranges_stop(&rows, &n_rows));
    /* The last three: a handler may have passed other ranges, and a tool may have kept all of them. */
    if (n_rows < 3 || rows[n_rows - 3].range != SW_HOST_RANGE_CALIBRATION_DEPTH1)
        return sw_error_set(SW_RUNTIME_ERROR, "a tool in the process keeps host ranges from being collected");
    const struct sw_host_range_row *depths = &rows[n_rows - 3];
    for (size_t i = 0; i < 3; i++)
        ret_calibration->depths[i] = depths[i];
    const double outer = depths[0].self_median, inner = depths[1].self_median;
    ret_calibration->inside_ns = depths[2].inclusive_median;
    ret_calibration->complete_ns = outer > inner ? outer : inner;
    return SW_OK;
}
