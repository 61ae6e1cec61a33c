# SPDX-License-Identifier: GPL-3.0-or-later
"""Switches on the NVTX ranges of PyTorch, with the sizes of inputs, in a Python program that is recorded.

`roofwalk-cli profile --pytorch` puts the folder of this file first on PYTHONPATH, so that Python runs it as it
starts. The program is not changed: nothing happens before it loads torch, and no range is written before torch
itself starts CUDA. Whatever goes wrong here, the program goes on without ranges.
"""
import atexit
import importlib.machinery
import importlib.util
import os
import sys
import threading


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


class Ranges:
    """From when torch starts CUDA, on the thread that does; those of backward passes follow it.

    A thread has one profiler at a time: while the program runs one of its own there, torch.profiler or
    emit_nvtx, there are none of ours.
    """

    def __init__(self, torch):
        self.profiler = torch.autograd.profiler
        self.thread = None  # that started CUDA
        self.on = False
        self.starting = False
        self.others = set()  # threads on which a profiler of the program runs
        self.told = False
        for name in ("_enable_profiler", "_disable_profiler"):
            setattr(self, name, getattr(self.profiler, name))
            setattr(self.profiler, name, getattr(self, "for_program" + name))
        atexit.register(self.end)
        torch.cuda._lazy_call(self.begin)

    def begin(self):
        self.thread = threading.get_ident()
        self.resume()

    def resume(self):
        if self.on or self.thread != threading.get_ident() or self.thread in self.others:
            return
        try:
            self.starting = True
            self.profiler.emit_nvtx(record_shapes=True).__enter__()
            self.on = True
        except Exception as error:
            tell(error)
        finally:
            self.starting = False

    def end(self):
        if self.on and self.thread == threading.get_ident():
            self.on = False
            try:
                self._disable_profiler()
            except Exception as error:
                tell(error)

    def for_program_enable_profiler(self, *arguments, **named):
        here = threading.get_ident()
        if self.starting or here in self.others:
            return self._enable_profiler(*arguments, **named)
        if self.on and self.thread == here and not self.told:
            self.told = True
            print("roofwalk: no PyTorch ranges of ours while the program runs a profiler of its own", file=sys.stderr)
        self.end()
        self.others.add(here)
        try:
            return self._enable_profiler(*arguments, **named)
        except BaseException:
            self.program_has_none()
            raise

    def for_program_disable_profiler(self, *arguments, **named):
        try:
            return self._disable_profiler(*arguments, **named)
        finally:
            self.program_has_none()

    def program_has_none(self):
        if threading.get_ident() in self.others:
            self.others.discard(threading.get_ident())
            self.resume()


def tell(error):
    print(f"roofwalk: PyTorch's ranges are not switched on: {error}", file=sys.stderr)


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
                Ranges(module)
            except Exception as error:
                tell(error)

        spec.loader.exec_module = load_and_tell
        return spec


sys.meta_path.insert(0, WhenTorchIsLoaded())
run_that_of_the_program()
