/*
 * Operations whose names have every control byte, what quotes and separates,
 * bytes that are no UTF-8, and 100 KB. A variable of the program, too, has a name
 * that others use: the settings must not be looked for there.
 */
#include "config.h"

#include <string.h>

#include "shim/fake_library.h"

#define LONG_BYTES 100000

/* As old programs have it. */
__attribute__((visibility("default"))) char **environ;

static char controls[48] = "controls";
static char long_name[LONG_BYTES + 1];

int main(void)
{
    size_t n = strlen(controls);

    for (char c = 1; c < ' '; c++)
        controls[n++] = c;
    controls[n] = '\x7f';
    memset(long_name, 'x', LONG_BYTES);
    fake_load();
    fake_name(0, controls);
    fake_name(1, "c1 \xc2\x80 to \xc2\x9f");
    fake_name(2, "quotes \"'`\\ ,;\t{}[]</");
    fake_name(3, "no UTF-8 \xff\xc0\xaf\xed\xa0\x80 nor \xe2\x82");
    fake_name(4, long_name);
    for (uint32_t id = 0; id < 5; id++)
        fake_operation(id, NULL, NULL);
    return 0;
}
