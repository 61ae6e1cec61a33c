// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "core/devices/measured_ceilings.h"

/// Measured ceilings as a file (`resources/schema/measured-ceilings.schema.json`) and as the lines that the
/// benchmarks tell while they run.
namespace roofwalk {

inline constexpr std::string_view measured_format = "roofwalk-ceilings";
inline constexpr int measured_version = 1;

/// `name` is the file, for messages. Errors: bad_json, bad_schema, unsupported_version, too_large.
[[nodiscard]] Result<MeasuredCeilings> read_measured_ceilings(std::string_view text, const std::string& name);

/// The same bytes for the same value.
[[nodiscard]] std::string measured_ceilings_json(const MeasuredCeilings& measured);

/// How far a measurement is.
struct CeilingBenchmarkProgress {
    std::uint32_t done = 0;
    std::uint32_t count = 0;
    std::string id;  ///< of the benchmark that runs
};

/// A device that could be measured.
struct ListedGpu {
    std::uint32_t index = 0;  ///< as nvidia-smi counts
    MeasuredDevice device;
    std::optional<Error> obstacle;  ///< why it cannot be measured: it is cut into instances
};

struct CeilingBenchmarkStart {
    std::uint32_t benchmark_version = 0;
};

/// What could not be measured.
struct CeilingBenchmarkProblem {
    std::string code;  ///< as the benchmarks name it: "no_driver", "mig", "busy"
    Error error;
};

struct CeilingBenchmarkEnd {
    bool complete = false;
};

/// One line of the benchmarks; monostate: of a kind that a later version may tell.
using CeilingBenchmarkRecord =
    std::variant<std::monostate, CeilingBenchmarkStart, ListedGpu, MeasuredDevice, CeilingBenchmarkProgress,
                 MeasuredRate, SweepPoint, CeilingBenchmarkProblem, CeilingBenchmarkEnd>;

/// Errors: bad_json, bad_schema.
[[nodiscard]] Result<CeilingBenchmarkRecord> read_ceiling_benchmark_record(std::string_view line);

/// Adds what a record tells of the ceilings.
void add_record(const CeilingBenchmarkRecord& record, MeasuredCeilings& measured);

/// A UUID as a part of a file's name: one from a file may hold anything, names of files may not.
[[nodiscard]] std::string uuid_for_file(std::string_view uuid);

}  // namespace roofwalk
