# SPDX-License-Identifier: GPL-3.0-or-later
"""What was recorded on GPUs, read again: recordings of the agent and reports of Nsight Compute beside what the programs
know of themselves.

Usage: tst_results.py CLI
"""

import glob
import os
import subprocess
import sys
import tarfile
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "measure"))

from figures import Known, read_known, read_profile  # noqa: E402
from verdicts import WRONG, check_known  # noqa: E402

CLI = sys.argv.pop(1)

# Of each report of Nsight Compute: the kernels, with launches and FLOP of one.
REPORTS = {
    "full": {"gemm_tiled": (1, {"fp32": 2**31})},
    "roofline": {"gemm_naive": (1, {"fp32": 2**31})},
    "default": {"triad": (1, {})},
    "tensor": {"nvjet_sm90_tst_256x128_64x4_1x2_h_bz_coopA_NNT": (1, {"tensor.bf16": 2**37})},
    "graph_nodes": {"short_step": (4, {"fp32": 2**15}), "other_step": (4, {"fp32": 2**14})},
    "nested_nvtx": {"short_step": (4, {"fp32": 2**15})},
    "two_processes": {"short_step": (8, {"fp32": 2**15})},
    "failed_kernel": {"short_step": (4, {"fp32": 2**15}), "wild_write": (1, {})},
    "many_launches": {"short_step": (2687, {})},
}


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        for archive in glob.glob(os.path.join(HERE, "results", "*", "measured.tar.xz")):
            gpu = os.path.join(cls.folder.name, os.path.basename(os.path.dirname(archive)))
            with tarfile.open(archive) as packed:
                packed.extractall(gpu)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def files(self, pattern):
        found = sorted(glob.glob(os.path.join(self.folder.name, "*", pattern)))
        self.assertTrue(found)
        return found

    def launches(self, file):
        done = subprocess.run([CLI, "convert", file, "-o", "-"], capture_output=True, text=True, check=True)
        return read_profile(done.stdout)

    def check(self, program, known, launches):
        for row in check_known(program, known, launches):
            self.assertNotEqual(row.verdict, WRONG, f"{program} {row.kernel} {row.figure}: {row.measured}, not {row.expected}")

    def test_recordings(self):
        for file in self.files("known/*.jsonl"):
            program = os.path.basename(file)[:-len(".jsonl")]
            recordings = glob.glob(os.path.join(os.path.dirname(file), "..", "recordings", program + ".*.jsonl"))
            self.assertTrue(recordings, program)
            launches = [launch for recording in recordings for launch in self.launches(recording)]
            with open(file, encoding="utf-8") as stream:
                for known in read_known(stream.read()):
                    self.check(program, known, launches)

    def test_reports(self):
        for name, kernels in REPORTS.items():
            for file in self.files(f"fixtures/{name}.ncu-rep"):
                launches = self.launches(file)
                for kernel, (count, flops) in kernels.items():
                    self.check(name, Known(kernel, count, flops, {}, {}, {}), launches)

    def test_reports_of_what_was_measured_as_a_whole(self):
        for name, count in (("graph", 4), ("range_replay", 1)):
            for file in self.files(f"fixtures/{name}.ncu-rep"):
                launches = self.launches(file)
                self.assertEqual(len(launches), count)
                for launch in launches:
                    self.assertGreater(launch.figures["duration"].value, 0)
                    self.assertGreater(launch.figures["bytes hbm/dram-rw"].value, 0)

    def test_ceilings_meet_their_aims(self):
        import ceilings  # pylint: disable=import-outside-toplevel
        files = glob.glob(os.path.join(HERE, "results", "*", "ceilings.json"))
        self.assertTrue(files)
        for file in files:
            with open(file, encoding="utf-8") as stream:
                measured = ceilings.read_ceilings(stream.read())
            rows = ceilings.check_aims(measured)
            self.assertTrue(rows)
            for row in rows:
                self.assertNotEqual(row.verdict, WRONG, f"{row.kernel}: {row.measured}, not {row.expected}")


if __name__ == "__main__":
    unittest.main()
