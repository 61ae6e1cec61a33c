// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/base/text.h"
#include "core/roofline/analysis.h"

namespace roofwalk {

/// The share of one ceiling that a kernel reaches: bound over time.
struct Utilisation {
    CeilingTarget target;
    double share = 0;
};

/// Whether bytes, work or throughput are no exact figures: estimated, of an operation, or of PM samples.
/// What a person typed is none of these.
[[nodiscard]] bool is_inexact(const KernelPoint& point, const MemoryLevel& level);
[[nodiscard]] bool is_inexact(const KernelPoint& point, const Boundary& boundary);
[[nodiscard]] bool is_inexact(const KernelPoint& point, const Pipe& pipe);
[[nodiscard]] bool is_inexact(const KernelPoint& point, const HardwareUnit& unit);
template <class... Limit>
bool is_inexact(const KernelPoint& point, const std::variant<Limit...>& limit) {
    return std::visit([&](const auto& of) { return is_inexact(point, of); }, limit);
}
/// Of W.
[[nodiscard]] bool has_inexact_work(const KernelPoint& point);
/// Whether work or bytes are none: what the intensity follows from.
[[nodiscard]] bool has_inexact_intensity(const KernelPoint& point, MemoryLevel level);
/// Whether the profiler itself told this share of a level, of which its bytes were then made.
[[nodiscard]] bool is_told_share(const KernelPoint& point, const Boundary& boundary);
/// Whether the share that a kernel reaches of a limit is none: its time may be in doubt too. Not of what the
/// profiler told.
template <class Of>
bool is_approximate(const KernelPoint& point, const Of& of) {
    if constexpr (std::is_same_v<Of, Boundary>)
        if (is_told_share(point, of)) return false;
    return is_inexact(point, of) || (point.time_doubted && !std::is_same_v<Of, HardwareUnit>);
}
template <class... Limit>
bool is_approximate(const KernelPoint& point, const std::variant<Limit...>& limit) {
    return std::visit([&](const auto& of) { return is_approximate(point, of); }, limit);
}
/// The same of share_of_limit(); of the gap to the roof, which without a roof is that; and of what can be
/// recovered.
[[nodiscard]] bool has_approximate_share(const KernelPoint& point);
[[nodiscard]] bool has_approximate_gap(const KernelPoint& point);
[[nodiscard]] bool has_approximate_recovery(const KernelPoint& point);
/// Whether recoverable_time() is known at least: that of a launch is, or is not known at all.
[[nodiscard]] bool is_recoverable_at_least(const KernelPoint& point);
/// "~29.4 %", "~3.40x": a figure that follows from the share of a limit, as a person reads it.
template <class Limit>
std::string marked(const KernelPoint& point, const Limit& limit, const std::string& figure) {
    return marked_if(is_approximate(point, limit), figure);
}
[[nodiscard]] std::string marked_gap(const KernelPoint& point, const std::string& figure);
[[nodiscard]] std::string marked_share(const KernelPoint& point, const std::string& figure);
/// "~0.0840 FLOP/byte".
[[nodiscard]] std::string marked_intensity(const KernelPoint& point, MemoryLevel level,
                                           const std::string& figure);

/// The memory level (compute pipe) that is used most; absent when time or every ceiling is unknown.
[[nodiscard]] std::optional<Utilisation> memory_utilisation(const KernelPoint& point);
[[nodiscard]] std::optional<Utilisation> compute_utilisation(const KernelPoint& point);

/// Clocks, caches and counters that were taken in separate passes explain a little more than the whole of a
/// limit or of a sum; beyond this multiple of it the device, a unit or a figure is not what it is taken for.
inline constexpr double plausible_excess = 1.3;

/// Work up to this share is a trace: compilers load constants with HFMA2, which shows as FP16 in FP32
/// kernels.
inline constexpr double negligible_work_share = 0.01;

/// A level whose bytes were not counted, or have no ceiling, judged by how busy the profiler found the unit
/// that holds it.
struct ProfilerJudgement {
    std::string_view level;  ///< "HBM", "L2", "L1/SMEM"
    BusyUnit unit;
    bool counted = false;  ///< its bytes were: a ceiling is what lacks
};
[[nodiscard]] std::vector<ProfilerJudgement> levels_judged_by_profiler(const KernelPoint& point);
/// "L2 bytes not counted", "no L2 ceiling": why bytes do not judge these levels; empty where there are none.
[[nodiscard]] std::string why_judged_by_profiler(const KernelPoint& point);
/// "L2 bytes not counted: judged by the profiler's own measure (Memory 44.4 % busy)"; empty where
/// every level is judged by its bytes, or not at all.
[[nodiscard]] std::string judged_by_profiler_words(const KernelPoint& point);

/// Where a kernel stands against the ridge of a memory level and its own compute ceiling: of the level that
/// binds, else of the farthest one whose bytes and ceiling are known, usually HBM. Absent when one of them is
/// unknown, and where a pipe binds whose operations are not part of W: the ridge says nothing of it.
struct RidgePlace {
    MemoryLevel level = MemoryLevel::hbm;
    Intensity intensity;
    Intensity ridge;
};
[[nodiscard]] std::optional<RidgePlace> ridge_place(const KernelPoint& point);

/// "L2", "L1/SMEM": levels, from the farthest.
[[nodiscard]] std::vector<std::string_view> labels_of(std::span<const MemoryLevel> levels, MemoryName memory);
/// The levels of which one may bind that nobody judged, from the farthest: neither bytes with a ceiling nor
/// the profiler's throughput of the unit is known. That of memory as a whole judges HBM and L2 where theirs
/// are not. L1 and SMEM are one unit: a figure for either will do, but for L1 boundaries that leave shared
/// memory out.
[[nodiscard]] std::vector<MemoryLevel> levels_not_judged(const KernelPoint& point);
/// Their labels.
[[nodiscard]] std::vector<std::string_view> labels_not_judged(const KernelPoint& point);

/// Whether its work is known and none of W: every kind of it was looked for.
[[nodiscard]] bool is_without_work(const KernelPoint& point);
/// labels_not_judged(); of a kernel without work not_judged(), whose instructions are others.
[[nodiscard]] std::vector<std::string_view> limits_not_judged(const KernelPoint& point);
/// Whether a memory level is judged by its bytes, and compute by the whole work, of which there may be none.
[[nodiscard]] bool both_sides_judged(const KernelPoint& point);

/// What is nearest to its limit, of a level, the units and a pipe; absent where none is known. A unit is told
/// where it is busier than the level, DRAM by more than what commands beside the bytes take.
[[nodiscard]] std::optional<NearestLimit> nearest_limit(const std::optional<Utilisation>& memory,
                                                        const UnitThroughput& throughput,
                                                        const std::optional<Utilisation>& compute);
/// Whether bytes of HBM were made of the profiler's share of DRAM, which then judges it.
[[nodiscard]] bool has_bytes_of_share(const KernelPoint& point);
/// The same of a kernel.
[[nodiscard]] std::optional<NearestLimit> nearest_limit(const KernelPoint& point);
/// Whether no level nor side is left out, and `limit` is no lower bound: nothing else may be what binds.
[[nodiscard]] bool all_is_judged(const KernelPoint& point, const LimitTarget& limit);
/// The class that rests on it, by the limits of a gap. `all_judged`: all_is_judged().
[[nodiscard]] KernelClass class_of_nearest(const NearestLimit& nearest, bool all_judged,
                                           const VerdictThresholds& limits);

/// Whether the pipes are known, or the profiler's throughput of the SM.
[[nodiscard]] bool compute_is_judged(const KernelPoint& point);
/// labels_not_judged(), and "compute" where that is not.
[[nodiscard]] std::vector<std::string_view> not_judged(const KernelPoint& point);

/// "no ceiling known for INT32, FP8 Tensor": pipes that did work; empty where each has one.
[[nodiscard]] std::string pipes_without_ceiling(const KernelPoint& point);
/// "work not counted", "bytes not counted", "FP16 instructions not counted", "no ceiling known for INT32":
/// why no roof can be named of a kernel with a time.
[[nodiscard]] std::string why_no_roof(const KernelPoint& point);

/// "no ceiling known for L2, L1": levels that bytes cross, of whose units the profiler tells nothing: one of
/// them may be what binds. Empty where there are none.
[[nodiscard]] std::string levels_without_ceiling(const KernelPoint& point);
/// Whether the share of a limit rests on KernelPoint::hbm_at_least.
[[nodiscard]] bool is_of_half_the_bytes(const KernelPoint& point, const LimitTarget& limit);
/// Whether the share is that of L1TEX at most, and nothing tells of the SM: a bound of neither kind.
[[nodiscard]] bool is_of_no_bound(const KernelPoint& point, const LimitTarget& limit);
/// Whether what is not known may be nearer to its limit than tightest_limit().
[[nodiscard]] bool may_reach_more(const KernelPoint& point);
/// Of a kernel with a roof it is exact: a share of that. So it is where is_of_no_bound().
[[nodiscard]] ShareBound share_bound(const KernelPoint& point, const LimitTarget& limit);
/// Whether the bytes of at least one level are known; 0 counts as known.
[[nodiscard]] bool has_known_bytes(const KernelPoint& point);

}  // namespace roofwalk
