/*
 * Train a small network on Fashion-MNIST: 784 pixels, 128 hidden units, 10
 * classes; relu, softmax, cross entropy, stochastic gradient descent. The
 * library differentiates the loss with respect to the weights and biases. Ranges
 * and steps say in a profile what is done, and cost nothing without one.
 *
 *     cc -o train_fashion_mnist train_fashion_mnist.c fashion_mnist.c idx.c \
 *         $(pkg-config --cflags --libs strideweave) -lz -lm
 *     ./train_fashion_mnist
 *
 * A batch is (images,784) and weights are (outputs,inputs), because
 * sw_matmul() contracts the second modes of both operands.
 */
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strideweave/strideweave.h>
#include <swprof/annotate.h>
#include <unistd.h>

#include "fashion_mnist.h"
#include "scoped.h"
#include "texts.h"

#define N_HIDDEN 128
#define N_BATCH 100
#define N_TEST_BATCH 1000
#define LEARNING_RATE 0.1

struct settings {
    const char *directory;
    struct sw_carrier_class *carrier_class;
    size_t n_epochs;
    size_t n_images;
};

/** What training changes: leaves of every loss. */
struct network {
    struct sw_tensor *w1; /* (128,784) */
    struct sw_tensor *b1; /* (1,128): broadcasts over the batch */
    struct sw_tensor *w2; /* (10,128) */
    struct sw_tensor *b2; /* (1,10) */
};

/* Rows @begin to @begin + @n: a view. */
static enum sw_status rows(const struct sw_tensor *in, size_t begin, size_t n, struct sw_tensor **ret_tensor)
{
    char text[64];

    snprintf(text, sizeof(text), "((%zu,%zu,*),(*,*,*))", begin, begin + n);
    return slice_by(in, text, ret_tensor);
}

/* ---- The network ---------------------------------------------------------------- */

/*
 * xorshift64*, the upper 24 bits as a fraction in [0,1). The same numbers on
 * every machine, so that a run can be repeated by another program.
 */
static double next_fraction(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * UINT64_C(0x2545f4914f6cdd1d)) >> 40) / 16777216.0;
}

/* Uniform in +-1/sqrt(inputs), in ordinal order: the output counts fastest. */
static enum sw_status make_weights(struct sw_carrier_class *carrier_class, size_t n_outputs, size_t n_inputs,
                                   uint64_t *state, struct sw_tensor **ret_weights)
{
    static float values[N_HIDDEN * N_PIXELS]; /* the larger of both layers */
    double bound = 1.0 / sqrt((double)n_inputs);

    for (size_t i = 0; i < n_outputs * n_inputs; i++)
        values[i] = (float)((2.0 * next_fraction(state) - 1.0) * bound);
    TRY(zeros_2d(carrier_class, n_outputs, n_inputs, ret_weights));
    return sw_tensor_write_f32(*ret_weights, values, n_outputs * n_inputs);
}

static enum sw_status network_make(struct sw_carrier_class *carrier_class, struct network *network)
{
    uint64_t state = 1;

    TRY(make_weights(carrier_class, N_HIDDEN, N_PIXELS, &state, &network->w1));
    TRY(make_weights(carrier_class, N_CLASSES, N_HIDDEN, &state, &network->w2));
    TRY(zeros_2d(carrier_class, 1, N_HIDDEN, &network->b1));
    TRY(zeros_2d(carrier_class, 1, N_CLASSES, &network->b2));
    TRY(sw_tensor_set_requires_grad(network->w1, 1));
    TRY(sw_tensor_set_requires_grad(network->b1, 1));
    TRY(sw_tensor_set_requires_grad(network->w2, 1));
    return sw_tensor_set_requires_grad(network->b2, 1);
}

static void network_drop(struct network *network)
{
    sw_tensor_unref(network->w1);
    sw_tensor_unref(network->b1);
    sw_tensor_unref(network->w2);
    sw_tensor_unref(network->b2);
}

/* in * weights^T + bias */
static enum sw_status layer(const struct sw_tensor *in, const struct sw_tensor *weights, const struct sw_tensor *bias,
                            struct sw_tensor **ret_tensor)
{
    OWNED struct sw_tensor *product = NULL;

    TRY(sw_matmul(in, weights, NULL, &product));
    return sw_add(product, bias, ret_tensor);
}

static enum sw_status forward(const struct network *network, const struct sw_tensor *images,
                              struct sw_tensor **ret_scores)
{
    OWNED struct sw_tensor *before = NULL, *hidden = NULL;

    TRY(layer(images, network->w1, network->b1, &before));
    TRY(sw_relu(before, &hidden));
    return layer(hidden, network->w2, network->b2, ret_scores);
}

/* Mean cross entropy of softmax(scores), of shape (1). */
static enum sw_status cross_entropy(const struct sw_tensor *scores, const struct sw_tensor *targets,
                                    struct sw_tensor **ret_loss)
{
    OWNED struct sw_tensor *highest = NULL, *highest_column = NULL, *shifted = NULL, *powers = NULL;
    OWNED struct sw_tensor *sums = NULL, *log_sums = NULL, *log_sum_column = NULL;
    OWNED struct sw_tensor *log_probabilities = NULL, *chosen = NULL, *total = NULL;

    TRY(sw_reduce_max(scores, "n c -> n", &highest));
    TRY(sw_unsqueeze(highest, 1, &highest_column));
    TRY(sw_sub(scores, highest_column, &shifted));
    TRY(sw_exp(shifted, &powers));
    TRY(sw_reduce_sum(powers, "n c -> n", NULL, &sums));
    TRY(sw_log(sums, &log_sums));
    TRY(sw_unsqueeze(log_sums, 1, &log_sum_column));
    TRY(sw_sub(shifted, log_sum_column, &log_probabilities));
    TRY(sw_elementwise_mul(targets, log_probabilities, &chosen));
    TRY(sw_reduce_sum(chosen, "n c -> 1", NULL, &total));
    return sw_mul_f64(total, -1.0 / N_BATCH, ret_loss);
}

/* parameter - rate * gradient takes the place of the parameter. */
static enum sw_status descend(struct sw_tensor **parameter)
{
    OWNED struct sw_tensor *gradient = sw_tensor_grad(*parameter), *step = NULL, *next = NULL;

    SW_WITHOUT_GRAD {
        TRY(sw_mul_f64(gradient, LEARNING_RATE, &step));
        TRY(sw_sub(*parameter, step, &next));
    }
    TRY(sw_tensor_set_requires_grad(next, 1));
    sw_tensor_unref(*parameter);
    *parameter = sw_tensor_ref(next);
    return SW_OK;
}

static enum sw_status train_batch(struct network *network, const struct data_set *data, size_t begin, double *ret_loss)
{
    OWNED struct sw_tensor *images = NULL, *targets = NULL, *scores = NULL, *loss = NULL;

    TRY(rows(data->images, begin, N_BATCH, &images));
    TRY(rows(data->targets, begin, N_BATCH, &targets));
    SWPROF_RANGE("forward") {
        TRY(forward(network, images, &scores));
        TRY(cross_entropy(scores, targets, &loss));
        TRY(sw_tensor_item(loss, ret_loss));
    }
    SWPROF_RANGE("backward")
        TRY(sw_tensor_backward(loss, NULL, SW_GRAPH_FREE));
    SWPROF_RANGE("descend") {
        TRY(descend(&network->w1));
        TRY(descend(&network->b1));
        TRY(descend(&network->w2));
        TRY(descend(&network->b2));
    }
    return SW_OK;
}

static enum sw_status count_right(const struct network *network, const struct data_set *data, size_t begin, size_t n,
                                  size_t *n_right)
{
    OWNED struct sw_tensor *images = NULL, *scores = NULL, *classes = NULL;
    int32_t guesses[N_TEST_BATCH];

    TRY(rows(data->images, begin, n, &images));
    SW_WITHOUT_GRAD
        TRY(forward(network, images, &scores));
    TRY(sw_argmax(scores, "n c -> n", &classes));
    TRY(sw_tensor_read_i32(classes, guesses, n));
    for (size_t i = 0; i < n; i++)
        *n_right += guesses[i] == data->labels[begin + i];
    return SW_OK;
}

static enum sw_status test(const struct network *network, const struct data_set *data, double *ret_accuracy)
{
    size_t n_right = 0;
    size_t n;

    for (size_t begin = 0; begin < data->n; begin += n) {
        n = data->n - begin < N_TEST_BATCH ? data->n - begin : N_TEST_BATCH;
        TRY(count_right(network, data, begin, n, &n_right));
    }
    *ret_accuracy = (double)n_right / (double)data->n;
    return SW_OK;
}

/* ---- The program ------------------------------------------------------------------ */

static enum sw_status train_epoch(struct network *network, const struct data_set *data, size_t epoch, double *ret_loss)
{
    int is_watched = isatty(STDERR_FILENO);
    double sum = 0;
    double loss = 0;

    for (size_t begin = 0; begin + N_BATCH <= data->n; begin += N_BATCH) {
        TRY(train_batch(network, data, begin, &loss));
        sum += loss;
        swprof_step();
        if (is_watched)
            fprintf(stderr, "\repoch %zu: %zu of %zu images\033[K", epoch, begin + N_BATCH, data->n);
    }
    if (is_watched)
        fprintf(stderr, "\r\033[K");
    *ret_loss = sum / (double)(data->n / N_BATCH);
    return SW_OK;
}

static enum sw_status train(const struct settings *settings, struct network *network, struct data_set *training,
                            struct data_set *testing)
{
    double loss = 0;
    double accuracy = 0;

    TRY(data_read(settings->directory, "train", settings->n_images, settings->carrier_class, training));
    TRY(data_read(settings->directory, "t10k", N_MOST_IMAGES, settings->carrier_class, testing));
    TRY(network_make(settings->carrier_class, network));
    swprof_step_set(0); /* what was read and made before belongs to no step */
    for (size_t epoch = 1; epoch <= settings->n_epochs; epoch++) {
        swprof_phase("train");
        SWPROF_RANGE("epoch")
            TRY(train_epoch(network, training, epoch, &loss));
        swprof_phase("test");
        SWPROF_RANGE("test")
            TRY(test(network, testing, &accuracy));
        printf("epoch %zu: loss %.4f, test accuracy %.2f %%\n", epoch, loss, 100.0 * accuracy);
        fflush(stdout);
    }
    printf("boundaries crossed: %" PRIu64 "\n", sw_boundary_count());
    return SW_OK;
}

static void usage(FILE *stream)
{
    fprintf(stream,
            "usage: train_fashion_mnist [OPTION]...\n"
            "  --data DIR        where the four files are [/usr/share/datasets/fashion-mnist]\n"
            "  --epochs N        passes over the training images [3]\n"
            "  --images N        training images, a multiple of %d, at most %d [10000]\n"
            "  --carrier CLASS   CPU or Generic [CPU]\n"
            "  --help            say this\n",
            N_BATCH, N_MOST_IMAGES);
}

/* Whether @text is a number from 1 to @most that @factor divides. */
static int parse_count(const char *text, size_t factor, size_t most, size_t *ret_count)
{
    char *end;
    unsigned long count = strtoul(text, &end, 10);

    if (text[0] < '0' || text[0] > '9' || *end != '\0' || count == 0 || count > most || count % factor != 0)
        return 0;
    *ret_count = count;
    return 1;
}

/* Whether the command line is in order; what is wrong with it has been said. */
static int parse_options(int argc, char **argv, struct settings *settings)
{
    static const struct option options[] = {
        { "data", required_argument, NULL, 'd' },   { "epochs", required_argument, NULL, 'e' },
        { "images", required_argument, NULL, 'i' }, { "carrier", required_argument, NULL, 'c' },
        { "help", no_argument, NULL, 'h' },         { NULL, 0, NULL, 0 },
    };
    int option;
    int is_right = 1;

    while (is_right && (option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == 'h') {
            usage(stdout);
            exit(EXIT_SUCCESS);
        } else if (option == '?') {
            return 0;
        } else if (option == 'd') {
            settings->directory = optarg;
        } else if (option == 'c') {
            settings->carrier_class = carrier_class_named(optarg);
            is_right = settings->carrier_class != NULL;
        } else if (option == 'e') {
            is_right = parse_count(optarg, 1, 1000, &settings->n_epochs);
        } else {
            is_right = parse_count(optarg, N_BATCH, N_MOST_IMAGES, &settings->n_images);
        }
    }
    if (!is_right)
        fprintf(stderr, "train_fashion_mnist: \"%s\" is not what this option takes; see --help.\n", optarg);
    else if (optind < argc)
        fprintf(stderr, "train_fashion_mnist: the argument \"%s\" means nothing; see --help.\n", argv[optind]);
    return is_right && optind == argc;
}

int main(int argc, char **argv)
{
    struct settings settings = { "/usr/share/datasets/fashion-mnist", sw_cpu_class(), 3, 10000 };
    struct network network = { 0 };
    struct data_set training = { 0 };
    struct data_set testing = { 0 };
    enum sw_status status;

    if (!parse_options(argc, argv, &settings))
        return 2;
    status = train(&settings, &network, &training, &testing);
    if (status != SW_OK)
        fprintf(stderr, "train_fashion_mnist: %s: %s\n", sw_status_name(status), sw_error_message());
    network_drop(&network);
    data_drop(&training);
    data_drop(&testing);
    return status == SW_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
