/*
 * swprof-bench case: cases from their first call to the check of their result;
 * and list, which names them.
 */
#include "config.h"

#include "measure/measure.h"

static enum bench_outcome check_options(const struct options *options)
{
    if (options->profile != NULL && !options->is_benchmark)
        return bench_fail(BENCH_USAGE, "--host-range-profile requires --benchmark");
    return builtin_check_names(options);
}

static enum sw_status try_out(struct subject *subject)
{
    enum sw_status status = subject_call(subject);

    return status == SW_OK ? subject_check(subject) : status;
}

static enum sw_status measure(struct subject *subject, const struct options *options, struct sw_bench_report *report)
{
    const struct builtin *builtin = subject->builtin;
    char nodeid[64];
    snprintf(nodeid, sizeof nodeid, "swprof-bench::%s[cpu-float32]", builtin->name);
    const struct sw_bench_case bench_case = {
        .struct_bytes = sizeof bench_case,
        .nodeid = nodeid,
        .operator_name = builtin->name,
        .backend = "cpu",
        .call = subject_call,
        .reference = subject_reference,
        .check = subject_check,
        .context = subject,
    };
    struct sw_bench_case_options with = SW_BENCH_CASE_OPTIONS_INIT;
    struct sw_bench_case_result result;

    with.min_run_ns = options->min_run_ns;
    with.most_calls = options->most_calls;
    enum sw_status status = sw_bench_case_run(&bench_case, &with, report, &result);
    if (status != SW_OK)
        return status;
    printf("%s: %s: median %.1f ns, mean %.1f ns of %lld calls; plain C %.1f ns\n", builtin->name, builtin->params,
           result.end_to_end.median_ns, result.end_to_end.mean_ns,
           (long long)(result.end_to_end.blocks * result.end_to_end.calls_per_block), result.reference.median_ns);
    return SW_OK;
}

static enum bench_outcome run_case(const struct builtin *builtin, const struct options *options,
                                   struct sw_bench_report *report)
{
    struct subject subject;

    if (subject_open(builtin, &subject) != SW_OK)
        return bench_fail_library(builtin->name);
    enum sw_status status = options->is_benchmark ? measure(&subject, options, report) : try_out(&subject);
    subject_close(&subject);
    if (status != SW_OK)
        return bench_fail_library(builtin->name);
    if (!options->is_benchmark)
        printf("%s: %s: the result is right\n", builtin->name, builtin->params);
    return BENCH_OK;
}

static enum bench_outcome run_cases(const struct options *options, struct sw_bench_report *report)
{
    const struct builtin *builtin;
    enum bench_outcome outcome = BENCH_OK;

    for (size_t i = 0; outcome == BENCH_OK && builtin_select(options, i, &builtin); i++)
        outcome = run_case(builtin, options, report);
    return outcome;
}

enum bench_outcome command_case(const struct options *options)
{
    struct sw_bench_report *report = NULL;
    enum bench_outcome outcome = check_options(options);

    if (outcome != BENCH_OK)
        return outcome;
    if (options->profile != NULL && sw_bench_report_open(options->profile, &report) != SW_OK)
        return bench_fail(BENCH_USAGE, "%s", sw_error_message());
    outcome = run_cases(options, report);
    if (sw_bench_report_close(report) != SW_OK && outcome == BENCH_OK)
        outcome = bench_fail_library(options->profile);
    return outcome;
}

enum bench_outcome command_list(const struct options *options)
{
    (void)options;
    for (size_t i = 0; i < builtin_count(); i++)
        printf("%s\t%s\n", builtin_at(i)->name, builtin_at(i)->params);
    return BENCH_OK;
}
