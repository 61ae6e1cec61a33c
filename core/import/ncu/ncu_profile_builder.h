// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/import/ncu/ncu_metric_set.h"
#include "core/import/ncu/ncu_metrics.h"
#include "core/import/ncu/ncu_result.h"
#include "core/import/ncu/ncu_roofline_section.h"
#include "core/import/ncu/ncu_session.h"
#include "core/model/profile.h"

namespace roofwalk::ncu {

/// Turns results of one report into launches of a profile, one after the other. The session and the file
/// must outlive it.
class ProfileBuilder {
  public:
    explicit ProfileBuilder(const Session& session);
    ProfileBuilder(const ProfileBuilder&) = delete;
    ProfileBuilder& operator=(const ProfileBuilder&) = delete;
    ~ProfileBuilder() = default;

    /// Adds an ordinary result. False, and nothing is added, for one with neither a name nor metrics. Throws
    /// protozero::exception and adds nothing when it cannot be read.
    [[nodiscard]] bool add_kernel(std::string_view message, const StringTable& names, std::uint32_t process);
    /// Adds a range result when it reads like an ordinary one with metrics, and says whether it did.
    [[nodiscard]] bool add_range(std::string_view message, const StringTable& names, std::uint32_t process);

    /// Metric entries whose name the report does not define, over all results so far.
    [[nodiscard]] std::uint64_t unnamed_metrics() const { return unnamed_metrics_; }
    [[nodiscard]] Profile& profile() { return profile_; }

  private:
    using KernelKey = std::array<std::string_view, 3>;
    using DeviceKey = std::pair<std::optional<double>, std::string>;

    /// Orders NVTX stacks of the profile by what is in them.
    struct StackOrder {
        using is_transparent = void;
        const Profile* profile;

        [[nodiscard]] const NvtxStack& at(NvtxIndex index) const {
            return profile->nvtx_stacks[static_cast<std::size_t>(index)];
        }
        bool operator()(NvtxIndex a, NvtxIndex b) const { return at(a) < at(b); }
        bool operator()(NvtxIndex a, const NvtxStack& b) const { return at(a) < b; }
        bool operator()(const NvtxStack& a, NvtxIndex b) const { return a < at(b); }
    };

    void add(const ResultEntry& result, std::uint32_t process, bool failed, std::string_view name_if_none);
    void warn_of_grid(const Dim3& grid);
    KernelIndex kernel_index(const ResultEntry& result, std::string_view name_if_none);
    DeviceIndex device_index();
    NvtxIndex nvtx_index(const ResultEntry& result);
    [[nodiscard]] Device device() const;
    [[nodiscard]] std::optional<std::uint32_t> arch() const;
    [[nodiscard]] const Value* attribute(std::string_view name) const;

    const Session& session_;
    Profile profile_;
    MetricSet metrics_;  // of the result at hand
    NcuMetrics metrics_view_;
    std::vector<NcuRooflineChart> charts_;  // of the result at hand
    RooflineSections sections_;
    std::map<KernelKey, KernelIndex> kernels_;
    std::map<DeviceKey, DeviceIndex> devices_;
    std::set<NvtxIndex, StackOrder> stacks_{StackOrder{&profile_}};
    std::uint64_t unnamed_metrics_ = 0;
};

}  // namespace roofwalk::ncu
