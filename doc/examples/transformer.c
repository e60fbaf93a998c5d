/*
 * Two layers of a transformer's encoder, forward and backward, on numbers that
 * any program can make: how far the output is from a target, and the gradient of
 * that for every parameter.
 *
 *     cc -o transformer transformer.c encoder.c \
 *         $(pkg-config --cflags --libs strideweave) -lm
 *     ./transformer
 */
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strideweave/strideweave.h>

#include "encoder.h"
#include "scoped.h"
#include "texts.h"

#define N_LAYERS 2
#define N_SEQUENCE 16
#define N_BATCH 2
#define N_MOST_VALUES (3 * N_FEATURES * N_FEATURES) /* of the largest parameter */
#define TOKENS "(64,(16,2))"                        /* features, sequence, batch: row-major (2,16,64) */

struct settings {
    uint64_t seed;
    size_t n_passes;
    size_t n_samples;
    struct sw_carrier_class *carrier_class;
};

struct transformer {
    struct encoder_layer layers[N_LAYERS];
    struct sw_tensor *epsilon;
    struct sw_tensor *in;     /* ((16,2),64) */
    struct sw_tensor *target; /* ((16,2),64) */
};

/* ---- Numbers --------------------------------------------------------------------- */

/* splitmix64, the upper 24 bits as a number in [-1,1). */
static double next_number(uint64_t *state)
{
    uint64_t bits = *state += UINT64_C(0x9e3779b97f4a7c15);

    bits = (bits ^ (bits >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ (bits >> 27)) * UINT64_C(0x94d049bb133111eb);
    bits ^= bits >> 31;
    return (double)(bits >> 40) / 8388608.0 - 1.0;
}

static enum sw_status draw(const struct settings *settings, const char *shape_text, double base, double span,
                           uint64_t *state, struct sw_tensor **ret_tensor)
{
    static float values[N_MOST_VALUES];
    OWNED_TREE struct sw_tree *shape = NULL;
    int64_t size;

    TRY(sw_tree_parse(shape_text, &shape));
    TRY(sw_shape_size(shape, &size));
    for (int64_t i = 0; i < size; i++)
        values[i] = (float)(base + span * next_number(state));
    return sw_tensor_from_f32(settings->carrier_class, values, shape, ret_tensor);
}

static enum sw_status draw_tokens(const struct settings *settings, uint64_t *state, struct sw_tensor **ret_tensor)
{
    OWNED struct sw_tensor *columns = NULL;

    TRY(draw(settings, TOKENS, 0.0, 1.0, state, &columns));
    return transposed(columns, ret_tensor);
}

/* The parameters layer by layer, then the tokens, then the target. */
static enum sw_status transformer_make(const struct settings *settings, struct transformer *transformer)
{
    const float epsilon = 1e-5f;
    uint64_t state = settings->seed;

    for (size_t i = 0; i < N_LAYERS * N_PARAMETERS; i++) {
        const struct encoder_parameter_kind *kind = &encoder_parameter_kinds[i % N_PARAMETERS];
        struct sw_tensor **parameter = &transformer->layers[i / N_PARAMETERS].parameters[i % N_PARAMETERS];

        TRY(draw(settings, kind->shape, kind->base, kind->span, &state, parameter));
        TRY(sw_tensor_set_requires_grad(*parameter, 1));
    }
    TRY(draw_tokens(settings, &state, &transformer->in));
    TRY(draw_tokens(settings, &state, &transformer->target));
    return tensor_of(settings->carrier_class, &epsilon, "((1,1),1)", &transformer->epsilon);
}

static void transformer_drop(struct transformer *transformer)
{
    for (size_t i = 0; i < N_LAYERS * N_PARAMETERS; i++)
        sw_tensor_unref(transformer->layers[i / N_PARAMETERS].parameters[i % N_PARAMETERS]);
    sw_tensor_unref(transformer->epsilon);
    sw_tensor_unref(transformer->in);
    sw_tensor_unref(transformer->target);
}

/* ---- One pass -------------------------------------------------------------------- */

static enum sw_status forward(const struct transformer *transformer, struct sw_tensor **ret_out)
{
    OWNED struct sw_tensor *tokens = sw_tensor_ref(transformer->in);

    for (size_t i = 0; i < N_LAYERS; i++) {
        OWNED struct sw_tensor *next = NULL;

        TRY(encoder_layer_forward(&transformer->layers[i], transformer->epsilon, tokens, &next));
        sw_tensor_unref(tokens);
        tokens = sw_tensor_ref(next);
    }
    *ret_out = sw_tensor_ref(tokens);
    return SW_OK;
}

/* The mean square of what is between them. */
static enum sw_status make_loss(const struct sw_tensor *out, const struct sw_tensor *target,
                                struct sw_tensor **ret_loss)
{
    OWNED struct sw_tensor *difference = NULL, *squares = NULL;

    TRY(sw_sub(out, target, &difference));
    TRY(sw_mul(difference, difference, &squares));
    return sw_mean(squares, ret_loss);
}

/* The norm of a tensor and some of its elements, evenly apart, in ordinal order. */
static enum sw_status print_tensor(const char *name, const struct sw_tensor *tensor, size_t n_samples)
{
    static float values[N_MOST_VALUES];
    size_t n = (size_t)sw_tensor_size(tensor);
    double sum = 0;

    TRY(sw_tensor_read_f32(tensor, values, n));
    for (size_t i = 0; i < n; i++)
        sum += (double)values[i] * (double)values[i];
    printf("%-34s %13.6e ", name, sqrt(sum));
    for (size_t i = 0; i < n_samples; i++)
        printf(" %13.6e", (double)values[i * n / n_samples]);
    putchar('\n');
    return SW_OK;
}

static enum sw_status print_gradients(const struct transformer *transformer, size_t n_samples)
{
    char name[64];

    for (size_t i = 0; i < N_LAYERS * N_PARAMETERS; i++) {
        OWNED struct sw_tensor *gradient =
            sw_tensor_grad(transformer->layers[i / N_PARAMETERS].parameters[i % N_PARAMETERS]);

        snprintf(name, sizeof(name), "layers.%zu.%s", i / N_PARAMETERS, encoder_parameter_kinds[i % N_PARAMETERS].name);
        TRY(print_tensor(name, gradient, n_samples));
    }
    return SW_OK;
}

/* Forward and backward; gradients are those of this pass alone. */
static enum sw_status pass(struct transformer *transformer, struct sw_tensor **ret_out, double *ret_loss)
{
    OWNED struct sw_tensor *out = NULL, *loss = NULL;

    for (size_t i = 0; i < N_LAYERS * N_PARAMETERS; i++)
        sw_tensor_clear_grad(transformer->layers[i / N_PARAMETERS].parameters[i % N_PARAMETERS]);
    TRY(forward(transformer, &out));
    TRY(make_loss(out, transformer->target, &loss));
    TRY(sw_tensor_item(loss, ret_loss));
    TRY(sw_tensor_backward(loss, NULL, SW_GRAPH_FREE));
    *ret_out = sw_tensor_ref(out);
    return SW_OK;
}

static enum sw_status run(const struct settings *settings, struct transformer *transformer)
{
    OWNED struct sw_tensor *out = NULL, *columns = NULL;
    double loss = 0;

    TRY(transformer_make(settings, transformer));
    for (size_t i = 0; i < settings->n_passes; i++) {
        sw_tensor_unref(out);
        out = NULL;
        TRY(pass(transformer, &out, &loss));
    }
    TRY(transposed(out, &columns));
    printf("loss %.7f\n", loss);
    printf("%-34s %13s  some elements\n", "tensor, or gradient of", "norm");
    TRY(print_tensor("output", columns, settings->n_samples));
    TRY(print_gradients(transformer, settings->n_samples));
    printf("boundaries crossed: %" PRIu64 "\n", sw_boundary_count());
    return SW_OK;
}

/* ---- The program ------------------------------------------------------------------ */

static void usage(FILE *stream)
{
    fputs("usage: transformer [OPTION]...\n"
          "  --seed N          of all numbers [1]\n"
          "  --passes N        all the same, from 1 to 1000000 [1]\n"
          "  --samples N       elements to print of each tensor, at most 64 [4]\n"
          "  --carrier CLASS   CPU or Generic [CPU]\n"
          "  --help            say this\n",
          stream);
}

/* Whether @text is a number from @least to @most. */
static int parse_number(const char *text, uint64_t least, uint64_t most, uint64_t *ret_number)
{
    char *end;
    unsigned long long number = strtoull(text, &end, 10);

    if (text[0] < '0' || text[0] > '9' || *end != '\0' || number < least || number > most)
        return 0;
    *ret_number = number;
    return 1;
}

/* Whether the command line is in order; what is wrong with it has been said. */
static int parse_options(int argc, char **argv, struct settings *settings)
{
    static const struct option options[] = {
        { "seed", required_argument, NULL, 's' },    { "passes", required_argument, NULL, 'p' },
        { "samples", required_argument, NULL, 'n' }, { "carrier", required_argument, NULL, 'c' },
        { "help", no_argument, NULL, 'h' },          { NULL, 0, NULL, 0 },
    };
    int option;
    int is_right = 1;
    uint64_t n_passes = settings->n_passes, n_samples = settings->n_samples;

    while (is_right && (option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == 'h') {
            usage(stdout);
            exit(EXIT_SUCCESS);
        } else if (option == '?') {
            return 0;
        } else if (option == 'c') {
            settings->carrier_class = carrier_class_named(optarg);
            is_right = settings->carrier_class != NULL;
        } else if (option == 's') {
            is_right = parse_number(optarg, 0, UINT64_MAX, &settings->seed);
        } else if (option == 'p') {
            is_right = parse_number(optarg, 1, 1000000, &n_passes);
        } else {
            is_right = parse_number(optarg, 0, 64, &n_samples);
        }
    }
    settings->n_passes = (size_t)n_passes;
    settings->n_samples = (size_t)n_samples;
    if (!is_right)
        fprintf(stderr, "transformer: \"%s\" is not what this option takes; see --help.\n", optarg);
    else if (optind < argc)
        fprintf(stderr, "transformer: the argument \"%s\" means nothing; see --help.\n", argv[optind]);
    return is_right && optind == argc;
}

int main(int argc, char **argv)
{
    struct settings settings = { 1, 1, 4, sw_cpu_class() };
    struct transformer transformer = { 0 };
    enum sw_status status;

    if (!parse_options(argc, argv, &settings))
        return 2;
    status = run(&settings, &transformer);
    if (status != SW_OK)
        fprintf(stderr, "transformer: %s: %s\n", sw_status_name(status), sw_error_message());
    transformer_drop(&transformer);
    return status == SW_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
