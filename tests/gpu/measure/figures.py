# SPDX-License-Identifier: GPL-3.0-or-later
"""Launches and their figures, from a Roofwalk profile, from Nsight Compute's CSV, and as a target knows them."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import dataclass, field

# The boundary that a target means by the name of a level.
BOUNDARIES = {"hbm": "hbm/dram-rw", "l2": "l2/sm-sectors", "smem": "smem/wavefronts"}


@dataclass
class Figure:
    value: float
    formula: str = ""  # over names of metrics, as Nsight Compute has them; empty where there is none


@dataclass
class Launch:
    kernel: str  # without templates and arguments
    process: str = ""
    figures: dict = field(default_factory=dict)  # "flops fp32", "bytes hbm/dram-rw", "duration", or a metric
    ranges: tuple = ()  # of NVTX, outermost first


@dataclass
class Known:
    """What a target says of its kernel, for one launch."""

    kernel: str  # "!fill": all but fill
    launches: int
    flops: dict
    bytes: dict
    at_most: dict
    shown: dict
    inside: int | None = None  # launches that lie in NVTX ranges; None: not told

    def means(self, kernel):
        return kernel != self.kernel[1:] if self.kernel.startswith("!") else kernel == self.kernel


def base_name(name):
    """"void ns::copy<float>(float const*)" as "copy"."""
    depth = 0
    plain = []
    for letter in name.replace("(anonymous namespace)", "").replace("<unnamed>", ""):
        if letter == "<":
            depth += 1
        elif letter == ">":
            depth -= 1
        elif letter == "(" and depth == 0:
            break
        elif depth == 0:
            plain.append(letter)
    words = "".join(plain).split("::")[-1].split()
    return words[-1] if words else name


def read_known(text):
    """The lines of JSON that a target printed."""
    known = []
    for line in text.splitlines():
        if line.startswith("{"):
            known.append(Known(**json.loads(line)))
    return known


def _figure(profile, entry):
    if not isinstance(entry, dict):
        return Figure(float(entry))
    source = entry.get("source", "")
    if isinstance(source, int):
        source = profile["texts"][source]
    value = entry.get("count", entry.get("total"))
    if value is None:
        value = entry.get("read", 0) + entry.get("write", 0)
    return Figure(float(value), re.sub(r" \(of launch .*\)$", "", source))


def read_profile(text):
    """A profile as `roofwalk-cli convert` writes it. A launch that was not measured is one without figures."""
    profile = json.loads(text)
    launches = []
    for kernel in profile["kernels"]:
        name = kernel.get("function") or kernel["name"]
        launch = Launch(base_name(name), str(kernel.get("process", "")), ranges=tuple(kernel.get("nvtx") or ()))
        if "duration_ns" in kernel:
            launch.figures["duration"] = Figure(float(kernel["duration_ns"]), "gpu__time_duration.sum")
        for pipe, entry in kernel.get("flops", {}).items():
            launch.figures["flops " + pipe] = _figure(profile, entry)
        for boundary, entry in kernel.get("bytes", {}).items():
            launch.figures["bytes " + boundary] = _figure(profile, entry)
        for metric, value in kernel.get("metrics", {}).items():
            launch.figures[metric] = Figure(float(value), metric)
        launches.append(launch)
    return launches


def read_ncu_csv(text):
    """The page `raw` of a report: a line of names, a line of units, and a line for each launch."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    rows = list(csv.reader(lines))
    if len(rows) < 3:
        return []
    names = rows[0]
    launches = []
    for row in rows[2:]:
        cells = dict(zip(names, row))
        launch = Launch(base_name(cells.get("Kernel Name", "")), cells.get("Process ID", ""))
        for name, cell in cells.items():
            try:
                launch.figures[name] = Figure(float(cell.replace(",", "")), name)
            except ValueError:
                continue
        launches.append(launch)
    return launches


METRIC = re.compile(r"[A-Za-z]\w*__\w+(?:\.\w+)*")
ARITHMETIC = re.compile(r"[0-9.e +*()/-]+")


def metrics_of(formula):
    return METRIC.findall(formula)


def evaluate(formula, launch):
    """The formula with the metrics of the launch; None where one is missing or it is none of metrics."""
    names = metrics_of(formula)
    if not names or any(name not in launch.figures for name in names):
        return None
    numbers = METRIC.sub(lambda name: f"({launch.figures[name.group()].value!r})", formula)
    if not ARITHMETIC.fullmatch(numbers):
        return None
    return float(eval(numbers, {"__builtins__": {}}))  # numbers and operators only
