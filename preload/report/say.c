/*
 * Lines on the standard error.
 */
#include "config.h"

#include "report/say.h"

#include <stdarg.h>
#include <stdio.h>

#include "analyze/visible.h"
#include "report/display.h"

void say(const char *tool, const char *format, ...)
{
    struct sw__builder visible SW__OWNED_BUILDER = { 0 };
    char line[8192];
    va_list values;

    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    /* Without memory there is still something to say, though not what came from elsewhere. */
    fprintf(stderr, "%s: %s\n", tool,
            sw__visible(&visible, line) == SW_OK && visible.n_bytes != 0 ? visible.bytes : "out of memory");
}
