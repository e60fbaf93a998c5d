/*
 * The voice activity detector Silero VAD, versions 5 and 6, at 16 kHz: a short
 * Fourier transform, four convolutions, an LSTM cell and one more linear layer.
 */
#ifndef EXAMPLES_DETECTOR_H
#define EXAMPLES_DETECTOR_H

#include <strideweave/strideweave.h>

#include "weights.h"

#define SAMPLE_RATE 16000
#define N_FRAME 512  /* samples of a frame: 32 ms */
#define N_CONTEXT 64 /* samples before a frame that are looked at with it */
#define N_CONVOLUTIONS 4

struct detector {
    struct sw_tensor *mirror;                  /* (640) Int32: a context and a frame, then its last samples backwards */
    struct sw_tensor *basis;                   /* (1,256,258): 129 cosines and 129 sines under a window */
    struct sw_tensor *kernels[N_CONVOLUTIONS]; /* (in,taps,out) */
    struct sw_tensor *kernel_biases[N_CONVOLUTIONS]; /* (1,features,1) */
    struct sw_tensor *input_weights;                 /* (512,128): the four gates of the cell */
    struct sw_tensor *input_bias;                    /* (1,512) */
    struct sw_tensor *hidden_weights;                /* (512,128) */
    struct sw_tensor *hidden_bias;                   /* (1,512) */
    struct sw_tensor *last_weights;                  /* (1,128) */
    struct sw_tensor *last_bias;                     /* (1,1) */
    struct sw_tensor *hidden;                        /* (1,128): what the cell said last */
    struct sw_tensor *cell;                          /* (1,128): what it remembers */
};

/**
 * detector_make - a detector that has heard nothing yet.
 *
 * @weights   As onnx_tensors.py takes them from the model.
 * @detector  Zeroed by the caller; detector_drop() gives it back, also after a failure.
 */
enum sw_status detector_make(struct sw_carrier_class *carrier_class, const struct weights *weights,
                             struct detector *detector);

/**
 * detector_hear - the next frame.
 *
 * @samples  (N_CONTEXT + N_FRAME), from -1 to 1: the frame and what came before it.
 * @ret_probability  That the frame has speech.
 */
enum sw_status detector_hear(struct detector *detector, const struct sw_tensor *samples, double *ret_probability);

void detector_drop(struct detector *detector);

#endif
