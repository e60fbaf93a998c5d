/*
 * Four tables by content. What is put into one refers to texts of the table of
 * texts, so that equal texts are one pointer.
 */
#include "config.h"

#include "analyze/event_names.h"

#include <strideweave/tree.h>

#include <string.h>

#include "base/alloc.h"
#include "base/refs.h"

enum sw_status sw__event_names_new(struct sw__event_names **ret_names)
{
    struct sw__event_names *names = sw__alloc_zero(sizeof *names);

    if (names == NULL)
        return SW_MEMORY_ERROR;
    names->n_refs = 1;
    *ret_names = names;
    return SW_OK;
}

struct sw__event_names *sw__event_names_ref(struct sw__event_names *names)
{
    if (names != NULL)
        sw__refs_get(&names->n_refs);
    return names;
}

static void drop_trees(struct sw_input_shapes *shapes)
{
    for (size_t i = 0; i < shapes->n_inputs; i++)
        sw_tree_unref(shapes->shapes[i]);
    sw__free((void *)(uintptr_t)shapes->shapes);
    sw__free(shapes);
}

void sw__event_names_unref(struct sw__event_names *names)
{
    if (names == NULL || !sw__refs_put(&names->n_refs))
        return;
    for (size_t i = 0; i < names->n_texts; i++)
        sw__free(names->texts[i]);
    for (size_t i = 0; i < names->names.n_shapes; i++) {
        drop_trees(names->trees[i]);
        sw__free((void *)(uintptr_t)names->shapes[i].words);
    }
    for (size_t i = 0; i < names->names.n_stacks; i++)
        sw__free((void *)(uintptr_t)names->stacks[i].entries);
    for (size_t i = 0; i < names->names.n_dispatches; i++)
        sw__free(names->classes[i]);
    sw__free(names->dispatches);
    sw__free(names->classes);
    sw__free(names->shapes);
    sw__free(names->trees);
    sw__free(names->stacks);
    sw__free(names->texts);
    sw__index_table_clear(&names->dispatch_table);
    sw__index_table_clear(&names->shape_table);
    sw__index_table_clear(&names->stack_table);
    sw__index_table_clear(&names->text_table);
    sw__free(names);
}

/* Room for one more of @n in an array: doubled when @n is a power of two, which is when it is full. */
static enum sw_status make_room(void *array, size_t n, size_t n_bytes)
{
    void **memory = array;

    if (n >= SW__ANALYZE_NONE)
        return sw_error_set(SW_OVERFLOW_ERROR, "more names than can be numbered");
    if (n != 0 && (n < 16 || (n & (n - 1)) != 0))
        return SW_OK;
    void *larger = sw__realloc(*memory, (n != 0 ? 2 * n : 16) * n_bytes);
    if (larger == NULL)
        return SW_MEMORY_ERROR;
    *memory = larger;
    return SW_OK;
}

/* ---- Texts ------------------------------------------------------------------------------ */

static enum sw_status keep_text(struct sw__event_names *names, const char *text, const char **ret_text)
{
    uint64_t hash = sw__hash_text(SW__HASH_BEGIN, text);
    struct sw__index_probe probe = sw__index_probe(&names->text_table, hash);
    uint32_t index;

    while ((index = sw__index_next(&probe)) != SW__ANALYZE_NONE) {
        if (strcmp(names->texts[index], text) == 0) {
            *ret_text = names->texts[index];
            return SW_OK;
        }
    }
    SW__TRY(make_room(&names->texts, names->n_texts, sizeof *names->texts));
    char *copy SW__OWNED = sw__strdup(text);
    if (copy == NULL)
        return SW_MEMORY_ERROR;
    SW__TRY(sw__index_put(&names->text_table, hash, (uint32_t)names->n_texts));
    *ret_text = names->texts[names->n_texts++] = sw__take(copy);
    return SW_OK;
}

/* ---- Dispatches --------------------------------------------------------------------------- */

static enum sw_status keep_class(struct sw__event_names *names, const struct sw_class_snapshot *from,
                                 struct sw_class_snapshot *to)
{
    *to = (struct sw_class_snapshot){ .module = "", .qualified_name = "" };
    if (from == NULL)
        return SW_OK;
    to->address = from->address;
    to->serial = from->serial;
    SW__TRY(keep_text(names, from->module != NULL ? from->module : "", &to->module));
    return keep_text(names, from->qualified_name != NULL ? from->qualified_name : "", &to->qualified_name);
}

/* Texts of the table of texts: equal ones are one. "" of no class is none of them, and equal to itself alone. */
static int classes_equal(const struct sw_class_snapshot *a, const struct sw_class_snapshot *b)
{
    return a->address == b->address && a->serial == b->serial && strcmp(a->module, b->module) == 0 &&
           strcmp(a->qualified_name, b->qualified_name) == 0;
}

/* A class that was made by hand may have no serial: then its texts tell it from others. */
static uint64_t identity_of(const struct sw_class_snapshot *class)
{
    if (class->serial != 0)
        return class->serial;
    return sw__hash_text(sw__hash_text(SW__HASH_BEGIN, class->module), class->qualified_name) | UINT64_C(1) << 63;
}

static enum sw_status add_dispatch(struct sw__event_names *names, const char *name,
                                   const struct sw__event_classes *classes)
{
    size_t n = names->names.n_dispatches;

    SW__TRY(make_room(&names->dispatches, n, sizeof *names->dispatches));
    SW__TRY(make_room(&names->classes, n, sizeof *names->classes));
    names->dispatches[n] = (struct sw__analyze_dispatch){
        .name = name,
        .carrier_module = classes->carrier.module,
        .carrier_name = classes->carrier.qualified_name,
        .implementation_module = classes->implementation.module,
        .implementation_name = classes->implementation.qualified_name,
        .carrier = identity_of(&classes->carrier),
    };
    names->names.dispatches = names->dispatches;
    struct sw__event_classes *kept = sw__alloc(sizeof *kept);
    if (kept == NULL)
        return SW_MEMORY_ERROR;
    *kept = *classes;
    names->classes[n] = kept;
    return SW_OK;
}

enum sw_status sw__event_names_dispatch(struct sw__event_names *names, const char *name,
                                        const struct sw_class_snapshot *carrier,
                                        const struct sw_class_snapshot *implementation, uint32_t *ret_index)
{
    struct sw__event_classes classes;

    SW__TRY(keep_text(names, name, &name));
    SW__TRY(keep_class(names, carrier, &classes.carrier));
    SW__TRY(keep_class(names, implementation, &classes.implementation));
    uint64_t hash = sw__hash_number((uintptr_t)name, identity_of(&classes.carrier));
    hash = sw__hash_number(hash, identity_of(&classes.implementation));
    struct sw__index_probe probe = sw__index_probe(&names->dispatch_table, hash);
    while ((*ret_index = sw__index_next(&probe)) != SW__ANALYZE_NONE)
        if (names->dispatches[*ret_index].name == name &&
            classes_equal(&names->classes[*ret_index]->carrier, &classes.carrier) &&
            classes_equal(&names->classes[*ret_index]->implementation, &classes.implementation))
            return SW_OK;
    SW__TRY(add_dispatch(names, name, &classes));
    size_t n = names->names.n_dispatches;
    enum sw_status status = sw__index_put(&names->dispatch_table, hash, (uint32_t)n);
    if (status != SW_OK) {
        sw__free(names->classes[n]);
        return status;
    }
    *ret_index = (uint32_t)names->names.n_dispatches++;
    return SW_OK;
}

/* ---- Shapes ------------------------------------------------------------------------------- */

static enum sw_status add_shapes(struct sw__event_names *names, const struct sw_input_shapes *from)
{
    size_t n = names->names.n_shapes;

    SW__TRY(make_room(&names->shapes, n, sizeof *names->shapes));
    SW__TRY(make_room(&names->trees, n, sizeof *names->trees));
    const struct sw_tree **trees SW__OWNED = sw__alloc(from->n_inputs * sizeof *trees);
    struct sw_input_shapes *kept = sw__alloc(sizeof *kept);
    if (trees == NULL || kept == NULL) {
        sw__free(kept);
        return SW_MEMORY_ERROR;
    }
    for (size_t i = 0; i < from->n_inputs; i++)
        trees[i] = sw_tree_ref(from->shapes[i]);
    *kept = (struct sw_input_shapes){ from->n_inputs, sw__take(trees) };
    names->trees[n] = kept;
    names->names.shapes = names->shapes;
    return SW_OK;
}

enum sw_status sw__event_names_shapes(struct sw__event_names *names, const struct sw_input_shapes *shapes,
                                      uint32_t *ret_index)
{
    struct sw__analyze_shapes list = { 0, 0, NULL };
    int64_t *words SW__OWNED = NULL;

    *ret_index = SW__ANALYZE_NONE;
    if (shapes == NULL)
        return SW_OK;
    if (shapes->n_inputs > UINT32_MAX)
        return sw_error_set(SW_OVERFLOW_ERROR, "the shapes of %zu inputs", shapes->n_inputs);
    SW__TRY(sw__analyze_shapes_words(shapes->shapes, shapes->n_inputs, &words, &list.n_words));
    list.n_inputs = (uint32_t)shapes->n_inputs;
    list.words = words;
    if (!sw__analyze_shapes_valid(&list))
        return sw_error_set(SW_VALUE_ERROR, "an input's shape has an extent below 0");
    uint64_t hash = sw__analyze_shapes_hash(&list);
    struct sw__index_probe probe = sw__index_probe(&names->shape_table, hash);
    while ((*ret_index = sw__index_next(&probe)) != SW__ANALYZE_NONE)
        if (sw__analyze_shapes_equal(&names->shapes[*ret_index], &list))
            return SW_OK;
    SW__TRY(add_shapes(names, shapes));
    size_t n = names->names.n_shapes;
    names->shapes[n] = list;
    enum sw_status status = sw__index_put(&names->shape_table, hash, (uint32_t)n);
    if (status != SW_OK) {
        drop_trees(names->trees[n]);
        return status;
    }
    (void)sw__take(words);
    *ret_index = (uint32_t)names->names.n_shapes++;
    return SW_OK;
}

/* ---- Stacks ------------------------------------------------------------------------------- */

static int stack_is(const struct sw__analyze_stack *stack, const char *const *entries, size_t n_entries)
{
    return stack->n_entries == n_entries && memcmp(stack->entries, entries, n_entries * sizeof *entries) == 0;
}

enum sw_status sw__event_names_stack(struct sw__event_names *names, const char *const *entries, size_t n_entries,
                                     uint32_t *ret_index)
{
    uint64_t hash = n_entries;

    *ret_index = SW__ANALYZE_NONE;
    if (n_entries == 0)
        return SW_OK;
    const char **kept SW__OWNED = sw__alloc(n_entries * sizeof *kept);
    if (kept == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < n_entries; i++) {
        SW__TRY(keep_text(names, entries[i], &kept[i]));
        hash = sw__hash_number(hash, (uintptr_t)kept[i]);
    }
    struct sw__index_probe probe = sw__index_probe(&names->stack_table, hash);
    while ((*ret_index = sw__index_next(&probe)) != SW__ANALYZE_NONE)
        if (stack_is(&names->stacks[*ret_index], kept, n_entries))
            return SW_OK;
    SW__TRY(make_room(&names->stacks, names->names.n_stacks, sizeof *names->stacks));
    SW__TRY(sw__index_put(&names->stack_table, hash, (uint32_t)names->names.n_stacks));
    names->stacks[names->names.n_stacks] = (struct sw__analyze_stack){ sw__take(kept), n_entries };
    names->names.stacks = names->stacks;
    *ret_index = (uint32_t)names->names.n_stacks++;
    return SW_OK;
}
