// SPDX-License-Identifier: GPL-3.0-or-later
// Reading 10^6 launches from a file, in a process that holds nothing else.
// Usage: bench_reading FILE.jsonl|FILE.json: Roofwalk JSON Lines, or a trace of PyTorch's profiler. Writes
// the file when it is absent and ends; run it again to measure.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/base/text.h"
#include "core/import/open_profile.h"
#include "tests/bench/bench.h"
#include "tests/bench/made_profile.h"

using namespace roofwalk;
using namespace roofwalk::bench;

namespace {

constexpr std::uint32_t kernels = 1000;
constexpr std::uint32_t launches = 1'000'000;

void write_lines(std::ostream& out) {
    out << made_json_lines(kernels, launches);
}

/// Of each launch what Kineto writes with record_shapes=True: operator, call, arrow and kernel.
void write_trace(std::ostream& out) {
    out << R"({
  "schemaVersion": 1,
  "deviceProperties": [
    {
      "id": 0, "name": "NVIDIA H100 80GB HBM3", "totalGlobalMem": 84929347584, "computeMajor": 9, "computeMinor": 0,
      "maxThreadsPerBlock": 1024, "warpSize": 32, "numSms": 132
    }
  ],
  "displayTimeUnit": "ms",
  "traceEvents": [)";
    std::string text;
    for (std::uint32_t i = 0; i < launches; ++i) {
        const double time = 4812705138303.434 + 20.0 * i;
        const std::uint32_t kernel = i % kernels;
        text.clear();
        const auto to = std::back_inserter(text);
        fmt::format_to(to, R"({}
  {{
    "ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 27867, "tid": 27867,
    "ts": {:.3f}, "dur": 18.500,
    "args": {{
      "External id": {},"Sequence number": {}, "Fwd thread id": 0, "Record function id": 0, "Concrete Inputs": ["", ""], "Input type": ["c10::Half", "c10::Half"], "Input Strides": [[4096, 1], [1, 4096]], "Input Dims": [[{}, 4096], [4096, 11008]], "Ev Idx": {}
    }}
  }})",
                       i == 0 ? "" : ",", time, i + 1, i, kernel + 1, i);
        fmt::format_to(to, R"(,
  {{
    "ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 27867, "tid": 27867,
    "ts": {:.3f}, "dur": 6.000,
    "args": {{
      "External id": {}, "cbid": 211, "correlation": {}
    }}
  }},
  {{
    "ph": "s", "id": {}, "pid": 27867, "tid": 27867, "ts": {:.3f},
    "cat": "ac2g", "name": "ac2g"
  }})",
                       time + 5, i + 1, 7 * i, 7 * i, time + 5);
        fmt::format_to(to, R"json(,
  {{
    "ph": "X", "cat": "kernel", "name": "void cutlass_80_tensorop_f16_s16816gemm_{}x128_32x4_nn_align8<cutlass::Kernel>(Params)", "pid": 0, "tid": 7,
    "ts": {:.3f}, "dur": 11.504,
    "args": {{
      "External id": {}, "queued": 0, "device": 0, "context": 1, "stream": 7, "correlation": {},
      "registers per thread": 168, "shared memory": 199680, "blocks per SM": 0.651515, "warps per SM": 7.818182,
      "grid": [86, 1, 1], "block": [384, 1, 1], "est. achieved occupancy %": 0
    }}
  }},
  {{
    "ph": "f", "id": {}, "pid": 0, "tid": 7, "ts": {:.3f},
    "cat": "ac2g", "name": "ac2g", "bp": "e"
  }})json",
                       kernel, time + 8, i + 1, 7 * i, 7 * i, time + 8);
        out << text;
    }
    out << "\n  ]\n}\n";
}

int measure(const std::filesystem::path& file, bool is_trace) {
    std::size_t read = 0;
    const double seconds = seconds_of([&] {
        const Result<Profile> profile = open_profile(file);
        if (profile) read = profile->launches.size();
    });
    if (read != launches) {
        fmt::print(stderr, "bench_reading: read {} of {} launches\n", read, launches);
        return 1;
    }
    const auto size = static_cast<double>(std::filesystem::file_size(file));
    print_row(fmt::format("10^6 launches from {} ({})", is_trace ? "a PyTorch trace" : "JSON Lines",
                          format(Bytes(size))),
              fmt::format("{}, peak {}", format(Seconds(seconds)), format(Bytes(peak_memory()))),
              is_trace ? "≤ 10 s, ≤ 2 GiB for 1 GB" : "≤ 3 s, ≤ 1 GiB");
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    const std::filesystem::path file = argv[1];
    const bool is_trace = file.extension() == ".json";
    if (std::filesystem::exists(file)) return measure(file, is_trace);
    std::ofstream out(file, std::ios::binary);
    (is_trace ? write_trace : write_lines)(out);
    return 0;
}
