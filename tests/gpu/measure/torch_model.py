# SPDX-License-Identifier: GPL-3.0-or-later
"""What PyTorch users run, in small. Usage: torch_model.py gemm|attention|transformer

Prints what is known of it as a target does, where something is."""

import json
import sys

import torch

TIMES = 4


def in_range(name):
    return torch.cuda.nvtx.range(name)


def gemm():
    size = 4096
    a = torch.randn(size, size, device="cuda", dtype=torch.bfloat16)
    b = torch.randn(size, size, device="cuda", dtype=torch.bfloat16)
    torch.cuda.synchronize()
    for _ in range(TIMES):
        with in_range("gemm"):
            a @ b
    torch.cuda.synchronize()
    print(json.dumps({"kernel": "!none", "launches": TIMES, "flops": {"tensor.bf16": 2 * size**3}, "bytes": {},
                      "at_most": {}, "shown": {}, "inside": TIMES}))


def attention():
    q, k, v = (torch.randn(4, 16, 2048, 64, device="cuda", dtype=torch.bfloat16) for _ in range(3))
    for _ in range(TIMES):
        with in_range("attention"):
            torch.nn.functional.scaled_dot_product_attention(q, k, v)
    torch.cuda.synchronize()


def transformer():
    layer = torch.nn.TransformerEncoderLayer(512, 8, 2048, batch_first=True, device="cuda", dtype=torch.bfloat16)
    tokens = torch.randn(8, 512, 512, device="cuda", dtype=torch.bfloat16)
    optimizer = torch.optim.AdamW(layer.parameters())
    for _ in range(TIMES):
        with in_range("forward"):
            loss = layer(tokens).float().square().mean()
        with in_range("backward"):
            loss.backward()
        with in_range("step"):
            optimizer.step()
            optimizer.zero_grad()
    torch.cuda.synchronize()


if __name__ == "__main__":
    {"gemm": gemm, "attention": attention, "transformer": transformer}[sys.argv[1]]()
