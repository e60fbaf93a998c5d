/*
 * Operations on several threads: the bytes, statuses and sentences of one
 * thread. Every operation runs in two children, which differ in SW_NUM_THREADS
 * alone and leave what came in memory that they share with the test.
 */
#include "config.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "op_test.h"

#define ROOM ((size_t)2 << 20)

struct outcome {
    enum sw_status status;
    char text[256];
    size_t n_threads; /* of the process, after the operation */
    size_t n_bytes;   /* of the result's carrier */
    unsigned char bytes[ROOM];
};

/* ---- Operations ------------------------------------------------------------------------------ */

typedef enum sw_status operation_fn(const struct sw_tensor *a, const struct sw_tensor *b,
                                    struct sw_tensor **ret_tensor);

static enum sw_status logical_not(const struct sw_tensor *a, const struct sw_tensor *b, struct sw_tensor **ret_tensor)
{
    (void)b;
    return sw_logical_not(a, ret_tensor);
}

static enum sw_status sum(const struct sw_tensor *a, const struct sw_tensor *b, struct sw_tensor **ret_tensor)
{
    (void)b;
    return sw_reduce_sum(a, "a b -> a", NULL, ret_tensor);
}

static enum sw_status maximum(const struct sw_tensor *a, const struct sw_tensor *b, struct sw_tensor **ret_tensor)
{
    (void)b;
    return sw_reduce_max(a, "a b -> a", ret_tensor);
}

static enum sw_status convolve(const struct sw_tensor *a, const struct sw_tensor *b, struct sw_tensor **ret_tensor)
{
    struct sw_conv_options options = SW_CONV_OPTIONS_INIT;

    options.n_spatial = 2;
    options.feature_groups = 2;
    return sw_conv_general(a, b, &options, ret_tensor);
}

/* All are larger than a part. */
static const struct {
    operation_fn *run;
    enum sw_dtype dtype;
    const char *a;
    const char *b;
    enum sw_status status;
} cases[] = {
    { sw_add, SW_FLOAT32, "(200001):(1)", "(200001):(1)", SW_OK },
    { sw_add, SW_FLOAT32, "(1000,301):(1,1000)", "(1000,301):(1,0)", SW_OK },
    { sw_add, SW_FLOAT32, "(500,401):(2,1003)", "(500,401):(401,1)", SW_OK },
    { logical_not, SW_FLOAT32, "(500,401):(401,1)", "(1):(1)", SW_OK },
    { sw_add, SW_INT32, "(200001):(1)", "(200001):(1)", SW_OVERFLOW_ERROR }, /* by the last element */
    { sum, SW_FLOAT32, "(3001,100):(1,3001)", "(1):(1)", SW_OK },            /* outputs are dense */
    { sum, SW_FLOAT32, "(3001,100):(100,1)", "(1):(1)", SW_OK },             /* outputs lie apart */
    { maximum, SW_FLOAT32, "(3001,100):(100,1)", "(1):(1)", SW_OK },         /* one output after another */
    { convolve, SW_FLOAT32, "(2,16,60,57):(1,2,32,1920)", "(8,8,5,3):(1,8,64,320)", SW_OK }, /* three blocks */
};

/* ---- Operands -------------------------------------------------------------------------------- */

/* Of every size and sign, with zeros. */
static void fill_f32(float *slots, size_t n, uint32_t seed)
{
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        slots[i] = seed >> 29 == 0 ? 0.0f : ldexpf((float)(int32_t)seed, (int)(seed >> 8 & 15) - 40);
    }
}

/* Only the last ones leave int32 together. */
static void fill_i32(int32_t *slots, size_t n)
{
    for (size_t i = 0; i < n; i++)
        slots[i] = (int32_t)((uint32_t)i * 2654435761u >> 8);
    slots[n - 1] = INT32_MAX;
}

static struct sw_tensor *operand_of(enum sw_dtype dtype, const char *text, uint32_t seed)
{
    struct sw_cpu_options options = SW_CPU_OPTIONS_INIT;
    struct sw_carrier *carrier;
    struct sw_layout *layout;
    struct sw_tensor *tensor;

    assert_ok(sw_layout_parse(text, &layout));
    const size_t n = (size_t)sw_layout_cosize(layout);
    options.dtype = (int32_t)dtype;
    assert_ok(sw_cpu_new(n, &options, &carrier));
    if (dtype == SW_INT32)
        fill_i32(sw_cpu_pointer(carrier), n);
    else
        fill_f32(sw_cpu_pointer(carrier), n, seed);
    assert_ok(sw_tensor_new(carrier, 0, layout, &tensor));
    sw_layout_unref(layout);
    sw_carrier_unref(carrier);
    return tensor;
}

/* ---- Children -------------------------------------------------------------------------------- */

static size_t count_threads(void)
{
    DIR *tasks = opendir("/proc/self/task");
    size_t n = 0;

    ck_assert_ptr_nonnull(tasks);
    for (const struct dirent *task; (task = readdir(tasks)) != NULL;)
        n += task->d_name[0] != '.';
    closedir(tasks);
    return n;
}

static void keep_result(const struct sw_tensor *result, struct outcome *outcome)
{
    const struct sw_carrier *carrier = sw_tensor_carrier(result);

    outcome->n_bytes = sw_carrier_size(carrier) * (sw_tensor_dtype(result) == SW_BOOL ? 1 : 4);
    ck_assert_uint_le(outcome->n_bytes, ROOM);
    memcpy(outcome->bytes, sw_cpu_pointer(carrier), outcome->n_bytes);
}

static void run_case(size_t i, struct outcome *outcome)
{
    struct sw_tensor *a = operand_of(cases[i].dtype, cases[i].a, 1), *b = operand_of(cases[i].dtype, cases[i].b, 2);
    struct sw_tensor *result = NULL;

    outcome->status = cases[i].run(a, b, &result);
    if (outcome->status == SW_OK)
        keep_result(result, outcome);
    else
        snprintf(outcome->text, sizeof outcome->text, "%s", sw_error_message());
    outcome->n_threads = count_threads();
    sw_tensor_unref(result);
    sw_tensor_unref(a);
    sw_tensor_unref(b);
}

static void run_child(size_t i, const char *n_threads, struct outcome *outcome)
{
    const pid_t child = fork();
    int status;

    ck_assert_int_ge(child, 0);
    if (child == 0) {
        setenv("SW_NUM_THREADS", n_threads, 1);
        run_case(i, outcome);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

START_TEST(three_threads_give_what_one_gives)
{
    struct outcome *outcomes = mmap(NULL, 2 * sizeof *outcomes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                                    -1, 0);
    const struct outcome *one = &outcomes[0], *three = &outcomes[1];

    ck_assert(outcomes != MAP_FAILED);
    run_child((size_t)_i, "1", &outcomes[0]);
    run_child((size_t)_i, "3", &outcomes[1]);
    ck_assert_uint_eq(three->n_threads, one->n_threads + 2);
    ck_assert_int_eq(one->status, cases[_i].status);
    ck_assert_int_eq(three->status, one->status);
    ck_assert_str_eq(three->text, one->text);
    ck_assert_uint_eq(three->n_bytes, one->n_bytes);
    ck_assert_int_eq(one->n_bytes != 0, one->status == SW_OK);
    ck_assert_int_eq(memcmp(three->bytes, one->bytes, one->n_bytes), 0);
    munmap(outcomes, 2 * sizeof *outcomes);
}
END_TEST

/* BLAS reads its number of threads before main does anything. */
int main(int n_arguments, char **arguments)
{
    const char *text = getenv("OPENBLAS_NUM_THREADS");

    (void)n_arguments;
    if (text == NULL || strcmp(text, "1") != 0) {
        setenv("OPENBLAS_NUM_THREADS", "1", 1);
        execv("/proc/self/exe", arguments);
    }
    return check_main_each("threads", three_threads_give_what_one_gives, N_OF(cases));
}
