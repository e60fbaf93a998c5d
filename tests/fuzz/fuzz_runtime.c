/*
 * Bytes that may be a runtime trace, in either form. What is understood can be
 * written as a document, which is understood as the same.
 */
#include "config.h"

#include <string.h>

#include "report/runtime_view.h"
#include "target.h"

/* What a parser of JSON and a line of ours need at most. */
#define FIXED_BYTES ((size_t)2 << 20)
#define BYTES_PER_CHARACTER 512

static void check_document(const struct runtime_trace *trace)
{
    struct runtime_trace again RUNTIME_OWNED = { .path = NULL };
    struct sw__builder document SW__OWNED_BUILDER = { 0 }, other SW__OWNED_BUILDER = { 0 };

    FUZZ_RULE(runtime_put_document(&document, trace) == SW_OK, "%s", sw_error_message());
    FUZZ_RULE(runtime_parse("again", document.bytes, document.n_bytes, &again) == REPORT_OK, "%s in %s",
              sw_error_message(), document.bytes);
    FUZZ_RULE(runtime_put_document(&other, &again) == SW_OK && other.n_bytes == document.n_bytes &&
                  memcmp(other.bytes, document.bytes, other.n_bytes) == 0,
              "%s is another trace than %s", document.bytes, other.bytes);
}

static void check_views(struct runtime_subject *subject)
{
    const struct runtime_identity any = { NULL, NULL };
    FILE *stream = fuzz_stream(FUZZ_TEXT);
    const struct screen screen = { .stream = stream, .columns = 80 };
    const struct runtime_query query = { "profile", RUNTIME_QUERY_LIMIT, 0, 0 };

    FUZZ_RULE(runtime_audit(&subject->trace, &any, &subject->audit) == REPORT_OK, "%s", sw_error_message());
    FUZZ_RULE(runtime_time_operations(&subject->trace, &subject->operations) == REPORT_OK, "%s", sw_error_message());
    FUZZ_RULE(runtime_time_edges(&subject->trace, &subject->edges) == REPORT_OK, "%s", sw_error_message());
    FUZZ_RULE(runtime_view_operations(subject, 20, &screen, format_text) == REPORT_OK, "%s", sw_error_message());
    FUZZ_RULE(runtime_view_edges(subject, 20, &screen, format_text) == REPORT_OK, "%s", sw_error_message());
    FUZZ_RULE(runtime_view_audit(subject, 20, &screen, format_text) == REPORT_OK, "%s", sw_error_message());
    FUZZ_RULE(runtime_query_answer(subject, &query, stream) == REPORT_OK, "%s", sw_error_message());
    fclose(stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    struct runtime_subject subject = { .operations = { NULL, 0 } };

    fuzz_limit_memory(BYTES_PER_CHARACTER * n_bytes + FIXED_BYTES, 16 * BYTES_PER_CHARACTER * n_bytes + FIXED_BYTES);
    enum report_outcome outcome = runtime_parse("trace", (const char *)data, n_bytes, &subject.trace);
    fuzz_unlimit_memory();
    if (outcome == REPORT_OK) {
        check_document(&subject.trace);
        check_views(&subject);
    } else {
        FUZZ_RULE(sw_error_message()[0] != '\0', "a refusal without a word");
    }
    runtime_subject_clear(&subject);
    return 0;
}
