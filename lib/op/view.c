/*
 * The view family: the same carrier, another offset and layout. What differs
 * between views is how the new layout is found.
 */
#include "config.h"

#include "base/alloc.h"
#include "base/checked.h"
#include "op/check.h"
#include "op/op.h"

enum sw_status sw__view_compute(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                                const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    const struct sw__op *op = sw__op_of(operation);
    const struct sw__view_kernel *kernel = op->kernel;
    struct sw_layout *layout SW__OWNED_LAYOUT = NULL;
    int64_t offset = 0;

    (void)options;
    if (n_operands == 0 || operands[0].kind != SW_OPERAND_TENSOR)
        return sw_error_set(SW_TYPE_ERROR, "%s takes a tensor first", op->name);
    SW__TRY(sw__check_classes(op, operands, n_operands));
    const struct sw_tensor *in = operands[0].as.tensor;
    SW__TRY(sw__check_live(in));
    SW__TRY(kernel->place(in->layout, operands + 1, n_operands - 1, &offset, &layout));
    if (!sw__add_fits(offset, in->offset, &offset))
        return sw_error_set(SW_OVERFLOW_ERROR, "%s: the offset leaves 64 bits", op->name);
    return sw__tensor_view(in, offset, layout, ret_tensor);
}

/* ---- Arguments ------------------------------------------------------------------------ */

static enum sw_status expect_trees(const struct sw_operand *arguments, size_t n_arguments, size_t n)
{
    for (size_t i = 0; i < n && i < n_arguments; i++)
        if (arguments[i].kind != SW_OPERAND_TREE || arguments[i].as.tree == NULL ||
            arguments[i].as.tree->kind != SW_KIND_TREE)
            return sw_error_set(SW_TYPE_ERROR, "argument %zu of this view must be a tree", i + 1);
    if (n_arguments != n)
        return sw_error_set(SW_TYPE_ERROR, "this view takes %zu arguments beside the tensor, not %zu", n, n_arguments);
    return SW_OK;
}

static enum sw_status expect_integers(const struct sw_operand *arguments, size_t n_arguments)
{
    for (size_t i = 0; i < n_arguments; i++)
        if (arguments[i].kind != SW_OPERAND_INTEGER)
            return sw_error_set(SW_TYPE_ERROR, "argument %zu of this view must be an integer", i + 1);
    return SW_OK;
}

static enum sw_status expect_one_integer(const struct sw_operand *arguments, size_t n_arguments)
{
    if (n_arguments != 1)
        return sw_error_set(SW_TYPE_ERROR, "this view takes one integer beside the tensor, not %zu arguments",
                            n_arguments);
    return expect_integers(arguments, n_arguments);
}

/* ---- The views ------------------------------------------------------------------------ */

#define PLACE(view)                                                                                               \
    static enum sw_status view##_place(const struct sw_layout *layout, const struct sw_operand *arguments,        \
                                       size_t n_arguments, int64_t *ret_offset, struct sw_layout **ret_layout);   \
    const struct sw__view_kernel sw__kernel_##view = { view##_place };                                            \
    static enum sw_status view##_place(const struct sw_layout *layout, const struct sw_operand *arguments,        \
                                       size_t n_arguments, int64_t *ret_offset __attribute__((unused)),           \
                                       struct sw_layout **ret_layout)

PLACE(broadcast_to)
{
    SW__TRY(expect_trees(arguments, n_arguments, 1));
    return sw_layout_broadcast_to(layout, arguments[0].as.tree, ret_layout);
}

PLACE(reshape)
{
    SW__TRY(expect_trees(arguments, n_arguments, 1));
    return sw_layout_reshape(layout, arguments[0].as.tree, ret_layout);
}

PLACE(permute)
{
    SW__TRY(expect_integers(arguments, n_arguments));
    int64_t *order SW__OWNED = sw__alloc(n_arguments * sizeof *order);
    if (order == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < n_arguments; i++)
        order[i] = arguments[i].as.integer;
    return sw_layout_permute(layout, order, n_arguments, ret_layout);
}

PLACE(squeeze)
{
    SW__TRY(expect_one_integer(arguments, n_arguments));
    return sw_layout_squeeze(layout, arguments[0].as.integer, ret_layout);
}

PLACE(unsqueeze)
{
    SW__TRY(expect_one_integer(arguments, n_arguments));
    return sw_layout_unsqueeze(layout, arguments[0].as.integer, ret_layout);
}

PLACE(rearrange)
{
    if (n_arguments == 2 && arguments[1].kind == SW_OPERAND_NONE) {
        SW__TRY(expect_trees(arguments, 1, 1));
        return sw_layout_rearrange(layout, arguments[0].as.tree, NULL, ret_layout);
    }
    SW__TRY(expect_trees(arguments, n_arguments, 2));
    return sw_layout_rearrange(layout, arguments[0].as.tree, arguments[1].as.tree, ret_layout);
}

PLACE(as_strided)
{
    struct sw_layout *selector SW__OWNED_LAYOUT = NULL;

    SW__TRY(expect_trees(arguments, n_arguments, 2));
    SW__TRY(sw_layout_new(arguments[0].as.tree, arguments[1].as.tree, &selector));
    return sw_layout_select(layout, selector, ret_layout);
}

PLACE(slice)
{
    SW__TRY(expect_trees(arguments, n_arguments, 1));
    return sw_layout_slice(layout, arguments[0].as.tree, ret_offset, ret_layout);
}
