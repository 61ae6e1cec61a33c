// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/profile.h"

namespace roofwalk {

/// One roof of a chart that a report carries, its formulas evaluated: roof(I) = min(peak work, I * peak
/// traffic).
struct NcuRoof {
    std::string label;
    std::optional<double> peak_work;     ///< [1/s]; absent when an input is missing
    std::optional<double> peak_traffic;  ///< [byte/s]
    std::string work_expression;         ///< the formula with metric names, for provenance
    std::string traffic_expression;
};

/// One dot of such a chart: y = work, x = work / traffic.
struct NcuRooflineDot {
    std::string label;
    std::optional<double> work;        ///< [1/s]
    std::optional<double> traffic;     ///< [byte/s]
    std::vector<std::string> missing;  ///< metrics without a value
};

/// A roofline chart of one launch as Nsight Compute itself would draw it.
struct NcuRooflineChart {
    std::string section;  ///< "SpeedOfLight_HierarchicalTensorRooflineChart"
    std::string label;
    std::vector<NcuRoof> roofs;
    std::vector<NcuRooflineDot> points;
};

/// The metrics of one launch under NVIDIA's names, in base units (ns, byte, Hz, %, counts), whatever file
/// they came from. Reports and CSV files meet here: one place knows what the names mean.
struct NcuMetrics {
    /// The value of a metric; absent when it was not collected or has no value. NaN and infinities count as
    /// absent.
    std::function<std::optional<double>(std::string_view name)> value;
    /// Sum over the instances of a source counter ("memory_l1_wavefronts_shared"); absent when not stored.
    std::function<std::optional<double>(std::string_view name)> instance_sum;
    /// Executed warp instructions of an opcode ("LDS"); absent when opcode counts were not stored at all.
    std::function<std::optional<double>(std::string_view opcode)> opcode_count;
    /// The instances of a metric that have a text and a number, as instructions by opcode: "FFMA", or with
    /// all modifiers "HMMA.16816.F32"; calls nothing when they were not stored.
    std::function<void(std::string_view metric,
                       const std::function<void(std::string_view instance, double value)>& visit)>
        for_each_instance;
    /// The samples of a metric over time [ns]; calls nothing when it was stored without.
    std::function<void(std::string_view metric, const std::function<void(double time, double value)>& visit)>
        for_each_sample;
    /// Every metric name that has a value, for wildcard families such as `sm__ops_path_tensor_*`.
    std::function<void(const std::function<void(std::string_view name, double value)>&)> for_each;
    /// Charts the report itself defines for this launch; their formulas go before our own. Empty for CSV.
    std::span<const NcuRooflineChart> charts;
};

/// Fills time, work, traffic, measured-clock ceilings and evidence metrics of a launch, and adds a warning to
/// `profile` for contradictions between counters and for work that was executed but not counted. Texts are
/// interned in `profile.texts`. `device` must be filled before; when it is `profile.devices[launch.device]`,
/// that entry also receives the ceilings of the counters at the boost clocks.
///
/// Work is listed for FP64, FP32, FP16 and INT32 when measured, a measured 0 included; for tensor pipes only
/// when it is not 0. Any function of `metrics` may be empty: it then answers "not collected".
void apply_ncu_metrics(const NcuMetrics& metrics, const Device& device, LaunchIndex index, Launch& launch,
                       Profile& profile);

/// Appends a launch of which the identity, and whether it failed, is known: with what its metrics say unless
/// it failed.
void add_ncu_launch(const NcuMetrics& metrics, Launch launch, Profile& profile);

/// A warning for each launch that was not measured; one for all of them when they are many.
void warn_of_failed_launches(Profile& profile);

/// A device from its `device__attribute_*` metrics; text attributes come through `text`.
[[nodiscard]] Device device_from_ncu_attributes(
    const NcuMetrics& metrics, const std::function<std::optional<std::string>(std::string_view name)>& text);

/// Warns of launches of different kernels with the same time and the same DRAM bytes, to the last byte: the
/// profiler gave one launch's counters to several. For a profile that holds one report.
void warn_of_shared_counters(Profile& profile);

}  // namespace roofwalk
