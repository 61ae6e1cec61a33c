# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the targets alone, under Roofwalk and under Nsight Compute, measures the ceilings, and reports what differs.

Usage: measure.py CLI TARGETS OUTPUT [PROGRAM...]    Needs Python 3.10 and nothing beside it.
"""

import glob
import os
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass

import ceilings
import report
from figures import read_known, read_ncu_csv, read_profile
from verdicts import SHOWN, WRONG, check_known, compare_with_ncu, wanted_metrics

TIME_LIMIT = 240  # seconds, for each run


@dataclass
class Program:
    name: str
    arguments: tuple = ()
    compared: bool = True  # with Nsight Compute, metric by metric
    timed: bool = False
    fixture: tuple | None = None  # options of ncu for a report that is kept

    def label(self):
        return "_".join((self.name, *self.arguments))


ROOFLINE = ("--set", "roofline")
PROGRAMS = [
    Program("memory", timed=True, fixture=ROOFLINE),
    Program("gemm", fixture=ROOFLINE),
    Program("cublas_gemm", ("fp32",)),
    Program("cublas_gemm", ("bf16",), timed=True, fixture=ROOFLINE),
    Program("cublas_gemm", ("fp16",)),
    Program("compute", fixture=ROOFLINE),
    Program("shared", fixture=ROOFLINE),
    Program("latency"),
    Program("graphs", fixture=(*ROOFLINE, "--graph-profiling", "graph")),
    Program("two_streams"),
    Program("many_launches", compared=False, timed=True, fixture=("--metrics", "gpu__time_duration.sum")),
    Program("nested_nvtx", fixture=(*ROOFLINE, "--nvtx")),
    Program("two_processes", fixture=ROOFLINE),
    Program("range_markers", fixture=(*ROOFLINE, "--replay-mode", "range")),
    Program("failed_kernel", compared=False, fixture=ROOFLINE),
]


class Bench:
    def __init__(self, cli, targets, output):
        self.cli, self.targets, self.output = cli, targets, output
        self.ncu = shutil.which("ncu")
        self.known_rows, self.ncu_rows, self.times, self.losses = [], [], [], []
        self.aim_rows, self.ceiling_rows = [], []
        self.faults, self.notes = [], []

    def command(self, program):
        return [os.path.join(self.targets, program.name), *program.arguments]

    def run(self, command):
        """Output, exit code and seconds; a program that hangs is a fault, not the end."""
        start = time.perf_counter()
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            self.faults.append(f"`{' '.join(command)}` did not end within {TIME_LIMIT} s")
            return "", "", None, None
        return done.stdout, done.stderr, done.returncode, time.perf_counter() - start

    def record(self, program, name, *options, required=True):
        """The launches of all processes, what the program printed, and its exit code. Nothing recorded is a fault
        where it is `required`."""
        for old in glob.glob(os.path.join(self.output, name + ".*.jsonl")):
            os.remove(old)
        pattern = os.path.join(self.output, name + ".%p.jsonl")
        out, err, code, _ = self.run([self.cli, "profile", *options, "-o", pattern, "--", *self.command(program)])
        launches = []
        for recording in sorted(glob.glob(pattern.replace("%p", "*"))):
            profile, told, converted, _ = self.run([self.cli, "convert", recording, "-o", "-"])
            if converted == 0:
                launches += read_profile(profile)
            elif required:
                self.faults.append(f"{program.label()}: {os.path.basename(recording)} cannot be read: {told.strip()}")
        if required and not launches:
            self.faults.append(f"{program.label()}: nothing was recorded: {err.strip()[-400:]}")
        return launches, out, code

    def check(self, program):
        printed, err, code, _ = self.run(self.command(program))
        known = read_known(printed)
        if not known:
            self.faults.append(f"{program.label()} did not run, exit code {code}: {err.strip()[-400:]}")
            return
        ours, out, our_code = self.record(program, program.label(), "--every-launch")
        if out != printed:
            self.faults.append(f"{program.label()}: its output is another one under Roofwalk")
        if our_code != code:
            self.faults.append(f"{program.label()}: exit code {our_code} under Roofwalk, {code} alone")
        for each in known:
            self.known_rows += check_known(program.label(), each, ours)
        if self.ncu and program.compared:
            self.compare(program, known, ours)

    def compare(self, program, known, ours):
        base = os.path.join(self.output, program.label() + ".metrics")
        quiet = ["--cache-control", "none", "--clock-control", "none", "--target-processes", "all"]
        _, err, code, _ = self.run([self.ncu, *quiet, "--metrics", ",".join(wanted_metrics(ours)), "-f", "-o", base,
                                    *self.command(program)])
        page, told, read, _ = self.run([self.ncu, "--import", base + ".ncu-rep", "--csv", "--page", "raw",
                                        "--print-units", "base"])
        theirs = read_ncu_csv(page)
        if read != 0 or not theirs:
            self.faults.append(f"{program.label()}: ncu measured nothing, exit codes {code} and {read}: {(err + told)[-400:]}")
            return
        rows = compare_with_ncu(program.label(), known, ours, theirs)
        if ours and all(row.verdict == SHOWN for row in rows):
            self.faults.append(f"{program.label()}: no figure could be compared with ncu")
        self.ncu_rows += rows

    def time(self, program):
        """Medians of three runs; Nsight Compute runs once, which takes long enough."""
        recording = os.path.join(self.output, "timed.jsonl")
        profile = [self.cli, "profile", "-o", recording]
        tools = {"alone": [], "Roofwalk, sampled": [*profile, "--"],
                 "Roofwalk, every launch": [*profile, "--every-launch", "--"],
                 "Roofwalk, time only": [*profile, "--timing", "--"]}
        seconds = {}
        for tool, before in tools.items():
            runs = [self.run([*before, *self.command(program)])[3] for _ in range(3)]
            if None not in runs:
                seconds[tool] = statistics.median(runs)
        if self.ncu:
            report_file = os.path.join(self.output, "timed.ncu-rep")
            taken = self.run([self.ncu, *ROOFLINE, "-f", "-o", report_file, *self.command(program)])[3]
            if taken is not None:
                seconds["ncu --set roofline"] = taken
        self.times.append((program.label(), seconds))

    def kill(self):
        program = Program("killed")
        for mode, option, most_lost in (("counters", "--every-launch", 1), ("time only", "--timing", None)):
            launches, out, _ = self.record(program, "killed", option, required=most_lost is not None)
            counts = read_known(out)
            if not counts:
                self.faults.append(f"the program that is killed did not tell its launches ({mode})")
            for known in counts:
                recorded = sum(known.means(launch.kernel) for launch in launches)
                self.losses.append((mode, known.launches, recorded))
                if most_lost is not None and known.launches - recorded > most_lost:
                    self.faults.append(f"{known.launches - recorded} launches were lost at SIGKILL ({mode})")

    def benchmarks(self):
        """The program that roofwalk-cli starts; empty where it is not installed."""
        prefix = os.path.dirname(os.path.dirname(os.path.realpath(self.cli)))
        return next(iter(glob.glob(os.path.join(prefix, "lib*", "**", "roofwalk-ceilings"), recursive=True)), "")

    def measure_ceilings(self):
        program = self.benchmarks()
        if not program:
            self.notes.append("the benchmarks are not installed (component ceilings): no ceilings were measured")
            return
        file = os.path.join(self.output, "ceilings.json")
        # What this user keeps stays as it is.
        before = ["env", "XDG_DATA_HOME=" + os.path.join(self.output, "data")]
        table, err, code, seconds = self.run([*before, self.cli, "ceilings", "--program", program, "-o", file])
        measured = None
        if code == 0:
            with open(file, encoding="utf-8") as stream:
                measured = ceilings.read_ceilings(stream.read())
        if measured is None:
            self.faults.append(f"no ceilings were measured, exit code {code}: {err.strip()[-400:]}")
            return
        self.notes.append(f"the ceilings were measured in {seconds:.1f} s")
        with open(os.path.join(self.output, "ceilings.txt"), "w", encoding="utf-8") as stream:
            stream.write(table)
        self.aim_rows += ceilings.check_aims(measured)
        if self.ncu:
            self.compare_ceilings(program, measured)

    def compare_ceilings(self, program, measured):
        """One launch of each kernel, of those between the calibration and the end."""
        listed = self.run([self.ncu, "--query-metrics"])[0]
        found = ceilings.formulas(measured, {line.split()[0] for line in listed.splitlines() if line.strip()})
        base = os.path.join(self.output, "ceilings.metrics")
        kernels = "|".join(sorted(ceilings.kernel_of(name) for name in found))
        _, err, code, _ = self.run([self.ncu, "--cache-control", "none", "--clock-control", "none", "--metrics",
                                    ",".join(ceilings.wanted_metrics(found)), "--kernel-id", f"::regex:^({kernels})$:10",
                                    "-f", "-o", base, program, "--device", measured["device"]["uuid"]])
        page, told, read, _ = self.run([self.ncu, "--import", base + ".ncu-rep", "--csv", "--page", "raw",
                                        "--print-units", "base"])
        theirs = read_ncu_csv(page)
        if read != 0 or not theirs:
            self.faults.append(f"ncu measured nothing of the benchmarks, exit codes {code} and {read}: {(err + told)[-400:]}")
            return
        self.ceiling_rows += ceilings.compare_with_ncu(measured, found, theirs)

    def keep_fixture(self, program):
        folder = os.path.join(self.output, "fixtures")
        os.makedirs(folder, exist_ok=True)
        for recording in glob.glob(os.path.join(self.output, program.label() + ".*.jsonl")):
            shutil.copy(recording, folder)
        if not self.ncu:
            return
        file = os.path.join(folder, program.label() + ".ncu-rep")
        _, err, _, _ = self.run([self.ncu, *program.fixture, "--target-processes", "all", "-f", "-o", file,
                                 *self.command(program)])
        if not os.path.exists(file):
            self.notes.append(f"{program.label()}: ncu wrote no report: {err.strip()[-200:]}")

    def machine(self):
        gpu = self.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"])[0].strip()
        version = self.run([self.cli, "--version"])[0].strip()
        ncu = self.run([self.ncu, "--version"])[0].strip().splitlines()[-1:] if self.ncu else ["not installed"]
        findings = self.run([self.cli, "check"])[0].splitlines()
        self.notes += [f"`roofwalk-cli check`: {' '.join(line.split())}" for line in findings if line[:1].strip()]
        return [["GPU, driver", gpu.replace("\n", "; ")], ["Roofwalk", version], ["Nsight Compute", " ".join(ncu)]]

    def write_report(self):
        text = report.write(self.machine(), self.known_rows, self.ncu_rows, self.times, self.losses, self.faults,
                            self.notes, self.aim_rows, self.ceiling_rows)
        file = os.path.join(self.output, "report.md")
        with open(file, "w", encoding="utf-8") as stream:
            stream.write(text)
        return file


def main(cli, targets, output, chosen):
    bench = Bench(cli, targets, output)
    for program in PROGRAMS:
        if chosen and program.name not in chosen:
            continue
        print(program.label(), file=sys.stderr, flush=True)
        bench.check(program)
        if program.timed:
            bench.time(program)
        if program.fixture:
            bench.keep_fixture(program)
    if not chosen or "killed" in chosen:
        bench.kill()
    if not chosen or ceilings.PROGRAM in chosen:
        bench.measure_ceilings()
    file = bench.write_report()
    rows = bench.known_rows + bench.ncu_rows + bench.aim_rows + bench.ceiling_rows
    wrong = [row for row in rows if row.verdict == WRONG]
    for row in wrong:
        print(f"{row.program} {row.kernel}: {row.figure} is {report.number(row.measured)}, expected "
              f"{report.number(row.expected)}", file=sys.stderr)
    for fault in bench.faults:
        print(fault, file=sys.stderr)
    print(f"{len(wrong)} wrong figures, {len(bench.faults)} faults; the report is {file}")
    return 1 if wrong or bench.faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4], sys.argv[4:]))
