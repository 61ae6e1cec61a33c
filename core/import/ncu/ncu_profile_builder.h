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

    /// Adds an ordinary result. False, and nothing is added, for one with neither a name nor metrics. Throws
    /// protozero::exception and adds nothing when it cannot be read.
    [[nodiscard]] bool add_kernel(std::string_view message, const StringTable& names, std::uint32_t process);
    /// Adds a range result when it reads like an ordinary one with metrics, and says whether it did.
    [[nodiscard]] bool add_range(std::string_view message, const StringTable& names, std::uint32_t process);

    /// Metric entries whose name the report does not define, over all results so far.
    [[nodiscard]] std::uint64_t unnamed_metrics() const { return unnamed_metrics_; }
    [[nodiscard]] Profile& profile() { return builder_.profile(); }

  private:
    void add(const ResultEntry& result, std::uint32_t process, bool failed, std::string_view name_if_none);
    void warn_of_grid(const Dim3& grid);
    KernelIndex kernel_index(const ResultEntry& result, std::string_view name_if_none);
    DeviceIndex device_index();
    [[nodiscard]] Device device() const;
    [[nodiscard]] std::optional<std::uint32_t> arch() const;
    [[nodiscard]] const Value* attribute(std::string_view name) const;

    const Session& session_;
    roofwalk::ProfileBuilder builder_;
    MetricSet metrics_;  // of the result at hand
    NcuMetrics metrics_view_;
    std::vector<NcuRooflineChart> charts_;  // of the result at hand
    RooflineSections sections_;
    std::uint64_t unnamed_metrics_ = 0;
};

}  // namespace roofwalk::ncu
