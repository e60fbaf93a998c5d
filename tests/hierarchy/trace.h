/*
 * The test program as a tool: it defines the hooks of the boundary, which
 * replace the weak ones, and keeps what they saw.
 */
#ifndef TESTS_HIERARCHY_TRACE_H
#define TESTS_HIERARCHY_TRACE_H

#include <strideweave/hooks.h>

#define TRACE_MAX 16

struct trace_event {
    char name[16];
    char carrier[16];
    char implementation[32];
    int parent; /* index of the enclosing boundary, -1 at the root */
    int succeeded;
    int has_ended;
    uint32_t n_operands;
    int64_t first_extent[3]; /* per operand: of its first mode; 0 when it is no tensor */
};

extern struct trace_event trace[TRACE_MAX];
extern int n_traced;

void trace_clear(void);
/** Fails the test unless event @index is this one. */
void trace_expect(int index, int parent, const char *name, const char *carrier, int succeeded);

#endif
