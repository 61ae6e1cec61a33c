// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "profiler/plan/metric_plan.h"

namespace roofwalk {

/// Launches that may be expected to do the same: one kernel with one geometry on one device.
struct LaunchShape {
    std::string name;
    std::uint32_t device = 0;
    std::array<std::uint32_t, 3> grid{1, 1, 1};
    std::array<std::uint32_t, 3> block{1, 1, 1};
    std::uint32_t dynamic_shared = 0;  ///< per block [byte]

    friend auto operator<=>(const LaunchShape&, const LaunchShape&) = default;
};

struct SamplingPolicy {
    bool work = true;                 ///< plan C, once for a shape
    bool tensor = true;               ///< plans B and D, once for a shape that uses tensor cores
    std::uint32_t memory_first = 5;   ///< launches of a shape that get plan A before it is thinned out
    std::uint32_t memory_every = 20;  ///< after those, every so many of its launches gets plan A; 0: none
};

/// What plan A said of a launch. Absent where the chip does not tell the two paths apart.
struct TensorUse {
    bool used = false;
    std::optional<bool> by_warp_group;  ///< wgmma or tcgen05: plan B counts it
    std::optional<bool> by_warp;        ///< mma.sync: plan D counts it
};

/// From the metrics of plan A; absent while these do not hold the counter of tensor instructions.
[[nodiscard]] std::optional<TensorUse> tensor_use(const Chip& chip,
                                                  const std::map<std::string, double>& values);

/// A plan that no launch of the shape gets any more, because its measuring failed too often.
struct GivenUpPlan {
    LaunchShape shape;
    PlanKind plan = PlanKind::memory;

    friend bool operator==(const GivenUpPlan&, const GivenUpPlan&) = default;
};

/// Decides which launch of a kernel that repeats gets which plan, so that none has to run twice: A on the
/// first launch, C on the second, B or D on the next once plan A has told of tensor cores, then A again now
/// and then.
class LaunchSampler {
  public:
    explicit LaunchSampler(SamplingPolicy policy, std::vector<PlanKind> plans_of_chip);

    /// The plan for the next launch of this shape; absent: the launch is not measured.
    [[nodiscard]] std::optional<PlanKind> choose(const LaunchShape& shape);

    /// What plan A of an earlier launch of the shape said; may come late, or never.
    void learn(const LaunchShape& shape, const TensorUse& use);

    /// `plan` was measured: what failed before is forgotten.
    void measured(const LaunchShape& shape, PlanKind plan);

    /// The measuring of `plan` failed: a later launch of the shape gets it again, until it has failed three
    /// times in a row and is given up.
    void failed(const LaunchShape& shape, PlanKind plan);

    /// In the order of shapes, then of plans. None of them is chosen any more.
    [[nodiscard]] std::vector<GivenUpPlan> given_up() const;

    [[nodiscard]] std::uint64_t seen() const { return seen_; }
    [[nodiscard]] std::uint64_t left_out() const { return left_out_; }

  private:
    struct State {
        std::uint32_t memory_done = 0;
        std::uint32_t since_memory = 0;  ///< launches since the last one with plan A
        std::vector<PlanKind> wanted;    ///< plans to be had once each
        bool tensor_known = false;
        std::map<PlanKind, std::uint32_t> failures;  ///< in a row
    };

    State& state_of(const LaunchShape& shape);
    [[nodiscard]] bool has(PlanKind plan) const;

    SamplingPolicy policy_;
    std::vector<PlanKind> plans_;
    std::map<LaunchShape, State> states_;
    std::uint64_t seen_ = 0;
    std::uint64_t left_out_ = 0;
};

}  // namespace roofwalk
