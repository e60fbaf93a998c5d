/*
 * Every line "    call(arguments) = result" of doc/layouts.md, carried out.
 */
#include "config.h"

#include <ctype.h>
#include <stdio.h>

#include <strideweave/index_map.h>

#include "check_main.h"
#include "layout/texts.h"

#define MAX_ARGUMENTS 8
#define MAX_LINE 256

/* A call of the page; its arguments are texts, split at commas and semicolons outside of parentheses. */
struct call {
    const char *name;
    char *arguments[MAX_ARGUMENTS];
    size_t n;
};

static char result[MAX_LINE]; /* what the call gave, as the page writes it */

/* The name of the error stands for a result that there is none of. */
static void give_status(enum sw_status status)
{
    snprintf(result, sizeof result, "%s", sw_status_name(status));
}

/* What was made is looked at only after success: it is passed by address, as arguments have no order. */
static void give_integer(enum sw_status status, const int64_t *value)
{
    if (status != SW_OK)
        give_status(status);
    else
        snprintf(result, sizeof result, "%lld", (long long)*value);
}

/* A single leaf is written without parentheses. */
static void give_layout(enum sw_status status, struct sw_layout **layout)
{
    char *text = NULL;
    long long extent, stride;

    if (status != SW_OK) {
        give_status(status);
        return;
    }
    ck_assert_int_eq(sw_layout_format(*layout, &text), SW_OK);
    if (sscanf(text, "(%lld):(%lld)", &extent, &stride) == 2)
        snprintf(result, sizeof result, "%lld:%lld", extent, stride);
    else
        snprintf(result, sizeof result, "%s", text);
    sw_free(text);
    sw_layout_unref(*layout);
}

static void give_tree(enum sw_status status, struct sw_tree **tree)
{
    char *text = NULL;

    if (status != SW_OK) {
        give_status(status);
        return;
    }
    ck_assert_int_eq(sw_tree_format(*tree, &text), SW_OK);
    snprintf(result, sizeof result, "%s", text);
    sw_free(text);
    sw_tree_unref(*tree);
}

/* ---- Calls by the kinds of their arguments ------------------------------------------ */

static void size(const struct call *call)
{
    struct sw_layout *layout = read_layout(call->arguments[0]);

    give_integer(SW_OK, &(int64_t){ sw_layout_size(layout) });
    sw_layout_unref(layout);
}

static void cosize(const struct call *call)
{
    struct sw_layout *layout = read_layout(call->arguments[0]);

    give_integer(SW_OK, &(int64_t){ sw_layout_cosize(layout) });
    sw_layout_unref(layout);
}

static void injective(const struct call *call)
{
    struct sw_layout *layout = read_layout(call->arguments[0]);
    int answer = 0;
    enum sw_status status = sw_layout_is_injective(layout, &answer);

    give_integer(status, &(int64_t){ answer });
    sw_layout_unref(layout);
}

static void index_of(const struct call *call)
{
    struct sw_layout *layout = read_layout(call->arguments[0]);
    struct sw_tree *coordinate = read_tree(call->arguments[1]);
    int64_t index = 0;

    give_integer(sw_layout_index(layout, coordinate, &index), &index);
    sw_layout_unref(layout);
    sw_tree_unref(coordinate);
}

static void canonical(const struct call *call)
{
    struct sw_tree *shape = read_tree(call->arguments[0]);
    struct sw_layout *layout = NULL;

    give_layout(sw_layout_canonical(shape, &layout), &layout);
    sw_tree_unref(shape);
}

static void decode(const struct call *call)
{
    struct sw_tree *shape = read_tree(call->arguments[0]), *coordinate = NULL;

    give_tree(sw_shape_decode(shape, atoll(call->arguments[1]), &coordinate), &coordinate);
    sw_tree_unref(shape);
}

static void encode(const struct call *call)
{
    struct sw_tree *shape = read_tree(call->arguments[0]), *coordinate = read_tree(call->arguments[1]);
    int64_t ordinal = 0;

    give_integer(sw_shape_encode(shape, coordinate, &ordinal), &ordinal);
    sw_tree_unref(shape);
    sw_tree_unref(coordinate);
}

static void of_layout(const struct call *call,
                      enum sw_status (*function)(const struct sw_layout *layout, struct sw_layout **ret_layout))
{
    struct sw_layout *layout = read_layout(call->arguments[0]), *made = NULL;

    give_layout(function(layout, &made), &made);
    sw_layout_unref(layout);
}

static void flatten(const struct call *call)
{
    of_layout(call, sw_layout_flatten);
}

static void coalesce(const struct call *call)
{
    of_layout(call, sw_layout_coalesce);
}

static void of_layouts(const struct call *call,
                       enum sw_status (*function)(const struct sw_layout *a, const struct sw_layout *b,
                                                  struct sw_layout **ret_layout))
{
    struct sw_layout *a = read_layout(call->arguments[0]), *b = read_layout(call->arguments[1]), *made = NULL;

    give_layout(function(a, b, &made), &made);
    sw_layout_unref(a);
    sw_layout_unref(b);
}

static void compose(const struct call *call)
{
    of_layouts(call, sw_layout_compose);
}

static void divide(const struct call *call)
{
    of_layouts(call, sw_layout_divide);
}

static void select_elements(const struct call *call)
{
    of_layouts(call, sw_layout_select);
}

static void complement(const struct call *call)
{
    struct sw_layout *layout = read_layout(call->arguments[0]), *made = NULL;

    give_layout(sw_layout_complement(layout, atoll(call->arguments[1]), &made), &made);
    sw_layout_unref(layout);
}

static void of_tiles(const struct call *call,
                     enum sw_status (*function)(const struct sw_layout *layout, const struct sw_layout *const *tiles,
                                                size_t n_tiles, struct sw_layout **ret_layout))
{
    struct sw_layout *layout = read_layout(call->arguments[0]), *made = NULL;
    const struct sw_layout *tiles[MAX_ARGUMENTS];

    for (size_t i = 1; i < call->n; i++)
        tiles[i - 1] = read_layout(call->arguments[i]);
    give_layout(function(layout, tiles, call->n - 1, &made), &made);
    drop_tiles(tiles, call->n - 1);
    sw_layout_unref(layout);
}

static void compose_tiler(const struct call *call)
{
    of_tiles(call, sw_layout_compose_tiler);
}

static void divide_tiler(const struct call *call)
{
    of_tiles(call, sw_layout_divide_tiler);
}

static void divide_zipped(const struct call *call)
{
    of_tiles(call, sw_layout_divide_zipped);
}

static void permute(const struct call *call)
{
    struct sw_layout *layout = read_layout(call->arguments[0]), *made = NULL;
    int64_t order[MAX_ARGUMENTS];

    for (size_t i = 1; i < call->n; i++)
        order[i - 1] = atoll(call->arguments[i]);
    give_layout(sw_layout_permute(layout, order, call->n - 1, &made), &made);
    sw_layout_unref(layout);
}

static void of_layout_and_tree(const struct call *call,
                               enum sw_status (*function)(const struct sw_layout *layout, const struct sw_tree *tree,
                                                          struct sw_layout **ret_layout))
{
    struct sw_layout *layout = read_layout(call->arguments[0]), *made = NULL;
    struct sw_tree *tree = read_tree(call->arguments[1]);

    give_layout(function(layout, tree, &made), &made);
    sw_layout_unref(layout);
    sw_tree_unref(tree);
}

static void broadcast_to(const struct call *call)
{
    of_layout_and_tree(call, sw_layout_broadcast_to);
}

static void reshape(const struct call *call)
{
    of_layout_and_tree(call, sw_layout_reshape);
}

static enum sw_status rearrange_all(const struct sw_layout *layout, const struct sw_tree *output,
                                    struct sw_layout **ret_layout)
{
    return sw_layout_rearrange(layout, output, NULL, ret_layout);
}

static void rearrange(const struct call *call)
{
    of_layout_and_tree(call, rearrange_all);
}

/* The map is the call swizzle(shape; bits, base, shift). */
static void map_at(const struct call *call)
{
    struct sw_index_map *map = NULL;
    struct sw_swizzle_stage stage;
    char shape_text[MAX_LINE];
    long long bits, base, shift;
    int64_t index = 0;

    ck_assert_int_eq(sscanf(call->arguments[0], "swizzle(%[^;]; %lld, %lld, %lld)", shape_text, &bits, &base, &shift),
                     4);
    stage = (struct sw_swizzle_stage){ bits, base, shift };
    struct sw_tree *shape = read_tree(shape_text);
    ck_assert_int_eq(sw_index_map_swizzle(shape, &stage, 1, &map), SW_OK);
    give_integer(sw_index_map_index_ordinal(map, atoll(call->arguments[1]), &index), &index);
    sw_index_map_unref(map);
    sw_tree_unref(shape);
}

static const struct {
    const char *name;
    void (*run)(const struct call *call);
} calls[] = {
    { "size", size },
    { "cosize", cosize },
    { "injective", injective },
    { "index", index_of },
    { "canonical", canonical },
    { "decode", decode },
    { "encode", encode },
    { "flatten", flatten },
    { "coalesce", coalesce },
    { "compose", compose },
    { "compose_tiler", compose_tiler },
    { "complement", complement },
    { "divide", divide },
    { "divide_tiler", divide_tiler },
    { "divide_zipped", divide_zipped },
    { "permute", permute },
    { "broadcast_to", broadcast_to },
    { "reshape", reshape },
    { "select", select_elements },
    { "rearrange", rearrange },
    { "map_at", map_at },
};

/* Split "name(a, b)" in place. */
static int read_call(char *text, struct call *call)
{
    char *open = strchr(text, '('), *end = text + strlen(text) - 1;
    int depth = 0;

    if (open == NULL || *end != ')' || !islower((unsigned char)*text))
        return 0;
    *open = *end = '\0';
    *call = (struct call){ .name = text, .arguments = { open + 1 }, .n = 1 };
    for (char *at = open + 1; at < end; at++) {
        depth += (*at == '(') - (*at == ')');
        if (*at != ',' || depth > 0)
            continue;
        *at = '\0';
        ck_assert_uint_lt(call->n, MAX_ARGUMENTS);
        call->arguments[call->n++] = at + 1 + (at[1] == ' ');
    }
    return 1;
}

static void run_call(const struct call *call, const char *expected)
{
    for (size_t i = 0; i < N_ROWS(calls); i++) {
        if (strcmp(calls[i].name, call->name) != 0)
            continue;
        calls[i].run(call);
        ck_assert_msg(strcmp(result, expected) == 0, "%s(%s ...) gives %s, not %s", call->name, call->arguments[0],
                      result, expected);
        return;
    }
    ck_abort_msg("the page has a call that this test does not know: %s", call->name);
}

START_TEST(every_example_of_the_page_holds)
{
    const char *top = getenv("abs_top_srcdir");
    char path[4096], line[MAX_LINE];
    struct call call;
    int n_examples = 0;

    snprintf(path, sizeof path, "%s/doc/layouts.md", top != NULL ? top : ".");
    FILE *page = fopen(path, "r");
    ck_assert_msg(page != NULL, "cannot read %s", path);
    while (fgets(line, sizeof line, page) != NULL) {
        char *equals = strstr(line, ") = ");

        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "    ", 4) != 0 || equals == NULL)
            continue;
        equals[1] = '\0';
        if (!read_call(line + 4, &call))
            continue;
        run_call(&call, equals + 4);
        n_examples++;
    }
    fclose(page);
    ck_assert_int_ge(n_examples, 45);
}
END_TEST

CHECK_MAIN("doc_examples", every_example_of_the_page_holds)
