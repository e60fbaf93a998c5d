/*
 * The C++ library knows its own names. Opened when the first one comes by: who
 * profiles C++ programs has it, and nobody else needs it.
 */
#include "config.h"

#include "analyze/demangle.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef char *demangle_fn(const char *name, char *buffer, size_t *length, int *status);

static demangle_fn *found;
static pthread_once_t sought = PTHREAD_ONCE_INIT;

static void seek(void)
{
    void *library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
    void *symbol = library != NULL ? dlsym(library, "__cxa_demangle") : NULL;

    memcpy(&found, &symbol, sizeof found);
}

static demangle_fn *find(void)
{
    pthread_once(&sought, seek);
    return found;
}

enum sw_status sw__demangle(struct sw__builder *text, const char *name)
{
    demangle_fn *function = strncmp(name, "_Z", 2) == 0 ? find() : NULL;
    int failed = 0;
    char *clear = function != NULL ? function(name, NULL, NULL, &failed) : NULL;
    enum sw_status status = sw__builder_string(text, clear != NULL ? clear : name);

    free(clear);
    return status;
}
