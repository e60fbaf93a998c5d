/*
 * Interning of shape lists by content.
 */
#include "config.h"

#include "shim/shapes.h"

#include "record/text.h"
#include "shim/series.h"

uint64_t shapes_key(const struct sw_hook_compute *call)
{
    uint64_t key = call->n_operands;

    for (uint32_t i = 0; i < call->n_operands; i++) {
        const struct sw_tree *shape = sw_hook_operand_shape(call, i);

        key = shape == NULL ? table_mix(key, 1) : table_mix(table_mix(key, shape->hash), shape->n_nodes);
    }
    return key;
}

static uint64_t count_words(const struct sw_hook_compute *call)
{
    uint64_t n = call->n_operands;

    for (uint32_t i = 0; i < call->n_operands; i++) {
        const struct sw_tree *shape = sw_hook_operand_shape(call, i);

        n += shape == NULL ? 0 : shape->n_nodes;
    }
    return n;
}

int shapes_are(const struct capture *capture, uint32_t reference, const struct sw_hook_compute *call)
{
    const struct swprof_shapes *stored = report_address(&capture->report, reference);
    const int64_t *at = stored->words;
    const int64_t *end = at + stored->n_words;

    if (stored->n_inputs != call->n_operands || stored->n_words > SHAPES_MOST_WORDS)
        return 0;
    for (uint32_t i = 0; i < call->n_operands; i++) {
        const struct sw_tree *shape = sw_hook_operand_shape(call, i);
        int64_t n = shape == NULL ? SWPROF_SHAPE_NONE : (int64_t)shape->n_nodes;

        if (at == end || *at++ != n || n > end - at)
            return 0;
        for (int64_t k = 0; k < n; k++)
            if (*at++ != shape->nodes[k])
                return 0;
    }
    return at == end;
}

uint32_t shapes_find(const struct capture *capture, const struct sw_hook_compute *call, uint64_t key)
{
    uint32_t reference, at = 0;

    while ((reference = table_find(&capture->shape_table, key, &at)) != 0)
        if (shapes_are(capture, reference, call))
            break;
    return reference;
}

static void fill(struct swprof_shapes *list, const struct sw_hook_compute *call)
{
    int64_t *at = list->words;

    for (uint32_t i = 0; i < call->n_operands; i++) {
        const struct sw_tree *shape = sw_hook_operand_shape(call, i);

        *at++ = shape == NULL ? SWPROF_SHAPE_NONE : (int64_t)shape->n_nodes;
        if (shape != NULL) {
            sw__copy(at, shape->nodes, shape->n_nodes * sizeof *at);
            at += shape->n_nodes;
        }
    }
    list->n_inputs = call->n_operands;
    list->n_words = (uint32_t)(at - list->words);
}

uint32_t shapes_add(struct capture *capture, const struct sw_hook_compute *call, uint64_t key)
{
    uint32_t reference = shapes_find(capture, call, key);
    uint64_t n_words = count_words(call);
    uint64_t n_bytes = sizeof(struct swprof_shapes) + n_words * sizeof(int64_t);
    struct swprof_shapes *list;
    enum swprof_lost reason;

    if (reference != 0)
        return reference;
    if (n_words > SHAPES_MOST_WORDS || capture->shape_table.n_used >= SHAPES_MOST)
        return 0;
    if (capture->shape_table.entries == NULL && !table_create(&capture->shape_table, 2 * SHAPES_MOST))
        return 0;
    list = series_room(capture, &capture->shapes, SWPROF_BLOCK_SHAPES, n_bytes, 0, &reason);
    if (list == NULL)
        return 0;
    fill(list, call);
    series_publish(&capture->shapes, n_bytes);
    reference = report_reference(&capture->report, list);
    /* From here on other threads read it. */
    table_insert(&capture->shape_table, key, reference);
    return reference;
}
