#!/usr/bin/env python3
"""What the examples are compared with, computed by PyTorch.

    reference_torch.py transformer >tests/example/transformer.expected
    reference_torch.py detector WEIGHTS RECORDING >tests/example/detector.expected

"transformer" is the network of doc/examples/transformer.c as PyTorch's own
TransformerEncoderLayer, on the same numbers, in binary64: a line for the loss and
one per tensor with its size, its norm and some elements.

"detector" is the network of doc/examples/detector.c as conv1d and LSTMCell, in
binary64, on a file of named tensors and a recording (s16), both made by
make_detector.py: a probability per frame.

The line "float32" says how far PyTorch's own binary32 is from that: the greatest
difference of an element, in units of the root mean square of its tensor, or of
a probability. The files in this folder were made with PyTorch 1.13.1.
"""
import sys

import numpy as np
import torch
import torch.nn.functional as F

SEED, SAMPLES = 1, 16
FEATURES, HEADS, HIDDEN, SEQUENCE, BATCH, LAYERS = 64, 4, 128, 16, 2, 2
MASK = (1 << 64) - 1


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


def draw(source, shape, base, span):
    values = [base + span * next(source) for _ in range(int(np.prod(shape)))]
    return torch.tensor(np.array(values).astype(np.float32).reshape(shape))


def scale(name):
    """(base, span) of a parameter's elements."""
    if name.endswith("bias"):
        return 0.0, 0.1
    return (1.0, 0.1) if "norm" in name else (0.0, 0.125)


def transformer(dtype):
    """{name: tensor} of the loss, the output and all gradients."""
    source = numbers(SEED)
    layers = torch.nn.ModuleList(
        torch.nn.TransformerEncoderLayer(FEATURES, HEADS, HIDDEN, dropout=0.0, activation="gelu",
                                         batch_first=True, norm_first=True)
        for _ in range(LAYERS))
    with torch.no_grad():
        for name, parameter in layers.named_parameters():
            parameter.copy_(draw(source, parameter.shape, *scale(name)))
    layers = layers.to(dtype)
    tokens = draw(source, (BATCH, SEQUENCE, FEATURES), 0.0, 1.0).to(dtype)
    target = draw(source, (BATCH, SEQUENCE, FEATURES), 0.0, 1.0).to(dtype)
    out = tokens
    for layer in layers:
        out = layer(out)
    loss = ((out - target) ** 2).mean()
    loss.backward()
    results = {"loss": loss.detach(), "output": out.detach()}
    results.update(("layers." + name, parameter.grad) for name, parameter in layers.named_parameters())
    return results


def figures(tensor):
    """The norm and elements that are evenly apart."""
    flat = tensor.double().flatten()
    n_samples = min(SAMPLES, flat.numel())
    return [flat.norm().item()] + [flat[i * flat.numel() // n_samples].item() for i in range(n_samples)]


def print_transformer():
    exact, single = transformer(torch.float64), transformer(torch.float32)
    worst = 0.0
    for name, tensor in exact.items():
        mine = figures(tensor)
        rms = tensor.double().pow(2).mean().sqrt().item()
        for a, b in zip(mine[-SAMPLES:], figures(single[name])[-SAMPLES:]):
            worst = max(worst, abs(a - b) / rms)
        print(name, tensor.numel(), *(f"{value:.8e}" for value in mine))
    print(f"float32 {worst:.2e}")


def read_weights(path):
    with open(path, "rb") as file:
        assert file.readline() == b"named tensors 1\n"
        weights = {}
        while line := file.readline():
            name, *extents = line.decode().split()
            shape = [int(extent) for extent in reversed(extents)]
            values = np.frombuffer(file.read(4 * int(np.prod(shape))), dtype="<f4").reshape(shape)
            weights[name] = torch.tensor(values)
    return weights


def detector(weights, samples, dtype):
    """The probabilities of all whole frames."""
    weights = {name: tensor.to(dtype) for name, tensor in weights.items()}
    cell = torch.nn.LSTMCell(128, 128).to(dtype)
    for name, parameter in cell.named_parameters():
        parameter.copy_(weights["decoder.rnn." + name])
    samples = F.pad(samples.to(dtype), (64, 0))
    state = torch.zeros(1, 128, dtype=dtype), torch.zeros(1, 128, dtype=dtype)
    for begin in range(0, len(samples) - 575, 512):
        frame = F.pad(samples[begin:begin + 576].view(1, 1, -1), (0, 64), mode="reflect")
        waves = F.conv1d(frame, weights["stft.forward_basis_buffer"], stride=128)
        features = (waves[:, :129] ** 2 + waves[:, 129:] ** 2).sqrt()
        for i, stride in enumerate((1, 2, 2, 1)):
            name = f"encoder.{i}.reparam_conv."
            features = F.conv1d(features, weights[name + "weight"], weights[name + "bias"], stride, padding=1).relu()
        state = cell(features.view(1, 128), state)
        score = F.conv1d(state[0].relu().view(1, 128, 1), weights["decoder.decoder.2.weight"],
                         weights["decoder.decoder.2.bias"])
        yield score.sigmoid().mean().item()


def print_detector(weights_path, recording_path):
    weights = read_weights(weights_path)
    with open(recording_path, "rb") as file:
        samples = torch.tensor(np.frombuffer(file.read(), dtype="<i2") / 32768.0)
    with torch.no_grad():
        exact = list(detector(weights, samples, torch.float64))
        single = list(detector(weights, samples, torch.float32))
    print(*(f"{probability:.7f}" for probability in exact), sep="\n")
    print(f"float32 {max(abs(a - b) for a, b in zip(exact, single)):.2e}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    if sys.argv[1:] == ["transformer"]:
        print_transformer()
    elif len(sys.argv) == 4 and sys.argv[1] == "detector":
        print_detector(*sys.argv[2:])
    else:
        sys.exit(__doc__)
