/*
 * Texts made fit for a terminal. Not by the C library's functions, whose
 * answers depend on the reader's locale.
 */
#include "config.h"

#include "analyze/visible.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

size_t sw__utf8_sequence(const unsigned char *bytes, size_t n_bytes, uint32_t *ret_code)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t smallest;
    } kinds[] = { { 0x80, 0x00, 0 }, { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 }, { 0xf8, 0xf0, 0x10000 } };

    for (size_t more = 0; more < sizeof kinds / sizeof *kinds && more < n_bytes; more++) {
        if ((bytes[0] & kinds[more].mask) != kinds[more].lead)
            continue;
        uint32_t code = bytes[0] & (uint32_t)(unsigned char)~kinds[more].mask;
        for (size_t i = 1; i <= more; i++) {
            if ((bytes[i] & 0xc0) != 0x80)
                return 0;
            code = code << 6 | (bytes[i] & 0x3f);
        }
        if (code < kinds[more].smallest || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
            return 0;
        *ret_code = code;
        return more + 1;
    }
    return 0;
}

/*
 * What moves the cursor, rings, hides, takes no room, or turns the direction of
 * writing: ranges of code points, ascending.
 */
static const struct {
    uint32_t first, last;
} controls[] = {
    { 0x0000, 0x001f },   { 0x007f, 0x009f },   { 0x00ad, 0x00ad },   { 0x061c, 0x061c }, { 0x180e, 0x180e },
    { 0x200b, 0x200f },   { 0x2028, 0x202e },   { 0x2060, 0x206f },   { 0xfeff, 0xfeff }, { 0xfff9, 0xfffb },
    { 0xe0000, 0xe007f },
};

static int is_control(uint32_t code)
{
    for (size_t i = 0; i < sizeof controls / sizeof *controls && code >= controls[i].first; i++)
        if (code <= controls[i].last)
            return 1;
    return 0;
}

static enum sw_status put_visible(struct sw__builder *text, uint32_t code)
{
    static const char names[] = { ['\t'] = 't', ['\n'] = 'n', ['\r'] = 'r' };
    char escape[16];
    int n = 0;

    if (code < sizeof names && names[code] != '\0')
        n = snprintf(escape, sizeof escape, "\\%c", names[code]);
    else
        n = snprintf(escape, sizeof escape,
                     code < 0x100     ? "\\x%02" PRIx32
                     : code < 0x10000 ? "\\u%04" PRIx32
                                      : "\\U%08" PRIx32,
                     code);
    return sw__builder_append(text, escape, (size_t)n);
}

enum sw_status sw__visible(struct sw__builder *text, const char *name)
{
    size_t n_bytes = strlen(name);

    for (size_t i = 0; i < n_bytes;) {
        uint32_t code = 0;
        size_t n = sw__utf8_sequence((const unsigned char *)name + i, n_bytes - i, &code);
        if (n == 0) {
            SW__TRY(sw__builder_string(text, "\xef\xbf\xbd"));
            i++;
            continue;
        }
        SW__TRY(is_control(code) ? put_visible(text, code) : sw__builder_append(text, name + i, n));
        i += n;
    }
    return SW_OK;
}
