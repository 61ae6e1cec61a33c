// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace roofwalk::test {

/// A metric value as a report stores it; the first alternative is an entry without a value ("n/a").
using FixtureValue = std::variant<std::monostate, double, float, std::uint64_t, std::uint32_t, std::string>;

/// One instance of a metric: an opcode, an instruction address or an index, and its value.
struct FixtureInstance {
    FixtureValue id;
    FixtureValue value;
};

struct FixtureMetric {
    std::string name;
    FixtureValue value;
    std::vector<FixtureInstance> instances;
};

/// The NVTX stack of one thread at the launch, outermost range first.
struct FixtureNvtxThread {
    std::uint32_t thread = 0;
    std::vector<std::string> stack;
};

struct FixtureKernel {
    std::string name;           ///< demangled
    std::string function_name;  ///< short
    std::string mangled_name;
    std::array<std::uint64_t, 3> grid{1, 1,
                                      1};  ///< blocks; all 0 writes empty messages, as for a failed kernel
    std::array<std::uint64_t, 3> block{32, 1, 1};
    std::uint32_t process = 1000;
    std::uint32_t thread = 1000;
    std::optional<std::uint32_t> context = 1;
    std::optional<std::uint32_t> stream = 7;
    std::optional<bool> clocks_locked = true;
    std::vector<FixtureMetric> metrics;
    std::vector<FixtureNvtxThread> nvtx;  ///< empty: no NVTX state at all
    std::vector<std::string> sections;    ///< what write_section() returns

    /// Adds a metric entry; the same name may be added twice.
    FixtureKernel& add(std::string metric, FixtureValue value, std::vector<FixtureInstance> instances = {});
    /// Replaces the value of a metric, or adds it.
    FixtureKernel& set(const std::string& metric, FixtureValue value);
};

/// A device of the session list; attribute names without `device__attribute_`.
struct FixtureDevice {
    std::uint32_t id = 0;
    std::string name;
    std::vector<std::pair<std::string, FixtureValue>> attributes;
};

/// How the parts lie in the file. The default is what a plain run of ncu writes.
struct FixtureLayout {
    std::uint32_t version = 7;
    std::size_t late_strings = 0;  ///< that many names follow in blocks after the results, one each
    bool results_before_sources = false;
    bool session_last = false;      ///< host, versions and devices follow everything else
    bool unknown_fields = false;    ///< every message ends with fields of a later version
    bool table_per_result = false;  ///< every result brings a string table that starts again at 0
    bool grids_in_threads = false;  ///< as before ncu 2020.3
    std::size_t results_per_block = 1;
    std::size_t source_bytes = 64;  ///< size of the code in the source entry
};

struct Fixture {
    std::vector<FixtureKernel> kernels;
    std::vector<FixtureKernel> ranges;  ///< written as results of ranges, without names and sizes
    std::vector<FixtureKernel> graphs;  ///< the same of CUDA graphs
    std::vector<FixtureDevice> devices;
    std::string ncu_version = "2025.1.0.0 (build 35237751) (public-release)";
    std::string command_line = "/opt/nvidia/nsight-compute/ncu --set full -o report ./app";
    std::uint64_t created = 1745000000;
    FixtureLayout layout;
};

/// The bytes of an Nsight Compute report with that content. `result_ends`, where asked for, gets the offset
/// behind each ordinary result, in their order.
[[nodiscard]] std::string write_report(const Fixture& fixture,
                                       std::vector<std::size_t>* result_ends = nullptr);

}  // namespace roofwalk::test
