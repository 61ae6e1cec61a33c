# SPDX-License-Identifier: GPL-3.0-or-later
"""Measured figures beside known ones, and beside those of Nsight Compute."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from figures import BOUNDARIES, evaluate, metrics_of

WORK_TOLERANCE = 0.01
BYTES_TOLERANCE = 0.02
COUNT_TOLERANCE = 0.02  # of a count of ours and the same of Nsight Compute, from another run

RIGHT = "right"
WRONG = "WRONG"
SHOWN = "shown"  # beside each other, without a verdict


@dataclass
class Row:
    program: str
    kernel: str
    figure: str
    expected: float | None
    measured: float | None
    verdict: str

    def deviation(self):
        if self.expected is None or self.measured is None or self.expected == 0:
            return None
        return self.measured / self.expected - 1


def _by_kernel(launches):
    kernels = {}
    for launch in launches:
        kernels.setdefault(launch.kernel, []).append(launch)
    return kernels


def _median(launches, figure):
    values = [launch.figures[figure].value for launch in launches if figure in launch.figures]
    return statistics.median(values) if values else None


def _all_together(launches, figure, divisor):
    """The medians of the kernels, each as often as it was launched; None where no kernel has the figure."""
    total = None
    for of_kernel in _by_kernel(launches).values():
        median = _median(of_kernel, figure)
        if median is not None:
            total = (total or 0) + median * len(of_kernel)
    return None if total is None else total / divisor


def near(expected, measured, tolerance):
    if measured is None:
        return WRONG
    return RIGHT if abs(measured - expected) <= tolerance * abs(expected) else WRONG


def check_known(program, known, launches):
    """The rows of one kernel that the target knows."""
    chosen = [launch for launch in launches if known.means(launch.kernel)]
    missing = len(chosen) < known.launches or (not known.kernel.startswith("!") and len(chosen) > known.launches)
    rows = [Row(program, known.kernel, "launches", known.launches, len(chosen), WRONG if missing else RIGHT)]
    if known.inside is not None:
        inside = sum(bool(launch.ranges) for launch in chosen)
        rows.append(Row(program, known.kernel, "launches in NVTX ranges", known.inside, inside,
                        RIGHT if inside == known.inside else WRONG))
    for pipe, expected in known.flops.items():
        measured = _all_together(chosen, "flops " + pipe, known.launches)
        rows.append(Row(program, known.kernel, "FLOP " + pipe, expected, measured,
                        near(expected, measured, WORK_TOLERANCE)))
    for figures, judge in (
        (known.bytes, lambda expected, measured: near(expected, measured, BYTES_TOLERANCE)),
        (known.at_most, lambda most, measured: RIGHT if measured is not None and measured <= most else WRONG),
        (known.shown, lambda expected, measured: SHOWN),
    ):
        for level, expected in figures.items():
            measured = _all_together(chosen, "bytes " + BOUNDARIES[level], known.launches)
            at_most = " at most" if figures is known.at_most else ""
            rows.append(Row(program, known.kernel, f"bytes {level}{at_most}", expected, measured,
                            judge(expected, measured)))
    return rows


def _comparable(formula, levels):
    """Times and clocks differ from run to run, and so does what the memory behind the caches sees of a kernel
    whose data fits into them, and what L2 sees where several SMs read the same: `levels` are those whose bytes are
    known."""
    if any(word in formula for word in ("duration", "cycles", "per_second", "pct", "active")):
        return False
    if any(word in formula for word in ("dram__", "lts__t_bytes")):
        return "hbm" in levels
    return "lts__" not in formula or bool(levels & {"hbm", "l2"})


def compare_with_ncu(program, known, ours, theirs):
    """Every figure of ours that is made of metrics which Nsight Compute measured too, by kernel."""
    rows = []
    their_kernels = _by_kernel(theirs)
    for kernel, launches in _by_kernel(ours).items():
        levels = {level for each in known if each.means(kernel) for level in each.bytes}
        formulas = {}
        for launch in launches:
            for figure, value in launch.figures.items():
                if value.formula:
                    formulas[figure] = value.formula
        for figure, formula in sorted(formulas.items()):
            values = [value for launch in their_kernels.get(kernel, [])
                      if (value := evaluate(formula, launch)) is not None]
            expected = statistics.median(values) if values else None
            measured = _median(launches, figure)
            if expected is None:
                verdict = SHOWN
            else:
                verdict = near(expected, measured, COUNT_TOLERANCE) if _comparable(formula, levels) else SHOWN
            rows.append(Row(program, kernel, figure, expected, measured, verdict))
    return rows


def wanted_metrics(launches):
    """What Nsight Compute has to measure for the comparison."""
    names = set()
    for launch in launches:
        for figure in launch.figures.values():
            names.update(metrics_of(figure.formula))
    return sorted(names)
