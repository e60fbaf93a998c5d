/*
 * What a trace's observations say of the run, and where they disagree. An
 * audit needs no model: everything it compares stands in the trace.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include <strideweave/trace_session.h>

#include "analyze/json_text.h"
#include "base/alloc.h"
#include "report/inside.h"
#include "report/runtime_rollup.h"

static const struct {
    const char *name;
    int is_clean;
    const char *sentence;
} kinds[N_RUNTIME_FINDINGS] = {
#define RUNTIME_FINDING(enumerator, name, is_clean, sentence) { name, is_clean, sentence },
#include "report/runtime_finding.def"
#undef RUNTIME_FINDING
};

const char *runtime_finding_name(enum runtime_finding_kind kind)
{
    return kinds[kind].name;
}

const char *runtime_finding_sentence(enum runtime_finding_kind kind)
{
    return kinds[kind].sentence;
}

int runtime_audit_is_clean(const struct runtime_audit *audit)
{
    for (int kind = 0; kind < N_RUNTIME_FINDINGS; kind++)
        if (audit->counts[kind] > 0 && !kinds[kind].is_clean)
            return 0;
    return 1;
}

/* @detail is taken over, also on failure. */
static enum report_outcome add(struct runtime_audit *audit, struct runtime_finding finding, struct sw__builder *detail)
{
    REPORT_TRY(report_status(sw__builder_take(detail, &finding.detail)));
    if (report_grow(&audit->findings, audit->n_findings, sizeof *audit->findings) != REPORT_OK) {
        sw__free(finding.detail);
        return REPORT_SYSTEM;
    }
    audit->findings[audit->n_findings++] = finding;
    audit->counts[finding.kind]++;
    return REPORT_OK;
}

static int by_address_of_text(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Texts in byte order, each once, with commas. */
static enum sw_status put_distinct(struct sw__builder *text, const char **values, size_t n)
{
    qsort(values, n, sizeof *values, by_address_of_text);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && strcmp(values[i], values[i - 1]) == 0)
            continue;
        SW__TRY(sw__builder_string(text, i == 0 ? "" : ", "));
        SW__TRY(sw__builder_string(text, values[i]));
    }
    return SW_OK;
}

/* ---- Identity -------------------------------------------------------------------------------------------- */

/* What is not known on one side fits. */
static enum report_outcome compare_identity(struct runtime_audit *audit, const char *field, const char *expected,
                                            const char *observed)
{
    struct sw__builder detail SW__OWNED_BUILDER = { 0 };

    if (expected == NULL || observed == NULL || strcmp(expected, observed) == 0)
        return REPORT_OK;
    REPORT_TRY(report_status(sw__builder_string(&detail, "expected ")));
    REPORT_TRY(report_status(sw__builder_string(&detail, expected)));
    REPORT_TRY(report_status(sw__builder_string(&detail, ", observed ")));
    REPORT_TRY(report_status(sw__builder_string(&detail, observed)));
    return add(audit, (struct runtime_finding){ .kind = RUNTIME_IDENTITY, .subject = observed, .property = field },
               &detail);
}

/* ---- Tensors --------------------------------------------------------------------------------------------- */

typedef const char *describe(const struct sw__trace_tensor *tensor, struct sw__builder *text);

static const char *describe_dtype(const struct sw__trace_tensor *tensor, struct sw__builder *text)
{
    (void)text;
    return tensor->dtype;
}

static const char *describe_device(const struct sw__trace_tensor *tensor, struct sw__builder *text)
{
    (void)text;
    return tensor->device;
}

static const char *describe_shape(const struct sw__trace_tensor *tensor, struct sw__builder *text)
{
    enum sw_status status = sw__builder_string(text, "[");

    for (size_t i = 0; i < tensor->rank && status == SW_OK; i++) {
        status = sw__builder_string(text, i == 0 ? "" : ", ");
        if (status == SW_OK)
            status = sw__json_put_count(text, tensor->shape[i]);
    }
    return status == SW_OK && sw__builder_string(text, "]") == SW_OK ? text->bytes : NULL;
}

static const char *describe_layout(const struct sw__trace_tensor *tensor, struct sw__builder *text)
{
    (void)text;
    return tensor->is_contiguous ? "contiguous" : "not contiguous";
}

static const char *describe_requires_grad(const struct sw__trace_tensor *tensor, struct sw__builder *text)
{
    (void)text;
    return tensor->requires_grad ? "true" : "false";
}

/* In the order of their names. */
static const struct {
    const char *name;
    describe *describe;
} properties[] = {
    { "device", describe_device },
    { "dtype", describe_dtype },
    { "layout", describe_layout },
    { "requires_grad", describe_requires_grad },
    { "shape", describe_shape },
};

static int differ(const struct sw__trace_tensor *a, const struct sw__trace_tensor *b, describe *property)
{
    if (property == describe_dtype)
        return a->dtype != b->dtype;
    if (property == describe_device)
        return a->device != b->device;
    if (property == describe_layout)
        return a->is_contiguous != b->is_contiguous;
    if (property == describe_requires_grad)
        return a->requires_grad != b->requires_grad;
    return a->rank != b->rank || (a->rank > 0 && memcmp(a->shape, b->shape, a->rank * sizeof *a->shape) != 0);
}

static enum report_outcome put_values(struct sw__builder *detail, const struct sw__trace_tensor *const *tensors,
                                      size_t n, describe *property)
{
    const char **values SW__OWNED = sw__alloc(n * sizeof *values);
    struct sw__builder *texts SW__OWNED = sw__alloc_zero(n * sizeof *texts);
    enum sw_status status = values != NULL && texts != NULL ? SW_OK : SW_MEMORY_ERROR;

    for (size_t i = 0; i < n && status == SW_OK; i++) {
        values[i] = property(tensors[i], &texts[i]);
        status = values[i] != NULL ? SW_OK : SW_MEMORY_ERROR;
    }
    if (status == SW_OK)
        status = put_distinct(detail, values, n);
    for (size_t i = 0; texts != NULL && i < n; i++)
        sw__builder_clear(&texts[i]);
    return report_status(status);
}

/* @tensors: the observations of one static id. */
static enum report_outcome compare_tensors(struct runtime_audit *audit, const struct sw__trace_tensor *const *tensors,
                                           size_t n)
{
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
        struct sw__builder detail SW__OWNED_BUILDER = { 0 };
        size_t k = 1;
        while (k < n && !differ(tensors[0], tensors[k], properties[i].describe))
            k++;
        if (k >= n)
            continue;
        REPORT_TRY(put_values(&detail, tensors, n, properties[i].describe));
        REPORT_TRY(add(audit, (struct runtime_finding){ .kind = RUNTIME_TENSOR_CONFLICT,
                                                        .subject = tensors[0]->static_id,
                                                        .property = properties[i].name }, &detail));
    }
    return REPORT_OK;
}

static int by_static_id(const void *left, const void *right)
{
    const struct sw__trace_tensor *a = *(const struct sw__trace_tensor *const *)left;
    const struct sw__trace_tensor *b = *(const struct sw__trace_tensor *const *)right;
    int order = a->static_id == b->static_id ? 0 : strcmp(a->static_id, b->static_id);

    return order != 0 ? order : (a > b) - (a < b);
}

static enum report_outcome audit_tensors(struct runtime_audit *audit, const struct runtime_trace *trace)
{
    const struct sw__trace_tensor **named SW__OWNED = sw__alloc((trace->tensors.n_items + 1) * sizeof *named);
    size_t n = 0;

    if (named == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < trace->tensors.n_items; i++)
        if (trace->tensors.items[i].static_id != NULL)
            named[n++] = &trace->tensors.items[i];
    qsort(named, n, sizeof *named, by_static_id);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && named[end]->static_id == named[i]->static_id;)
            end++;
        REPORT_TRY(compare_tensors(audit, named + i, end - i));
    }
    return REPORT_OK;
}

/* ---- Gradients --------------------------------------------------------------------------------------------- */

static int is_nan(double value)
{
    return __builtin_isnan(value);
}

/* No number is no number, and a norm that one side lacks is a difference. */
static int facts_differ(const struct sw__trace_gradient *a, const struct sw__trace_gradient *b)
{
    if (a->state != b->state || a->has_norm != b->has_norm)
        return 1;
    return a->has_norm && !(is_nan(a->norm) && is_nan(b->norm)) && !(a->norm >= b->norm && a->norm <= b->norm);
}

/* The fact that stands for all; NULL when they disagree. @facts: of one gradient, by step. */
static const struct sw__trace_gradient *standing(const struct sw__trace_gradient *facts, size_t n)
{
    int all_have_steps = 1;

    for (size_t i = 0; i < n; i++)
        all_have_steps &= facts[i].step.is_there;
    if (all_have_steps)
        return &facts[n - 1];
    for (size_t i = 1; i < n; i++)
        if (facts_differ(&facts[0], &facts[i]))
            return NULL;
    return &facts[0];
}

static enum report_outcome find_conflict(struct runtime_audit *audit, const struct sw__trace_gradient *facts, size_t n)
{
    struct sw__builder detail SW__OWNED_BUILDER = { 0 };
    const char **texts SW__OWNED = sw__alloc(n * sizeof *texts);

    if (texts == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < n; i++)
        texts[i] = sw__trace_state_name(facts[i].state);
    REPORT_TRY(report_status(put_distinct(&detail, texts, n)));
    for (size_t i = 0; i < n; i++)
        texts[i] = facts[i].event_id;
    REPORT_TRY(report_status(sw__builder_string(&detail, " in ")));
    REPORT_TRY(report_status(put_distinct(&detail, texts, n)));
    return add(audit, (struct runtime_finding){ .kind = RUNTIME_GRADIENT_CONFLICT, .subject = facts[0].key,
                                                .root = facts[0].root }, &detail);
}

/* What a state is found as; N_RUNTIME_FINDINGS for nothing. */
static const enum runtime_finding_kind kind_of_state[] = {
    [SW_TRACE_GRADIENT_PRESENT] = N_RUNTIME_FINDINGS,
    [SW_TRACE_GRADIENT_MISSING] = RUNTIME_MISSING,
    [SW_TRACE_GRADIENT_ZERO] = RUNTIME_ZERO,
    [SW_TRACE_GRADIENT_NON_FINITE] = RUNTIME_NON_FINITE,
};

static enum report_outcome audit_gradient(struct runtime_audit *audit, const struct sw__trace_gradient *facts, size_t n)
{
    const struct sw__trace_gradient *fact = standing(facts, n);
    struct sw__builder detail SW__OWNED_BUILDER = { 0 };

    for (size_t i = 0; i < n; i++)
        if (facts[i].state == SW_TRACE_GRADIENT_NON_FINITE && facts[i].step.is_there &&
            (!audit->first_non_finite_step.is_there || facts[i].step.value < audit->first_non_finite_step.value))
            audit->first_non_finite_step = facts[i].step;
    if (fact == NULL)
        return find_conflict(audit, facts, n);
    if (kind_of_state[fact->state] == N_RUNTIME_FINDINGS)
        return REPORT_OK;
    if (fact->step.is_there) {
        REPORT_TRY(report_status(sw__builder_string(&detail, "step ")));
        REPORT_TRY(report_status(sw__json_put_count(&detail, fact->step.value)));
    }
    return add(audit, (struct runtime_finding){ .kind = kind_of_state[fact->state], .subject = fact->key,
                                                .root = fact->root }, &detail);
}

static enum report_outcome audit_gradients(struct runtime_audit *audit, const struct runtime_trace *trace)
{
    const struct sw__trace_gradient *facts = trace->gradients.items;
    size_t n = trace->gradients.n_items;

    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && facts[end].root == facts[i].root && facts[end].key == facts[i].key;)
            end++;
        REPORT_TRY(audit_gradient(audit, facts + i, end - i));
    }
    return REPORT_OK;
}

/* ---- Values ------------------------------------------------------------------------------------------------- */

/* Where the values were seen, as well as the record tells. */
static const char *place_of(const struct sw__trace_value *value)
{
    if (value->source != NULL)
        return value->source;
    return value->static_id != NULL ? value->static_id : value->event_id;
}

static enum report_outcome audit_values(struct runtime_audit *audit, const struct runtime_trace *trace)
{
    const char **places SW__OWNED = sw__alloc((trace->values.n_items + 1) * sizeof *places);
    size_t n = 0;

    if (places == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < trace->values.n_items; i++)
        if (trace->values.items[i].n_saturated > 0)
            places[n++] = place_of(&trace->values.items[i]);
    qsort(places, n, sizeof *places, by_address_of_text);
    for (size_t i = 0; i < n; i++) {
        struct sw__builder detail SW__OWNED_BUILDER = { 0 };
        if (i == 0 || places[i] != places[i - 1])
            REPORT_TRY(add(audit, (struct runtime_finding){ .kind = RUNTIME_SATURATING, .subject = places[i] },
                           &detail));
    }
    return REPORT_OK;
}

/* Findings came by subject; now by kind first. */
static int by_kind(const void *left, const void *right)
{
    const struct runtime_finding *a = left, *b = right;
    int order = (a->kind > b->kind) - (a->kind < b->kind);

    if (order == 0 && a->root != NULL && b->root != NULL)
        order = strcmp(a->root, b->root);
    if (order == 0)
        order = strcmp(a->subject, b->subject);
    return order != 0 || a->property == NULL || b->property == NULL ? order : strcmp(a->property, b->property);
}

enum report_outcome runtime_audit(const struct runtime_trace *trace, const struct runtime_identity *expected,
                                  struct runtime_audit *ret_audit)
{
    struct runtime_audit audit RUNTIME_OWNED_AUDIT = { .n_findings = 0 };

    REPORT_TRY(compare_identity(&audit, "analysis_id", expected->analysis_id, trace->run.analysis_id));
    REPORT_TRY(compare_identity(&audit, "build_id", expected->build_id, trace->run.build_id));
    REPORT_TRY(audit_tensors(&audit, trace));
    REPORT_TRY(audit_gradients(&audit, trace));
    REPORT_TRY(audit_values(&audit, trace));
    if (audit.n_findings > 0)
        qsort(audit.findings, audit.n_findings, sizeof *audit.findings, by_kind);
    *ret_audit = audit;
    audit = (struct runtime_audit){ .n_findings = 0 };
    return REPORT_OK;
}

void runtime_audit_clear(struct runtime_audit *audit)
{
    for (size_t i = 0; i < audit->n_findings; i++)
        sw_free(audit->findings[i].detail);
    sw__free(audit->findings);
    *audit = (struct runtime_audit){ .n_findings = 0 };
}
