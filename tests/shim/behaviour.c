/*
 * The programs of behaviour.def, chosen by the first argument.
 */
#include "config.h"

#include "shim/behaviour.h"
#include "shim/programs.h"

#include <dirent.h>
#include <string.h>

void operate(void)
{
    for (int i = 0; i < 50; i++)
        fake_operation((uint32_t)i % FAKE_DISPATCHES, NULL, NULL);
}

int operates(void *argument)
{
    (void)argument;
    operate();
    return 1;
}

int count_entries(const char *path)
{
    DIR *directory = opendir(path);
    int n = 0;

    if (directory == NULL)
        return -1;
    while (readdir(directory) != NULL)
        n++;
    closedir(directory);
    return n - 2 - (strcmp(path, "/proc/self/fd") == 0);
}

int behave_nothing(void)
{
    return 0;
}

static const struct program programs[] = {
#define BEHAVIOUR(name, reports) {#name, behave_##name},
#include "shim/behaviour.def"
#undef BEHAVIOUR
};

int main(int argc, char **argv)
{
    (void)argc;
    fake_load();
    return RUN_NAMED(programs, argv[1]);
}
