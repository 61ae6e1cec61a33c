// SPDX-License-Identifier: GPL-3.0-or-later
// Reading 10^6 launches from Roofwalk JSON Lines, in a process that holds nothing else.
// Usage: bench_json_lines FILE. Writes the file when it is absent and ends; run it again to measure.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "core/base/text.h"
#include "core/import/open_profile.h"
#include "tests/bench/bench.h"
#include "tests/bench/made_profile.h"

using namespace roofwalk;
using namespace roofwalk::bench;

namespace {

constexpr std::uint32_t kernels = 1000;
constexpr std::uint32_t launches = 1'000'000;

int measure(const std::filesystem::path& file) {
    std::size_t read = 0;
    const double seconds = seconds_of([&] {
        const Result<Profile> profile = open_profile(file);
        if (profile) read = profile->launches.size();
    });
    if (read != launches) {
        fmt::print(stderr, "bench_json_lines: read {} of {} launches\n", read, launches);
        return 1;
    }
    const auto size = static_cast<double>(std::filesystem::file_size(file));
    print_row(fmt::format("10^6 launches from JSON Lines ({})", format(Bytes(size))),
              fmt::format("{}, peak {}", format(Seconds(seconds)), format(Bytes(peak_memory()))),
              "≤ 3 s, ≤ 1 GiB");
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    const std::filesystem::path file = argv[1];
    if (std::filesystem::exists(file)) return measure(file);
    std::ofstream(file, std::ios::binary) << made_json_lines(kernels, launches);
    return 0;
}
