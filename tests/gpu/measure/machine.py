# SPDX-License-Identifier: GPL-3.0-or-later
"""What is found on the machine: libraries, tools, and what the driver says of itself."""

import glob
import os
import shutil
import sys
import sysconfig

FACTS = [
    "uname -a; ldd --version | head -n 1; cat /etc/os-release; free -g; nproc",
    "nvidia-smi; nvidia-smi -q -d CLOCK,POWER,ECC,MEMORY",
    "cat /proc/driver/nvidia/version /proc/driver/nvidia/params; ls -l /dev/nvidia*; grep Cap /proc/self/status",
    "ldconfig -p | grep -E 'cupti|nvperf|libcuda\\.|cublas'; nvcc --version; cmake --version; gdb --version | head -n 1",
    "find / -xdev \\( -name 'libcupti.so*' -o -name 'libnvperf*' -o -name ncu -o -name cuda-gdb \\) 2>/dev/null",
]


def driver_is_hidden():
    """In some containers; the driver works there all the same."""
    return not os.path.exists("/proc/driver/nvidia/version")


def _folders():
    """Where CUDA's libraries may be: toolkits, and packages of this Python."""
    toolkits = [os.environ.get("CUDA_HOME", ""), "/usr/local/cuda", *sorted(glob.glob("/usr/local/cuda-*"), reverse=True)]
    for toolkit in filter(None, toolkits):
        yield from (os.path.join(toolkit, "extras/CUPTI/lib64"), os.path.join(toolkit, "lib64"))
    for site in dict.fromkeys([sysconfig.get_path("platlib"), *sys.path]):
        yield from glob.glob(os.path.join(site, "nvidia", "*", "lib"))


def library(*names):
    """The path of the first of these libraries that is found; empty where none is."""
    return next((file for name in names for file in (os.path.join(folder, name) for folder in _folders())
                 if os.path.exists(file)), "")


def nsight_compute():
    """The program ncu; empty where it is not installed."""
    places = [*sorted(glob.glob("/opt/nvidia/nsight-compute/*/ncu"), reverse=True), "/usr/local/cuda/bin/ncu"]
    return shutil.which("ncu") or next((place for place in places if os.access(place, os.X_OK)), "")
