// SPDX-License-Identifier: GPL-3.0-or-later
//
// Usage: write_seeds FOLDER
//
// Fills folders in FOLDER with small files for the fuzzers to start from: written fixtures, streams of
// records, and where they are beside the checkout the starts of real reports and what ncu itself printed of
// them, as CSV and as the JSON that it reads as.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include "core/import/open_profile.h"
#include "core/report/profile_to_json.h"
#include "core/report/recording_lines.h"
#include "tests/core/import/nsys_fixture.h"
#include "tests/core/import/zstd_pack.h"
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

constexpr std::size_t enough = std::size_t{48} << 10U;

std::string start_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::string start(enough, '\0');
    file.read(start.data(), static_cast<std::streamsize>(start.size()));
    start.resize(static_cast<std::size_t>(file.gcount()));
    return start;
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

    for (const fs::path& report : sample_reports())
        write(folder / report.stem(), start_of(report));
}

void write_packed_seeds(const fs::path& folder) {
    const std::string small = write_report(small_report_fixture());
    write(folder / "one_frame", pack_zstd(small));
    write(folder / "stream", pack_zstd_stream(small));
    write(folder / "frames", pack_zstd(small.substr(0, 900)) + zstd_skippable_frame("note") +
                                 pack_zstd_stream(small.substr(900)));
}

void write_trace_seeds(const fs::path& folder) {
    write(folder / "nsys", database_of(nsys_statements()));
    for (const char* name : {"pytorch.json", "proton.hatchet"})
        write(folder / name, start_of(data_folder() / "trace" / name));
}

/// A recording with launches that are told twice or stand with the figures of another.
std::string recording_of(const roofwalk::Profile& profile) {
    roofwalk::RecordingLines lines;
    std::string text = roofwalk::RecordingLines::header(profile);
    for (std::uint32_t i = 0; i < profile.launches.size(); ++i) {
        text += lines.launch(profile, roofwalk::LaunchIndex{i}, i);
        text += lines.launch_like(profile, roofwalk::LaunchIndex{i}, i / 2 + 100, i);
    }
    return text + roofwalk::RecordingLines::end("It was cut");
}

void write_text_seeds(const fs::path& folder) {
    for (const fs::path& report : sample_reports())
        for (const char* form : {".oracle-raw.csv", ".oracle-details.csv"}) {
            const fs::path printed = fs::path(report).replace_extension(form);
            if (!fs::exists(printed)) continue;
            write(folder / "csv" / printed.stem(), start_of(printed));
            const auto profile = roofwalk::open_profile(printed);
            if (!profile) continue;
            write(folder / "json" / printed.stem(), roofwalk::to_json(*profile));
            write(folder / "json" / (printed.stem().string() + ".lines"), roofwalk::to_json_lines(*profile));
            write(folder / "json" / (printed.stem().string() + ".recording"), recording_of(*profile));
        }
}

/// The fuzzer takes the first byte of a seed for its mode and steps.
void write_wire_seeds(const fs::path& folder) {
    Stream stream;
    for (int i = 0; i < 3; ++i)
        stream.add(made_launch());
    stream.add(made_note());
    stream.add(roofwalk::wire::SessionEnd{1, 2});
    static constexpr std::array<std::string_view, 2> names{"nccl*", "gpu__time_duration.sum"};
    roofwalk::wire::Orders orders;
    orders.except = names;
    orders.count = 7;
    stream.add(orders);
    const auto image = std::as_bytes(std::span(names.front()));
    stream.add(roofwalk::wire::CounterPlan{0, 'A', 1, 1, names, image});
    stream.add(roofwalk::wire::PlansSent{0});
    stream.add(roofwalk::wire::WantPlan{"gemm", 0, {4, 1, 1}, {64, 1, 1}, 0, 'B'});
    const auto* bytes = reinterpret_cast<const char*>(stream.bytes().data());
    const std::string text(bytes, stream.bytes().size());
    for (const int step : {0, 1, 50})
        write(folder / ("stream" + std::to_string(step)), char(step) + text);
    for (std::size_t frame = 2; frame < 9; ++frame) {
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
    write_packed_seeds(folder / "packed");
    write_trace_seeds(folder / "trace");
    write_text_seeds(folder);
    return 0;
}
