/*
 * sw-conformance FILE: run every case of a case file through the public
 * interface of the library and say which ones it does not meet. Exit status: 1
 * when one is not met, 2 when there was nothing to run.
 */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance.h"

/* How the cases of a section are run. */
static const struct section {
    const char *name;
    void (*run)(struct trial *trial);
    int on_every_class;               /* a case that names no carriers is run on all of them */
} sections[] = {
    { "layout", run_layout, 0 },
    { "index", run_layout, 0 },
    { "compose", run_layout, 0 },
    { "divide", run_layout, 0 },
    { "index_map", run_index_map, 0 },
    { "op", run_operation, 1 },
    { "reduce", run_operation, 1 },
    { "matmul", run_operation, 1 },
    { "conv", run_operation, 1 },
    { "indexing", run_operation, 1 },
    { "view", run_view, 1 },
    { "tensor", run_tensor, 1 },
    { "carrier", run_script, 0 },
    { "dispatch", run_script, 0 },
    { "move", run_script, 0 },
    { "dtype_policy", run_dtype_policy, 1 },
    { "boundary", run_trace, 0 },
    { "grad", run_gradient, 1 },
    { "program", run_program, 1 },
};

struct run {
    size_t n[3]; /* by enum verdict */
    int verbose;
    int shows_events;
    const char *only; /* the section to run; NULL: all */
};

static const struct section *find_section(const char *name)
{
    for (size_t i = 0; name != NULL && i < N_ELEMENTS(sections); i++)
        if (strcmp(sections[i].name, name) == 0)
            return &sections[i];
    return NULL;
}

static void print_verdict(const struct run *run, const struct trial *trial)
{
    static const char *const words[] = { [PASSED] = "PASS", [SKIPPED] = "SKIP", [FAILED] = "FAIL" };

    const char *name = trial->carrier_name;

    if (trial->verdict == FAILED || (trial->verdict == SKIPPED && run->verbose))
        printf("%s %s%s%s: %s\n", words[trial->verdict], trial->id, name != NULL ? " on " : "",
               name != NULL ? name : "", trial->text != NULL ? trial->text : "(no memory)");
    else if (trial->n_passed_over > 0 && run->verbose)
        printf("%s %s: steps passed over: %zu\n", words[trial->verdict], trial->id, trial->n_passed_over);
}

static enum verdict run_trial(const struct section *section, const json_t *record, const char *carrier_name,
                              const struct run *run)
{
    struct trial trial;
    enum verdict verdict;

    trial_begin(&trial, record, carrier_name);
    trial.shows_events = run->shows_events;
    if (section == NULL)
        trial_skip(&trial, "the driver does not know this section");
    else if (trial.carrier_class == NULL)
        trial_skip(&trial, "the driver does not know this carrier class");
    else
        section->run(&trial);
    verdict = trial.verdict;
    print_verdict(run, &trial);
    trial_end(&trial);
    return verdict;
}

/* The worst verdict of all carriers that the case is about. */
static void run_case(const json_t *record, struct run *run)
{
    static const char *const no_carrier[] = { NULL };
    const char *section_name = json_string_value(json_object_get(record, "section"));
    const struct section *section = find_section(section_name);
    const json_t *listed = json_object_get(record, "carriers");
    const char *const *names = section != NULL && section->on_every_class ? build_carrier_names : no_carrier;
    size_t n = json_array_size(listed);
    enum verdict worst = PASSED;
    enum verdict verdict;

    if (run->only != NULL && (section_name == NULL || strcmp(section_name, run->only) != 0))
        return;
    if (listed == NULL)
        for (n = 0; names[n] != NULL; n++)
            ;
    for (size_t i = 0; i < n || i == 0; i++) {
        verdict = run_trial(section, record, listed != NULL ? json_string_value(json_array_get(listed, i)) : names[i],
                            run);
        worst = verdict > worst ? verdict : worst;
    }
    run->n[worst]++;
}

/* Whether @root is a list "cases" of objects that say at least what they are. */
static int is_case_file(const json_t *root)
{
    const json_t *cases = json_object_get(root, "cases");
    const json_t *record;

    if (!json_is_array(cases))
        return 0;
    for (size_t i = 0; i < json_array_size(cases); i++) {
        record = json_array_get(cases, i);
        if (!json_is_string(json_object_get(record, "id")) || !json_is_string(json_object_get(record, "op")))
            return 0;
    }
    return 1;
}

static json_t *load(const char *path)
{
    json_error_t error;
    FILE *file = fopen(path, "r");
    json_t *root;

    if (file == NULL) {
        fprintf(stderr, "sw-conformance: %s cannot be opened: %s.\n", path, strerror(errno));
        return NULL;
    }
    root = json_loadf(file, 0, &error);
    fclose(file);
    if (root == NULL) {
        fprintf(stderr, "sw-conformance: %s is not JSON: line %d: %s.\n", path, error.line, error.text);
        return NULL;
    }
    if (!is_case_file(root)) {
        fprintf(stderr, "sw-conformance: %s is no case file: a list \"cases\" of objects with id and op is.\n", path);
        json_decref(root);
        return NULL;
    }
    return root;
}

static int run_file(const char *path, struct run *run)
{
    json_t *root = load(path);
    const json_t *cases = json_object_get(root, "cases");

    if (root == NULL)
        return 2;
    for (size_t i = 0; i < json_array_size(cases); i++)
        run_case(json_array_get(cases, i), run);
    json_decref(root);
    printf("%zu passed, %zu failed, %zu skipped\n", run->n[PASSED], run->n[FAILED], run->n[SKIPPED]);
    return run->n[FAILED] > 0 ? 1 : 0;
}

int main(int argc, char **argv)
{
    struct run run = { { 0, 0, 0 }, 0, 0, NULL };
    int option;

    while ((option = getopt(argc, argv, "es:v")) != -1) {
        if (option == 'e')
            run.shows_events = 1;
        else if (option == 's')
            run.only = optarg;
        else if (option == 'v')
            run.verbose = 1;
        else
            return 2;
    }
    if (argc - optind != 1) {
        fprintf(stderr, "usage: sw-conformance [-ev] [-s SECTION] FILE\n"
                        "  -e  print the events of every trace\n"
                        "  -s  run this section only\n"
                        "  -v  list skipped cases too, and those of which a part did not run\n");
        return 2;
    }
    return run_file(argv[optind], &run);
}
