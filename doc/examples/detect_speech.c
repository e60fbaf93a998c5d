/*
 * Where is somebody speaking? Prints, for every 32 ms of a recording, how
 * probable it is that speech is heard, by the network of Silero VAD.
 *
 *     cc -o detect_speech detect_speech.c detector.c weights.c \
 *         $(pkg-config --cflags --libs strideweave)
 *     npm pack @ricky0123/vad-web@0.0.31 && tar xf ricky0123-vad-web-0.0.31.tgz
 *     python3 onnx_tensors.py --prefix If_0_then_branch__Inline_0__ \
 *         package/dist/silero_vad_v6.onnx silero.weights
 *     ./detect_speech silero.weights recording.s16
 *
 * A recording is nothing but samples, 16000 a second, one channel.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strideweave/strideweave.h>

#include "detector.h"
#include "scoped.h"
#include "texts.h"

#define N_MOST_SAMPLES (3600 * SAMPLE_RATE)

static float from_s16(const void *bytes)
{
    int16_t sample;

    memcpy(&sample, bytes, sizeof(sample));
    return (float)sample / 32768.0f;
}

static float from_f32(const void *bytes)
{
    float sample;

    memcpy(&sample, bytes, sizeof(sample));
    return sample;
}

/** How samples are written, in the byte order of the machine. */
static const struct format {
    const char *name;
    size_t n_bytes;
    float (*read)(const void *bytes);
} formats[] = { { "s16", 2, from_s16 }, { "f32", 4, from_f32 } };

struct settings {
    const char *weights;
    const char *recording;
    const struct format *format;
    struct sw_carrier_class *carrier_class;
};

/** Silence as long as a context, then the recording. */
struct samples {
    float *values;
    size_t n;
};

static enum sw_status read_samples(FILE *file, const struct format *format, struct samples *samples)
{
    unsigned char bytes[4];
    size_t n_room = 0;

    for (samples->n = N_CONTEXT;; samples->n++) {
        if (samples->n >= n_room) {
            size_t n_wanted = n_room == 0 ? SAMPLE_RATE : 2 * n_room;
            float *values = realloc(samples->values, n_wanted * sizeof(*values));

            if (values == NULL || n_wanted > 2 * (size_t)N_MOST_SAMPLES)
                return sw_error_set(SW_MEMORY_ERROR, "the recording is too long");
            samples->values = values;
            n_room = n_wanted;
        }
        if (fread(bytes, format->n_bytes, 1, file) != 1)
            break;
        samples->values[samples->n] = format->read(bytes);
    }
    memset(samples->values, 0, N_CONTEXT * sizeof(*samples->values));
    return SW_OK;
}

static enum sw_status read_recording(const struct settings *settings, struct samples *samples)
{
    FILE *file = fopen(settings->recording, "rb");
    enum sw_status status;

    if (file == NULL)
        return sw_error_set(SW_OS_ERROR, "%s: %s", settings->recording, strerror(errno));
    status = read_samples(file, settings->format, samples);
    if (status == SW_OK && ferror(file))
        status = sw_error_set(SW_OS_ERROR, "%s could not be read", settings->recording);
    else if (status == SW_OK && samples->n < N_CONTEXT + N_FRAME)
        status = sw_error_set(SW_VALUE_ERROR, "the recording is shorter than a frame of %d samples", N_FRAME);
    fclose(file);
    return status;
}

/* What is left after the last whole frame is not heard. */
static enum sw_status hear(struct detector *detector, const struct sw_tensor *samples)
{
    size_t n_frames = ((size_t)sw_tensor_size(samples) - N_CONTEXT) / N_FRAME;
    double probability;
    char key[64];

    puts("seconds  speech");
    for (size_t i = 0; i < n_frames; i++) {
        OWNED struct sw_tensor *frame = NULL;

        snprintf(key, sizeof(key), "((%zu,%zu,*))", i * N_FRAME, (i + 1) * N_FRAME + N_CONTEXT);
        TRY(slice_by(samples, key, &frame));
        TRY(detector_hear(detector, frame, &probability));
        printf("%7.3f  %.6f\n", (double)(i * N_FRAME) / SAMPLE_RATE, probability);
    }
    printf("boundaries crossed: %" PRIu64 "\n", sw_boundary_count());
    return SW_OK;
}

static enum sw_status detect(const struct settings *settings, struct weights *weights, struct samples *samples,
                             struct detector *detector)
{
    OWNED struct sw_tensor *tensor = NULL;
    char shape[32];

    TRY(weights_read(settings->weights, settings->carrier_class, weights));
    TRY(detector_make(settings->carrier_class, weights, detector));
    TRY(read_recording(settings, samples));
    snprintf(shape, sizeof(shape), "(%zu)", samples->n);
    TRY(tensor_of(settings->carrier_class, samples->values, shape, &tensor));
    return hear(detector, tensor);
}

static void usage(FILE *stream)
{
    fputs("usage: detect_speech [OPTION]... WEIGHTS RECORDING\n"
          "  --format FORMAT   of the samples: s16 or f32 [s16]\n"
          "  --carrier CLASS   CPU or Generic [CPU]\n"
          "  --help            say this\n",
          stream);
}

static const struct format *format_named(const char *name)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    }
    return NULL;
}

/* Whether the command line is in order; what is wrong with it has been said. */
static int parse_options(int argc, char **argv, struct settings *settings)
{
    static const struct option options[] = {
        { "format", required_argument, NULL, 'f' },
        { "carrier", required_argument, NULL, 'c' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    int option;

    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == 'h') {
            usage(stdout);
            exit(EXIT_SUCCESS);
        } else if (option == '?') {
            return 0;
        } else if (option == 'f') {
            settings->format = format_named(optarg);
        } else {
            settings->carrier_class = carrier_class_named(optarg);
        }
        if (settings->format == NULL || settings->carrier_class == NULL) {
            fprintf(stderr, "detect_speech: \"%s\" is not what this option takes; see --help.\n", optarg);
            return 0;
        }
    }
    if (argc - optind != 2) {
        fputs("detect_speech: a file of weights and a recording are wanted; see --help.\n", stderr);
        return 0;
    }
    settings->weights = argv[optind];
    settings->recording = argv[optind + 1];
    return 1;
}

int main(int argc, char **argv)
{
    struct settings settings = { NULL, NULL, &formats[0], sw_cpu_class() };
    struct weights weights = { 0 };
    struct samples samples = { 0 };
    struct detector detector = { 0 };
    enum sw_status status;

    if (!parse_options(argc, argv, &settings))
        return 2;
    status = detect(&settings, &weights, &samples, &detector);
    if (status != SW_OK)
        fprintf(stderr, "detect_speech: %s: %s\n", sw_status_name(status), sw_error_message());
    detector_drop(&detector);
    weights_drop(&weights);
    free(samples.values);
    return status == SW_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
