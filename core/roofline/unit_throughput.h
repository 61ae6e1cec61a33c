// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/enum_array.h"
#include "core/model/profile.h"

namespace roofwalk {

/// A unit for which the profiler itself says how busy it was.
enum class HardwareUnit : std::uint8_t {
    sm,
    l1tex,
    l2,
    l2_slice,  ///< the busiest part of L2, where it is far busier than the others
    dram,
    memory,  ///< L1TEX, L2 and DRAM together: the busiest of them
};
template <>
inline constexpr EnumIds<HardwareUnit, 6> enum_ids<HardwareUnit>{"sm",       "l1tex", "l2",
                                                                 "l2_slice", "dram",  "memory"};
inline constexpr auto all_hardware_units = enumerators<HardwareUnit>;

/// DRAM, and memory as a whole, which may be DRAM: they are busy with the bytes of HBM, and a little more.
[[nodiscard]] constexpr bool is_of_dram(HardwareUnit unit) {
    return unit == HardwareUnit::dram || unit == HardwareUnit::memory;
}

/// "SM", "L1TEX", "L2", "one L2 slice", "DRAM" or "HBM", "Memory".
[[nodiscard]] std::string_view label_of(HardwareUnit unit, MemoryName memory);
/// "l1tex__throughput.avg.pct_of_peak_sustained_elapsed": the share of its peak that the busiest part of the
/// unit reached, which need not be the part that moves bytes or computes: for the SM it may be instruction
/// issue, for example. Most reports have that of L1TEX only for the cycles in which it was active: its parts
/// tell it then, and where they are not known it is scaled to the elapsed cycles, which is the least it can
/// be.
[[nodiscard]] std::string_view metric_of(HardwareUnit unit);

/// That of L1TEX as readers of ncu derive it from its parts.
inline constexpr std::string_view l1tex_share_of_parts =
    "derived__l1tex__throughput_of_parts.pct_of_peak_sustained_elapsed";

/// The busiest of instruction issue and pipes, which stands for the SM where the report has no more of it.
inline constexpr std::string_view sm_instruction_throughput =
    "sm__instruction_throughput.avg.pct_of_peak_sustained_elapsed";
/// The same as readers of ncu scale it from the cycles in which the SM was active.
inline constexpr std::string_view sm_instruction_throughput_scaled =
    "derived__sm__instruction_throughput.pct_of_peak_sustained_elapsed";

/// The means of the samples over time (PM sampling) that lie within a launch, where nothing else tells: the
/// least that the SM can be, of issue, ALU and tensor pipe, and DRAM.
inline constexpr std::string_view sm_share_of_samples =
    "derived__sm__throughput_of_pm_samples.pct_of_peak_sustained_elapsed";
inline constexpr std::string_view dram_share_of_samples =
    "derived__dram__throughput_of_pm_samples.pct_of_peak_sustained_elapsed";
/// How many samples lie within a launch that lacks these counters; a mean takes least_pm_samples.
inline constexpr std::string_view pm_samples_within = "derived__pm_samples_within_kernel.sum";
inline constexpr std::uint32_t least_pm_samples = 50;

/// Bytes that DRAM read and wrote, kept under these names where only one of them was counted.
inline constexpr std::string_view dram_reads = "dram__bytes_read.sum";
inline constexpr std::string_view dram_writes = "dram__bytes_write.sum";

/// Shares of the peak that the bytes alone reach of DRAM and L2, where nothing else tells of the unit. What
/// its busiest part (`.max`) or active cycles tell is none of these.
inline constexpr std::array<std::pair<HardwareUnit, std::string_view>, 6> shares_of_bytes{{
    {HardwareUnit::dram, "dram__bytes.avg.pct_of_peak_sustained_elapsed"},
    {HardwareUnit::dram, "dram__bytes.sum.pct_of_peak_sustained_elapsed"},
    {HardwareUnit::l2, "lts__t_bytes.avg.pct_of_peak_sustained_elapsed"},
    {HardwareUnit::l2, "lts__t_bytes.sum.pct_of_peak_sustained_elapsed"},
    {HardwareUnit::l2, "lts__t_sectors.avg.pct_of_peak_sustained_elapsed"},
    {HardwareUnit::l2, "lts__t_sectors.sum.pct_of_peak_sustained_elapsed"},
}};

/// Every metric that a share of a unit is read from.
[[nodiscard]] std::span<const std::string_view> share_metrics();

/// A share of the peak, 0 to 1 (counters of several passes may say a little more, which is cut off), for each
/// HardwareUnit; absent where the report has none, and of a slice of L2
/// below 1.5 times that of all or 10 %.
using UnitThroughput = EnumArray<HardwareUnit, std::optional<double>>;

struct BusyUnit {
    HardwareUnit unit = HardwareUnit::sm;
    double share = 0;
};

/// What PM samples tell of launches.
struct SampledUnits {
    double samples = 0;                     ///< that lie within the launches, of the unit with most
    EnumArray<HardwareUnit, bool> units{};  ///< whose share is a mean of them
};

/// Whether the share of memory as a whole is that of a part of it that is known: of several launches their
/// mean is a little more, as now one part is the busiest, now another.
[[nodiscard]] bool is_share_of_part(const UnitThroughput& throughput);

/// The busiest unit; absent when none is known. A part of memory goes before memory as a whole, whose share
/// it tells, and, of those that are alike, memory before the SM: what is busiest there is then its load and
/// store pipe.
[[nodiscard]] std::optional<BusyUnit> busiest(const UnitThroughput& throughput);

/// That of the SM, L1TEX, L2 and its slices, which fewer bytes of HBM do not relieve.
[[nodiscard]] UnitThroughput beside_dram(UnitThroughput throughput);

/// A part of the chip that the profiler found so busy (SM, L1TEX or L2, from 90 % on) that fewer bytes from
/// memory alone make the kernel at most 1 / share times as fast; absent where none was.
[[nodiscard]] std::optional<BusyUnit> saturated(const UnitThroughput& throughput);

/// Reads the throughputs of launches. Looks the metrics up once for a whole profile.
class StoredThroughput {
  public:
    /// `clock`: that of the ceilings which the shares stand beside.
    explicit StoredThroughput(const Profile& profile, ClockBasis clock = ClockBasis::measured);

    /// Of a group the mean, weighted by time, over the launches that have it; absent of a unit where these
    /// stand for no others. Of a report without any time, that of launches that are alike.
    [[nodiscard]] UnitThroughput of(std::span<const LaunchIndex> launches) const;
    /// How many have a share of a unit that `throughput`, of these launches, tells; 0 where it tells none.
    [[nodiscard]] std::uint32_t count(std::span<const LaunchIndex> launches,
                                      const UnitThroughput& throughput) const;
    /// Whether a launch has a share of any unit, and a time where any launch of its report has one.
    [[nodiscard]] bool tells(const Launch& launch) const;
    /// The share of the SM that is left once fewer loads and stores relieve the pipe that keeps it so busy:
    /// that of its busiest other part. Absent where another part does so, or where the counters do not tell.
    [[nodiscard]] std::optional<double> sm_beside_loads(std::span<const LaunchIndex> launches) const;
    [[nodiscard]] SampledUnits sampled(std::span<const LaunchIndex> launches) const;  ///< of any of them
    /// Whether that of L1TEX was scaled from the cycles in which it was active, of one launch at least.
    [[nodiscard]] bool scales_l1tex(std::span<const LaunchIndex> launches) const;
    /// Whether that of L1TEX is of active cycles, of one launch at least.
    [[nodiscard]] bool has_l1tex_while_active(std::span<const LaunchIndex> launches) const;
    /// What DRAM read or wrote, where of each launch only one of them was counted: all of them the same.
    struct HalfOfHbm {
        Bytes bytes;
        bool read = false;
        bool written = false;
    };
    [[nodiscard]] std::optional<HalfOfHbm> hbm_at_least(std::span<const LaunchIndex> launches) const;

  private:
    /// percent_of() against the peak at the clock of the ceilings; of memory as a whole no more than its
    /// busiest part has there.
    [[nodiscard]] std::optional<double> percent_at_clock(HardwareUnit unit, const Launch& launch) const;
    /// Of what runs at the clock of the SMs: that of a launch over that of the ceilings, 1 at most and where
    /// one of them is not known.
    [[nodiscard]] double clock_ratio(const Launch& launch) const;
    /// Of L2, by its own clocks, else as of the SMs.
    [[nodiscard]] double l2_clock_ratio(const Launch& launch) const;
    /// That of L1TEX from the cycles in which it was active to all; absent where one of them is not known.
    [[nodiscard]] std::optional<double> scaled_l1tex(const Launch& launch) const;
    /// Of the cycles in which L1TEX was active, where the launch tells nothing else.
    [[nodiscard]] std::optional<double> l1tex_alone(const Launch& launch) const;
    /// Absent of launches that failed too.
    [[nodiscard]] std::optional<double> percent_of(HardwareUnit unit, const Launch& launch) const;
    [[nodiscard]] bool is_weighed(const Launch& launch) const;
    [[nodiscard]] std::optional<double> mean_of(HardwareUnit unit,
                                                std::span<const LaunchIndex> launches) const;

    const Profile& profile_;
    ClockBasis clock_;
    std::vector<bool> timed_sources_;                     ///< of each report, whether any launch has a time
    EnumArray<HardwareUnit, std::vector<TextId>> names_;  ///< the best first
    TextId sm_loads_;
    std::array<TextId, 8> sm_others_{};
    TextId l1tex_while_active_;
    TextId sm_samples_;
    TextId dram_samples_;
    TextId pm_samples_;
    TextId cycles_active_;
    TextId cycles_elapsed_;
    std::array<TextId, 3> sm_clocks_{};
    TextId dram_reads_;
    TextId dram_writes_;
};

}  // namespace roofwalk
