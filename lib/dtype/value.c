/*
 * Storing and loading of single values, one pair of functions per stored dtype.
 */
#include "config.h"

#include "dtype/value.h"

#include <string.h>

#include "dtype/dtype.h"

static const char *kind_name(const struct sw_scalar *value)
{
    static const char *const names[] = {
        [SW_SCALAR_INTEGER] = "an integer", [SW_SCALAR_FLOATING] = "a real number", [SW_SCALAR_BOOLEAN] = "a boolean"
    };

    if (value == NULL || value->kind == 0 || value->kind >= sizeof names / sizeof *names)
        return "no value";
    return names[value->kind];
}

static enum sw_status refuse(const char *wanted, const struct sw_scalar *value)
{
    return sw_error_set(SW_TYPE_ERROR, "%s, got %s", wanted, kind_name(value));
}

static int is_boolean(const struct sw_scalar *value)
{
    return value->kind == SW_SCALAR_BOOLEAN && (value->as.boolean == 0 || value->as.boolean == 1);
}

static enum sw_status store_float32(const struct sw_scalar *value, void *slot)
{
    float rounded;

    /* One rounding: an integer does not pass through binary64. */
    if (value->kind == SW_SCALAR_FLOATING)
        rounded = (float)value->as.floating;
    else if (value->kind == SW_SCALAR_INTEGER)
        rounded = (float)value->as.integer;
    else if (is_boolean(value))
        rounded = (float)value->as.boolean;
    else
        return refuse("Float32 stores real numbers", value);
    memcpy(slot, &rounded, sizeof rounded);
    return SW_OK;
}

static enum sw_status store_int32(const struct sw_scalar *value, void *slot)
{
    if (value->kind != SW_SCALAR_INTEGER)
        return refuse("Int32 stores integers", value);
    if (value->as.integer < INT32_MIN || value->as.integer > INT32_MAX)
        return sw_error_set(SW_OVERFLOW_ERROR, "%lld does not fit into Int32", (long long)value->as.integer);
    int32_t narrow = (int32_t)value->as.integer;
    memcpy(slot, &narrow, sizeof narrow);
    return SW_OK;
}

static enum sw_status store_bool(const struct sw_scalar *value, void *slot)
{
    if (!is_boolean(value))
        return refuse("Bool stores booleans that are 0 or 1", value);
    *(unsigned char *)slot = (unsigned char)value->as.boolean;
    return SW_OK;
}

static void load_float32(const void *slot, struct sw_scalar *ret_value)
{
    float value;

    memcpy(&value, slot, sizeof value);
    ret_value->kind = SW_SCALAR_FLOATING;
    ret_value->as.floating = (double)value;
}

static void load_int32(const void *slot, struct sw_scalar *ret_value)
{
    int32_t value;

    memcpy(&value, slot, sizeof value);
    ret_value->kind = SW_SCALAR_INTEGER;
    ret_value->as.integer = value;
}

/* Memory of the caller's may hold other bytes than 0 and 1. */
static void load_bool(const void *slot, struct sw_scalar *ret_value)
{
    ret_value->kind = SW_SCALAR_BOOLEAN;
    ret_value->as.boolean = *(const unsigned char *)slot != 0;
}

static const struct {
    enum sw_status (*store)(const struct sw_scalar *value, void *slot);
    void (*load)(const void *slot, struct sw_scalar *ret_value);
} rules[] = {
    [SW_FLOAT32] = { store_float32, load_float32 },
    [SW_INT32] = { store_int32, load_int32 },
    [SW_BOOL] = { store_bool, load_bool },
};

enum sw_status sw__dtype_check_stored(enum sw_dtype dtype)
{
    enum sw_status status = sw__dtype_check(dtype);

    if (status == SW_OK && sw_dtype_bytes(dtype) == 0)
        status = sw_error_set(SW_VALUE_ERROR, "%s cannot be stored, only named", sw_dtype_name(dtype));
    return status;
}

enum sw_status sw__value_store(enum sw_dtype dtype, const struct sw_scalar *value, void *slot)
{
    if (sw_dtype_bytes(dtype) == 0)
        return sw_error_set(SW_TYPE_ERROR, "values are not stored as %s", sw_dtype_name(dtype));
    if (value == NULL)
        return refuse(sw_dtype_name(dtype), value);
    return rules[dtype].store(value, slot);
}

void sw__value_load(enum sw_dtype dtype, const void *slot, struct sw_scalar *ret_value)
{
    ret_value->reserved = 0;
    rules[dtype].load(slot, ret_value);
}
