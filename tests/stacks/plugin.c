/* Built twice, under two names for one function: what is loaded where the other was. */
static void __attribute__((noinline, noclone)) INNER(void (*call)(void))
{
    call(); /* LINE INNER */
    __asm__ volatile("" ::: "memory");
}

void plugin_run(void (*call)(void));
void plugin_run(void (*call)(void))
{
    INNER(call);
    __asm__ volatile("" ::: "memory");
}
