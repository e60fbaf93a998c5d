/*
 * What each view is by its definition: which element of the tensor stands at
 * each coordinate of the view, told in ordinals, without layouts.
 */
#ifndef TESTS_OP_VIEW_MODEL_H
#define TESTS_OP_VIEW_MODEL_H

#include "sample_parts.h"

#define MODEL_NODES (4 * MAX_NODES)

enum model_verdict {
    MODEL_EXISTS,
    MODEL_REFUSED,
    MODEL_PERHAPS /* there is such a view, but the library need not find it */
};

struct view_model {
    enum model_verdict verdict;
    /** The view's shape as nodes, and beside each leaf how many ordinals of the tensor one step along it takes. */
    int64_t shape[MODEL_NODES];
    int64_t step[MODEL_NODES];
    size_t n;
    int64_t first; /* ordinal of the tensor at coordinate 0 */
};

/** The slot of an element of the sample's tensor. */
int64_t model_slot(const struct sample_operand *tensor, int64_t ordinal);
/** Elements of the view. */
int64_t model_size(const struct view_model *model);
/** The ordinal of the tensor that stands at ordinal @ordinal of the view. */
int64_t model_source(const struct view_model *model, int64_t ordinal);

/** The view that a sample of the family asks for. */
void model_view(struct view_model *model, const struct sample *sample);
/** That of sw_broadcast_in_dim(): the sample's tensor, its first tree as the target. */
enum model_verdict model_broadcast_in_dim(struct view_model *model, const struct sample *sample, const int64_t *dims,
                                          size_t n_dims);

/** Let every slot of a tensor in the making hold its own number, so that an element says where it was read. */
void model_number_slots(struct sample_operand *tensor);
/** Whether the library's view of such a tensor has the model's shape and elements is asserted. */
void model_check(const struct sample *sample, const struct view_model *model, const struct sw_tensor *view);

#endif
