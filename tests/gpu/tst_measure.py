# SPDX-License-Identifier: GPL-3.0-or-later
"""What measure.py concludes from numbers: right ones, wrong ones, missing ones. Needs no GPU."""

import contextlib
import io
import json
import os
import random
import sys
import tarfile
import tempfile
import time
import unittest
from unittest import mock

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "measure"))

import ceilings  # noqa: E402
import machine  # noqa: E402
from figures import Figure, Launch, base_name, evaluate, read_known, read_ncu_csv, read_profile  # noqa: E402
from measure import of_cuda  # noqa: E402
from report import figures_table, write  # noqa: E402
from session import Session, Step  # noqa: E402
from verdicts import RIGHT, SHOWN, WRONG, check_known, compare_with_ncu, wanted_metrics  # noqa: E402

KNOWN = ('text before\n{"kernel": "triad", "launches": 2, "flops": {"fp32": 2000}, "bytes": {"hbm": 12000}, '
         '"at_most": {"smem": 0}, "shown": {"l2": 12000}}\n')
PROFILE = """{"texts": ["dram__bytes_read.sum + dram__bytes_write.sum",
  "32 * lts__t_sectors_srcunit_tex.sum (of launch 1, of the same kernel and geometry)", "128 * (a__all.sum - a__misc.sum)"],
 "kernels": [
  {"name": "triad(float*)", "function": "triad", "process": 7, "duration_ns": 4000,
   "flops": {"fp32": {"count": FLOP}},
   "bytes": {"hbm/dram-rw": {"total": BYTES, "source": 0}, "l2/sm-sectors": {"total": 12800, "source": 1},
             "smem/wavefronts": {"total": SHARED, "source": 2}},
   "metrics": {"launch__registers_per_thread": 40}},
  {"name": "triad(float*)", "process": 7}]}"""
CSV = '''==PROF== Connected
"ID","Process ID","Kernel Name","gpu__time_duration.sum","dram__bytes_read.sum","dram__bytes_write.sum","lts__t_sectors_srcunit_tex.sum","launch__registers_per_thread","a__all.sum","a__misc.sum"
"","","","ns","byte","byte","sector","register/thread","",""
"0","9","void ns::triad<float>(float *)","4,444","8,000","4,040","400","40","7","7"
'''


def profile(flop=2000, bytes_=12000, shared=0):
    return read_profile(PROFILE.replace("FLOP", str(flop)).replace("BYTES", str(bytes_)).replace("SHARED", str(shared)))


def verdicts(rows):
    return {row.figure: row.verdict for row in rows}


class Known(unittest.TestCase):
    def judge(self, **numbers):
        [known] = read_known(KNOWN)
        return verdicts(check_known("memory", known, profile(**numbers)))

    def test_right_numbers(self):
        self.assertEqual(self.judge(), {"launches": RIGHT, "FLOP fp32": RIGHT, "bytes hbm": RIGHT,
                                        "bytes smem at most": RIGHT, "bytes l2": SHOWN})

    def test_within_tolerance(self):
        judged = self.judge(flop=2019, bytes_=11761)
        self.assertEqual((judged["FLOP fp32"], judged["bytes hbm"]), (RIGHT, RIGHT))

    def test_wrong_work(self):
        self.assertEqual(self.judge(flop=2021)["FLOP fp32"], WRONG)

    def test_wrong_bytes(self):
        self.assertEqual(self.judge(bytes_=12241)["bytes hbm"], WRONG)

    def test_more_than_at_most(self):
        self.assertEqual(self.judge(shared=1)["bytes smem at most"], WRONG)

    def test_figure_not_measured(self):
        [known] = read_known(KNOWN.replace('"fp32"', '"fp64"'))
        self.assertEqual(verdicts(check_known("memory", known, profile()))["FLOP fp64"], WRONG)

    def test_lost_launch(self):
        [known] = read_known(KNOWN)
        self.assertEqual(verdicts(check_known("memory", known, profile()[:1]))["launches"], WRONG)

    def test_all_kernels_but_one(self):
        [known] = read_known(KNOWN.replace('"triad"', '"!fill"').replace('"launches": 2', '"launches": 1'))
        launches = [Launch("fill", "", {"flops fp32": Figure(5e9)}), Launch("part", "", {"flops fp32": Figure(1500)}),
                    Launch("rest", "", {"flops fp32": Figure(500)})]
        self.assertEqual(verdicts(check_known("cublas", known, launches))["FLOP fp32"], RIGHT)


    def test_launches_in_ranges(self):
        [known] = read_known(KNOWN.replace("}\n", ', "inside": 1}\n'))
        for inside, verdict in (([], WRONG), (["outer", "inner"], RIGHT)):
            launches = read_profile(PROFILE.replace('"process": 7,', f'"process": 7, "nvtx": {json.dumps(inside)},')
                                    .replace("FLOP", "1").replace("BYTES", "1").replace("SHARED", "0"))
            self.assertEqual(verdicts(check_known("nested", known, launches))["launches in NVTX ranges"], verdict)


class BesideNcu(unittest.TestCase):
    def judge(self, csv=CSV, knows_memory=True):
        known = read_known(KNOWN if knows_memory else KNOWN.replace('"hbm"', '"l2"'))
        return verdicts(compare_with_ncu("memory", known, profile(), read_ncu_csv(csv)))

    def test_the_same_counts(self):
        judged = self.judge()
        self.assertEqual(judged["bytes hbm/dram-rw"], RIGHT)
        self.assertEqual(judged["bytes l2/sm-sectors"], RIGHT)
        self.assertEqual(judged["launch__registers_per_thread"], RIGHT)

    def test_time_has_no_verdict(self):
        self.assertEqual(self.judge()["duration"], SHOWN)

    def test_another_count(self):
        self.assertEqual(self.judge(CSV.replace('"400"', '"500"'))["bytes l2/sm-sectors"], WRONG)

    def test_memory_behind_caches_has_no_verdict(self):
        csv = CSV.replace('"8,000"', '"1"')
        self.assertEqual(self.judge(csv)["bytes hbm/dram-rw"], WRONG)
        self.assertEqual(self.judge(csv, knows_memory=False)["bytes hbm/dram-rw"], SHOWN)

    def test_a_kernel_that_ncu_did_not_see(self):
        self.assertEqual(set(self.judge(CSV.replace("triad", "other")).values()), {SHOWN})

    def test_metrics_to_measure(self):
        self.assertEqual(wanted_metrics(profile())[:3], ["a__all.sum", "a__misc.sum", "dram__bytes_read.sum"])


class Ceilings(unittest.TestCase):
    """An H100 whose roofs are all at 96 % of what it can do."""

    SHARE = 0.96
    DEVICE = {"uuid": "GPU-1", "compute_capability": "9.0", "sm_count": 132, "memory_clock_hz": 2.619e9,
              "memory_bus_bits": 5120}
    HBM = 2.619e9 * 2 * 5120 / 8

    def measured(self, share=SHARE, device=None, **changes):
        results = [{"id": "hbm." + kind, "rate_byte_per_s": share * self.HBM, "rate_per_cycle_and_sm": 13}
                   for kind in ("read", "write", "copy", "triad")]
        results += [{"id": "l2.read", "rate_byte_per_s": part * share * 5120 * 1.709e9} for part in (0.5, 1)]
        for name, peak in ceilings.PER_CYCLE["9.0"].items():
            unit = "op" if name.endswith("int8") else "flop"
            results.append({"id": name, f"rate_{unit}_per_s": 1e12, "rate_per_cycle_and_sm": share * peak})
        for result in results:
            if result["id"] in changes:
                result["rate_per_cycle_and_sm"] = changes[result["id"]]
        return {"format": "roofwalk-ceilings", "device": device or self.DEVICE, "results": results, "complete": True,
                "sweep": [{}] * 17}

    def aims(self, measured):
        return {row.kernel: row.verdict for row in ceilings.check_aims(measured)}

    def test_all_aims_are_met(self):
        judged = self.aims(self.measured())
        self.assertEqual({name for name, verdict in judged.items() if verdict == RIGHT}, set(ceilings.AIMS))
        self.assertEqual(judged["hbm.write"], SHOWN)

    def test_a_rate_below_its_aim(self):
        judged = self.aims(self.measured(**{"fma.fp32": 0.94 * 256}))
        self.assertEqual([name for name, verdict in judged.items() if verdict == WRONG], ["fma.fp32"])

    def test_more_than_the_hardware_can_do(self):
        self.assertEqual(self.aims(self.measured(**{"wgmma.bf16": 1.5 * 4096}))["wgmma.bf16"], WRONG)

    def test_l2_is_judged_at_its_own_clock(self):
        """What the request coalescer answers is more than L2 can pass, whatever it is in a cycle of the SMs."""
        for rate, verdict in ((7.7e12, RIGHT), (7.4e12, WRONG), (9.1e12, WRONG)):
            measured = self.measured()
            measured["results"] = [result for result in measured["results"] if result["id"] != "l2.read"]
            measured["results"].append({"id": "l2.read", "rate_byte_per_s": rate, "rate_per_cycle_and_sm": 35})
            self.assertEqual(self.aims(measured)["l2.read"], verdict)

    def test_a_benchmark_that_is_missing(self):
        measured = self.measured()
        measured["results"] = [result for result in measured["results"] if result["id"] != "smem.read"]
        self.assertEqual(self.aims(measured)["smem.read"], WRONG)

    def test_a_measurement_that_was_cut(self):
        measured = self.measured()
        measured["complete"] = False
        measured["sweep"] = []
        judged = self.aims(measured)
        self.assertEqual((judged[""], judged["sweep"]), (WRONG, WRONG))

    def test_another_device_has_no_aims(self):
        device = {**self.DEVICE, "compute_capability": "8.0"}
        self.assertEqual(set(self.aims(self.measured(share=0.5, device=device)).values()), {SHOWN})

    def test_what_is_no_file_of_ceilings(self):
        self.assertIsNone(ceilings.read_ceilings("{}"))
        self.assertIsNone(ceilings.read_ceilings("none"))

    def test_counters_of_the_tensor_cores(self):
        known = {"sm__ops_path_tensor_src_bf16_dst_fp32_sparsity_off", "sm__ops_path_tensor_src_bf16_dst_fp32_sparsity_on",
                 "sm__ops_path_tensor_src_bf16_dst_fp32", "sm__ops_path_tensor_op_hgmma_src_bf16_dst_fp32",
                 "sm__ops_path_tensor_src_fp8"}
        self.assertEqual(ceilings.tensor_formula("wgmma.bf16", known),
                         "sm__ops_path_tensor_src_bf16_dst_fp32_sparsity_off.sum")
        self.assertEqual(ceilings.tensor_formula("wgmma.fp8", known), "sm__ops_path_tensor_src_fp8.sum")
        self.assertEqual(ceilings.tensor_formula("wgmma.int8", known), "")

    def beside(self, **factors):
        """Counters as the rates have it, but for `factors` of those of some kernels."""
        measured = self.measured()
        found = ceilings.formulas(measured, {"sm__ops_path_tensor_src_bf16_dst_fp32"})
        launches = []
        for name in found:
            factor = factors.get(name, 1)
            figures = {ceilings.DURATION: Figure(1e6), ceilings.CYCLES: Figure(2e6)}
            if name.startswith("hbm."):
                figures["dram__bytes_read.sum"] = Figure(factor * self.SHARE * self.HBM * 1e-3)
                figures["dram__bytes_write.sum"] = Figure(0)
            else:
                [metric] = [metric for metric in ceilings.metrics_of(found[name])]
                work = factor * self.SHARE * ceilings.PER_CYCLE["9.0"][name] * 132 * 2e6
                figures[metric] = Figure(work / (2 if name in ceilings.FMA else 1))
            launches.append(Launch(ceilings.kernel_of(name), "", figures))
        return {row.kernel: row.verdict for row in ceilings.compare_with_ncu(measured, found, launches)}

    def test_the_counters_say_the_same(self):
        judged = self.beside()
        self.assertEqual(set(judged.values()), {RIGHT})
        self.assertIn("roofwalk_wgmma_bf16", judged)
        self.assertIn("roofwalk_hbm_copy", judged)
        self.assertIn("roofwalk_fma_fp64", judged)

    def test_the_counters_say_something_else(self):
        judged = self.beside(**{"hbm.read": 0.9, "fma.fp32": 2, "wgmma.bf16": 0.95})
        self.assertEqual({name for name, verdict in judged.items() if verdict == WRONG},
                         {"roofwalk_hbm_read", "roofwalk_fma_fp32", "roofwalk_wgmma_bf16"})

    def test_a_kernel_without_counters(self):
        measured = self.measured()
        found = ceilings.formulas(measured, set())
        self.assertEqual({row.verdict for row in ceilings.compare_with_ncu(measured, found, [])}, {WRONG})


class Steps(unittest.TestCase):
    """What is known is written after each step, whatever becomes of it."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.session = Session(self.folder.name, 60, 60)
        self.session.report = lambda left_out: " ".join(left_out)
        self.addCleanup(self.folder.cleanup)
        self.addCleanup(self.session.close)

    def step(self, action, limit=10, **more):
        with contextlib.redirect_stdout(io.StringIO()):
            self.session.step("a step", limit, action, **more)
        return self.session.steps[-1]

    def archived(self):
        with tarfile.open(os.path.join(self.folder.name, "results.tar.gz")) as archive:
            return set(archive.getnames())

    def test_a_command(self):
        done = []
        step = self.step(lambda: done.append(self.session.run(["sh", "-c", "echo out; echo err >&2; exit 3"])) or "said")
        self.assertEqual(done[0][:3], ("out\n", "err\n", 3))
        self.assertEqual((step.sentence, self.session.faults), ("said", []))
        self.assertIn("log/a_step.txt", self.archived())

    def test_a_program_that_is_not_there(self):
        done = []
        self.step(lambda: done.append(self.session.run(["/nowhere/program"])[2]) or "said")
        self.assertEqual(done, [127])

    def test_a_step_that_fails(self):
        step = self.step(lambda: [][1])
        self.assertTrue(step.sentence.startswith("failed"))
        self.assertEqual(len(self.session.faults), 1)

    def test_a_step_that_hangs(self):
        """With what it started, which holds its output open."""
        start = time.monotonic()
        step = self.step(lambda: self.session.run(["sh", "-c", "echo before; sleep 100 & wait"]), limit=0.5)
        self.assertTrue(step.sentence.startswith("stopped"))
        self.assertLess(time.monotonic() - start, 20)
        with open(os.path.join(self.session.results, "log", "a_step.txt"), encoding="utf-8") as log:
            self.assertIn("before", log.read())

    def test_a_command_with_a_limit_of_its_own(self):
        done = []
        step = self.step(lambda: done.append(self.session.run(["sleep", "100"], limit=0.3)[2]) or "said")
        self.assertEqual((done, step.sentence), ([None], "said"))

    def test_without_a_gpu(self):
        self.session.without_gpu = "none"
        self.assertEqual(self.step(lambda: "done").sentence, "not run: none")
        self.assertEqual(self.step(lambda: "done", needs_gpu=False).sentence, "done")

    def test_no_room_in_the_archive(self):
        for name, size in (("small", 10), ("large", 17 << 20)):
            with open(os.path.join(self.session.results, name), "wb") as file:
                file.write(random.Random(1).randbytes(size))
        with mock.patch("session.MOST_ARCHIVED", 1 << 20):
            self.step(lambda: "done")
        self.assertIn("small", self.archived())
        with open(os.path.join(self.folder.name, "report.md"), encoding="utf-8") as report:
            self.assertEqual(report.read(), "large")


class Parts(unittest.TestCase):
    def test_the_newest_library_that_is_here_is_taken(self):
        with tempfile.TemporaryDirectory() as toolkit, mock.patch.dict(os.environ, {"CUDA_HOME": toolkit}):
            os.mkdir(os.path.join(toolkit, "lib64"))
            for name in ("libmade.so.12", "libmade.so.13"):
                with open(os.path.join(toolkit, "lib64", name), "w", encoding="utf-8"):
                    self.assertEqual(os.path.basename(machine.library(*of_cuda("libmade"))), name)
            self.assertEqual(machine.library("libnone.so"), "")

    def test_names(self):
        self.assertEqual(base_name("void (anonymous namespace)::copy<float, (int)4>(float const*)"), "copy")
        self.assertEqual(base_name("short_step"), "short_step")

    def test_formulas(self):
        launch = Launch("k", "", {"a__x.sum": Figure(1e20), "a__y.sum": Figure(2.0)})
        self.assertEqual(evaluate("2 * (a__x.sum + a__y.sum)", launch), 2e20)
        self.assertIsNone(evaluate("a__z.sum", launch))
        self.assertIsNone(evaluate("by hand", launch))

    def test_report(self):
        [known] = read_known(KNOWN)
        rows = check_known("memory", known, profile(flop=3000))
        text = write([["GPU", "none"]], rows, [], [("memory", {"alone": 1.0, "Roofwalk": 3.0})],
                     [("counters", 200, 199)], ["a fault"], [], steps=[Step("probe", 1.25, "12 lines")])
        for part in ("1 are wrong", "| probe | 1.2 | 12 lines |", "+50.00 %", "3.00 s (3.0x)", "| counters | 200 | 199 | 1 |", "- a fault"):
            self.assertIn(part, text)
        self.assertIn("not measured", figures_table(check_known("memory", known, []), "known"))


if __name__ == "__main__":
    unittest.main()
