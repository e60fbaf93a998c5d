/* Frames of C++: names as they are written, not as the linker has them. */
#include <strideweave/strideweave.h>

#include <cstdlib>

namespace model {
template <typename T> struct Layer {
    __attribute__((noinline)) void forward(T value);
};

template <typename T> void Layer<T>::forward(T value)
{
    const float values[4] = {1, 2, 3, 4};
    const int64_t extents[1] = {4};
    struct sw_tree *shape = nullptr;
    struct sw_tensor *tensor = nullptr, *out = nullptr;

    (void)value;
    if (sw_tree_flat(extents, 1, &shape) != SW_OK ||
        sw_tensor_from_f32(sw_cpu_class(), values, shape, &tensor) != SW_OK ||
        sw_neg(tensor, &out) != SW_OK) /* LINE forward */
        std::abort();
    sw_tree_unref(shape);
    sw_tensor_unref(out);
    sw_tensor_unref(tensor);
}
} // namespace model

int main()
{
    model::Layer<double>().forward(1.0);
}
