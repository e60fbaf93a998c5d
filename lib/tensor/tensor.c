/*
 * Tensors as objects: construction with its checks, views, fresh results, and
 * the queries that never fail.
 */
#include "config.h"

#include "tensor/tensor.h"

#include "base/alloc.h"
#include "base/checked.h"
#include "base/refs.h"
#include "carrier/carrier.h"
#include "carrier/dense.h"
#include "layout/layout.h"

static enum sw_status check_fits(const struct sw_carrier *carrier, int64_t offset, const struct sw_layout *layout)
{
    int64_t end;

    if (offset < 0)
        return sw_error_set(SW_VALUE_ERROR, "a tensor has no offset of %lld", (long long)offset);
    if (layout == NULL || layout->kind != SW_KIND_LAYOUT)
        return sw_error_set(SW_TYPE_ERROR, "the layout of a tensor is not a layout");
    if (!sw__add_fits(offset, layout->cosize, &end))
        return sw_error_set(SW_OVERFLOW_ERROR, "offset %lld and a layout of cosize %lld leave 64 bits",
                            (long long)offset, (long long)layout->cosize);
    if ((uint64_t)end > sw_carrier_size(carrier))
        return sw_error_set(SW_VALUE_ERROR, "a tensor of %lld slots from %lld on does not fit into a carrier of %zu",
                            (long long)layout->cosize, (long long)offset, sw_carrier_size(carrier));
    return SW_OK;
}

/* Everything was checked. Takes over the caller's references to @carrier and @layout when it succeeds. */
static enum sw_status make(struct sw_carrier **carrier, struct sw_layout **layout, int64_t offset, enum sw_dtype dtype,
                           struct sw_tensor **ret_tensor)
{
    struct sw_tensor *tensor = sw__alloc(sizeof *tensor);

    if (tensor == NULL)
        return SW_MEMORY_ERROR;
    tensor->head.kind = SW_KIND_TENSOR;
    tensor->head.n_refs = 1;
    tensor->head.shape = (*layout)->shape;
    tensor->carrier = sw__take(*carrier);
    tensor->layout = sw__take(*layout);
    tensor->offset = offset;
    tensor->dtype = dtype;
    tensor->grad = NULL;
    *ret_tensor = tensor;
    return SW_OK;
}

enum sw_status sw_tensor_new(struct sw_carrier *carrier, int64_t offset, const struct sw_layout *layout,
                             struct sw_tensor **ret_tensor)
{
    SW__TRY(sw__carrier_check(carrier, "the storage of a tensor"));
    enum sw_dtype dtype = sw_carrier_dtype(carrier);
    if (sw_dtype_bits(dtype) == 0)
        return sw_error_set(SW_VALUE_ERROR, "the carrier has no dtype that a tensor can have");
    SW__TRY(check_fits(carrier, offset, layout));
    struct sw_carrier *held SW__OWNED_CARRIER = sw_carrier_ref(carrier);
    struct sw_layout *kept SW__OWNED_LAYOUT = sw_layout_ref(layout);
    return make(&held, &kept, offset, dtype, ret_tensor);
}

enum sw_status sw__tensor_check_live(const struct sw_tensor *tensor)
{
    if (!sw__is_tensor(tensor))
        return sw_error_set(SW_TYPE_ERROR, "not a tensor");
    return sw__carrier_check_live(tensor->carrier);
}

enum sw_status sw__tensor_view(const struct sw_tensor *base, int64_t offset, const struct sw_layout *layout,
                               struct sw_tensor **ret_tensor)
{
    SW__TRY(sw__tensor_check_live(base));
    SW__TRY(check_fits(base->carrier, offset, layout));
    struct sw_carrier *held SW__OWNED_CARRIER = sw_carrier_ref(base->carrier);
    struct sw_layout *kept SW__OWNED_LAYOUT = sw_layout_ref(layout);
    return make(&held, &kept, offset, base->dtype, ret_tensor);
}

/* A result often has the shape of its operand: the canonical layout of that is made once only. */
static enum sw_status canonical_like(const struct sw_layout *like, const struct sw_tree *shape,
                                     struct sw_layout **ret_layout)
{
    return sw_tree_equal(like->shape, shape) ? sw__layout_canonical_like(like, ret_layout)
                                             : sw_layout_canonical(shape, ret_layout);
}

/* For the classes that are known to give what they are asked for their factory needs no looking after. */
static enum sw_status allocate_slots(const struct sw_carrier *like, int64_t n, enum sw_dtype dtype,
                                     struct sw_carrier **ret_carrier)
{
    if (sw__dense_of(like) != NULL)
        return sw__dense_new(like->carrier_class, (size_t)n, 1, dtype, SW__FILL_NONE, ret_carrier);
    return sw_carrier_allocate_like(like, n, 1, dtype, 1, ret_carrier);
}

static enum sw_status allocate(const struct sw_tensor *like, enum sw_dtype dtype, struct sw_layout **layout,
                               struct sw_tensor **ret_tensor)
{
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;

    SW__TRY(allocate_slots(like->carrier, (*layout)->size, dtype, &carrier));
    SW__TRY(check_fits(carrier, 0, *layout));
    return make(&carrier, layout, 0, dtype, ret_tensor);
}

enum sw_status sw__tensor_allocate(const struct sw_tensor *like, enum sw_dtype dtype, const struct sw_tree *shape,
                                   struct sw_tensor **ret_tensor)
{
    struct sw_layout *layout SW__OWNED_LAYOUT = NULL;

    SW__TRY(canonical_like(like->layout, shape, &layout));
    return allocate(like, dtype, &layout, ret_tensor);
}

enum sw_status sw__tensor_allocate_by(const struct sw_tensor *like, enum sw_dtype dtype,
                                      const struct sw_layout *shaped, struct sw_tensor **ret_tensor)
{
    struct sw_layout *layout SW__OWNED_LAYOUT = NULL;

    SW__TRY(sw__layout_canonical_like(shaped, &layout));
    return allocate(like, dtype, &layout, ret_tensor);
}

/* References are counted through const handles: the count is no part of the value. */
static struct sw_tensor *writable(const struct sw_tensor *tensor)
{
    return (struct sw_tensor *)(uintptr_t)tensor;
}

struct sw_tensor *sw_tensor_ref(const struct sw_tensor *tensor)
{
    if (!sw__is_tensor(tensor))
        return NULL;
    sw__refs_get(&writable(tensor)->head.n_refs);
    return writable(tensor);
}

struct sw__grad *sw__tensor_destroy(struct sw_tensor *tensor)
{
    struct sw__grad *grad = tensor->grad;

    sw_carrier_unref(tensor->carrier);
    sw_layout_unref(tensor->layout);
    tensor->head.kind = 0;
    sw__free(tensor);
    return grad;
}

void sw_tensor_unref(const struct sw_tensor *tensor)
{
    if (!sw__is_tensor(tensor) || !sw__refs_put(&writable(tensor)->head.n_refs))
        return;
    struct sw__grad *grad = sw__tensor_destroy(writable(tensor));
    if (__builtin_expect(grad != NULL, 0))
        sw__grad_drop(grad);
}

struct sw_carrier *sw_tensor_carrier(const struct sw_tensor *tensor)
{
    return sw__is_tensor(tensor) ? tensor->carrier : NULL;
}

const struct sw_layout *sw_tensor_layout(const struct sw_tensor *tensor)
{
    return sw__is_tensor(tensor) ? tensor->layout : NULL;
}

const struct sw_tree *sw_tensor_shape(const struct sw_tensor *tensor)
{
    return sw__is_tensor(tensor) ? tensor->head.shape : NULL;
}

int64_t sw_tensor_offset(const struct sw_tensor *tensor)
{
    return sw__is_tensor(tensor) ? tensor->offset : 0;
}

enum sw_dtype sw_tensor_dtype(const struct sw_tensor *tensor)
{
    return sw__is_tensor(tensor) ? tensor->dtype : SW_DTYPE_NONE;
}

int64_t sw_tensor_size(const struct sw_tensor *tensor)
{
    return sw__is_tensor(tensor) ? tensor->layout->size : 0;
}

struct sw_carrier_class *sw_tensor_carrier_class(const struct sw_tensor *tensor)
{
    return sw_carrier_class_of(sw_tensor_carrier(tensor));
}

int sw_tensor_is_mutable(const struct sw_tensor *tensor)
{
    return sw_carrier_is_mutable(sw_tensor_carrier(tensor));
}

int sw_tensor_is_differentiable(const struct sw_tensor *tensor)
{
    return sw_tensor_dtype(tensor) == SW_FLOAT32;
}
