# SPDX-License-Identifier: GPL-3.0-or-later
"""Switches on the NVTX ranges of PyTorch, with the sizes of inputs, in a Python program that is recorded.

`roofwalk-cli profile --pytorch` puts the folder of this file first on PYTHONPATH, so that Python runs it as it
starts. The program is not changed: nothing happens before it loads torch, and no range is written before torch
itself starts CUDA. Whatever goes wrong here, the program goes on without ranges.
"""
import importlib.machinery
import importlib.util
import os
import sys


def run_that_of_the_program():
    """Runs the sitecustomize that Python would have found without this one."""
    here = os.path.dirname(os.path.realpath(__file__))
    path = [folder for folder in sys.path if os.path.realpath(folder or os.curdir) != here]
    sys.path[:] = path
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", path)
    if spec is None or spec.loader is None:
        return
    module = importlib.util.module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


def write_ranges(torch):
    """From when torch starts CUDA, on the thread that does; those of backward passes follow it."""

    def begin():
        try:
            ranges = torch.autograd.profiler.emit_nvtx(record_shapes=True)
            ranges.__enter__()
            torch._roofwalk_ranges = ranges
        except Exception as error:
            print(f"roofwalk: PyTorch's ranges are not switched on: {error}", file=sys.stderr)

    torch.cuda._lazy_call(begin)


class WhenTorchIsLoaded:
    """Finds torch as Python does, and is told when it is there."""

    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec("torch")
        if spec is None or spec.loader is None:
            return spec
        load = spec.loader.exec_module

        def load_and_tell(module):
            load(module)
            try:
                write_ranges(module)
            except Exception as error:
                print(f"roofwalk: PyTorch's ranges are not switched on: {error}", file=sys.stderr)

        spec.loader.exec_module = load_and_tell
        return spec


sys.meta_path.insert(0, WhenTorchIsLoaded())
run_that_of_the_program()
