/*
 * What the environment asks of the shim. Read once, when the shim is loaded;
 * settings.def lists the variables.
 */
#ifndef SHIM_SETTINGS_H
#define SHIM_SETTINGS_H

#include <stdint.h>

#include <swprof/swprof.h>

#define SETTINGS_OUTPUT_BYTES 4096
#define SETTINGS_CARRIERS_BYTES 256
#define SETTINGS_BAD_BYTES 200

/* The long text stands last: of what stays as it was loaded no page is touched. */
struct settings {
    uint64_t buffer_bytes;
    uint32_t clock; /* enum swprof_clock, 0: the best there is */
    uint32_t policy; /* enum swprof_policy */
    uint32_t stack; /* frames of call stacks that are recorded; 0: none */
    int32_t shapes;
    int32_t memory;      /* storage of carriers is recorded */
    int32_t ranges;      /* ranges of the library are recorded */
    int32_t flows;       /* storage of operands and results is recorded */
    int32_t start;
    struct swprof_schedule schedule; /* active 0: none */
    int32_t signal;      /* that ends and begins rounds; 0: none */
    int32_t verbose;
    int32_t rank;        /* -1: none */
    int32_t status_file; /* descriptor from swprof-run, -1: none */
    char bad[SETTINGS_BAD_BYTES]; /* names of the variables whose values were refused, with commas; empty: none */
    char carriers[SETTINGS_CARRIERS_BYTES]; /* comma list, or empty: all */
    char output[SETTINGS_OUTPUT_BYTES];     /* absolute template, or empty: the default place */
};

/**
 * Fill in the defaults and then what the environment says. A value that is not
 * understood leaves the default and is remembered in `bad`. In a set-uid
 * program the environment counts as empty.
 */
void settings_read(struct settings *settings);

/** Whether a carrier is one of a comma list of `Name` or `module.Name`; an empty list has all. */
int settings_select(const char *carriers, const char *module, const char *name);

#endif
