# SPDX-License-Identifier: GPL-3.0-or-later
"""The ceilings that `roofwalk-cli ceilings` measured: beside the aims, and beside Nsight Compute's counters of the same
kernels."""

import json
import re
import statistics

from figures import evaluate, metrics_of
from verdicts import RIGHT, SHOWN, WRONG, Row, near

PROGRAM = "ceilings"
# Of a rate from events and one from counters, of other runs of the same kernel.
RATE_TOLERANCE = 0.05
CYCLE_TOLERANCE = 0.03

# Of one SM in a cycle, dense; bytes for smem, FLOP (operations for int8) for the rest. Only of what aims are set for.
PER_CYCLE = {
    "9.0": {"smem.read": 128, "fma.fp64": 128, "fma.fp32": 256, "fma.fp16": 512, "wgmma.tf32": 2048, "wgmma.fp16": 4096,
            "wgmma.bf16": 4096, "wgmma.fp8": 8192, "wgmma.int8": 8192},
}
# Of the whole device in a second: 5120 bytes a cycle at the highest clock of L2, which is not that of the SMs
# (lts__cycles_elapsed.avg.per_second of an H100 SXM and a GH200).
L2_BYTES_PER_S = {"9.0": 5120 * 1.709e9}
AIMS = {"hbm.read": 0.92, "hbm.copy": 0.85, "smem.read": 0.95, "fma.fp64": 0.95, "fma.fp32": 0.95, "fma.fp16": 0.95,
        "l2.read": 0.85, "wgmma.tf32": 0.90, "wgmma.fp16": 0.90, "wgmma.bf16": 0.90, "wgmma.fp8": 0.90,
        "wgmma.int8": 0.90}
WITHOUT_AIM = ("hbm.write", "hbm.triad")

DRAM = "dram__bytes_read.sum + dram__bytes_write.sum"
FMA = {"fma.fp64": "2 * smsp__sass_thread_inst_executed_op_dfma_pred_on.sum",
       "fma.fp32": "2 * smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"}
DURATION = "gpu__time_duration.sum"
CYCLES = "sm__cycles_elapsed.max"


def read_ceilings(text):
    """The file that -o wrote; None where it is none."""
    try:
        measured = json.loads(text)
    except ValueError:
        return None
    return measured if measured.get("format") == "roofwalk-ceilings" else None


def rate_of(result):
    return next((value for key, value in result.items() if re.fullmatch(r"rate_(byte|flop|op)_per_s", key)), None)


def best_results(measured):
    """By benchmark the result of the highest rate: of L2 the plateau."""
    best = {}
    for result in measured["results"]:
        kept = best.get(result["id"])
        if kept is None or rate_of(result) > rate_of(kept):
            best[result["id"]] = result
    return best


def theory(result, device):
    """What the hardware can do, and what the result is of the same unit; None where it is not known."""
    name = result["id"]
    if name.startswith("hbm."):
        if "memory_clock_hz" not in device or "memory_bus_bits" not in device:
            return None
        return device["memory_clock_hz"] * 2 * device["memory_bus_bits"] / 8, rate_of(result)
    capability = device.get("compute_capability")
    if name == "l2.read":
        return (L2_BYTES_PER_S[capability], rate_of(result)) if capability in L2_BYTES_PER_S else None
    per_cycle = result.get("rate_per_cycle_and_sm")
    peak = PER_CYCLE.get(capability, {}).get(name)
    return (peak, per_cycle) if peak and per_cycle is not None else None


def check_aims(measured):
    """A row for each aim; on a device that it was not set for, and without one, the share stands without a verdict."""
    device = measured["device"]
    best = best_results(measured)
    judged = device.get("compute_capability") in PER_CYCLE
    rows = []
    for name in (*AIMS, *WITHOUT_AIM):
        aim = AIMS.get(name)
        pair = theory(best[name], device) if name in best else None
        share = pair[1] / pair[0] if pair else None
        if not judged or aim is None:
            verdict = SHOWN
        else:
            verdict = RIGHT if share is not None and aim <= share <= 1.02 else WRONG
        if share is not None or verdict == WRONG:
            rows.append(Row(PROGRAM, name, "share of theory, aim at least", aim, share, verdict))
    if judged and not measured.get("complete"):
        rows.append(Row(PROGRAM, "", "complete", 1, 0, WRONG))
    if judged and len(measured.get("sweep", [])) < 17:
        rows.append(Row(PROGRAM, "sweep", "points", 17, len(measured.get("sweep", [])), WRONG))
    return rows


def kernel_of(name):
    return "roofwalk_" + name.replace(".", "_")


def tensor_formula(name, known_metrics):
    """The operations of a tensor benchmark as counters of this GPU; empty where it has none."""
    kind = name.split(".")[1]
    chosen = [metric for metric in known_metrics
              if re.fullmatch(rf"sm__ops_path_tensor_src_{kind}(_dst_[a-z0-9]+)?(_sparsity_off)?", metric)]
    dense = [metric for metric in chosen if metric.endswith("_sparsity_off")]
    return " + ".join(metric + ".sum" for metric in sorted(dense or chosen))


def formulas(measured, known_metrics):
    """By benchmark what its work is in counters."""
    found = {}
    for name in best_results(measured):
        if name.startswith("hbm."):
            found[name] = DRAM
        elif name in FMA:
            found[name] = FMA[name]
        elif name.startswith(("mma.", "wgmma.")) and (formula := tensor_formula(name, known_metrics)):
            found[name] = formula
    return found


def wanted_metrics(found):
    names = {DURATION, CYCLES}
    for formula in found.values():
        names.update(metrics_of(formula))
    return sorted(names)


def compare_with_ncu(measured, found, theirs):
    """Rates of ours beside those of the counters: of memory a second, of pipes a cycle and SM, which no clock changes."""
    sms = measured["device"].get("sm_count")
    rows = []
    for name, result in best_results(measured).items():
        if name not in found:
            continue
        of_memory = name.startswith("hbm.")
        per = DURATION if of_memory else CYCLES
        scale = 1e9 if of_memory else 1 / sms  # a duration is in nanoseconds
        values = []
        for launch in theirs:
            work = evaluate(found[name], launch) if launch.kernel == kernel_of(name) else None
            if work and launch.figures.get(per) and launch.figures[per].value:
                values.append(scale * work / launch.figures[per].value)
        ours = rate_of(result) if of_memory else result.get("rate_per_cycle_and_sm")
        expected = statistics.median(values) if values else None
        figure = "byte/s" if of_memory else "per cycle and SM"
        tolerance = RATE_TOLERANCE if of_memory else CYCLE_TOLERANCE
        verdict = WRONG if expected is None else near(expected, ours, tolerance)
        rows.append(Row(PROGRAM, kernel_of(name), figure, expected, ours, verdict))
    return rows
