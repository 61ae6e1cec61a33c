// SPDX-License-Identifier: GPL-3.0-or-later
// What the agent costs a program of 10^5 launches. The driver is a false one that launches nothing, so that
// what is measured is the agent, and not what CUPTI does below it; it is set against launches of 2 µs, which
// is quick for a real one. Usage: bench_agent FAKE_TARGET AGENT FAKE_CUPTI ROOFWALK_CLI
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/base/text.h"
#include "core/import/open_profile.h"
#include "profiler/wire/agent_address.h"
#include "tests/bench/bench.h"

using namespace roofwalk;
using namespace roofwalk::bench;

namespace {

constexpr double launches = 100'000;
constexpr double seconds_of_a_launch = 2e-6;

/// Seconds between the two times that the program tells; negative when it failed.
double seconds_told(const std::string& command) {
    FILE* const output = popen(command.c_str(), "r");
    if (output == nullptr) return -1;
    long long from = 0;
    long long to = -1;
    const int read = std::fscanf(output, "%lld %lld", &from, &to);
    const int status = pclose(output);
    return read == 2 && status == 0 ? static_cast<double>(to - from) * 1e-9 : -1;
}

/// Seconds that the launches took, which run for no time.
double seconds_of_launches(const std::string& target) {
    return seconds_told(
        fmt::format("'{}' 'context 0' 'launch saxpy 4 1000' clock 'launch saxpy 4 100000' clock", target));
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

double median_seconds_told(const std::string& command) {
    std::vector<double> times;
    for (int repeat = 0; repeat < 3; ++repeat)
        times.push_back(seconds_told(command));
    return std::ranges::min(times) < 0 ? -1 : median(std::move(times));
}

struct Recorder {
    std::string cli;
    std::string agent;
    std::string cupti;
    std::string file;  ///< of its recordings
};

/// The middle one of a few runs of launches that take 2 µs each, with what stands before the program.
double seconds_of_running(const std::string& before, const std::string& target) {
    return median_seconds_told(fmt::format(
        "{} '{}' 'context 0' 'launch saxpy 4 1000' clock 'launch saxpy 4 100000 2' clock", before, target));
}

/// What recording adds to each launch, and how many launches the last recording lacks.
void print_recording(const Recorder& recorder, const std::string& target, double alone,
                     const std::string& what, const std::string& option) {
    const double recorded = seconds_of_running(
        fmt::format("'{}' profile --force --agent '{}' --cupti '{}' {} -o '{}' 2>/dev/null --", recorder.cli,
                    recorder.agent, recorder.cupti, option, recorder.file),
        target);
    const auto profile = open_profile(recorder.file);
    if (recorded < 0 || !profile) return print_row(what, "failed", "");
    constexpr double all = 1000 + launches;
    print_row(what,
              fmt::format("{:.2f} µs a launch, {:.0f} of {:.0f} lost", 1e6 * (recorded - alone) / launches,
                          all - static_cast<double>(profile->launches.size()), all),
              "");
}

void print_recordings(const Recorder& recorder, const std::string& target) {
    const double alone = seconds_of_running("", target);
    print_recording(recorder, target, alone, "recording 10^5 launches of 2 µs, sampled", "");
    print_recording(recorder, target, alone, "the same, every launch counted", "--every-launch");
    print_recording(recorder, target, alone, "the same, timed", "--timing");
    std::filesystem::remove(recorder.file);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) return 2;
    const std::string target = argv[1];
    const std::filesystem::path folder = std::filesystem::temp_directory_path();
    print_recordings({argv[4], argv[2], argv[3], folder / fmt::format("roofwalk-bench-{}.jsonl", getpid())},
                     target);
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
