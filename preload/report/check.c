/*
 * Findings.
 */
#include "config.h"

#include "report/check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "report/utf8.h"

static const struct {
    const char *name;
    int is_error;
} rules[N_CHECK_RULES] = {
#define CHECK_RULE(enumerator, name, is_error, sentence) { name, is_error },
#include "report/check_rule.def"
#undef CHECK_RULE
};

const char *check_rule_name(enum check_rule rule)
{
    return rules[rule].name;
}

int check_rule_is_error(enum check_rule rule)
{
    return rules[rule].is_error;
}

static int add(struct check *check, enum check_rule rule, size_t event, const char *message)
{
    struct check_finding *findings = sw__realloc(check->findings, (check->n_findings + 1) * sizeof *findings);

    if (findings == NULL)
        return 0;
    check->findings = findings;
    findings[check->n_findings] = (struct check_finding){ rule, event, NULL };
    /* A name may have been cut within a character. */
    if (utf8_clean(message, strlen(message), &findings[check->n_findings].message) != SW_OK)
        return 0;
    check->n_findings++;
    return 1;
}

void check_find(struct check *check, enum check_rule rule, size_t event, const char *format, ...)
{
    char message[512];
    va_list values;

    if (rule == CHECK_OVERLAP && check->overlap == OVERLAP_WARN)
        rule = CHECK_TREATED;
    if (check->counts[rule]++ >= CHECK_MOST_FINDINGS)
        return;
    va_start(values, format);
    vsnprintf(message, sizeof message, format, values);
    va_end(values);
    if (!add(check, rule, event, message))
        check->has_no_memory = 1;
}

void check_count(struct check *check, enum check_rule rule, uint64_t n, const char *of_one, const char *of_more)
{
    if (n != 0)
        check_find(check, rule, SIZE_MAX, "%" PRIu64 " %s", n, n == 1 ? of_one : of_more);
}

size_t check_count_errors(const struct check *check)
{
    size_t n = 0;

    for (int rule = 0; rule < N_CHECK_RULES; rule++)
        n += rules[rule].is_error ? check->counts[rule] : 0;
    return n;
}

void check_clear(struct check *check)
{
    for (size_t i = 0; i < check->n_findings; i++)
        sw__free(check->findings[i].message);
    sw__free(check->findings);
    *check = (struct check){ .path = NULL };
}
