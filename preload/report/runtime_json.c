/*
 * Jansson's whole numbers end at 2^63: where it finds a larger one the text is
 * read again with each of those in quotes, behind a NUL that no other text has.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* memmem */

#include "report/runtime_json.h"

#ifdef HAVE_JANSSON

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/builder.h"

/* No number of fewer digits is too large. */
#define LARGE_DIGITS 19

/* Bytes of the JSON string that begins at @text. */
static size_t skip_string(const char *text, size_t n_bytes)
{
    size_t i = 1;

    while (i < n_bytes && text[i] != '"')
        i += text[i] == '\\' ? 2 : 1;
    return i < n_bytes ? i + 1 : n_bytes;
}

/* Bytes of the number at @text; whether it is whole, from 0, and long. */
static size_t skip_number(const char *text, size_t n_bytes, int *ret_is_large)
{
    size_t n = 0, n_digits = 0;

    while (n < n_bytes && text[n] != '\0' && strchr("+-.0123456789eE", text[n]) != NULL) {
        n_digits += text[n] >= '0' && text[n] <= '9';
        n++;
    }
    *ret_is_large = n == n_digits && n >= LARGE_DIGITS && text[0] != '0';
    return n;
}

static enum sw_status put_marked(struct sw__builder *marked, const char *bytes, size_t n_bytes)
{
    size_t n = 1;

    for (size_t i = 0; i < n_bytes; i += n) {
        int is_large = 0;
        n = 1;
        if (bytes[i] == '"')
            n = skip_string(bytes + i, n_bytes - i);
        else if (bytes[i] == '-' || (bytes[i] >= '0' && bytes[i] <= '9'))
            n = skip_number(bytes + i, n_bytes - i, &is_large);
        SW__TRY(sw__builder_string(marked, is_large ? "\"\\u0000" : ""));
        SW__TRY(sw__builder_append(marked, bytes + i, n));
        SW__TRY(sw__builder_string(marked, is_large ? "\"" : ""));
    }
    return SW_OK;
}

json_t *runtime_json_load(const char *bytes, size_t n_bytes, json_error_t *error)
{
    struct sw__builder marked SW__OWNED_BUILDER = { 0 };
    json_t *json = json_loadb(bytes, n_bytes, JSON_REJECT_DUPLICATES, error);

    if (json != NULL || json_error_code(error) != json_error_numeric_overflow ||
        memmem(bytes, n_bytes, "\\u0000", 6) != NULL || put_marked(&marked, bytes, n_bytes) != SW_OK)
        return json;
    return json_loadb(marked.bytes, marked.n_bytes, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, error);
}

const char *runtime_json_text(const json_t *json)
{
    const char *text = json_string_value(json);

    return text != NULL && strlen(text) == json_string_length(json) ? text : NULL;
}

/* The digits of a number that was put in quotes; NULL for what is none. */
static const char *large_digits(const json_t *json)
{
    return json_is_string(json) && runtime_json_text(json) == NULL ? json_string_value(json) + 1 : NULL;
}

int runtime_json_count(const json_t *json, uint64_t *ret_count)
{
    const char *digits = large_digits(json);

    if (digits != NULL) {
        errno = 0;
        unsigned long long count = strtoull(digits, NULL, 10);
        *ret_count = count;
        return errno == 0;
    }
    if (!json_is_integer(json) || json_integer_value(json) < 0)
        return 0;
    *ret_count = (uint64_t)json_integer_value(json);
    return 1;
}

int runtime_json_real(const json_t *json, double *ret_real)
{
    const char *digits = large_digits(json);

    if (digits == NULL && !json_is_number(json))
        return 0;
    *ret_real = digits != NULL ? strtod(digits, NULL) : json_number_value(json);
    return 1;
}

#endif
