/*
 * Threads that read the same carriers: every operation on the same operands of
 * every class gives what it gives a thread that is alone.
 */
#include "config.h"

#include <pthread.h>

#include "layout/layout.h"
#include "op_test.h"
#include "sample.h"
#include "settings.h"

#define N_THREADS 8

/* Where operands are, and what is done with them there. */
static const struct place {
    const char *name;
    struct sw_carrier_class *(*computes)(void); /* NULL: elements are read */
    int is_evictable;
} places[] = {
    { "Generic", sw_generic_class, 0 },
    { "CPU", sw_cpu_class, 0 },
    { "Evictable", sw_cpu_class, 1 },
    { "FileBacked", NULL, 0 },
};

/* What came of an operation, as numbers. */
struct outcome {
    enum sw_status status;
    double *elements;
    size_t n;
};

struct job {
    const struct place *place;
    struct sample sample;
    struct sw_operand operands[SAMPLE_OPERANDS];
    struct outcome expected;
};

static struct job *jobs;
static size_t n_jobs;
static size_t faulty; /* atomic; one more than the number of a job that came out differently, 0: none */

/* ---- What threads do: no assertions, whose lock would keep them apart ------------------------------- */

static enum sw_status read_elements(const struct sw_tensor *tensor, struct outcome *outcome)
{
    enum sw_status status = SW_OK;
    struct sw_scalar value;
    double *element = &outcome->elements[outcome->n];

    for (int64_t i = 0; i < sw_tensor_size(tensor) && status == SW_OK; i++) {
        status = sw_tensor_get_ordinal(tensor, i, &value);
        *element++ = value.kind == SW_SCALAR_FLOATING  ? value.as.floating
                     : value.kind == SW_SCALAR_INTEGER ? (double)value.as.integer
                                                       : (double)value.as.boolean;
    }
    outcome->n += (size_t)sw_tensor_size(tensor);
    return status;
}

static size_t n_elements(const struct job *job)
{
    size_t n = 0;

    for (size_t i = 0; i < job->sample.n_operands; i++)
        if (job->operands[i].kind == SW_OPERAND_TENSOR)
            n += (size_t)sw_tensor_size(job->operands[i].as.tensor);
    return n;
}

static void read_operands(const struct job *job, struct outcome *outcome)
{
    outcome->elements = calloc(n_elements(job) + 1, sizeof *outcome->elements);
    for (size_t i = 0; i < job->sample.n_operands && outcome->status == SW_OK; i++)
        if (job->operands[i].kind == SW_OPERAND_TENSOR)
            outcome->status = read_elements(job->operands[i].as.tensor, outcome);
}

static void run(const struct job *job, struct outcome *outcome)
{
    struct sw_tensor *result = NULL;

    *outcome = (struct outcome){ .status = SW_OK };
    if (job->place->computes == NULL) {
        read_operands(job, outcome);
        return;
    }
    outcome->status = sample_run(&job->sample, job->operands, &result);
    if (outcome->status != SW_OK)
        return;
    outcome->elements = calloc((size_t)sw_tensor_size(result) + 1, sizeof *outcome->elements);
    outcome->status = read_elements(result, outcome);
    sw_tensor_unref(result);
}

static int is_same(const struct outcome *a, const struct outcome *b)
{
    if (a->status != b->status || a->n != b->n)
        return 0;
    for (size_t i = 0; i < a->n; i++)
        if (!same_value(a->elements[i], b->elements[i]))
            return 0;
    return 1;
}

/* Each begins somewhere else, so that different operations meet, too. */
static void *run_all(void *number)
{
    const size_t first = *(const size_t *)number * n_jobs / N_THREADS;

    for (size_t i = 0; i < n_jobs; i++) {
        const size_t at = (first + i) % n_jobs;
        struct outcome outcome;
        run(&jobs[at], &outcome);
        if (!is_same(&outcome, &jobs[at].expected))
            __atomic_store_n(&faulty, at + 1, __ATOMIC_RELAXED);
        free(outcome.elements);
    }
    return NULL;
}

/* ---- Jobs -------------------------------------------------------------------------------------------- */

/* The same tensor on an Evictable over its carrier. */
static struct sw_tensor *evictable(struct sw_tensor *in)
{
    struct sw_carrier *primary = sw_tensor_carrier(in), *carrier;
    struct sw_carrier *secondary = carrier_of(sw_cpu_class(), sw_tensor_dtype(in), NULL, 0);
    struct sw_tensor *tensor;

    assert_ok(sw_evictable_new(primary, secondary, &carrier));
    assert_ok(sw_tensor_new(carrier, sw_tensor_offset(in), sw_tensor_layout(in), &tensor));
    sw_carrier_unref(secondary);
    sw_carrier_unref(carrier);
    sw_tensor_unref(in);
    return tensor;
}

/* What the class cannot store stays where it was. */
static struct sw_tensor *filed(struct sw_tensor *in)
{
    struct sw_file_backed_options options = SW_FILE_BACKED_OPTIONS_INIT;
    struct sw_carrier *carrier;
    struct sw_tensor *moved;

    if (sw_tensor_dtype(in) == SW_BOOL)
        return in;
    options.dtype = (int32_t)sw_tensor_dtype(in);
    assert_ok(sw_file_backed_new(&options, &carrier));
    assert_ok(sw_move(in, carrier, &moved));
    sw_carrier_unref(carrier);
    sw_tensor_unref(in);
    return moved;
}

static void make_job(struct job *job, const struct place *place, size_t row, struct sample_random *random)
{
    job->place = place;
    sample_make(&job->sample, row, random);
    sample_build(&job->sample, place->computes != NULL ? place->computes() : sw_cpu_class(), SAMPLE_AS_MADE,
                 job->operands);
    for (size_t i = 0; i < job->sample.n_operands; i++) {
        struct sw_tensor **tensor = (struct sw_tensor **)(uintptr_t)&job->operands[i].as.tensor;
        if (job->operands[i].kind != SW_OPERAND_TENSOR)
            continue;
        if (place->is_evictable)
            *tensor = evictable(*tensor);
        else if (place->computes == NULL)
            *tensor = filed(*tensor);
    }
    run(job, &job->expected);
}

static void make_jobs(struct sample_random *random)
{
    jobs = calloc(sample_n_rows() * N_OF(places), sizeof *jobs);
    for (size_t row = 0; row < sample_n_rows(); row++)
        for (size_t i = 0; i < N_OF(places); i++)
            make_job(&jobs[n_jobs++], &places[i], row, random);
}

static void drop_jobs(void)
{
    for (size_t i = 0; i < n_jobs; i++) {
        sample_drop(&jobs[i].sample, jobs[i].operands);
        sample_clear(&jobs[i].sample);
        free(jobs[i].expected.elements);
    }
    free(jobs);
}

START_TEST(readers_of_the_same_carriers_do_not_disturb_each_other)
{
    struct sample_random random = { .state = (uint64_t)seed_of_test() };
    size_t numbers[N_THREADS], n_ran = 0;
    pthread_t threads[N_THREADS];

    make_jobs(&random);
    for (size_t i = 0; i < n_jobs; i++)
        n_ran += jobs[i].expected.status == SW_OK;
    ck_assert_uint_gt(n_ran, n_jobs / 2);
    for (size_t i = 0; i < N_THREADS; i++) {
        numbers[i] = i;
        ck_assert_int_eq(pthread_create(&threads[i], NULL, run_all, &numbers[i]), 0);
    }
    for (size_t i = 0; i < N_THREADS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    ck_assert_msg(faulty == 0, "came out differently on %s: %s", faulty != 0 ? jobs[faulty - 1].place->name : "",
                  faulty != 0 ? sample_text(&jobs[faulty - 1].sample) : "");
    drop_jobs();
}
END_TEST

CHECK_MAIN("readers", readers_of_the_same_carriers_do_not_disturb_each_other)
