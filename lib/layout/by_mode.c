/*
 * By-mode composition: every leaf of the inner layout picks elements of the
 * outer one, which gives a layout or a refusal, never a general index map.
 */
#include "config.h"

#include "layout/by_mode.h"

#include "layout/leaf.h"
#include "layout/make.h"

struct by_mode {
    struct sw__layout_builder *builder;
    const struct sw__modes *outer;
    const struct sw__modes *inner;
    size_t node; /* next of the inner modes */
    const char *refusal;
};

static enum sw_status refuse(struct by_mode *work, const char *why)
{
    work->refusal = why;
    return SW_VALUE_ERROR;
}

/*
 * The walk over the outer modes that takes every every-th element and, of
 * those, the first count.
 */
struct pick {
    int64_t every; /* what is left of the distance; 1 from where it is used up */
    int64_t taken; /* elements so far */
    int64_t count;
};

/* Make one outer mode what is left of it when only every every-th element counts. */
static const char *thin(struct pick *pick, int64_t *extent, int64_t *stride)
{
    if (pick->every == 1)
        return NULL;
    if (*extent > pick->every) {
        if (*extent % pick->every != 0)
            return "the stride does not divide an extent";
        *extent /= pick->every;
        *stride *= pick->every;
        pick->every = 1;
        return NULL;
    }
    if (pick->every % *extent != 0)
        return "an extent does not divide the stride";
    pick->every /= *extent;
    *extent = 1;
    return NULL;
}

/* Make one outer mode what is needed of it for the first count elements. */
static const char *truncate_mode(struct pick *pick, int64_t *extent)
{
    int64_t taken;

    if (pick->taken == pick->count) {
        *extent = 1;
        return NULL;
    }
    if (sw__mul_fits(*extent, pick->taken, &taken) && taken <= pick->count) {
        pick->taken = taken;
        return NULL;
    }
    if (pick->count % pick->taken != 0)
        return "the extents before do not divide the extent";
    *extent = pick->count / pick->taken;
    pick->taken = pick->count;
    return NULL;
}

static enum sw_status pick_leaves(struct by_mode *work, size_t begin, int64_t count, int64_t every)
{
    const struct sw__modes *outer = work->outer;
    struct pick pick = { every, 1, count };

    for (size_t i = 0; i < outer->n_nodes; i++)
        if (SW_TREE_IS_NESTED(outer->extents[i]))
            return refuse(work, "the outer layout nests");
    if (every == 0 || sw__nodes_size(outer->extents, outer->n_nodes) % every != 0)
        return refuse(work, "the stride does not divide the size of the outer layout");
    for (size_t i = 0; i < outer->n_nodes; i++) {
        int64_t extent = outer->extents[i], stride = outer->strides[i];
        const char *why = thin(&pick, &extent, &stride);

        if (why == NULL)
            why = truncate_mode(&pick, &extent);
        if (why != NULL)
            return refuse(work, why);
        sw__layout_builder_coalesce(work->builder, begin, extent, stride);
    }
    if (pick.taken != count)
        return refuse(work, "the outer layout has too few elements");
    return SW_OK;
}

/* Compose with one leaf; the result is a list of leaves, given as one appended mode. */
static enum sw_status compose_leaf(struct by_mode *work, int64_t extent, int64_t stride, size_t *ret_n)
{
    *ret_n = 1;
    if (extent == 1) {
        sw__layout_builder_leaf(work->builder, 1, 0);
        return SW_OK;
    }
    if (sw__modes_is_leaf(work->outer)) {
        int64_t scaled;

        SW__TRY(sw__leaf_product(stride, work->outer->strides[0], "the stride of a composition", &scaled));
        sw__layout_builder_leaf(work->builder, extent, scaled);
        return SW_OK;
    }
    size_t place = sw__layout_builder_open(work->builder);
    SW__TRY(pick_leaves(work, place + 1, extent, stride));
    *ret_n = sw__layout_builder_append(work->builder, place, work->builder->extents.n - place - 1);
    return SW_OK;
}

static enum sw_status compose_modes(struct by_mode *work, size_t n_modes, size_t *ret_n)
{
    size_t begin = work->builder->extents.n, n = 0, n_inner;

    for (size_t mode = 0; mode < n_modes; mode++) {
        int64_t extent = work->inner->extents[work->node], stride = work->inner->strides[work->node];

        work->node++;
        if (!SW_TREE_IS_NESTED(extent)) {
            SW__TRY(compose_leaf(work, extent, stride, &n_inner));
            n += n_inner;
            continue;
        }
        size_t place = sw__layout_builder_open(work->builder);
        SW__TRY(compose_modes(work, SW_TREE_COUNT(extent), &n_inner));
        n += sw__layout_builder_append(work->builder, place, n_inner);
    }
    SW__TRY(sw__layout_builder_status(work->builder));
    if (n == 1 && SW_TREE_IS_NESTED(work->builder->extents.at[begin]))
        n = sw__layout_builder_unwrap(work->builder, begin);
    *ret_n = n;
    return SW_OK;
}

enum sw_status sw__by_mode(struct sw__layout_builder *builder, const struct sw__modes *outer,
                           const struct sw__modes *inner, const char **ret_refusal, size_t *ret_n)
{
    struct by_mode work = { builder, outer, inner, 0, NULL };
    enum sw_status status = compose_modes(&work, inner->n_modes, ret_n);

    *ret_refusal = work.refusal;
    return status;
}

/* sw__by_mode() with its refusal recorded. */
static enum sw_status compose_or_say_why(struct sw__layout_builder *builder, const struct sw__modes *outer,
                                         const struct sw__modes *inner, size_t *ret_n)
{
    const char *refusal = NULL;
    enum sw_status status = sw__by_mode(builder, outer, inner, &refusal, ret_n);

    if (refusal != NULL)
        return sw_error_set(SW_VALUE_ERROR, "the layouts do not compose mode by mode: %s", refusal);
    return status;
}

enum sw_status sw__by_mode_append(struct sw__layout_builder *builder, const struct sw__modes *outer,
                                  const struct sw__modes *inner)
{
    size_t n = 0;
    size_t place = sw__layout_builder_open(builder);

    SW__TRY(compose_or_say_why(builder, outer, inner, &n));
    sw__layout_builder_append(builder, place, n);
    return SW_OK;
}

enum sw_status sw_layout_compose_by_mode(const struct sw_layout *outer, const struct sw_layout *inner,
                                         struct sw_layout **ret_layout)
{
    struct sw__layout_builder builder SW__BUILDER;
    size_t n;

    sw__layout_builder_init(&builder);
    SW__TRY(sw__check_layout(outer, "the outer argument"));
    SW__TRY(sw__check_layout(inner, "the inner argument"));
    struct sw__modes outer_modes = sw__modes_of(outer), inner_modes = sw__modes_of(inner);
    SW__TRY(compose_or_say_why(&builder, &outer_modes, &inner_modes, &n));
    return sw__layout_builder_finish(&builder, ret_layout);
}
