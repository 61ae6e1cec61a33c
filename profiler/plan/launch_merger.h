// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
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

/// One launch under one plan.
struct PlanMeasurement {
    std::uint64_t launch = 0;
    LaunchShape shape;
    PlanKind plan = PlanKind::memory;
    std::map<std::string, double> values;  ///< metrics by name
    /// "aten::mm, sizes = [[64, 4096], [4096, 11008]]", where PyTorch's ranges tell it.
    std::string op{};
};

/// How far two measurements of one quantity may lie apart, as a share of the larger.
struct MergeTolerance {
    double time = 0.15;
    double bytes = 0.05;
    double smallest_bytes = 65536;  ///< differences below this never speak against a merge [byte]
};

/// A quantity that both launches measured, and differently.
struct MergeConflict {
    std::string metric;
    double first = 0;
    double second = 0;
};

/// Whether two launches may stand for one: same shape, and alike in what both measured. `overlap` is false
/// where nothing was measured twice, as with plan C: the shape alone speaks for them.
struct MergeSimilarity {
    bool same_shape = false;
    bool overlap = false;
    std::optional<MergeConflict> conflict;

    [[nodiscard]] bool alike() const { return same_shape && !conflict; }
};

[[nodiscard]] MergeSimilarity likeness(const PlanMeasurement& a, const PlanMeasurement& b,
                                       const MergeTolerance& tolerance);

/// Measurements that were found alike, as one. What several measured is that of the first.
struct MergedLaunch {
    std::vector<std::uint64_t> launches;  ///< the first gave time and traffic
    std::vector<PlanKind> plans;          ///< of each of them
    std::map<std::string, double> values;
    /// Of each: it agrees with the first in what both measured. Else they measured nothing in common, and
    /// kernel and geometry alone speak for it.
    std::vector<bool> agreeing;
};

/// Plan A or E of every launch that got it, completed by the other plans of launches that are alike: of
/// several that fit, the nearest, which may complete others too. What completes none stays by itself. In the
/// order of launches.
[[nodiscard]] std::vector<MergedLaunch> merge_launches(const std::vector<PlanMeasurement>& measurements,
                                                       const MergeTolerance& tolerance);

/// merge_launches() for measurements that come one by one.
class LaunchMerger {
  public:
    explicit LaunchMerger(MergeTolerance tolerance) : tolerance_(tolerance) {}

    /// The launches of which more is known now: the measured one, completed by others, and earlier ones that
    /// it completes. One of plan C stands in the list only while no launch of its shape has plan A: its
    /// counters belong to those, and it has no time of its own.
    [[nodiscard]] std::vector<MergedLaunch> add(const PlanMeasurement& measurement);

    /// The last launch of the shape and operator that has plan A or E; a launch that was not measured may
    /// stand with its figures. Where nothing tells the operator of one of them, the shape decides.
    [[nodiscard]] std::optional<std::uint64_t> measured_alike(const LaunchShape& shape,
                                                              std::string_view op = {}) const;

  private:
    struct OfShape {
        std::deque<PlanMeasurement> bases;  ///< plan A or E, the last ones
        std::vector<PlanMeasurement> completions;
    };

    [[nodiscard]] std::vector<MergedLaunch> add_base(const PlanMeasurement& measurement,
                                                     OfShape& known) const;
    [[nodiscard]] MergedLaunch completed(const PlanMeasurement& base, const OfShape& known) const;

    MergeTolerance tolerance_;
    std::map<LaunchShape, OfShape> shapes_;
};

}  // namespace roofwalk
