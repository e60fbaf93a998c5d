/*
 * Texts that may be shapes or layouts, through the library's parsers. What is
 * understood has one text form, and that is understood as the same.
 */
#include "config.h"

#include <string.h>

#include <strideweave/strideweave.h>

#include "target.h"

/* Far more than any text of so many characters can need. */
#define FIXED_BYTES ((size_t)1 << 20)
#define BYTES_PER_CHARACTER 512

static void check_tree(const char *text)
{
    struct sw_tree *tree = NULL, *again = NULL;
    char *form = NULL;

    if (sw_tree_parse(text, &tree) != SW_OK) {
        FUZZ_RULE(tree == NULL && sw_error_message()[0] != '\0', "a refusal without a word");
        return;
    }
    FUZZ_RULE(sw_tree_format(tree, &form) == SW_OK, "%s", sw_error_message());
    FUZZ_RULE(sw_tree_parse(form, &again) == SW_OK, "its form '%s': %s", form, sw_error_message());
    FUZZ_RULE(sw_tree_equal(tree, again), "'%s' is another tree", form);
    sw_free(form);
    sw_tree_unref(again);
    sw_tree_unref(tree);
}

static void check_layout(const char *text)
{
    struct sw_layout *layout = NULL, *again = NULL;
    char *form = NULL;

    if (sw_layout_parse(text, &layout) != SW_OK) {
        FUZZ_RULE(layout == NULL && sw_error_message()[0] != '\0', "a refusal without a word");
        return;
    }
    FUZZ_RULE(sw_layout_format(layout, &form) == SW_OK, "%s", sw_error_message());
    FUZZ_RULE(sw_layout_parse(form, &again) == SW_OK, "its form '%s': %s", form, sw_error_message());
    FUZZ_RULE(sw_layout_equal(layout, again), "'%s' is another layout", form);
    sw_free(form);
    sw_layout_unref(again);
    sw_layout_unref(layout);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    char *text = fuzz_text(data, n_bytes);

    fuzz_limit_memory(BYTES_PER_CHARACTER * n_bytes + FIXED_BYTES, 4 * BYTES_PER_CHARACTER * n_bytes + FIXED_BYTES);
    check_tree(text);
    check_layout(text);
    fuzz_unlimit_memory();
    free(text);
    return 0;
}
