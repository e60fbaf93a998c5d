#!/usr/bin/env python3
"""The network of doc/examples/train_fashion_mnist.c in NumPy, written without it.

Same data, order, initial weights and learning rate; the arithmetic is NumPy's
own in binary32, so only the last digits may differ. Its figures are what
test_train.sh compares the example with:

    python3 tests/example/reference_numpy.py [DIRECTORY]
"""
import gzip
import sys

import numpy as np

DIRECTORY = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/datasets/fashion-mnist"
IMAGES, HIDDEN, CLASSES, BATCH, EPOCHS = 10000, 128, 10, 100, 3
RATE = np.float32(0.1)
MASK = (1 << 64) - 1


def read(name, offset):
    with gzip.open(f"{DIRECTORY}/{name}.gz") as file:
        return np.frombuffer(file.read(), dtype=np.uint8, offset=offset)


def fractions():
    """xorshift64* from 1; the upper 24 bits as a fraction."""
    state = 1
    while True:
        state ^= state >> 12
        state ^= (state << 25) & MASK
        state ^= state >> 27
        yield ((state * 0x2545F4914F6CDD1D & MASK) >> 40) / 2.0**24


def weights(numbers, outputs, inputs):
    """(outputs, inputs), drawn column after column."""
    drawn = [2.0 * next(numbers) - 1.0 for _ in range(outputs * inputs)]
    return (np.array(drawn) / np.sqrt(inputs)).astype(np.float32).reshape(inputs, outputs).T.copy()


train_x = read("train-images-idx3-ubyte", 16).reshape(-1, 784)[:IMAGES].astype(np.float32) / np.float32(255)
train_y = read("train-labels-idx1-ubyte", 8)[:IMAGES].astype(int)
test_x = read("t10k-images-idx3-ubyte", 16).reshape(-1, 784).astype(np.float32) / np.float32(255)
test_y = read("t10k-labels-idx1-ubyte", 8).astype(int)

numbers = fractions()
w1 = weights(numbers, HIDDEN, 784)
w2 = weights(numbers, CLASSES, HIDDEN)
b1 = np.zeros(HIDDEN, dtype=np.float32)
b2 = np.zeros(CLASSES, dtype=np.float32)

for epoch in range(1, EPOCHS + 1):
    losses = []
    for begin in range(0, IMAGES, BATCH):
        x, y = train_x[begin:begin + BATCH], train_y[begin:begin + BATCH]
        picked = np.arange(BATCH), y
        hidden = np.maximum(x @ w1.T + b1, 0)
        scores = hidden @ w2.T + b2
        scores -= scores.max(axis=1, keepdims=True)
        odds = np.exp(scores)
        odds /= odds.sum(axis=1, keepdims=True)
        losses.append(-np.mean(np.log(odds[picked])))
        odds[picked] -= 1
        odds /= BATCH
        back = (odds @ w2) * (hidden > 0)
        w2 -= RATE * (odds.T @ hidden)
        b2 -= RATE * odds.sum(axis=0)
        w1 -= RATE * (back.T @ x)
        b1 -= RATE * back.sum(axis=0)
    guesses = (np.maximum(test_x @ w1.T + b1, 0) @ w2.T + b2).argmax(axis=1)
    print(f"epoch {epoch}: loss {np.mean(losses):.4f}, test accuracy {100 * np.mean(guesses == test_y):.2f} %")
