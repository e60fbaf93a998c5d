/*
 * Numbers and names as people read them. Nothing depends on the locale.
 */
#ifndef REPORT_DISPLAY_H
#define REPORT_DISPLAY_H

#include "analyze/builder.h"

enum display_unit {
#define DISPLAY_UNIT(enumerator, name, ns, decimals) DISPLAY_##enumerator,
#include "report/unit.def"
#undef DISPLAY_UNIT
    N_DISPLAY_UNITS
};

/** The unit of a name; 0 when there is none. */
int display_unit_find(const char *name, enum display_unit *ret_unit);

/** A time with its unit: three significant digits for AUTO ("1.23 ms"), exact else ("1234567 ns"). */
SW_NODISCARD enum sw_status display_time(struct sw__builder *text, int64_t ns, enum display_unit unit);
/** A length of time told roughly: "5 s", "12 min", "3 h", "2 d". */
SW_NODISCARD enum sw_status display_age(struct sw__builder *text, int64_t ns);
/** A mean, which has a fraction of a nanosecond: one decimal more in exact units. */
SW_NODISCARD enum sw_status display_mean(struct sw__builder *text, double ns, enum display_unit unit);
/** A count with its thousands apart: "1,234,567". */
SW_NODISCARD enum sw_status display_count(struct sw__builder *text, uint64_t count);
/** "1 thread", "2 threads": a count, a blank and @one or @many. */
SW_NODISCARD enum sw_status display_counted(struct sw__builder *text, uint64_t count, const char *one,
                                            const char *many);
/** A large number told roughly: three significant digits and a prefix, "524 k", "1.05 G". */
SW_NODISCARD enum sw_status display_amount(struct sw__builder *text, uint64_t amount);
/** Three significant digits, no more than three decimals: "0.042", "1.23", "456". */
SW_NODISCARD enum sw_status display_rate(struct sw__builder *text, double rate);
/** "12.3 MiB". */
SW_NODISCARD enum sw_status display_bytes(struct sw__builder *text, uint64_t bytes);
/** One decimal: "12.3". */
SW_NODISCARD enum sw_status display_percent(struct sw__builder *text, double percent);
/** Six decimals, from 0 to 1: "0.001234". */
SW_NODISCARD enum sw_status display_probability(struct sw__builder *text, double probability);
/** ISO 8601 with milliseconds and the offset of the local time zone. */
SW_NODISCARD enum sw_status display_moment(struct sw__builder *text, int64_t realtime_ns);
/** The same in UTC, for machines. */
SW_NODISCARD enum sw_status display_moment_utc(struct sw__builder *text, int64_t realtime_ns);
/** A text of at most @columns columns: the middle gives way to "…". Valid UTF-8, visible. */
SW_NODISCARD enum sw_status display_shortened(struct sw__builder *text, const char *name, size_t columns);

#endif
