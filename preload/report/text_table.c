/*
 * An array of texts with an index of them.
 */
#include "config.h"

#include "report/text_table.h"

#include <string.h>

#include "base/alloc.h"
#include "report/inside.h"

enum sw_status text_table_number(struct text_table *table, const char *text, uint32_t *ret_number)
{
    uint64_t hash = sw__hash_text(SW__HASH_BEGIN, text);
    struct sw__index_probe probe = sw__index_probe(&table->table, hash);

    while ((*ret_number = sw__index_next(&probe)) != SW__ANALYZE_NONE)
        if (strcmp(table->texts[*ret_number], text) == 0)
            return SW_OK;
    if (report_grow(&table->texts, table->n_texts, sizeof *table->texts) != REPORT_OK)
        return SW_MEMORY_ERROR;
    SW__TRY(sw__index_put(&table->table, hash, table->n_texts));
    table->texts[table->n_texts] = text;
    *ret_number = table->n_texts++;
    return SW_OK;
}

void text_table_clear(struct text_table *table)
{
    sw__index_table_clear(&table->table);
    sw__free(table->texts);
    *table = (struct text_table){ .texts = NULL };
}
