/*
 * What runs in every program that the shim is preloaded into, also when it
 * never uses the library. Such a program pays for each page that it touches for
 * the first time, so this code lies side by side.
 */
#ifndef RECORD_AT_LOAD_H
#define RECORD_AT_LOAD_H

/** In front of a definition: the section in which compilers that optimise place constructors, too. */
#define SW__AT_LOAD __attribute__((section(".text.startup")))

#endif
