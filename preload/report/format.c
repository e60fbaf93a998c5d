/*
 * The formats by name.
 */
#include "config.h"

#include <string.h>

#include "report/grid.h"

static const struct {
    const char *name;
    write_document *write;
} formats[] = {
#define REPORT_FORMAT(enumerator, name, function) { name, function },
#include "report/format.def"
#undef REPORT_FORMAT
};

write_document *format_find(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, name) == 0)
            return formats[i].write;
    return NULL;
}
