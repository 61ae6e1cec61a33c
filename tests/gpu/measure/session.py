# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps with a limit each. What is known after a step is written at once: the report, and one archive of all files."""

import contextlib
import os
import shutil
import signal
import subprocess
import tarfile
import tempfile
import time
from dataclasses import dataclass

MOST_ARCHIVED = 15 << 20  # bytes, packed
NOT_RUN = "not run: "
MOST_LOGGED = 100_000  # characters of what one command says


class TimeUp(Exception):
    """The limit of a step, or of all."""


@dataclass
class Step:
    name: str
    seconds: float
    sentence: str


class Session:
    """`results` is the folder that is archived. Commands write elsewhere what nobody needs to see."""

    def __init__(self, output, seconds, step_seconds, without_gpu=""):
        self.output, self.step_seconds, self.without_gpu = output, step_seconds, without_gpu
        self.end = time.monotonic() + seconds
        self.step_end = self.end
        self.work = tempfile.mkdtemp(prefix="roofwalk-gpu-")
        self.results = self.folder("results")
        self.environment = {}
        self.steps, self.faults = [], []
        self.report = lambda left_out: ""  # the text of report.md
        self._log = ""

    def folder(self, *names):
        path = os.path.join(self.work, *names)
        os.makedirs(path, exist_ok=True)
        return path

    def close(self):
        shutil.rmtree(self.work, ignore_errors=True)

    def step(self, name, limit, action, needs_gpu=True):
        """`action` returns a sentence of what came of it, or nothing. What goes wrong in a step costs that step."""
        start = time.monotonic()
        self.step_end = min(start + min(limit, self.step_seconds), self.end)
        self._log = os.path.join(self.folder("results", "log"), name.replace(" ", "_") + ".txt")
        if needs_gpu and self.without_gpu:
            sentence = NOT_RUN + self.without_gpu
        elif self.end - start < 2:
            sentence = NOT_RUN + "the time was up"
        else:
            try:
                sentence = action() or "done"
            except TimeUp as late:
                sentence = f"stopped: {late}"
                self.faults.append(f"{name}: {late}")
            except Exception as error:  # pylint: disable=broad-except
                sentence = f"failed: {type(error).__name__}: {error}"
                self.faults.append(f"{name}: {type(error).__name__}: {error}")
        self.steps.append(Step(name, time.monotonic() - start, sentence))
        print(f"{name}: {sentence}", flush=True)
        self.save()

    def run(self, command, limit=None, environment=None):
        """Output, errors, exit code and seconds. With `limit` a command that takes longer has no exit code; at the
        end of the step it ends the step."""
        start = time.monotonic()
        left = self.step_end - start
        with tempfile.TemporaryFile("w+", errors="replace") as out, tempfile.TemporaryFile("w+", errors="replace") as err:
            code = None
            if left > 0:
                code = self._wait(command, min(left, limit or left), out, err, environment)
            out.seek(0)
            err.seek(0)
            said, told = out.read(), err.read()
        seconds = time.monotonic() - start
        self._write_log(command, said, told, code, seconds)
        if code is None and self.step_end <= time.monotonic():
            raise TimeUp(f"`{' '.join(command)[:200]}` did not end in time")
        return said, told, code, seconds

    def start(self, command, environment=None, out=subprocess.DEVNULL, err=subprocess.DEVNULL):
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True,
                                env={**os.environ, **self.environment, **(environment or {})})

    @staticmethod
    def stop(process):
        """The program and what it started; with a moment in which a recording can be ended."""
        for how, seconds in ((signal.SIGTERM, 3), (signal.SIGKILL, 10)):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, how)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(seconds)

    def _wait(self, command, seconds, out, err, environment):
        try:
            process = self.start(command, environment, out, err)
        except OSError as error:
            err.write(str(error))
            return 127
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            if process.returncode is None:
                self.stop(process)

    def _write_log(self, command, said, told, code, seconds):
        if not self._log:
            return
        with open(self._log, "a", encoding="utf-8", errors="replace") as log:
            log.write(f"$ {' '.join(command)}\n")
            for text in (said, told):
                log.write(text[:MOST_LOGGED])
                if len(text) > MOST_LOGGED:
                    log.write(f"\n... {len(text) - MOST_LOGGED} more characters\n")
            log.write(f"\n= exit code {code}, {seconds:.2f} s\n\n")

    def save(self):
        """Whole at every moment: what is new takes the place of the old when it is complete."""
        left_out = self._archive()
        part = os.path.join(self.output, ".report.part")
        with open(part, "w", encoding="utf-8") as stream:
            stream.write(self.report(left_out))
        os.replace(part, os.path.join(self.output, "report.md"))

    def _archive(self):
        """The smallest first, so that what has no room is a large one."""
        files = [os.path.join(folder, name) for folder, _, names in os.walk(self.results) for name in names]
        files.sort(key=lambda file: (os.path.getsize(file), file))
        left_out = []
        part = os.path.join(self.output, ".results.part")
        with open(part, "wb") as stream, tarfile.open(fileobj=stream, mode="w:gz", compresslevel=3) as archive:
            for file in files:
                name = os.path.relpath(file, self.results)
                # At worst a file is packed into as much as it holds.
                if left_out or stream.tell() + os.path.getsize(file) / 4 > MOST_ARCHIVED:
                    left_out.append(name)
                else:
                    archive.add(file, name)
        os.replace(part, os.path.join(self.output, "results.tar.gz"))
        return left_out
