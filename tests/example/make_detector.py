#!/usr/bin/env python3
"""Inputs of the detector in doc/examples that every machine makes alike.

    make_detector.py weights OUTPUT      named tensors of the right shapes, drawn from a seed
    make_detector.py recording OUTPUT    four seconds, s16: silence, noise, a voice, silence

The voice is a train of pulses through three resonators, five vowels in turn,
which is enough for the real network to hear speech in it.
"""
import array
import math
import sys

RATE = 16000
MASK = (1 << 64) - 1
# NAME: (extents, the first one counting fastest; how far from zero)
TENSORS = {
    "stft.forward_basis_buffer": ((256, 1, 258), 2.0),
    "encoder.0.reparam_conv.weight": ((3, 129, 128), 0.1),
    "encoder.0.reparam_conv.bias": ((128,), 0.1),
    "encoder.1.reparam_conv.weight": ((3, 128, 64), 0.1),
    "encoder.1.reparam_conv.bias": ((64,), 0.1),
    "encoder.2.reparam_conv.weight": ((3, 64, 64), 0.1),
    "encoder.2.reparam_conv.bias": ((64,), 0.1),
    "encoder.3.reparam_conv.weight": ((3, 64, 128), 0.1),
    "encoder.3.reparam_conv.bias": ((128,), 0.1),
    "decoder.rnn.weight_ih": ((128, 512), 0.3),
    "decoder.rnn.weight_hh": ((128, 512), 0.3),
    "decoder.rnn.bias_ih": ((512,), 0.2),
    "decoder.rnn.bias_hh": ((512,), 0.2),
    "decoder.decoder.2.weight": ((1, 128, 1), 1.5),
    "decoder.decoder.2.bias": ((1,), 0.3),
}
VOWELS = ((730, 1090, 2440), (270, 2290, 3010), (570, 840, 2410), (530, 1840, 2480), (300, 870, 2240))
WIDTHS = (80, 100, 140)


def numbers(seed):
    """splitmix64, the upper 24 bits as a number in [-1,1)."""
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        bits = state
        bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & MASK
        bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & MASK
        bits ^= bits >> 31
        yield (bits >> 40) / 8388608.0 - 1.0


def little_endian(values):
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()


def write_weights(file):
    source = numbers(1)
    file.write(b"named tensors 1\n")
    for name, (extents, span) in TENSORS.items():
        file.write(" ".join([name, *map(str, extents)]).encode() + b"\n")
        file.write(little_endian(array.array("f", (span * next(source) for _ in range(math.prod(extents))))))


def resonate(state, sample, frequency, width):
    """The next sample of a resonator whose last two are in @state."""
    radius = math.exp(-math.pi * width / RATE)
    turn = 2 * radius * math.cos(2 * math.pi * frequency / RATE)
    out = (1 - turn + radius * radius) * sample + turn * state[0] - radius * radius * state[1]
    state[:] = out, state[0]
    return out


def voice(source, n):
    states = [[0.0, 0.0] for _ in WIDTHS]
    phase = 0.0
    for i in range(n):
        time = i / RATE
        phase += (120 + 25 * math.sin(2 * math.pi * 1.3 * time) + 3 * next(source)) / RATE
        sample = 0.01 * next(source) + (phase >= 1)
        phase %= 1.0
        for state, frequency, width in zip(states, VOWELS[int(4 * time) % len(VOWELS)], WIDTHS):
            sample = resonate(state, sample, frequency, width)
        yield (0.5 - 0.5 * math.cos(2 * math.pi * 4 * time)) * sample


def write_recording(file):
    source = numbers(7)
    spoken = list(voice(source, 2 * RATE))
    loudest = max(map(abs, spoken))
    samples = [0.001 * next(source) for _ in range(RATE // 2)]
    samples += [0.1 * next(source) for _ in range(RATE)]
    samples += [0.5 * sample / loudest for sample in spoken]
    samples += [0.001 * next(source) for _ in range(RATE // 2)]
    file.write(little_endian(array.array("h", (round(32767 * sample) for sample in samples))))


MAKERS = {"weights": write_weights, "recording": write_recording}

if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in MAKERS:
        sys.exit(__doc__)
    with open(sys.argv[2], "wb") as output:
        MAKERS[sys.argv[1]](output)
