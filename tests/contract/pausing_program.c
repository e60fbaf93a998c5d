/*
 * A program that itself refers to the word in which tools say what they want:
 * the linker then gives it a copy of the word, which all objects share.
 */
#include <stdio.h>

#include <strideweave/strideweave.h>

static int operate(struct sw_tensor *in, int n)
{
    for (int i = 0; i < n; i++) {
        struct sw_tensor *out;

        if (sw_neg(in, &out) != SW_OK)
            return 0;
        sw_tensor_unref(out);
    }
    return 1;
}

int main(void)
{
    struct sw_tree *shape;
    struct sw_tensor *in;

    if (sw_tree_parse("(2)", &shape) != SW_OK ||
        sw_tensor_zeros(sw_generic_class(), SW_FLOAT32, shape, &in) != SW_OK)
        return 1;
    if (!operate(in, 7))
        return 1;
    sw_hooks_unwant(SW_HOOK_WANT_COMPUTE);
    if (!operate(in, 100))
        return 1;
    sw_hooks_want(SW_HOOK_WANT_COMPUTE);
    if (!operate(in, 5))
        return 1;
    sw_tensor_unref(in);
    sw_tree_unref(shape);
    return 0;
}
