// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/import/ncu/ncu_metrics.h"

namespace roofwalk::test {

/// The metrics of one launch, written down by a test.
struct FakeNcuMetrics {
    std::map<std::string, double, std::less<>> values;
    std::map<std::string, double, std::less<>> instance_sums;
    std::optional<std::map<std::string, double, std::less<>>> opcodes;  ///< absent: not counted
    std::map<std::string, double, std::less<>> opcode_forms;
    std::map<std::string, double, std::less<>> thread_opcodes;
    std::map<std::string, double, std::less<>> thread_forms;
    std::vector<NcuRooflineChart> charts;

    [[nodiscard]] NcuMetrics metrics() const;
};

/// A launch as apply_ncu_metrics() fills it, and the profile it belongs to.
struct AppliedLaunch {
    Profile profile;
    Launch launch;

    [[nodiscard]] std::optional<double> work(Pipe pipe) const;
    [[nodiscard]] std::optional<double> bytes(Boundary boundary) const;
    [[nodiscard]] std::optional<double> ceiling(Pipe pipe) const;
    [[nodiscard]] std::optional<double> ceiling(Boundary boundary) const;
    [[nodiscard]] std::string source(Boundary boundary) const;
    [[nodiscard]] std::string source(Pipe pipe) const;
};

[[nodiscard]] AppliedLaunch apply(const NcuMetrics& metrics, const Device& device);
[[nodiscard]] AppliedLaunch apply(const FakeNcuMetrics& metrics, const Device& device = {});
/// A device of that compute capability.
[[nodiscard]] Device device_of(int major, int minor, int sm_count);

}  // namespace roofwalk::test
