/*
 * Whether a layout maps different coordinates to different indices.
 */
#include "config.h"

#include "layout/leaves.h"
#include "layout/make.h"
#include "layout/relation.h"

/* The same for sorted leaves of extent above 1 and stride above 0. */
static enum sw_status leaves_are_injective(const struct sw__leaf *leaves, size_t n, int *ret_injective)
{
    int64_t size = 1, span = 1;
    int nested = 1, collide = 0;

    for (size_t i = 0; i < n; i++) {
        nested &= leaves[i].stride >= span;
        size *= leaves[i].extent;
        span += (leaves[i].extent - 1) * leaves[i].stride;
    }
    /* Each leaf steps over all that the smaller ones reach; or there are fewer indices than coordinates. */
    if (nested || size > span) {
        *ret_injective = nested;
        return SW_OK;
    }
    enum sw_answer answer = sw__leaves_collide(leaves, n);
    if (answer == SW_ANSWER_UNKNOWN)
        SW__TRY(sw__leaves_collide_enumerated(leaves, n, &collide));
    else
        collide = answer == SW_ANSWER_YES;
    *ret_injective = !collide;
    return SW_OK;
}

static size_t count_zero_strides(const struct sw__leaves *leaves)
{
    size_t n = 0;

    while (n < leaves->n && leaves->at[n].stride == 0)
        n++;
    return n;
}

enum sw_status sw_layout_is_injective(const struct sw_layout *layout, int *ret_injective)
{
    struct sw__leaves leaves;

    SW__TRY(sw__check_layout(layout, "the argument"));
    if (layout->is_canonical || layout->size > layout->cosize) {
        *ret_injective = (int)layout->is_canonical;
        return SW_OK;
    }
    sw__leaves_sort(&leaves, layout);
    if (count_zero_strides(&leaves) > 0) {
        *ret_injective = 0;
        return SW_OK;
    }
    return leaves_are_injective(leaves.at, leaves.n, ret_injective);
}

enum sw_status sw_layout_is_broadcast_only(const struct sw_layout *layout, int *ret_broadcast_only)
{
    struct sw__leaves leaves;

    SW__TRY(sw__check_layout(layout, "the argument"));
    sw__leaves_sort(&leaves, layout);
    size_t n_zero = count_zero_strides(&leaves);
    /* Nothing is left to shrink: the layout is injective, or stays what it is. */
    if (n_zero == 0) {
        *ret_broadcast_only = 0;
        return SW_OK;
    }
    return leaves_are_injective(leaves.at + n_zero, leaves.n - n_zero, ret_broadcast_only);
}
