/*
 * Tensors: a carrier, an offset and a layout. Element at coordinate c is slot
 * offset + layout(c). The handle is immutable, values change through the
 * carrier. Keeps its carrier alive and never releases it.
 */
#ifndef STRIDEWEAVE_TENSOR_H
#define STRIDEWEAVE_TENSOR_H

#include <strideweave/carrier.h>
#include <strideweave/layout.h>

SW_BEGIN_DECLS

struct sw_tensor;

/*
 * What is no tensor (NULL included) is a TypeError where a status is returned;
 * queries without one answer NULL, 0 or SW_DTYPE_NONE.
 */

/**
 * sw_tensor_new - a tensor over slots of a carrier. Nothing is copied, nothing
 * is written, no version changes.
 *
 * @carrier     Its dtype becomes the tensor's. A reference is taken.
 * @offset      Slot of the element with index 0.
 * @layout      May alias (a stride of 0, overlapping strides). A reference is
 *              taken.
 * @ret_tensor  One reference, given back with sw_tensor_unref(). Untouched on
 *              failure.
 *
 * Returns SW_OK; SW_TYPE_ERROR for what is no carrier or no layout;
 * SW_VALUE_ERROR for a carrier without a dtype, a negative offset, or offset +
 * cosize beyond the carrier's size (0 when it was released);
 * SW_OVERFLOW_ERROR when that sum leaves 64 bits; SW_MEMORY_ERROR.
 */
SW_API SW_NODISCARD enum sw_status sw_tensor_new(struct sw_carrier *carrier, int64_t offset,
                                                 const struct sw_layout *layout, struct sw_tensor **ret_tensor);
/** sw_tensor_ref - one more reference. Returns @tensor. Threads: any. */
SW_API struct sw_tensor *sw_tensor_ref(const struct sw_tensor *tensor);
/** The last reference destroys the tensor and gives back its carrier and layout. NULL is accepted. Threads: any. */
SW_API void sw_tensor_unref(const struct sw_tensor *tensor);

/* Borrowed; live as long as the tensor. */
SW_API struct sw_carrier *sw_tensor_carrier(const struct sw_tensor *tensor);
SW_API const struct sw_layout *sw_tensor_layout(const struct sw_tensor *tensor);
SW_API const struct sw_tree *sw_tensor_shape(const struct sw_tensor *tensor);
SW_API int64_t sw_tensor_offset(const struct sw_tensor *tensor);
SW_API enum sw_dtype sw_tensor_dtype(const struct sw_tensor *tensor);
/** Elements, which an aliasing layout counts more than once. */
SW_API int64_t sw_tensor_size(const struct sw_tensor *tensor);
/** The exact class of its carrier. */
SW_API struct sw_carrier_class *sw_tensor_carrier_class(const struct sw_tensor *tensor);
/** Whether its carrier can be written to now. */
SW_API int sw_tensor_is_mutable(const struct sw_tensor *tensor);
/** Whether its dtype is Float32. */
SW_API int sw_tensor_is_differentiable(const struct sw_tensor *tensor);

/*
 * Element access: no operation, no boundary. @coordinate is natural or mixed, as
 * in sw_shape_encode(), or a tree of one leaf: the ordinal. Writing is one
 * sw_carrier_set() on the tensor's carrier.
 *
 * Errors: SW_RUNTIME_ERROR for released storage, before the coordinate is looked
 * at; SW_TYPE_ERROR for a coordinate that is no tree; SW_VALUE_ERROR for one of
 * another structure or outside of the shape; then those of sw_carrier_get() and
 * sw_carrier_set().
 */
SW_API SW_NODISCARD enum sw_status sw_tensor_get(const struct sw_tensor *tensor, const struct sw_tree *coordinate,
                                                 struct sw_scalar *ret_value);
SW_API SW_NODISCARD enum sw_status sw_tensor_set(const struct sw_tensor *tensor, const struct sw_tree *coordinate,
                                                 const struct sw_scalar *value);
SW_API SW_NODISCARD enum sw_status sw_tensor_get_ordinal(const struct sw_tensor *tensor, int64_t ordinal,
                                                         struct sw_scalar *ret_value);
SW_API SW_NODISCARD enum sw_status sw_tensor_set_ordinal(const struct sw_tensor *tensor, int64_t ordinal,
                                                         const struct sw_scalar *value);
/** The value of a tensor of size 1, false and true as 0 and 1; SW_VALUE_ERROR for any other size. */
SW_API SW_NODISCARD enum sw_status sw_tensor_item(const struct sw_tensor *tensor, double *ret_value);

/*
 * All elements in ordinal order, first mode fastest. The array is the caller's;
 * @n must be the tensor's size; a Bool is one byte, 0 or 1.
 *
 * Reading leaves the array alone when it fails. Writing checks everything first
 * and then counts as @n writes of single elements: slots that elements share
 * keep the last value, the version grows by @n. Only a carrier class of one's
 * own can fail after that, half-way.
 *
 * Errors: SW_RUNTIME_ERROR for released storage; SW_TYPE_ERROR for a tensor of
 * another dtype or no array; SW_VALUE_ERROR for another @n; for writing
 * SW_RUNTIME_ERROR when the carrier cannot be written to and SW_TYPE_ERROR for a
 * byte other than 0 and 1; SW_MEMORY_ERROR; what the class says.
 */
SW_API SW_NODISCARD enum sw_status sw_tensor_read_f32(const struct sw_tensor *tensor, float *values, size_t n);
SW_API SW_NODISCARD enum sw_status sw_tensor_read_i32(const struct sw_tensor *tensor, int32_t *values, size_t n);
SW_API SW_NODISCARD enum sw_status sw_tensor_read_bool(const struct sw_tensor *tensor, uint8_t *values, size_t n);
SW_API SW_NODISCARD enum sw_status sw_tensor_write_f32(const struct sw_tensor *tensor, const float *values, size_t n);
SW_API SW_NODISCARD enum sw_status sw_tensor_write_i32(const struct sw_tensor *tensor, const int32_t *values, size_t n);
SW_API SW_NODISCARD enum sw_status sw_tensor_write_bool(const struct sw_tensor *tensor, const uint8_t *values,
                                                        size_t n);

/*
 * Fresh tensors on a fresh mutable carrier of @carrier_class, with the canonical
 * layout of @shape. Arrays hold one value per element, in ordinal order, and are
 * copied. @ret_tensor is one reference, untouched on failure.
 *
 * Errors: SW_TYPE_ERROR for what is no class, shape, dtype or array, and for a
 * value that the dtype does not take; SW_OVERFLOW_ERROR for one outside of
 * Int32; SW_VALUE_ERROR for a shape with an extent below 1 or a dtype that the
 * class does not store; SW_NOT_IMPLEMENTED_ERROR for a class that makes no
 * storage without a prototype; SW_MEMORY_ERROR; what the class says.
 */
SW_API SW_NODISCARD enum sw_status sw_tensor_zeros(struct sw_carrier_class *carrier_class, enum sw_dtype dtype,
                                                   const struct sw_tree *shape, struct sw_tensor **ret_tensor);
SW_API SW_NODISCARD enum sw_status sw_tensor_full(struct sw_carrier_class *carrier_class, enum sw_dtype dtype,
                                                  const struct sw_tree *shape, const struct sw_scalar *value,
                                                  struct sw_tensor **ret_tensor);
/** 0, 1, 2, ... in ordinal order, as integers: not for Bool. */
SW_API SW_NODISCARD enum sw_status sw_tensor_arange(struct sw_carrier_class *carrier_class, enum sw_dtype dtype,
                                                    const struct sw_tree *shape, struct sw_tensor **ret_tensor);
SW_API SW_NODISCARD enum sw_status sw_tensor_from_f32(struct sw_carrier_class *carrier_class, const float *values,
                                                      const struct sw_tree *shape, struct sw_tensor **ret_tensor);
SW_API SW_NODISCARD enum sw_status sw_tensor_from_i32(struct sw_carrier_class *carrier_class, const int32_t *values,
                                                      const struct sw_tree *shape, struct sw_tensor **ret_tensor);
SW_API SW_NODISCARD enum sw_status sw_tensor_from_bool(struct sw_carrier_class *carrier_class, const uint8_t *values,
                                                       const struct sw_tree *shape, struct sw_tensor **ret_tensor);

SW_END_DECLS

#endif
