#!/usr/bin/python3
"""Kernels of the CPU carrier against NumPy's and PyTorch's, on one thread: `name value unit` lines.

usage: kernels.py LIBRARY

Both run in one process, in blocks that alternate; a figure is the least time of ours over the least of theirs.
What is not installed is left out.
"""
import ctypes
import os
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

N_ROUNDS = 60
N_ROWS = N_COLUMNS = 1024


class Library:
    """What of libstrideweave is measured."""

    def __init__(self, path):
        self.c = ctypes.CDLL(path)
        self.c.sw_cpu_pointer.restype = ctypes.c_void_p
        self.c.sw_tensor_carrier.restype = ctypes.c_void_p
        self.c.sw_error_message.restype = ctypes.c_char_p

    def check(self, status):
        if status != 0:
            sys.exit("kernels.py: " + self.c.sw_error_message().decode())

    def tensor(self, layout_text, n):
        """A tensor and its slots as a ctypes array."""
        layout, carrier, tensor = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        self.check(self.c.sw_layout_parse(layout_text.encode(), ctypes.byref(layout)))
        self.check(self.c.sw_cpu_new(ctypes.c_size_t(n), None, ctypes.byref(carrier)))
        self.check(self.c.sw_tensor_new(carrier, ctypes.c_int64(0), layout, ctypes.byref(tensor)))
        address = self.c.sw_cpu_pointer(carrier)
        return tensor, (ctypes.c_float * n).from_address(address)

    def unary(self, name, tensor):
        function, out = getattr(self.c, "sw_" + name), ctypes.c_void_p()

        def run():
            self.check(function(tensor, ctypes.byref(out)))
            self.c.sw_tensor_unref(out)
        return run

    def binary(self, name, a, b):
        function, out = getattr(self.c, "sw_" + name), ctypes.c_void_p()

        def run():
            self.check(function(a, b, ctypes.byref(out)))
            self.c.sw_tensor_unref(out)
        return run

    def fold(self, name, tensor):
        function, out = getattr(self.c, "sw_" + name), ctypes.c_void_p()
        options = [None] if name == "reduce_sum" else []

        def run():
            self.check(function(tensor, b"a b -> a", *options, ctypes.byref(out)))
            self.c.sw_tensor_unref(out)
        return run

    def convolution(self, x, kernel):
        """Padded by one on both sides of two spatial modes."""
        class Options(ctypes.Structure):
            _fields_ = [("struct_bytes", ctypes.c_uint32), ("n_spatial", ctypes.c_uint32)] + [
                (name, ctypes.c_void_p) for name in ("strides", "padding", "lhs_dilation", "kernel_dilation")
            ] + [("feature_groups", ctypes.c_int64)] + [
                (name, ctypes.c_void_p) for name in ("lhs_dims", "kernel_dims", "output_dims")]
        padding = (ctypes.c_int64 * 4)(1, 1, 1, 1)
        options, out = Options(), ctypes.c_void_p()
        options.struct_bytes = ctypes.sizeof(Options)
        options.padding = ctypes.addressof(padding)
        options.feature_groups = 1

        def run():
            self.check(self.c.sw_conv_general(x, kernel, ctypes.byref(options), ctypes.byref(out)))
            self.c.sw_tensor_unref(out)
            return padding
        return run


def alternate(ours, theirs):
    """Least times of both, in seconds."""
    best = [float("inf"), float("inf")]
    for _ in range(N_ROUNDS):
        for which, body in enumerate((ours, theirs)):
            begin = time.perf_counter()
            body()
            best[which] = min(best[which], time.perf_counter() - begin)
    return best


def report(name, ours, theirs):
    mine, other = alternate(ours, theirs)
    print(f"{name} {mine / other:.4g} ratio", flush=True)
    if "SW_BENCH_VERBOSE" in os.environ:
        print(f"  {mine * 1e9:.0f} ns, peer {other * 1e9:.0f} ns", file=sys.stderr)


def compare_numpy(library, np):
    n = N_ROWS * N_COLUMNS
    matrix, slots = library.tensor(f"({N_ROWS},{N_COLUMNS}):({N_COLUMNS},1)", n)
    column, column_slots = library.tensor(f"({N_ROWS},{N_COLUMNS}):(1,{N_ROWS})", n)
    positive, positive_slots = library.tensor(f"({N_ROWS},{N_COLUMNS}):(1,{N_ROWS})", n)
    line, line_slots = library.tensor(f"(1,{n}):(1,1)", n)
    x = ((np.arange(n) * 7919 % 65537) / 8192.0 - 4).astype(np.float32)
    for to in (slots, column_slots, line_slots):
        np.frombuffer(to, dtype=np.float32)[:] = x
    y = np.abs(x) + np.float32(0.01)
    np.frombuffer(positive_slots, dtype=np.float32)[:] = y
    m = x.reshape(N_ROWS, N_COLUMNS)
    one, half, two = np.float32(1), np.float32(0.5), np.float32(0.7071067811865476)
    c = np.float32(0.7978845608028654)
    theirs = {
        "neg": lambda: np.negative(x), "abs": lambda: np.abs(x), "sign": lambda: np.sign(x),
        "recip": lambda: np.reciprocal(y), "sqrt": lambda: np.sqrt(y), "rsqrt": lambda: one / np.sqrt(y),
        "floor": lambda: np.floor(x), "ceil": lambda: np.ceil(x), "round": lambda: np.rint(x),
        "exp": lambda: np.exp(x), "exp2": lambda: np.exp2(x), "log": lambda: np.log(y), "log2": lambda: np.log2(y),
        "sin": lambda: np.sin(x), "cos": lambda: np.cos(x), "tanh": lambda: np.tanh(x),
        "relu": lambda: np.maximum(x, 0), "sigmoid": lambda: one / (one + np.exp(-x)),
        "silu": lambda: x / (one + np.exp(-x)), "softplus": lambda: np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0),
        "elu": lambda: np.where(x > 0, x, np.expm1(x)),
        # NumPy has no error function: the usual approximation by tanh.
        "gelu": lambda: half * x * (one + np.tanh(c * (x + np.float32(0.044715) * x * x * x))),
        "logical_not": lambda: np.logical_not(x),
    }
    for name, body in theirs.items():
        tensor = positive if name in ("recip", "sqrt", "rsqrt", "log", "log2") else column
        report(f"{name}_over_numpy", library.unary(name, tensor), body)
    pairs = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "maximum": np.maximum,
             "minimum": np.minimum, "pow": np.power, "rem": np.fmod, "lt": np.less}
    for name, function in pairs.items():
        other = positive if name in ("div", "rem") else column
        values = y if name in ("div", "rem") else x
        report(f"{name}_over_numpy", library.binary(name, positive, other), lambda: function(y, values))
    folds = {"reduce_sum": np.sum, "reduce_max": np.max, "argmax": np.argmax}
    for name, function in folds.items():
        report(f"{name}_rows_over_numpy", library.fold(name, matrix), lambda: function(m, axis=1))
        report(f"{name}_columns_over_numpy", library.fold(name, column), lambda: function(m, axis=0))
        report(f"{name}_all_over_numpy", library.fold(name, line), lambda: function(x))


def compare_torch(library, torch):
    torch.set_num_threads(1)
    x, _ = library.tensor("(1,64,56,56):(1,1,64,3584)", 64 * 56 * 56)
    kernel, _ = library.tensor("(64,64,3,3):(1,64,4096,12288)", 64 * 64 * 9)
    their_x, their_kernel = torch.zeros(1, 64, 56, 56), torch.zeros(64, 64, 3, 3)

    def convolve():
        with torch.no_grad():
            torch.nn.functional.conv2d(their_x, their_kernel, padding=1)
    report("conv_over_torch", library.convolution(x, kernel), convolve)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    library = Library(sys.argv[1])
    try:
        import numpy
    except ImportError:
        print("kernels.py: no NumPy", file=sys.stderr)
    else:
        compare_numpy(library, numpy)
    try:
        import torch
    except ImportError:
        print("kernels.py: no PyTorch", file=sys.stderr)
    else:
        compare_torch(library, torch)


if __name__ == "__main__":
    main()
