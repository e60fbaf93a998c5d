/*
 * JSON texts (RFC 8259, section 7) and numbers. Not by the C library's locale.
 */
#include "config.h"

#include "analyze/json_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/visible.h"

/* Bytes from @from on that stand for themselves. */
static size_t count_plain(const char *from, size_t n_bytes)
{
    size_t i = 0;

    while (i < n_bytes) {
        unsigned char c = (unsigned char)from[i];
        uint32_t code = 0;
        size_t n = c < 0x80 ? 1 : sw__utf8_sequence((const unsigned char *)from + i, n_bytes - i, &code);
        if (n == 0 || c < 0x20 || c == '"' || c == '\\' || c == 0x7f)
            break;
        i += n;
    }
    return i;
}

static enum sw_status put_escaped(struct sw__builder *text, unsigned char c)
{
    static const char names[] = { ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f',
                                  ['\r'] = 'r', ['"'] = '"',  ['\\'] = '\\' };
    char escape[8] = { '\\', c < sizeof names ? names[c] : '\0', '\0' };

    if (c >= 0x80)
        return sw__builder_string(text, "\xef\xbf\xbd");
    if (escape[1] == '\0')
        snprintf(escape, sizeof escape, "\\u%04x", c);
    return sw__builder_string(text, escape);
}

enum sw_status sw__json_put_text(struct sw__builder *text, const char *from)
{
    size_t n_bytes = strlen(from);

    SW__TRY(sw__builder_append(text, "\"", 1));
    while (n_bytes > 0) {
        size_t n = count_plain(from, n_bytes);
        SW__TRY(sw__builder_append(text, from, n));
        from += n;
        n_bytes -= n;
        if (n_bytes == 0)
            break;
        SW__TRY(put_escaped(text, (unsigned char)*from++));
        n_bytes--;
    }
    return sw__builder_append(text, "\"", 1);
}

enum sw_status sw__json_put_count(struct sw__builder *text, uint64_t value)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, value);

    return sw__builder_append(text, digits, (size_t)n);
}

enum sw_status sw__json_put_real(struct sw__builder *text, double value)
{
    char digits[40];
    int n = 0;

    if (!isfinite(value))
        return sw__builder_string(text, "null");
    for (int precision = 1; precision <= 17; precision++) {
        n = snprintf(digits, sizeof digits, "%.*e", precision - 1, value);
        if (!(strtod(digits, NULL) < value) && !(strtod(digits, NULL) > value))
            break;
    }
    /* Whatever stands between the first digit and the others is the locale's point. */
    size_t first = digits[0] == '-' ? 2 : 1, more = first;
    while (more < (size_t)n && digits[more] != 'e' && (digits[more] < '0' || digits[more] > '9'))
        more++;
    SW__TRY(sw__builder_append(text, digits, first));
    SW__TRY(sw__builder_string(text, more > first ? "." : ""));
    return sw__builder_append(text, digits + more, (size_t)n - more);
}
