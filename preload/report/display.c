/*
 * Forms of numbers, moments and names. Decimal fractions are made from
 * integers: exact, and without the locale's point.
 */
#include "config.h"

#include "report/display.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "analyze/visible.h"
#include "report/utf8.h"

static const struct {
    const char *name;
    uint64_t ns;
    int decimals;
} units[N_DISPLAY_UNITS] = {
#define DISPLAY_UNIT(enumerator, name, ns, decimals) { name, ns, decimals },
#include "report/unit.def"
#undef DISPLAY_UNIT
};

int display_unit_find(const char *name, enum display_unit *ret_unit)
{
    for (unsigned i = 0; i < N_DISPLAY_UNITS; i++) {
        if (strcmp(units[i].name, name) == 0) {
            *ret_unit = (enum display_unit)i;
            return 1;
        }
    }
    return 0;
}

/* value / 10^decimals. */
static enum sw_status put_fixed(struct sw__builder *text, uint64_t value, int decimals)
{
    char digits[48];
    uint64_t power = 1;

    for (int i = 0; i < decimals; i++)
        power *= 10;
    int n = snprintf(digits, sizeof digits, "%" PRIu64, value / power);
    if (decimals > 0)
        n += snprintf(digits + n, sizeof digits - (size_t)n, ".%0*" PRIu64, decimals, value % power);
    return sw__builder_append(text, digits, (size_t)n);
}

/* Three significant digits in the largest unit that leaves a whole part. */
static enum sw_status put_auto(struct sw__builder *text, uint64_t ns)
{
    unsigned unit = DISPLAY_NS;

    /* 999.5 of a unit would round to 1000 of it: that is 1 of the next. */
    while (unit < DISPLAY_S && ns >= units[unit].ns * 1000 - (unit == DISPLAY_NS ? 0 : units[unit].ns / 2))
        unit++;
    if (unit == DISPLAY_NS) {
        SW__TRY(put_fixed(text, ns, 0));
    } else {
        uint64_t whole = ns / units[unit].ns, rest = ns % units[unit].ns;
        int decimals = whole >= 100 ? 0 : whole >= 10 ? 1 : 2;
        uint64_t power = decimals == 2 ? 100 : decimals == 1 ? 10 : 1;
        uint64_t step = units[unit].ns / power;
        uint64_t value = whole * power + (rest + step / 2) / step;
        /* 9.995 rounds to 10.00, which has a digit too many. */
        if (decimals > 0 && value >= 1000) {
            value = (value + 5) / 10;
            decimals--;
        }
        SW__TRY(put_fixed(text, value, decimals));
    }
    SW__TRY(sw__builder_string(text, " "));
    return sw__builder_string(text, units[unit].name);
}

enum sw_status display_time(struct sw__builder *text, int64_t ns, enum display_unit unit)
{
    uint64_t magnitude = ns < 0 ? (uint64_t)0 - (uint64_t)ns : (uint64_t)ns;

    if (ns < 0)
        SW__TRY(sw__builder_string(text, "-"));
    if (unit == DISPLAY_AUTO)
        return put_auto(text, magnitude);
    SW__TRY(put_fixed(text, magnitude, units[unit].decimals));
    SW__TRY(sw__builder_string(text, " "));
    return sw__builder_string(text, units[unit].name);
}

enum sw_status display_age(struct sw__builder *text, int64_t ns)
{
    /* Two of a unit before it is used. */
    static const struct {
        int64_t seconds;
        const char *name;
    } steps[] = { { 86400, " d" }, { 3600, " h" }, { 60, " min" }, { 1, " s" } };
    int64_t seconds = ns > 0 ? ns / 1000000000 : 0;
    size_t i = 0;

    while (steps[i].seconds > 1 && seconds / 2 < steps[i].seconds)
        i++;
    SW__TRY(sw__builder_integer(text, seconds / steps[i].seconds));
    return sw__builder_string(text, steps[i].name);
}

enum sw_status display_mean(struct sw__builder *text, double ns, enum display_unit unit)
{
    if (unit == DISPLAY_NS) {
        SW__TRY(sw__builder_decimal(text, ns));
        return sw__builder_string(text, " ns");
    }
    return display_time(text, ns >= 9.2e18 ? INT64_MAX : (int64_t)(ns + 0.5), unit);
}

enum sw_status display_count(struct sw__builder *text, uint64_t count)
{
    char digits[24], grouped[32];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, count);
    size_t at = 0;

    for (int i = 0; i < n; i++) {
        if (i != 0 && (n - i) % 3 == 0)
            grouped[at++] = ',';
        grouped[at++] = digits[i];
    }
    return sw__builder_append(text, grouped, at);
}

enum sw_status display_rate(struct sw__builder *text, double rate)
{
    const double rounded[] = { 99.95, 9.995, 0.9995 }; /* from here on a digit less */
    unsigned decimals = 0;

    while (decimals < 3 && rate < rounded[decimals])
        decimals++;
    return decimals != 0 ? sw__builder_decimals(text, rate, decimals)
                         : sw__builder_integer(text, rate < 9.2e18 ? (int64_t)(rate + 0.5) : INT64_MAX);
}

enum sw_status display_amount(struct sw__builder *text, uint64_t amount)
{
    static const char *const prefixes[] = { "", " k", " M", " G", " T", " P", " E" };
    double scaled = (double)amount;
    size_t prefix = 0;

    for (; scaled >= 999.5 && prefix + 1 < sizeof prefixes / sizeof *prefixes; prefix++)
        scaled /= 1000;
    SW__TRY(prefix == 0 ? put_fixed(text, amount, 0) : display_rate(text, scaled));
    return sw__builder_string(text, prefixes[prefix]);
}

enum sw_status display_counted(struct sw__builder *text, uint64_t count, const char *one, const char *many)
{
    SW__TRY(display_count(text, count));
    SW__TRY(sw__builder_string(text, " "));
    return sw__builder_string(text, count == 1 ? one : many);
}

enum sw_status display_bytes(struct sw__builder *text, uint64_t bytes)
{
    static const char *const names[] = { " B", " KiB", " MiB", " GiB", " TiB" };
    size_t unit = 0;
    uint64_t tenths = bytes > UINT64_MAX / 10 ? UINT64_MAX : bytes * 10;

    while (unit + 1 < sizeof names / sizeof *names && tenths >= 10240) {
        tenths = (tenths + 512) / 1024;
        unit++;
    }
    SW__TRY(unit == 0 ? put_fixed(text, bytes, 0) : put_fixed(text, tenths, 1));
    return sw__builder_string(text, names[unit]);
}

enum sw_status display_percent(struct sw__builder *text, double percent)
{
    return sw__builder_decimal(text, percent);
}

enum sw_status display_probability(struct sw__builder *text, double probability)
{
    return put_fixed(text, (uint64_t)(probability * 1e6 + 0.5), 6);
}

static enum sw_status put_moment(struct sw__builder *text, int64_t realtime_ns, int utc)
{
    int64_t seconds = realtime_ns / 1000000000, rest = realtime_ns % 1000000000;
    struct tm moment;
    char date[40], zone[12], whole[64];

    if (rest < 0) {
        rest += 1000000000;
        seconds--;
    }
    time_t clock = (time_t)seconds;
    if ((utc ? gmtime_r(&clock, &moment) : localtime_r(&clock, &moment)) == NULL)
        return sw__builder_string(text, "?");
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &moment);
    long offset = utc ? 0 : moment.tm_gmtoff / 60;
    long minutes = offset < 0 ? -offset : offset;
    snprintf(zone, sizeof zone, "%c%02ld:%02ld", offset < 0 ? '-' : '+', minutes / 60 % 100, minutes % 60);
    int n = snprintf(whole, sizeof whole, "%s.%03d%s", date, (int)(rest / 1000000), utc ? "Z" : zone);
    return sw__builder_append(text, whole, (size_t)n);
}

enum sw_status display_moment(struct sw__builder *text, int64_t realtime_ns)
{
    return put_moment(text, realtime_ns, 0);
}

enum sw_status display_moment_utc(struct sw__builder *text, int64_t realtime_ns)
{
    return put_moment(text, realtime_ns, 1);
}

/* Bytes of the longest beginning of @text that fits @columns. */
static size_t fitting_beginning(const char *text, size_t n_bytes, size_t columns)
{
    size_t used = 0, i = 0;

    while (i < n_bytes) {
        uint32_t code = 0;
        size_t n = sw__utf8_sequence((const unsigned char *)text + i, n_bytes - i, &code);
        if (used + utf8_columns(code) > columns)
            break;
        used += utf8_columns(code);
        i += n;
    }
    return i;
}

/* Offset at which the longest end that fits @columns begins. */
static size_t fitting_end(const char *text, size_t n_bytes, size_t columns)
{
    size_t i = n_bytes, used = 0;

    while (i > 0) {
        size_t from = i - 1;
        uint32_t code = 0;
        while (from > 0 && ((unsigned char)text[from] & 0xc0) == 0x80)
            from--;
        sw__utf8_sequence((const unsigned char *)text + from, i - from, &code);
        if (used + utf8_columns(code) > columns)
            break;
        used += utf8_columns(code);
        i = from;
    }
    return i;
}

enum sw_status display_shortened(struct sw__builder *text, const char *name, size_t columns)
{
    struct sw__builder visible SW__OWNED_BUILDER = { 0 };

    SW__TRY(sw__visible(&visible, name));
    if (visible.n_bytes == 0)
        return SW_OK;
    if (utf8_width(visible.bytes) <= columns || columns == 0)
        return sw__builder_append(text, visible.bytes, visible.n_bytes);
    size_t beginning = fitting_beginning(visible.bytes, visible.n_bytes, columns / 2);
    size_t end = fitting_end(visible.bytes, visible.n_bytes, columns - 1 - columns / 2);
    SW__TRY(sw__builder_append(text, visible.bytes, beginning));
    SW__TRY(sw__builder_string(text, "\xe2\x80\xa6"));
    return sw__builder_append(text, visible.bytes + end, visible.n_bytes - end);
}
