// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/import/ncu/ncu_container.h"
#include "core/import/ncu/ncu_metric_set.h"
#include "core/import/ncu/ncu_metrics.h"
#include "core/import/ncu/ncu_result.h"
#include "core/import/ncu/ncu_roofline_section.h"
#include "core/model/profile_builder.h"

namespace roofwalk::ncu {

/// Turns results of one report into launches of a profile, one after the other. The session and the file
/// must outlive it.
class NcuProfileBuilder {
  public:
    explicit NcuProfileBuilder(const Session& session);
    NcuProfileBuilder(const NcuProfileBuilder&) = delete;
    NcuProfileBuilder& operator=(const NcuProfileBuilder&) = delete;
    ~NcuProfileBuilder() = default;

    /// Adds a result. False, and nothing is added, for one with neither a name nor metrics. Throws
    /// protozero::exception and adds nothing when it cannot be read.
    [[nodiscard]] bool add(std::string_view message, LaunchKind kind, const StringTable& names,
                           std::uint32_t process);

    /// Metric entries whose name the report does not define, over all results so far.
    [[nodiscard]] std::uint64_t unnamed_metrics() const { return unnamed_metrics_; }
    [[nodiscard]] Profile& profile() { return builder_.profile(); }

  private:
    /// Of the graph or range at hand: "CUDA graph of 2 kernels: scale, add", without arguments and namespaces
    /// and of a few of many; where the report does not tell them, its number among those.
    [[nodiscard]] std::string name_of_whole();
    void add(const ResultEntry& result, std::uint32_t process);
    void warn_of_grid(const Dim3& grid);
    KernelIndex kernel_index(const ResultEntry& result);
    DeviceIndex device_index();
    [[nodiscard]] Device device() const;
    [[nodiscard]] std::optional<std::uint32_t> arch() const;
    [[nodiscard]] const Value* attribute(std::string_view name) const;

    const Session& session_;
    roofwalk::ProfileBuilder builder_;
    MetricSet metrics_;  // of the result at hand
    LaunchKind kind_ = LaunchKind::kernel;
    NcuMetrics metrics_view_;
    std::vector<NcuRooflineChart> charts_;  // of the result at hand
    RooflineSections sections_;
    std::uint64_t unnamed_metrics_ = 0;
    std::uint64_t unnamed_wholes_ = 0;
};

}  // namespace roofwalk::ncu
