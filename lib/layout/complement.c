/*
 * What a layout leaves out: leaves that fill the gaps between its strides.
 */
#include "config.h"

#include "layout/complement.h"

#include "layout/leaf.h"
#include "layout/leaves.h"
#include "layout/make.h"

/* Add the leaf that fills the gap from @covered to the next stride, or to the end. */
static enum sw_status fill_gap(struct sw__layout_builder *builder, int64_t covered, int64_t next)
{
    if (covered > next)
        return sw_error_set(SW_VALUE_ERROR, "a layout that overlaps itself or the end has no complement");
    if (next % covered != 0)
        return sw_error_set(SW_VALUE_ERROR, "no complement: %lld does not divide %lld", (long long)covered,
                            (long long)next);
    if (next > covered)
        sw__layout_builder_leaf(builder, next / covered, covered);
    return SW_OK;
}

enum sw_status sw__complement(struct sw__layout_builder *builder, const struct sw_layout *layout, int64_t cotarget)
{
    struct sw__leaves leaves;
    int64_t covered = 1;

    if (cotarget < 1)
        return sw_error_set(SW_VALUE_ERROR, "a complement needs a range of at least 1, not %lld", (long long)cotarget);
    if (cotarget == SW_TREE_ANY)
        return sw__leaf_overflow("the range of a complement");
    sw__leaves_sort(&leaves, layout);
    /* Strides that pass fill_gap() in turn are those of an injective layout. */
    for (size_t i = 0; i < leaves.n; i++) {
        SW__TRY(fill_gap(builder, covered, leaves.at[i].stride));
        if (!sw__mul_fits(leaves.at[i].extent, leaves.at[i].stride, &covered))
            covered = INT64_MAX; /* beyond every stride and range that follow */
    }
    return fill_gap(builder, covered, cotarget);
}

enum sw_status sw_layout_complement(const struct sw_layout *layout, int64_t cotarget, struct sw_layout **ret_layout)
{
    struct sw__layout_builder builder SW__BUILDER;

    sw__layout_builder_init(&builder);
    SW__TRY(sw__check_layout(layout, "the argument"));
    SW__TRY(sw__complement(&builder, layout, cotarget));
    return sw__layout_builder_finish(&builder, ret_layout);
}
