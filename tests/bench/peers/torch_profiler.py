"""What PyTorch's profiler adds to an operation on one number."""
import time

import torch
from torch.profiler import ProfilerActivity, profile

N_BLOCKS = 200
N_CALLS = 500


def block(x):
    begin = time.perf_counter_ns()
    for _ in range(N_CALLS):
        torch.relu(x)
    return (time.perf_counter_ns() - begin) / N_CALLS


def main():
    torch.set_num_threads(1)
    x = torch.zeros(1)
    plain = []
    profiled = []
    for _ in range(N_BLOCKS):
        plain.append(block(x))
        with profile(activities=[ProfilerActivity.CPU]):
            profiled.append(block(x))
    print(f"torch_ns {min(profiled) - min(plain):.4g} ns")


main()
