/*
 * The C++ library knows its own names. Opened when the first one comes by: who
 * profiles C++ programs has it, and nobody else needs it.
 */
#include "config.h"

#include "report/demangle.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef char *demangle_fn(const char *name, char *buffer, size_t *length, int *status);

static demangle_fn *find(void)
{
    static demangle_fn *found;
    static int was_sought;

    if (!was_sought) {
        void *library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
        void *symbol = library != NULL ? dlsym(library, "__cxa_demangle") : NULL;

        memcpy(&found, &symbol, sizeof found);
        was_sought = 1;
    }
    return found;
}

enum sw_status demangle(struct sw__builder *text, const char *name)
{
    demangle_fn *function = strncmp(name, "_Z", 2) == 0 ? find() : NULL;
    int failed = 0;
    char *clear = function != NULL ? function(name, NULL, NULL, &failed) : NULL;
    enum sw_status status = sw__builder_string(text, clear != NULL ? clear : name);

    free(clear);
    return status;
}
