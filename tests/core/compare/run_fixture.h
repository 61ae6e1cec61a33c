// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/compare/comparison.h"

namespace roofwalk::test {

/// A launch as a test states it: 1 ms, 1 GFLOP of FP32 and 1 GB from HBM, so 1 TFLOP/s at 1 FLOP/byte.
struct LaunchFacts {
    std::string name = "kernel";
    std::optional<double> time = 1e-3;
    std::optional<double> flops = 1e9;
    std::vector<std::pair<Boundary, double>> bytes{{Boundary::hbm_dram_rw, 1e9}};
    Dim3 grid{1, 1, 1};
    Dim3 block{256, 1, 1};
    std::vector<std::string> nvtx;
    std::size_t device = 0;
    std::optional<double> sm_clock;      ///< [Hz]; the ceilings of the launch are at this clock
    std::optional<double> memory_clock;  ///< [Hz]
};

/// "Test GPU": HBM 2 TB/s, L2 5 TB/s, SMEM 20 TB/s, FP32 20 TFLOP/s, FP16 Tensor 200 TFLOP/s.
[[nodiscard]] Device test_gpu();

/// A report and its analysis.
struct Run {
    explicit Run(const std::vector<LaunchFacts>& launches, GroupBy group_by = GroupBy::kernel,
                 std::vector<Device> devices = {test_gpu()});
    /// After a test changed the profile.
    void analyse_again();

    [[nodiscard]] AnalysedProfile view() const { return {&profile, &analysis}; }

    Profile profile;
    AnalysisOptions options;
    Analysis analysis;
};

[[nodiscard]] Comparison compare(const std::vector<const Run*>& runs, const CompareOptions& options = {});
/// Of the first kernels of two runs.
[[nodiscard]] KernelChange change_between(const Run& before, const Run& after,
                                          const CompareOptions& options = {});

}  // namespace roofwalk::test
