/*
 * Options of tables in PyTorch's style.
 */
#include "config.h"

#include "report/options_set.h"

enum report_outcome set_group_by_carrier(struct options *options, const char *value)
{
    (void)value;
    options->torch_groups_carriers = 1;
    return REPORT_OK;
}

enum report_outcome set_group_by_overload(struct options *options, const char *value)
{
    (void)value;
    options->grouping = (enum sw__grouping)(options->grouping | SW__GROUP_BY_IMPLEMENTATION);
    return REPORT_OK;
}

enum report_outcome set_top_level(struct options *options, const char *value)
{
    (void)value;
    options->torch.top_level_events_only = 1;
    return REPORT_OK;
}

enum report_outcome set_header(struct options *options, const char *value)
{
    options->torch.header = value;
    return REPORT_OK;
}

/* 0 is no limit. */
static enum report_outcome set_width(const char *option, const char *value, int64_t least, int64_t *ret_width)
{
    int64_t width = 0;

    REPORT_TRY(options_parse_number(option, value, 0, &width));
    if (width != 0 && width < least)
        return report_fail(REPORT_USAGE, "--%s %s: expected at least %d, or 0 for no limit", option, value, (int)least);
    *ret_width = width != 0 ? width : SW_NO_LIMIT;
    return REPORT_OK;
}

enum report_outcome set_max_name_width(struct options *options, const char *value)
{
    return set_width("max-name-width", value, 3, &options->torch.max_name_column_width);
}

enum report_outcome set_max_shapes_width(struct options *options, const char *value)
{
    return set_width("max-shapes-width", value, 1, &options->torch.max_shapes_column_width);
}

enum report_outcome options_choose_torch(struct options *options)
{
    static const char *const units[N_DISPLAY_UNITS] = {
        [DISPLAY_US] = "us", [DISPLAY_MS] = "ms", [DISPLAY_S] = "s"
    };

    if (!options_are_torch(options))
        return REPORT_OK;
    if (options->unit == DISPLAY_NS)
        return report_fail(REPORT_USAGE, "--unit ns: PyTorch's tables have us, ms and s");
    if (!options->torch_groups_carriers)
        options->grouping = (enum sw__grouping)(options->grouping | SW__GROUP_ANY_CARRIER);
    if (options_has(options, "limit"))
        options->torch.row_limit = options->row_limit;
    options->torch.time_unit = units[options->unit];
    options->torch.style = options->style == STYLE_TORCH_NEW ? SW_EVENT_TABLE_TORCH_NEW : SW_EVENT_TABLE_TORCH;
    return REPORT_OK;
}
