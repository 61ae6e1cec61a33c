// SPDX-License-Identifier: GPL-3.0-or-later
// What the agent costs a program of 10^5 launches. The driver is a false one that launches nothing, so that
// what is measured is the agent; it is set against launches of 2 µs, which is quick for a real one. Usage:
// bench_agent FAKE_TARGET AGENT FAKE_CUPTI
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/base/text.h"
#include "profiler/wire/agent_environment.h"
#include "tests/bench/bench.h"

using namespace roofwalk;
using namespace roofwalk::bench;

namespace {

constexpr double launches = 100'000;
constexpr double seconds_of_a_launch = 2e-6;

/// Seconds that the launches took; negative when the program failed.
double seconds_of_launches(const std::string& target) {
    const std::string command =
        fmt::format("'{}' 'context 0' 'launch saxpy 4 1000' clock 'launch saxpy 4 100000' clock", target);
    std::FILE* const output = popen(command.c_str(), "r");
    if (output == nullptr) return -1;
    long long from = 0;
    long long to = -1;
    const int read = std::fscanf(output, "%lld %lld", &from, &to);
    const int status = pclose(output);
    return read == 2 && status == 0 ? static_cast<double>(to - from) * 1e-9 : -1;
}

/// The quickest of many runs: what else the machine does only adds to it.
double quickest_launches(const std::string& target) {
    double quickest = seconds_of_launches(target);
    for (int repeat = 0; repeat < 20; ++repeat)
        quickest = std::min(quickest, seconds_of_launches(target));
    return quickest;
}

double quickest_start(const std::string& target) {
    const std::string command = "'" + target + "'";
    double quickest = 1;
    for (int repeat = 0; repeat < 20; ++repeat)
        quickest = std::min(quickest, seconds_of([&] { keep(std::system(command.c_str())); }));
    return quickest;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    const std::string target = argv[1];
    const double alone = quickest_launches(target);
    const double start_alone = quickest_start(target);
    setenv("CUDA_INJECTION64_PATH", argv[2], 1);
    setenv("NVTX_INJECTION64_PATH", argv[2], 1);
    setenv(wire::agent_cupti_variable, argv[3], 1);
    const double dormant = quickest_launches(target);
    const double start_dormant = quickest_start(target);
    if (alone <= 0 || dormant <= 0) {
        fmt::print(stderr, "bench_agent: {} failed\n", target);
        return 1;
    }
    print_row("agent, dormant, added to 10^5 launches of 2 µs",
              fmt::format("{:.2f} % ({:.1f} ns a launch)",
                          100 * (dormant - alone) / (launches * seconds_of_a_launch),
                          1e9 * (dormant - alone) / launches),
              "≤ 1 %");
    print_row("agent, dormant, added to the start of the program",
              format(Seconds(start_dormant - start_alone)), "");
}
