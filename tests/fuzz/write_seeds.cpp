// SPDX-License-Identifier: GPL-3.0-or-later
//
// Usage: write_seeds FOLDER
//
// Fills FOLDER/ncu_report with small reports for the fuzzer to start from: written fixtures, and the starts
// of real reports where those are beside the checkout. Fills FOLDER/wire with streams of records.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include "tests/profiler/wire/wire_fixture.h"
#include "tests/support/ncu_fixtures.h"
#include "tests/support/samples.h"

namespace fs = std::filesystem;
using namespace roofwalk::test;

namespace {

void write(const fs::path& file, const std::string& content) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
}

Fixture odd_fixture() {
    Fixture fixture = small_report_fixture();
    FixtureKernel failed;
    failed.grid = failed.block = {0, 0, 0};
    failed.add("gpu__time_duration.sum", std::numeric_limits<double>::quiet_NaN());
    failed.add("not_available", {});
    fixture.kernels.push_back(failed);
    fixture.ranges.push_back(fixture.kernels.front());
    fixture.ranges.emplace_back();
    fixture.layout.results_before_sources = true;
    return fixture;
}

void write_report_seeds(const fs::path& folder) {
    Fixture small = small_report_fixture();
    write(folder / "small", write_report(small));
    small.layout.table_per_result = true;
    write(folder / "table_per_result", write_report(small));
    write(folder / "odd", write_report(odd_fixture()));
    Fixture full = full_report_fixture();
    full.kernels.resize(2);
    write(folder / "full", write_report(full));

    constexpr std::size_t enough = std::size_t{48} << 10U;
    for (const fs::path& report : sample_reports()) {
        std::ifstream file(report, std::ios::binary);
        std::string start(enough, '\0');
        file.read(start.data(), static_cast<std::streamsize>(start.size()));
        start.resize(static_cast<std::size_t>(file.gcount()));
        write(folder / report.stem(), start);
    }
}

/// The fuzzer takes the first byte of a seed for its mode and steps.
void write_wire_seeds(const fs::path& folder) {
    Stream stream;
    for (int i = 0; i < 3; ++i)
        stream.add(made_launch());
    stream.add(made_note());
    stream.add(roofwalk::wire::SessionEnd{1, 2});
    const auto* bytes = reinterpret_cast<const char*>(stream.bytes().data());
    const std::string text(bytes, stream.bytes().size());
    for (const int step : {0, 1, 50})
        write(folder / ("stream" + std::to_string(step)), char(step) + text);
    for (std::size_t frame = 2; frame < 5; ++frame) {
        const auto payload = stream.start_of(frame) + roofwalk::wire::header_size;
        const auto kind = bytes[stream.start_of(frame) + 6];
        write(folder / ("payload" + std::to_string(frame)),
              std::string{'\xFF', kind} + text.substr(payload, stream.start_of(frame + 1) - payload));
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv, argv + argc);
    if (arguments.size() != 2) {
        std::cerr << "usage: write_seeds FOLDER\n";
        return 2;
    }
    const fs::path folder = arguments[1];
    write_report_seeds(folder / "ncu_report");
    write_wire_seeds(folder / "wire");
    return 0;
}
