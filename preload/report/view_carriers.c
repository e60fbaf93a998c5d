/*
 * The carrier classes that a Profiler selected. A list is read when its session
 * is looked at: many sessions may refer to one.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "report/inside.h"

enum report_outcome report_find_carriers(const struct report *report, uint32_t reference,
                                         struct report_carriers *ret_carriers)
{
    uint64_t offset = (uint64_t)reference * 8;
    const struct report_block *block = report_block_at(report, offset);
    struct swprof_carriers head;

    *ret_carriers = (struct report_carriers){ 0, 0 };
    if (reference == 0)
        return REPORT_OK;
    if (block == NULL || block->type != SWPROF_BLOCK_CARRIERS)
        return report_damaged(report, offset, "referred to as a list of carriers, which does not begin there");
    uint64_t left = block->published_bytes - (offset - block->offset);
    if (left < sizeof head)
        return report_damaged(report, offset, "a list of carriers without its size");
    REPORT_TRY(source_read(report->source, offset, &head, sizeof head));
    if (head.n_numbers > (left - sizeof head) / sizeof *head.numbers)
        return report_damaged(report, offset, "a list of carriers that is longer than its block");
    if (head.n_numbers > REPORT_MAX_NAME_BYTES / sizeof *head.numbers)
        return report_damaged(report, offset, "more carriers than any program has");
    *ret_carriers = (struct report_carriers){ offset + sizeof head, head.n_numbers };
    return REPORT_OK;
}

static int by_value(const void *a, const void *b)
{
    const uint32_t *left = a, *right = b;

    return (*left > *right) - (*left < *right);
}

enum report_outcome report_session_selects(const struct report *report, const struct report_session *session,
                                           unsigned char *selected)
{
    size_t n = session->carriers.n_numbers;
    uint32_t *numbers SW__OWNED = NULL;

    if (session->carriers.offset == 0)
        return REPORT_OK;
    numbers = sw__alloc(n * sizeof *numbers);
    if (numbers == NULL)
        return REPORT_SYSTEM;
    REPORT_TRY(source_read(report->source, session->carriers.offset, numbers, n * sizeof *numbers));
    qsort(numbers, n, sizeof *numbers, by_value);
    for (size_t i = 0; i < report->names.n_dispatches; i++) {
        uint32_t carrier = (uint32_t)report->dispatches[i].carrier;
        if (bsearch(&carrier, numbers, n, sizeof *numbers, by_value) == NULL)
            selected[i] = 0;
    }
    return REPORT_OK;
}
