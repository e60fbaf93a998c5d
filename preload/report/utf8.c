/*
 * UTF-8: cleaning, and the width on a terminal. Not by the C
 * library's functions, whose answers depend on the reader's locale.
 */
#include "config.h"

#include "report/utf8.h"

#include <string.h>

#include "analyze/builder.h"
#include "analyze/visible.h"

int utf8_valid(const char *bytes, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes;) {
        uint32_t code = 0;
        size_t n = sw__utf8_sequence((const unsigned char *)bytes + i, n_bytes - i, &code);
        if (n == 0 || code == 0)
            return 0;
        i += n;
    }
    return 1;
}

enum sw_status utf8_clean(const char *bytes, size_t n_bytes, char **ret_text)
{
    struct sw__builder text SW__OWNED_BUILDER = { 0 };

    for (size_t i = 0; i < n_bytes;) {
        uint32_t code = 0;
        size_t n = sw__utf8_sequence((const unsigned char *)bytes + i, n_bytes - i, &code);
        if (n == 0 || code == 0) {
            SW__TRY(sw__builder_string(&text, "\xef\xbf\xbd"));
            i++;
        } else {
            SW__TRY(sw__builder_append(&text, bytes + i, n));
            i += n;
        }
    }
    return sw__builder_take(&text, ret_text);
}

/* Blocks of code points with a width other than one, ascending. */
static const struct {
    uint32_t first, last;
    unsigned columns;
} widths[] = {
    { 0x0300, 0x036f, 0 },   { 0x0483, 0x0489, 0 },   { 0x0591, 0x05bd, 0 },   { 0x064b, 0x065f, 0 },
    { 0x1100, 0x115f, 2 },   { 0x1ab0, 0x1aff, 0 },   { 0x1dc0, 0x1dff, 0 },   { 0x200b, 0x200d, 0 },
    { 0x20d0, 0x20ff, 0 },   { 0x2e80, 0x303e, 2 },   { 0x3041, 0xa4cf, 2 },   { 0xac00, 0xd7a3, 2 },
    { 0xf900, 0xfaff, 2 },   { 0xfe00, 0xfe0f, 0 },   { 0xfe20, 0xfe2f, 0 },   { 0xfe30, 0xfe6f, 2 },
    { 0xff00, 0xff60, 2 },   { 0xffe0, 0xffe6, 2 },   { 0x1f300, 0x1f64f, 2 }, { 0x1f680, 0x1f6ff, 2 },
    { 0x1f900, 0x1f9ff, 2 }, { 0x20000, 0x3fffd, 2 }, { 0xe0100, 0xe01ef, 0 },
};

unsigned utf8_columns(uint32_t code)
{
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (code <= widths[i].last)
            return code >= widths[i].first ? widths[i].columns : 1;
    return 1;
}

size_t utf8_width(const char *text)
{
    size_t columns = 0, n_bytes = strlen(text);

    for (size_t i = 0; i < n_bytes;) {
        uint32_t code = 0;
        size_t n = sw__utf8_sequence((const unsigned char *)text + i, n_bytes - i, &code);
        columns += n != 0 ? utf8_columns(code) : 1;
        i += n != 0 ? n : 1;
    }
    return columns;
}
