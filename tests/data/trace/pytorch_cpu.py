# SPDX-License-Identifier: GPL-3.0-or-later
"""Usage: pytorch_cpu.py TRACE: writes a trace of what PyTorch runs on the CPU, as pytorch_cpu.json is (PyTorch 2.14.1).
The NVTX ranges that emit_nvtx(record_shapes=True) pushes for the same step are those of pytorch_cpu_nvtx.txt (2.15.0)."""
import sys

import torch
import torch.nn.functional as F
from torch.profiler import ProfilerActivity, profile, record_function

embedding = torch.nn.Embedding(100, 64)
layer_norm = torch.nn.LayerNorm(64)
rms_norm = torch.nn.RMSNorm(64)
linear = torch.nn.Linear(64, 256)
half = torch.nn.Linear(64, 32).bfloat16()
conv = torch.nn.Conv2d(3, 8, 3, stride=2, padding=1)
batch_norm = torch.nn.BatchNorm2d(8)


def step(tokens, image):
    x = rms_norm(layer_norm(embedding(tokens)))
    heads = x.view(2, 16, 4, 16).transpose(1, 2)
    products = torch.cat([torch.bmm(x, x.transpose(1, 2)), torch.einsum("bij,bkj->bik", x, x)], -1)
    return (
        torch.softmax(F.gelu(linear(x)), -1).sum(-1),
        half(x.bfloat16()),
        F.relu(batch_norm(conv(image))),
        F.scaled_dot_product_attention(heads, heads, heads, is_causal=True),
        products[:, torch.tensor([1, 2, 3])],
        torch.gather(products, 2, torch.zeros(2, 16, 4, dtype=torch.long)),
        x * 0.5 + x,
    )


inputs = torch.randint(0, 100, (2, 16)), torch.randn(2, 3, 32, 32)
with torch.no_grad():
    step(*inputs)
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True, with_flops=True) as profiler:
        with record_function("step"):
            step(*inputs)
profiler.export_chrome_trace(sys.argv[1])
