/*
 * An object with nothing in it: what preloading anything at all costs.
 */
extern int bench_empty;
int bench_empty = 1;
