/*
 * Runs a few operations and prints how many boundaries its thread entered: the
 * number of calls that a tool must have seen. With BY_DLOPEN it finds the
 * library as a language binding does: opened RTLD_LOCAL, symbol by symbol.
 */
#include <stdio.h>

#include <strideweave/strideweave.h>

#ifdef BY_DLOPEN
#include <dlfcn.h>

#define FUNCTIONS(FUNCTION)     \
    FUNCTION(sw_boundary_count) \
    FUNCTION(sw_generic_class)  \
    FUNCTION(sw_neg)            \
    FUNCTION(sw_tensor_arange)  \
    FUNCTION(sw_tensor_unref)   \
    FUNCTION(sw_tree_parse)     \
    FUNCTION(sw_tree_unref)
#define DECLARE(name) static __typeof__(name) *p_##name;
FUNCTIONS(DECLARE)
#define CALL(name) p_##name

static int find_functions(void)
{
    void *library = dlopen(BY_DLOPEN, RTLD_NOW | RTLD_LOCAL);

    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 0;
    }
#define FIND(name)                                              \
    if ((*(void **)&p_##name = dlsym(library, #name)) == NULL)  \
        return 0;
    FUNCTIONS(FIND)
    return 1;
}
#else
#define CALL(name) name

static int find_functions(void)
{
    return 1;
}
#endif

int main(void)
{
    struct sw_tree *shape;
    struct sw_tensor *tensor;

    if (!find_functions() || CALL(sw_tree_parse)("(2,3)", &shape) != SW_OK ||
        CALL(sw_tensor_arange)(CALL(sw_generic_class)(), SW_FLOAT32, shape, &tensor) != SW_OK)
        return 1;
    for (int i = 0; i < 3; i++) {
        struct sw_tensor *next;

        if (CALL(sw_neg)(tensor, &next) != SW_OK)
            return 1;
        CALL(sw_tensor_unref)(tensor);
        tensor = next;
    }
    CALL(sw_tensor_unref)(tensor);
    CALL(sw_tree_unref)(shape);
    printf("%llu\n", (unsigned long long)CALL(sw_boundary_count)());
    return 0;
}
