// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_array.h"
#include "core/compare/match_kernels.h"

namespace roofwalk {

/// What a difference must exceed to count, as a share: 0.02 is 2 %. In real reports the launches of one
/// kernel over the same data differ by a standard deviation of 0.1 to 1.6 % in time and of up to 1.4 % in
/// DRAM bytes; counts of two profilers of the same run agree within 1 %.
inline constexpr double default_noise = 0.02;

/// How well the ratio of two sums over launches is known: half of its 95 % interval (Student's t), as a
/// share. Equally many launches are taken in pairs, in their order, so that launches over different data do
/// not count as noise; else the two sets count by themselves. Absent below three launches a side, or where a
/// value is not positive.
[[nodiscard]] std::optional<double> spread_of_ratio(std::span<const double> before,
                                                    std::span<const double> after);

/// Whether a ratio new / old is a change: 1 up, -1 down, 0 within the noise. Multiplying and dividing by the
/// same factor count alike.
[[nodiscard]] int direction_of(double ratio, double noise);

struct CompareOptions {
    double noise = default_noise;  ///< a share; a kernel's own launches may call for more
};

/// Which way a kernel moved on the chart from the older report to the newer one: right is fewer bytes for the
/// same work, up is less time.
enum class ChangeVerdict : std::uint8_t {
    unchanged,     ///< within the noise
    right,         ///< fewer bytes, the same time
    up,            ///< less time, the same bytes
    faster,        ///< less time, and no level whose bytes both reports have
    both,          ///< fewer bytes and less time
    mixed,         ///< less time at the price of bytes, or fewer bytes at the price of time
    wrong_way,     ///< more bytes, more time, or both
    other_work,    ///< does another amount of work, and nothing beside it says whether that is good
    not_compared,  ///< another device, a time that was not measured, or counters that contradict each other
};
template <>
inline constexpr EnumIds<ChangeVerdict, 9> enum_ids<ChangeVerdict>{
    "unchanged", "right", "up", "faster", "both", "mixed", "wrong_way", "other_work", "not_compared"};

/// "wrong way": for people.
[[nodiscard]] std::string_view label_of(ChangeVerdict verdict);

/// A quantity in the newer report over the same in the older one.
struct Change {
    double ratio = 1;
    double noise = 0;      ///< what the ratio must differ by to count, as a share
    bool doubted = false;  ///< of a time that may be far too long, or of no exact counts

    /// 1 more, -1 less, 0 the same.
    [[nodiscard]] int direction() const { return direction_of(ratio, noise); }
};

/// What changed at one memory level. Absent parts: one side was not measured at the same boundary, or is 0.
struct LevelChange {
    std::optional<Change> bytes;
    std::optional<Change> intensity;
};

/// What changed of a kernel. Amounts are sums over all launches or, where `per_launch`, means of one launch.
struct KernelChange {
    KernelMatch match;
    bool devices_differ = false;
    /// Counters of a launch cannot all be true, in the older and in the newer report: what they say of the
    /// kernel, its time among it, may be of different launches.
    bool contradicts_before = false;
    bool contradicts_after = false;
    bool times_unlike = false;  ///< instead, the time of one is derived in a way in which the other is not
    /// The reports hold different numbers of launches, and their sums of work differ.
    bool per_launch = false;
    std::optional<Change> time;
    std::optional<Change> work;  ///< absent where not wholly counted, or 0, in one of the reports
    bool other_work = false;     ///< more or less of it, beyond the noise
    std::optional<Change> performance;
    std::optional<Change> gap;  ///< vertical gap
    EnumArray<MemoryLevel, LevelChange> levels;
    /// The level whose bytes the verdict looks at: the one that bound the kernel before, else the farthest
    /// that both reports have.
    std::optional<MemoryLevel> judged_at;
    MemoryName memory = MemoryName::dram;  ///< KernelPoint::memory
    /// The clock of what bound the kernel before (memory clock for HBM, else SM clock) changed, and the time
    /// just as much: nothing but the clock was faster or slower.
    bool clock_explains = false;
    ChangeVerdict verdict = ChangeVerdict::not_compared;

    [[nodiscard]] bool contradicts() const { return contradicts_before || contradicts_after; }
    [[nodiscard]] const LevelChange& at(MemoryLevel level) const { return levels[level]; }
};

[[nodiscard]] KernelChange kernel_change(const AnalysedProfile& before, const AnalysedProfile& after,
                                         const KernelMatch& match, const CompareOptions& options = {});

/// "1.03x": with a digit more than other factors, since a few per cent count here.
[[nodiscard]] std::string ratio_text(double ratio);
/// "counters contradict each other", "time may be far too long".
[[nodiscard]] std::string_view why_no_verdict(const KernelChange& change);
/// Takes the verdict back of a kernel whose counters contradict each other, in the older or the newer report.
void withdraw_verdict(KernelChange& change, bool before, bool after);

/// "1.70x faster", "1.20x slower", "the same time", "~1.70x faster" of a time in doubt.
[[nodiscard]] std::string time_text(const Change& time);
/// "16.4x fewer bytes at L2", at the level that is judged; empty without a change.
[[nodiscard]] std::string bytes_text(const KernelChange& change);
/// "both: 1.70x faster, 16.4x fewer bytes at L2", "not compared: another device". Made on demand.
[[nodiscard]] std::string change_text(const KernelChange& change);
/// What else a person must know of the comparison, one sentence each: other device, other clocks, other work,
/// numbers of launches, levels that only one report has.
[[nodiscard]] std::vector<std::string> change_notes(const AnalysedProfile& before,
                                                    const AnalysedProfile& after, const KernelChange& change);

}  // namespace roofwalk
