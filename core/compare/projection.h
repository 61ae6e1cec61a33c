// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/compare/match_kernels.h"
#include "core/model/memory_level.h"
#include "core/roofline/launch_floor.h"

namespace roofwalk {

/// What binds a kernel under some roofs.
struct ProjectedBound {
    /// Absent while a ceiling that may bind is unknown, and where the launches take longer than the roofs.
    std::optional<CeilingTarget> binding;
    std::optional<Seconds> speed_of_light;  ///< of all launches, no less than they take at least
    std::optional<Side> side;               ///< of the ridge
    std::optional<MemoryLevel> level;       ///< of that ridge: the one that binds, else the farthest known
    std::optional<Intensity> intensity;     ///< where it stands against that ridge
    std::optional<Intensity> ridge;
    std::vector<MemoryLevel> without_ceiling;  ///< that the other device has one of: they may bind
    /// Where a ceiling, work or bytes that may bind are not known, or the report finds a unit nearer to its
    /// limit, by what is counted: the speed-of-light time is no shorter. Else absent.
    std::optional<Seconds> at_least;
    std::optional<CeilingTarget> at_least_by;  ///< absent too where the launches take longer
    /// Of each launch, where that is longer than the time by the roofs: it gives speed_of_light or at_least.
    std::optional<LaunchFloor> launch_floor;
    std::vector<MemoryLevel> levels_not_judged;  ///< what that leaves out
    bool compute_not_judged = false;             ///< the same
    /// Of the device that the kernel ran on, without a binding ceiling: what its report says of it.
    std::optional<NearestLimit> nearest;
    /// Of another device: that unit, which nobody knows of there. What is counted is not what binds for sure.
    std::optional<HardwareUnit> unit_here;
    /// Of the device that the kernel ran on: what binds at the clock that was measured, where it is another.
    std::optional<CeilingTarget> at_measured_clock;
    MemoryName memory;  ///< AnalysisOptions::memory

    /// Whether a memory level or a pipe binds, and nothing else: memory_bound, compute_bound, or not_measured
    /// without a binding ceiling. The class of a report looks at the time too.
    [[nodiscard]] KernelClass kernel_class() const;
};

/// One kernel under the roofs of its own device and of another.
struct ProjectedKernel {
    std::uint32_t point = 0;  ///< index into Analysis::points
    ProjectedBound here;
    ProjectedBound there;

    /// Whether one is a memory level, the other a pipe; absent where one is not known.
    [[nodiscard]] std::optional<bool> crosses_over() const;
    /// Whether its launches take longer than its roofs on both sides: no roof makes it faster then.
    [[nodiscard]] bool stays_at_launch_floor() const { return here.launch_floor && there.launch_floor; }
    /// Speed-of-light time here over the one there.
    [[nodiscard]] std::optional<double> speed_up() const;
    /// What that is at most, where of the time there only a lower bound is known.
    [[nodiscard]] std::optional<double> speed_up_at_most() const;
    /// What it is where the one thing that is known on both sides binds on both, which nothing that is known
    /// speaks against: the ratio of the ceilings of HBM, for example.
    [[nodiscard]] std::optional<double> speed_up_of_known() const;
};

/// All kernels of a report under the roofs of one other device.
struct ProjectedKernels {
    std::string device;                    ///< its name
    std::vector<ProjectedKernel> kernels;  ///< in the order of ranked_points()
    GroupBy rows = GroupBy::kernel;        ///< what each of them is
};

/// The kernels of a report with the same work and bytes under the ceilings of `device`: what would bind them
/// there. A smaller or larger cache would change the bytes; that is not known here. Both sides
/// stand under ceilings at the boost clock, since nobody measured a clock on the other device; the model that
/// a kernel ran on stands under its own. Kernels without known work, bytes or a ceiling keep an empty bound.
/// Cancelled, the first are there.
[[nodiscard]] ProjectedKernels project_kernels(const AnalysedProfile& run, const Device& device,
                                               const Progress& progress = {});

/// "compute (FP16 Tensor)", "memory (HBM); L1 at measured clock", "HBM by bytes; no L2 ceiling", "L1TEX by
/// throughput", "launch floor", "launch floor at least", "not known (SM by throughput here)" or "not known":
/// no class, which looks at the time too.
[[nodiscard]] std::string bound_text(const ProjectedBound& bound);
/// "HBM; L2 not judged", "HBM", "launch floor": what gives the lower bound of the time, and what it leaves
/// out; empty without one.
[[nodiscard]] std::string at_least_by_text(const ProjectedBound& bound);
/// "at least 372 µs by HBM; L2 not judged"; empty without a lower bound.
[[nodiscard]] std::string at_least_text(const ProjectedBound& bound);
/// "On H100 SXM what binds changes between compute and memory for 2 of 12 kernels: to memory for 2, to
/// compute for 0."
[[nodiscard]] std::string projection_sentence(const ProjectedKernels& projected);
/// In words, and the stable name used in files, of what binds a kernel whose launches take longer than its
/// roofs.
inline constexpr std::string_view launch_floor_label = "launch floor";
inline constexpr std::string_view launch_floor_id = "launch_floor";
/// What all of it rests on.
inline constexpr std::string_view projection_basis =
    "Ceilings at boost clock on both sides; work and bytes as measured, whatever the caches there.";

}  // namespace roofwalk
