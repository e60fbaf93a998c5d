/*
 * Whether a value that came agrees with the expected one. Numbers that JSON
 * cannot write are the strings "nan", "inf", "-inf" and "-0" on both sides.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "conformance.h"

static int is_numeric(const json_t *json)
{
    return json_is_number(json) || (json_is_string(json) && !isnan(build_number(json))) ||
           (json_is_string(json) && strcmp(json_string_value(json), "nan") == 0);
}

static int numbers_agree(double expected, double came, const json_t *compare)
{
    double difference;

    if (isnan(expected) || isnan(came))
        return isnan(expected) && isnan(came);
    if (!json_is_object(compare))
        return expected == came && signbit(expected) == signbit(came);
    if (isinf(expected) || isinf(came))
        return expected == came;
    difference = fabs(expected - came);
    return difference <= json_number_value(json_object_get(compare, "abs")) +
                             json_number_value(json_object_get(compare, "rel")) * fabs(expected);
}

static int lists_agree(const json_t *expected, const json_t *came, const json_t *compare)
{
    if (json_array_size(expected) != json_array_size(came))
        return 0;
    for (size_t i = 0; i < json_array_size(expected); i++)
        if (!json_agrees(json_array_get(expected, i), json_array_get(came, i), compare))
            return 0;
    return 1;
}

/* Only the fields that are expected are looked at. */
static int objects_agree(const json_t *expected, const json_t *came, const json_t *compare)
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)expected, key, value)
        if (!json_agrees(value, json_object_get(came, key), compare))
            return 0;
    return 1;
}

int json_agrees(const json_t *expected, const json_t *came, const json_t *compare)
{
    if (expected == NULL || came == NULL)
        return 0;
    if (json_is_integer(expected) && json_is_integer(came))
        return json_integer_value(expected) == json_integer_value(came);
    if (is_numeric(expected) && is_numeric(came))
        return numbers_agree(build_number(expected), build_number(came), compare);
    if (json_is_object(expected) && json_is_object(came))
        return objects_agree(expected, came, compare);
    if (json_is_array(expected) && json_is_array(came))
        return lists_agree(expected, came, compare);
    return json_equal(expected, came);
}
