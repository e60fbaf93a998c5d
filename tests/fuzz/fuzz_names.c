/*
 * Bytes that may be a name, on their way to a terminal: cleaned, made visible,
 * shortened, drawn.
 */
#include "config.h"

#include <string.h>

#include "analyze/visible.h"
#include "report/display.h"
#include "report/utf8.h"
#include "target.h"

static void check_form(const char *text, enum fuzz_form form)
{
    FILE *stream = fuzz_stream(form);

    fputs(text, stream);
    fclose(stream);
}

static void check_shortened(const char *name, size_t columns)
{
    struct sw__builder text SW__OWNED_BUILDER = { 0 };

    FUZZ_RULE(display_shortened(&text, name, columns) == SW_OK, "%s", sw_error_message());
    if (text.n_bytes == 0)
        return;
    check_form(text.bytes, FUZZ_TEXT);
    FUZZ_RULE(utf8_width(text.bytes) <= columns, "%zu columns instead of %zu", utf8_width(text.bytes), columns);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    struct sw__builder visible SW__OWNED_BUILDER = { 0 };
    char *bytes = fuzz_text(data, n_bytes), *clean = NULL;

    FUZZ_RULE(utf8_clean(bytes, n_bytes, &clean) == SW_OK, "%s", sw_error_message());
    FUZZ_RULE(utf8_valid(clean, strlen(clean)), "what was cleaned is not clean");
    FUZZ_RULE(!utf8_valid(bytes, n_bytes) || strcmp(bytes, clean) == 0, "what was clean was changed");
    FUZZ_RULE(sw__visible(&visible, clean) == SW_OK, "%s", sw_error_message());
    if (visible.n_bytes != 0)
        check_form(visible.bytes, FUZZ_TEXT);
    for (size_t columns = 1; columns <= 16; columns++)
        check_shortened(clean, columns);
    sw_free(clean);
    free(bytes);
    return 0;
}
