/*
 * A growing text and the two number forms that tables need, neither of which
 * depends on the locale of the program that is being profiled.
 */
#include "config.h"

#include "analyze/builder.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

static enum sw_status reserve(struct sw__builder *text, size_t n_bytes)
{
    if (n_bytes >= SIZE_MAX - text->n_bytes)
        return sw_error_set(SW_MEMORY_ERROR, "a text of more bytes than memory can address");
    size_t needed = text->n_bytes + n_bytes + 1;
    if (needed <= text->capacity)
        return SW_OK;
    size_t capacity = text->capacity > SIZE_MAX / 2 ? needed : text->capacity * 2;
    if (capacity < needed)
        capacity = needed;
    if (capacity < 64)
        capacity = 64;
    char *bytes = sw__realloc(text->bytes, capacity);
    if (bytes == NULL)
        return SW_MEMORY_ERROR;
    text->bytes = bytes;
    text->capacity = capacity;
    return SW_OK;
}

enum sw_status sw__builder_append(struct sw__builder *text, const char *bytes, size_t n_bytes)
{
    SW__TRY(reserve(text, n_bytes));
    memcpy(text->bytes + text->n_bytes, bytes, n_bytes);
    text->n_bytes += n_bytes;
    text->bytes[text->n_bytes] = '\0';
    return SW_OK;
}

enum sw_status sw__builder_repeat(struct sw__builder *text, char c, size_t n)
{
    SW__TRY(reserve(text, n));
    memset(text->bytes + text->n_bytes, c, n);
    text->n_bytes += n;
    text->bytes[text->n_bytes] = '\0';
    return SW_OK;
}

enum sw_status sw__builder_string(struct sw__builder *text, const char *string)
{
    return sw__builder_append(text, string, strlen(string));
}

/* By hand: exports of millions of events consist of little else. */
enum sw_status sw__builder_integer(struct sw__builder *text, int64_t value)
{
    char digits[24];
    size_t at = sizeof digits;
    uint64_t magnitude = value < 0 ? (uint64_t)0 - (uint64_t)value : (uint64_t)value;

    do
        digits[--at] = (char)('0' + magnitude % 10);
    while ((magnitude /= 10) != 0);
    if (value < 0)
        digits[--at] = '-';
    return sw__builder_append(text, digits + at, sizeof digits - at);
}

enum sw_status sw__builder_decimals(struct sw__builder *text, double value, unsigned n_decimals)
{
    char digits[352]; /* the longest double has 309 digits before the point */
    size_t n = (size_t)snprintf(digits, sizeof digits, "%.*f", (int)n_decimals, value);
    size_t whole = strspn(digits, "-0123456789");

    if (digits[whole] == '\0') /* infinite or not a number: no point to replace */
        return sw__builder_append(text, digits, n);
    /* Whatever stands between the whole part and the decimals is the locale's point. */
    SW__TRY(reserve(text, whole + 1 + n_decimals));
    SW__TRY(sw__builder_append(text, digits, whole));
    SW__TRY(sw__builder_append(text, ".", 1));
    return sw__builder_append(text, digits + n - n_decimals, n_decimals);
}

enum sw_status sw__builder_decimal(struct sw__builder *text, double value)
{
    return sw__builder_decimals(text, value, 1);
}

enum sw_status sw__builder_take(struct sw__builder *text, char **ret_bytes)
{
    SW__TRY(reserve(text, 0));
    text->bytes[text->n_bytes] = '\0';
    *ret_bytes = text->bytes;
    *text = (struct sw__builder){ 0 };
    return SW_OK;
}

void sw__builder_clear(struct sw__builder *text)
{
    sw__free(text->bytes);
    *text = (struct sw__builder){ 0 };
}

size_t sw__characters(const char *text)
{
    size_t n = 0;

    for (; *text != '\0'; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}
