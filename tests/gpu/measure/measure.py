# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the probe, the targets alone, under Roofwalk and under Nsight Compute, measures the ceilings, and reports what
differs, step by step; see tests/gpu/run.

Usage: measure.py CLI TARGETS OUTPUT [OPTIONS] [STEP...]    Needs Python 3.9 and nothing beside it.
"""

from __future__ import annotations

import argparse
import glob
import os
import signal
import statistics
import sys
import time
import zipfile
from dataclasses import dataclass

import ceilings
import machine
import report
from figures import read_known, read_ncu_csv, read_profile
from session import NOT_RUN, Session
from verdicts import SHOWN, WRONG, check_known, compare_with_ncu, wanted_metrics

ROOFLINE = ("--set", "roofline")

HERE = os.path.dirname(os.path.abspath(__file__))


def of_cuda(library):
    """Its names, of the newest CUDA that is supported first."""
    return [f"{library}.so.{major}" for major in (13, 12)]


@dataclass
class Program:
    name: str
    arguments: tuple = ()
    compared: bool = True  # with Nsight Compute, metric by metric
    timed: bool = False
    fixture: tuple | None = None  # options of ncu for a report that is kept
    command: tuple = ()  # instead of the target of its name

    def label(self):
        return "_".join((self.name, *self.arguments))


PROGRAMS = [
    Program("memory", timed=True, fixture=ROOFLINE),
    Program("gemm", fixture=("--set", "full")),
    Program("cublas_gemm", ("fp32",)),
    Program("cublas_gemm", ("bf16",), timed=True, fixture=ROOFLINE),
    Program("cublas_gemm", ("fp16",)),
    Program("compute", fixture=()),
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
    def __init__(self, session, options):
        self.session, self.run, self.results = session, session.run, session.results
        self.cli, self.targets, self.probe = options.cli, options.targets, options.probe
        self.ncu = machine.nsight_compute()
        self.cupti = self._cupti(options.cupti)
        self.machine_rows = []
        self.known_rows, self.ncu_rows, self.times, self.losses = [], [], [], []
        self.aim_rows, self.ceiling_rows = [], []
        self.notes = []
        self.faults = session.faults
        self.recorded = {}  # by label: what is known, and the launches
        self.seconds = {}  # by label and tool
        self.measured = None  # the ceilings
        # What this user keeps stays as it is; cuBLAS may be in a folder that no loader looks into.
        session.environment = {"XDG_" + kind + "_HOME": session.folder("xdg", kind)
                               for kind in ("CACHE", "DATA", "STATE")}
        blas = os.path.dirname(machine.library(*of_cuda("libcublas")))
        paths = [path for path in (os.environ.get("LD_LIBRARY_PATH"), blas) if path]
        if paths:
            session.environment["LD_LIBRARY_PATH"] = ":".join(paths)

    def _cupti(self, wheel):
        """The library to be used: of the wheel that came along, or where the commands find theirs."""
        if not wheel:
            return ""
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(self.session.folder("cupti"))
        found = (glob.glob(os.path.join(self.session.work, "cupti", "**", name), recursive=True) for name in of_cuda("libcupti"))
        return next((files[0] for files in found if files), "")

    def command(self, program):
        return [*(program.command or [os.path.join(self.targets, program.name)]), *program.arguments]

    def recorder(self, verb, *options):
        """A command of roofwalk-cli that records."""
        hidden = ["--force"] if machine.driver_is_hidden() else []
        return [self.cli, verb, *hidden, *(["--cupti", self.cupti] if self.cupti else []), *options]

    def recordings(self, name):
        return os.path.join(self.session.folder("results", "recordings"), name + ".%p.jsonl")

    def read(self, pattern, label, required=True):
        """The launches of all processes."""
        launches = []
        for recording in sorted(glob.glob(pattern.replace("%p", "*"))):
            profile, told, converted, _ = self.run([self.cli, "convert", recording, "-o", "-"])
            if converted == 0:
                launches += read_profile(profile)
            elif required:
                self.faults.append(f"{label}: {os.path.basename(recording)} cannot be read: {told.strip()}")
        return launches

    def record(self, program, name, *options, required=True):
        """The launches, what the program printed, and its exit code. Nothing recorded is a fault where it is
        `required`."""
        pattern = self.recordings(name)
        out, err, code, _ = self.run([*self.recorder("profile", *options, "-o", pattern, "--"), *self.command(program)])
        launches = self.read(pattern, program.label(), required)
        if required and not launches:
            self.faults.append(f"{program.label()}: nothing was recorded: {err.strip()[-400:]}")
        return launches, out, code

    def check(self, program):
        printed, err, code, _ = self.run(self.command(program))
        known = read_known(printed)
        if not known:
            self.faults.append(f"{program.label()} did not run, exit code {code}: {err.strip()[-400:]}")
            return "the program did not run"
        ours, out, our_code = self.record(program, program.label(), "--every-launch")
        if out != printed:
            self.faults.append(f"{program.label()}: its output is another one under Roofwalk")
        if our_code != code:
            self.faults.append(f"{program.label()}: exit code {our_code} under Roofwalk, {code} alone")
        rows = [row for each in known for row in check_known(program.label(), each, ours)]
        self.known_rows += rows
        self.recorded[program.label()] = (known, ours)
        return report.summary(rows)

    def nsight(self, *options):
        """ncu, which would hold the clocks at their base or boost if it was not told to leave them."""
        return [self.ncu, "--clock-control", "none", *options]

    def beside_ncu(self, program):
        """The figures, a report to keep, and the time that it takes; each is tried."""
        if not self.ncu:
            return "Nsight Compute is not installed"
        known, ours = self.recorded.get(program.label(), ([], []))
        said = []
        if program.fixture is not None:
            said.append(self.keep_fixture(program))
        if program.compared:
            said.append(self.compare(program, known, ours) if ours else "there is no recording to compare with")
        return "; ".join(said) or "nothing is compared"

    def compare(self, program, known, ours):
        base = os.path.join(self.session.work, program.label() + ".metrics")
        _, err, code, _ = self.run([*self.nsight("--cache-control", "none", "--target-processes", "all", "--metrics",
                                                 ",".join(wanted_metrics(ours)), "-f", "-o", base),
                                    *self.command(program)])
        page, told, read, _ = self.run([self.ncu, "--import", base + ".ncu-rep", "--csv", "--page", "raw",
                                        "--print-units", "base"])
        theirs = read_ncu_csv(page)
        if read != 0 or not theirs:
            self.faults.append(f"{program.label()}: ncu measured nothing, exit codes {code} and {read}: {(err + told)[-400:]}")
            return "ncu measured nothing"
        rows = compare_with_ncu(program.label(), known, ours, theirs)
        if ours and all(row.verdict == SHOWN for row in rows):
            self.faults.append(f"{program.label()}: no figure could be compared with ncu")
        self.ncu_rows += rows
        return report.summary(rows)

    def time(self, program):
        """Medians of three runs; that of Nsight Compute is of the report that is kept."""
        recording = os.path.join(self.session.work, "timed.jsonl")
        tools = {"alone": [], "Roofwalk, sampled": self.recorder("profile", "-o", recording, "--"),
                 "Roofwalk, every launch": self.recorder("profile", "-o", recording, "--every-launch", "--"),
                 "Roofwalk, time only": self.recorder("profile", "-o", recording, "--timing", "--")}
        seconds = self.seconds.setdefault(program.label(), {})
        self.times.append((program.label(), seconds))
        for tool, before in tools.items():
            runs = [self.run([*before, *self.command(program)]) for _ in range(3)]
            if any(code != 0 for _, _, code, _ in runs):
                self.faults.append(f"{program.label()}: no time of {tool}, exit codes {[code for _, _, code, _ in runs]}")
            else:
                seconds[tool] = statistics.median(taken for _, _, _, taken in runs)
        return ", ".join(f"{tool} {taken:.2f} s" for tool, taken in seconds.items()) or "no time"

    def kill(self):
        program = Program("killed")
        for mode, option, most_lost in (("counters", "--every-launch", 1), ("time only", "--timing", None)):
            launches, out, _ = self.record(program, "killed" + option, option, required=most_lost is not None)
            counts = read_known(out)
            if not counts:
                self.faults.append(f"the program that is killed did not tell its launches ({mode})")
            for known in counts:
                recorded = sum(known.means(launch.kernel) for launch in launches)
                self.losses.append((mode, known.launches, recorded))
                if most_lost is not None and known.launches - recorded > most_lost:
                    self.faults.append(f"{known.launches - recorded} launches were lost at SIGKILL ({mode})")
        return "; ".join(f"{mode}: {recorded} of {launches} launches" for mode, launches, recorded in self.losses)

    def attach(self):
        """To a program that was started with a dormant agent, for some seconds; it runs on."""
        environment = {"CUDA_INJECTION64_PATH": self.installed("libroofwalk_agent.so")}
        if self.cupti:
            environment["CUDA_HOME"] = os.path.dirname(os.path.dirname(self.cupti))
        target = self.session.start([os.path.join(self.targets, "many_launches"), "30000000"], environment)
        try:
            time.sleep(4)
            self.run([self.cli, "attach", "--list"])
            pattern = self.recordings("attached")
            attach = self.recorder("attach", "--count", "20000", "-o", pattern, str(target.pid))
            err = self.run(["timeout", "-s", "INT", "8", *attach])[1]
            launches = self.read(pattern, "attach")
            if not launches:
                self.faults.append(f"attach: nothing was recorded: {err.strip()[-400:]}")
            if target.poll() not in (None, 0):
                self.faults.append(f"attach: the program ended with {target.returncode}")
            return f"{len(launches)} launches"
        finally:
            self.session.stop(target)

    def installed(self, name):
        """A file that was installed with roofwalk-cli; empty where it was not."""
        prefix = os.path.dirname(os.path.dirname(os.path.realpath(self.cli)))
        return next(iter(glob.glob(os.path.join(prefix, "lib*", "**", name), recursive=True)), "")

    def measure_ceilings(self):
        program = self.installed("roofwalk-ceilings")
        if not program:
            self.notes.append("the benchmarks are not installed (component ceilings): no ceilings were measured")
            return "the benchmarks are not installed"
        file = os.path.join(self.results, "ceilings.json")
        table, err, code, seconds = self.run([self.cli, "ceilings", "--program", program, "-o", file])
        if code == 0:
            with open(file, encoding="utf-8") as stream:
                self.measured = ceilings.read_ceilings(stream.read())
        if self.measured is None:
            self.faults.append(f"no ceilings were measured, exit code {code}: {err.strip()[-400:]}")
            return "no ceilings were measured"
        with open(os.path.join(self.results, "ceilings.txt"), "w", encoding="utf-8") as stream:
            stream.write(table)
        rows = ceilings.check_aims(self.measured)
        self.aim_rows += rows
        return f"measured in {seconds:.1f} s; {report.summary(rows)}"

    def ceilings_beside_ncu(self):
        """One launch of each kernel, of those between the calibration and the end."""
        if not self.ncu or self.measured is None:
            return "Nsight Compute is not installed" if not self.ncu else "no ceilings were measured"
        listed = self.run([self.ncu, "--query-metrics"])[0]
        found = ceilings.formulas(self.measured, {line.split()[0] for line in listed.splitlines() if line.strip()})
        base = os.path.join(self.session.work, "ceilings.metrics")
        kernels = "|".join(sorted(ceilings.kernel_of(name) for name in found))
        _, err, code, _ = self.run([*self.nsight("--cache-control", "none", "--metrics",
                                                 ",".join(ceilings.wanted_metrics(found)), "--kernel-id",
                                                 f"::regex:^({kernels})$:10", "-f", "-o", base),
                                    self.installed("roofwalk-ceilings"), "--device", self.measured["device"]["uuid"]])
        page, told, read, _ = self.run([self.ncu, "--import", base + ".ncu-rep", "--csv", "--page", "raw",
                                        "--print-units", "base"])
        theirs = read_ncu_csv(page)
        if read != 0 or not theirs:
            self.faults.append(f"ncu measured nothing of the benchmarks, exit codes {code} and {read}: {(err + told)[-400:]}")
            return "ncu measured nothing"
        rows = ceilings.compare_with_ncu(self.measured, found, theirs)
        self.ceiling_rows += rows
        return report.summary(rows)

    def keep_fixture(self, program):
        file = os.path.join(self.session.folder("results", "fixtures"), program.label() + ".ncu-rep")
        _, err, code, seconds = self.run([*self.nsight(*program.fixture, "--target-processes", "all", "-f", "-o", file),
                                          *self.command(program)])
        if not os.path.exists(file):
            self.notes.append(f"{program.label()}: ncu wrote no report: {err.strip()[-200:]}")
            return "ncu wrote no report"
        if program.timed and code == 0:
            options = " ".join(program.fixture)
            self.seconds.setdefault(program.label(), {})[f"ncu {options}"] = seconds
        return f"a report in {seconds:.1f} s"

    def facts(self):
        for line in machine.FACTS:
            self.run(["sh", "-c", line], limit=20)

    def look(self):
        """What stands at the head of the report, and what `check` finds."""
        gpu = self.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"])[0].strip()
        version = self.run([self.cli, "--version"])[0].strip()
        ncu = self.run([self.ncu, "--version"])[0].strip().splitlines()[-1:] if self.ncu else ["not installed"]
        cupti = ["--cupti", self.cupti] if self.cupti else []
        findings = self.run([self.cli, "check", *cupti])[0].splitlines()
        self.run([self.cli, "check", *cupti, "--chip", "GH100"])
        self.notes += [f"`roofwalk-cli check`: {' '.join(line.split())}" for line in findings if line[:1].strip()]
        self.machine_rows = [["GPU, driver", gpu.replace("\n", "; ")], ["Roofwalk", version],
                             ["Nsight Compute", " ".join(ncu)]]
        return "; ".join(name or "unknown" for _, name in self.machine_rows)

    def first_contact(self, *options):
        """The calls that the agent rests on, by a program without it."""
        cupti = self.cupti or machine.library(*of_cuda("libcupti"))
        if not os.path.exists(self.probe or "") or not cupti:
            return "there is no " + ("CUPTI 13 or 12" if self.probe else "probe")
        said, _, code, _ = self.run([self.probe, cupti, *options])
        if code != 0 or not said.endswith("end\n"):
            self.faults.append(f"the probe ended with {code}, last: {' '.join(said.splitlines()[-1:])}")
        return f"{len(said.splitlines())} lines, exit code {code}"

    def torch(self, name):
        if self.run([sys.executable, "-c", "import torch; assert torch.cuda.is_available()"])[2] != 0:
            return "there is no PyTorch with CUDA"
        program = Program("torch", (name,), command=(sys.executable, os.path.join(HERE, "torch_model.py")))
        if name == "gemm":
            return self.check(program)
        launches, _, code = self.record(program, program.label(), "--every-launch")
        return f"{len(launches)} launches, exit code {code}"

    def written(self, left_out):
        notes = [*self.notes, *(f"left out of the archive, which has no room for it: {name}" for name in left_out)]
        return report.write(self.machine_rows, self.known_rows, self.ncu_rows, self.times, self.losses, self.faults,
                            notes, self.aim_rows, self.ceiling_rows, self.session.steps)

    def take_steps(self, chosen):
        """In the order of what is learned from them: a run that is killed has the first."""
        def step(name, limit, action, *kinds):
            if not chosen or {name, *kinds} & chosen:
                self.session.step(name, limit, action)

        self.session.step("machine", 40, self.look, needs_gpu=False)
        if not chosen or "facts" in chosen:
            self.session.step("facts", 60, self.facts, needs_gpu=False)
        step("probe", 60, self.first_contact)
        step("probe beside 16 GiB", 90, lambda: self.first_contact("16"), "probe")
        for program in PROGRAMS:
            step(f"record {program.label()}", 60, lambda each=program: self.check(each), program.name)
        step("killed", 60, self.kill)
        step("attach", 45, self.attach)
        for program in filter(lambda each: each.timed, PROGRAMS):
            step(f"time {program.label()}", 60, lambda each=program: self.time(each), program.name)
        step("ceilings", 120, self.measure_ceilings)
        for program in PROGRAMS:
            step(f"ncu {program.label()}", 110, lambda each=program: self.beside_ncu(each), program.name)
        step("ncu ceilings", 110, self.ceilings_beside_ncu, ceilings.PROGRAM)
        for name in ("gemm", "attention", "transformer"):
            step(f"torch {name}", 60, lambda each=name: self.torch(each), "torch")


def parsed(arguments):
    parser = argparse.ArgumentParser()
    for name in ("cli", "targets", "output"):
        parser.add_argument(name)
    parser.add_argument("--probe", default="")
    parser.add_argument("--cupti", default="", help="a wheel of nvidia-cuda-cupti")
    parser.add_argument("--seconds", type=float, default=570)
    parser.add_argument("--step-seconds", type=float, default=570)
    parser.add_argument("--without-gpu", default="", metavar="REASON")
    parser.add_argument("steps", nargs="*")
    return parser.parse_intermixed_args(arguments)


def main(arguments):
    options = parsed(arguments)
    session = Session(options.output, options.seconds, options.step_seconds, options.without_gpu)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        bench = Bench(session, options)
        session.report = bench.written
        bench.take_steps(set(options.steps))
    finally:
        session.save()  # with what a step that was ended had done
        session.close()
    rows = bench.known_rows + bench.ncu_rows + bench.aim_rows + bench.ceiling_rows
    wrong = [row for row in rows if row.verdict == WRONG]
    for row in wrong:
        print(f"{row.program} {row.kernel}: {row.figure} is {report.number(row.measured)}, expected "
              f"{report.number(row.expected)}", file=sys.stderr)
    for fault in session.faults:
        print(fault, file=sys.stderr)
    not_run = sum(step.sentence.startswith(NOT_RUN) for step in session.steps)
    if not_run:
        print(f"{not_run} of {len(session.steps)} steps were not run")
    print(f"{len(wrong)} wrong figures, {len(session.faults)} faults; the report is {os.path.join(options.output, 'report.md')}")
    return 1 if wrong or session.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
