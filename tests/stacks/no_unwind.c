/* A system without libunwind: preloaded, it lets nobody open one. */
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <string.h>

void *dlopen(const char *name, int flags)
{
    static void *(*next)(const char *name, int flags);

    if (name != NULL && strstr(name, "libunwind") != NULL)
        return NULL;
    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "dlopen");
    return next(name, flags);
}
