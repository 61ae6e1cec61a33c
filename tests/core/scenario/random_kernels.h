// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "core/roofline/analysis.h"
#include "tests/core/roofline/profiles.h"

namespace roofwalk::test {

/// Kernels of every kind, the same for the same seed: on several pipes, under, on and above their roofs, some
/// without time, work, bytes or a ceiling.
class RandomKernels {
  public:
    explicit RandomKernels(std::uint64_t seed) : random_(seed) {}

    [[nodiscard]] double between(double lo, double hi) {
        return std::uniform_real_distribution<double>(lo, hi)(random_);
    }
    /// Every decade alike.
    [[nodiscard]] double amount(double lo, double hi) {
        return std::pow(10, between(std::log10(lo), std::log10(hi)));
    }
    [[nodiscard]] bool one_in(int times) { return between(0, times) < 1; }

    [[nodiscard]] Device device() {
        Device device = machine(
            {compute_ceiling(fp32, amount(1e13, 1e14)), compute_ceiling(tensor_fp16, amount(1e14, 1e15))},
            {bandwidth_ceiling(Boundary::hbm_dram_rw, amount(5e11, 4e12)),
             bandwidth_ceiling(Boundary::l2_sm_sectors, amount(4e12, 1e13)),
             bandwidth_ceiling(Boundary::smem_wavefronts, amount(1e13, 4e13)),
             bandwidth_ceiling(Boundary::l1_unified, amount(1e13, 4e13))});
        if (one_in(6)) device.ceilings.compute.pop_back();
        return device;
    }

    [[nodiscard]] Launch kernel() {
        Launch launch;
        if (!one_in(10)) launch.duration = Seconds(amount(1e-6, 1e-2));
        if (!one_in(10)) add_work(launch);
        const double shared = one_in(3) ? 0 : amount(1e3, 1e11);
        add_bytes(launch, Boundary::hbm_dram_rw, amount(1e3, 1e10));
        add_bytes(launch, Boundary::l2_sm_sectors, amount(1e3, 1e11));
        add_bytes(launch, Boundary::smem_wavefronts, shared);
        add_bytes(launch, Boundary::l1_unified, shared + (one_in(3) ? 0 : amount(1e3, 1e11)));
        return launch;
    }

    /// `count` launches of kernels with names of their own.
    [[nodiscard]] Profile profile(std::uint32_t count) {
        Profile profile = profile_of(device(), {});
        profile.kernels.clear();
        for (std::uint32_t i = 0; i < count; ++i) {
            profile.kernels.push_back({"kernel" + std::to_string(i), {}, {}});
            Launch launch = kernel();
            launch.kernel = KernelIndex{i};
            profile.launches.push_back(std::move(launch));
        }
        return profile;
    }

  private:
    void add_work(Launch& launch) {
        launch.work.push_back({.pipe = fp32, .work = Flops(one_in(8) ? 0 : amount(1e3, 1e12))});
        if (one_in(3)) launch.work.push_back({.pipe = tensor_fp16, .work = Flops(amount(1e6, 1e13))});
        if (one_in(3))
            launch.work.push_back({.pipe = {PipeKind::int32, false}, .work = Flops(amount(1e3, 1e11))});
        launch.uncounted.fp16 = one_in(10);
    }
    void add_bytes(Launch& launch, Boundary boundary, double bytes) {
        if (!one_in(10))
            launch.traffic.push_back({.boundary = boundary, .total = Bytes(bytes), .read = {}, .write = {}});
    }

    std::mt19937_64 random_;
};

/// For what holds of roofs: launches take no time of their own.
[[nodiscard]] inline AnalysisOptions roofs_alone() {
    AnalysisOptions options;
    options.launch_floor = Seconds(0);
    return options;
}

/// Equal but for the rounding of a few operations.
[[nodiscard]] inline bool near(double a, double b, double tolerance = 1e-12) {
    return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

}  // namespace roofwalk::test
