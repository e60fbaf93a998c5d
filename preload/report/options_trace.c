/*
 * Options of traces and checks.
 */
#include "config.h"

#include "report/options_set.h"

enum report_outcome set_no_check(struct options *options, const char *value)
{
    (void)value;
    options->leaves_out_check = 1;
    return REPORT_OK;
}

enum report_outcome set_overlap(struct options *options, const char *value)
{
    if (overlap_mode_find(value, &options->overlap))
        return REPORT_OK;
    return report_fail(REPORT_USAGE, "--overlap %s: expected tid, drop, async, warn or shift", value);
}

enum report_outcome set_mended(struct options *options, const char *value)
{
    options->mended = value;
    return REPORT_OK;
}

enum report_outcome set_analysis_id(struct options *options, const char *value)
{
    options->analysis_id = value;
    return REPORT_OK;
}

enum report_outcome set_build_id(struct options *options, const char *value)
{
    options->build_id = value;
    return REPORT_OK;
}
