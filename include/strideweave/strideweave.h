/*
 * All of StrideWeave: layouts, carriers, tensors, operations, gradients.
 */
#ifndef STRIDEWEAVE_STRIDEWEAVE_H
#define STRIDEWEAVE_STRIDEWEAVE_H

#include <strideweave/autograd.h>
#include <strideweave/benchmark.h>
#include <strideweave/carrier.h>
#include <strideweave/convolution.h>
#include <strideweave/dtype.h>
#include <strideweave/elementwise.h>
#include <strideweave/event_list.h>
#include <strideweave/flops.h>
#include <strideweave/hierarchy.h>
#include <strideweave/host_ranges.h>
#include <strideweave/indexing.h>
#include <strideweave/index_map.h>
#include <strideweave/layout.h>
#include <strideweave/memory.h>
#include <strideweave/operation.h>
#include <strideweave/profiler.h>
#include <strideweave/reduce.h>
#include <strideweave/sort.h>
#include <strideweave/status.h>
#include <strideweave/tensor.h>
#include <strideweave/trace_session.h>
#include <strideweave/tree.h>
#include <strideweave/view.h>

#endif
