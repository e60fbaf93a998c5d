/* A program as a user writes it, built with what pkg-config says. */
#include <stdio.h>

#include <strideweave/strideweave.h>
#include <swprof/swprof.h>

int main(void)
{
    printf("%s %d\n", sw_version_string(), swprof_is_loaded());
    return 0;
}
