// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_array.h"
#include "core/model/profile.h"
#include "core/roofline/ncu_command.h"

namespace roofwalk {

/// A number that advice rests on, read from the further metrics of a launch.
enum class AdviceMetric : std::uint8_t {
    load_bytes_per_sector,
    store_bytes_per_sector,
    sectors_over_ideal,
    ideal_sectors,
    load_sectors_per_request,
    local_share,
    reductions,
    atomics,
    l2_hit_rate,
    occupancy,
    theoretical_occupancy,
    registers,
    waves,
    blocks_by_hardware,
    blocks_by_registers,
    blocks_by_shared_memory,
    blocks_by_warps,
    wavefronts_over_ideal,
    tensor_use,
    alu_use,
    xu_use,
    lsu_use,
    issue_slots,
    fma_use,
    fp64_use,
    shared_pipe_use,
    branch_use,
    adu_use,
    mio_use,
    constant_use,
    active_threads,
    predicated_threads,
    issue_active,
    long_scoreboard,
    short_scoreboard,
    mio_throttle,
    lg_throttle,
    barrier,
    wait,
    drain,
    dram_channel_imbalance,
    half_additions,
};
template <>
inline constexpr std::size_t enum_size<AdviceMetric> = 42;

/// How the values of several launches become one.
enum class Aggregation : std::uint8_t {
    time_weighted,  ///< rates, ratios, per cents: mean over the launches, weighted by time
    summed,         ///< counts
};

/// What a metric is and which counters of Nsight Compute give it.
struct AdviceMetricSpec {
    AdviceMetric metric;
    std::string_view
        label;  ///< "bytes used of each 32-byte sector, global loads"; of a part of the SM its name
    std::string_view unit;       ///< "B", "share", "x", "threads", ...
    std::string_view numerator;  ///< name of a counter
    /// The counter it is divided by; empty: the numerator alone.
    std::string_view denominator;
    double scale = 1;  ///< 0.01 of a per cent: the metric is a share
    Aggregation aggregation = Aggregation::time_weighted;
    std::string_view
        section;  ///< of Nsight Compute that collects it; empty: by the names of its counters only
    bool part_of_sm = false;  ///< how busy a part of the SM is
};

[[nodiscard]] const AdviceMetricSpec& spec_of(AdviceMetric metric);
/// What it is: the label, and of a part of the SM that it is busy.
[[nodiscard]] std::string label_of(AdviceMetric metric);
/// "memory_l1_wavefronts_shared / memory_l1_wavefronts_shared_ideal", or of their rates
[[nodiscard]] std::string counters_text(AdviceMetric metric, bool of_rates = false);
/// Each of its counters.
[[nodiscard]] std::vector<std::string_view> counters_of(AdviceMetric metric);
/// The option of `ncu` that collects it.
[[nodiscard]] NcuOption ncu_option(AdviceMetric metric);
/// A value as a person reads it: "16.0 B", "38.1 %", "1.75x"; of what is counted ("waves", "threads") the
/// number alone, since the label names it.
[[nodiscard]] std::string format_metric(double value, std::string_view unit);

/// What the counters of a kernel say of one metric.
struct Reading {
    bool measured = false;
    /// Absent when not measured, and when the question does not apply: a kernel without global stores has no
    /// bytes for each sector stored.
    std::optional<double> value;
    bool of_rates = false;  ///< read from the rates (".per_second") of its two counters
};

/// The metrics of a kernel, by AdviceMetric.
struct Evidence {
    EnumArray<AdviceMetric, Reading> readings;

    [[nodiscard]] const Reading& at(AdviceMetric metric) const { return readings[metric]; }
    /// The part of the SM whose share its throughput of `share` is: the busiest of those that Nsight Compute
    /// takes it from. Absent where none that was measured explains it.
    [[nodiscard]] std::optional<AdviceMetric> busiest_of_sm(double share) const;
};

/// Reads metrics from launches. Looks the names up once for a whole profile.
class EvidenceReader {
  public:
    explicit EvidenceReader(const Profile& profile);

    /// Of several launches the aggregation of each metric; not measured when a launch that did not fail
    /// lacks a counter, or the time that a weighted mean needs.
    [[nodiscard]] Evidence of(std::span<const LaunchIndex> launches) const;

  private:
    struct Total;
    [[nodiscard]] std::vector<Total> totals_of(std::span<const LaunchIndex> launches) const;
    /// The slots of the counters of a metric.
    struct Slots {
        std::uint16_t numerator;
        std::uint16_t denominator;
    };
    [[nodiscard]] static Reading read(Slots slots, double scale, std::span<const Total> totals);
    [[nodiscard]] std::uint16_t slot(std::string_view counter, Aggregation aggregation);

    const Profile& profile_;
    std::vector<Aggregation> aggregations_;  // of each slot: a counter that a metric needs
    std::vector<std::uint16_t> slot_of_;     // by TextId; none where no metric needs it
    EnumArray<AdviceMetric, Slots> counts_{};
    EnumArray<AdviceMetric, std::optional<Slots>> rates_{};  // of two counts
};

}  // namespace roofwalk
