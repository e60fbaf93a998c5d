/*
 * What every public header of StrideWeave needs: visibility, C++ linkage and
 * the few constants that all option structures share. Nothing else lives here.
 */
#ifndef STRIDEWEAVE_EXPORT_H
#define STRIDEWEAVE_EXPORT_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
/** Marks a symbol that the shared library exports; nothing else is visible. */
#define SW_API __attribute__((visibility("default")))
/** The result says whether the call worked; ignoring it is a warning. */
#define SW_NODISCARD __attribute__((warn_unused_result))
#define SW_PRINTF(text, first) __attribute__((format(printf, text, first)))
/** Seldom called: compilers place the calls, and the ways that lead to them, apart from what is usual. */
#define SW_COLD __attribute__((cold))
#else
#define SW_API
#define SW_NODISCARD
#define SW_PRINTF(text, first)
#define SW_COLD
#endif

#ifdef __cplusplus
#define SW_BEGIN_DECLS extern "C" {
#define SW_END_DECLS }
#else
#define SW_BEGIN_DECLS
#define SW_END_DECLS
#endif

/** "No limit" in option structures; distinct from every valid or invalid number. */
#define SW_NO_LIMIT INT64_MIN

#endif
