/*
 * Values of the environment, one per line in the order of settings.def. What is
 * not understood leaves the default; what is, stays within its limits.
 */
#include "config.h"

#include "shim/settings.c"

#include <string.h>

#include "target.h"

static struct settings settings;

static void set_variables(char *text)
{
    for (size_t i = 0; i < N_SETTINGS; i++) {
        char *value = text;
        if (value == NULL) {
            unsetenv(table[i].name);
            continue;
        }
        text = strchr(value, '\n');
        if (text != NULL)
            *text++ = '\0';
        setenv(table[i].name, value, 1);
    }
}

static void check_limits(void)
{
    FUZZ_RULE(settings.buffer_bytes >= SW__LEAST_BUFFER_BYTES && settings.buffer_bytes <= SW__MOST_BUFFER_BYTES, "%llu bytes",
              (unsigned long long)settings.buffer_bytes);
    FUZZ_RULE(settings.clock <= SWPROF_CLOCK_TSC, "clock %u", settings.clock);
    FUZZ_RULE(settings.shapes == 0 || settings.shapes == 1, "shapes %d", settings.shapes);
    FUZZ_RULE((settings.memory == 0 || settings.memory == 1) && (settings.ranges == 0 || settings.ranges == 1),
              "memory %d, ranges %d", settings.memory, settings.ranges);
    FUZZ_RULE(settings.stack <= 1024, "stacks of %u", settings.stack);
    FUZZ_RULE(settings.start == 0 || settings.start == 1, "start %d", settings.start);
    FUZZ_RULE(settings.schedule.active <= SW__MOST_STEPS && settings.schedule.wait <= SW__MOST_STEPS, "the schedule");
    FUZZ_RULE(settings.verbose == 0 || settings.verbose == 1, "verbose %d", settings.verbose);
    FUZZ_RULE(settings.rank >= -1 && settings.status_file >= -1, "rank %d, file %d", settings.rank,
              settings.status_file);
    FUZZ_RULE(settings.output[0] == '\0' || settings.output[0] == '/', "output %s", settings.output);
    FUZZ_RULE(memchr(settings.output, '\0', sizeof settings.output) != NULL, "an output without an end");
    FUZZ_RULE(memchr(settings.carriers, '\0', sizeof settings.carriers) != NULL, "carriers without an end");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    char *text = fuzz_text(data, n_bytes);

    set_variables(text);
    settings_read(&settings);
    check_limits();
    (void)settings_select(settings.carriers, "strideweave", "Generic");
    (void)settings_select(text, "", "");
    free(text);
    return 0;
}
