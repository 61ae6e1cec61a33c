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

namespace roofwalk {

/// What one dot of the chart and one row of the table stand for.
enum class GroupBy : std::uint8_t {
    launch,  ///< each execution by itself
    kernel,  ///< all launches of one function on one device from one file
    nvtx,    ///< all launches inside the same NVTX stack
};

[[nodiscard]] std::string_view id_of(GroupBy group_by);
[[nodiscard]] std::optional<GroupBy> group_by_from_id(std::string_view id);
/// What so many rows are called: "kernel", "launches", "NVTX ranges".
[[nodiscard]] std::string_view noun_of(GroupBy group_by, std::size_t count);

/// Launches that are shown as one. `first` and `count` select from Grouping::order.
struct KernelGroup {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

struct Grouping {
    std::vector<LaunchIndex> order;   ///< every launch once, group after group, file order within a group
    std::vector<KernelGroup> groups;  ///< in order of their first launch

    [[nodiscard]] std::span<const LaunchIndex> launches_of(const KernelGroup& group) const;
};

[[nodiscard]] Grouping group_launches(const Profile& profile, GroupBy group_by);

/// What to call a group: the kernel's demangled name, or the NVTX path "outer / inner".
[[nodiscard]] std::string name_of_group(const Profile& profile, const Grouping& grouping,
                                        const KernelGroup& group, GroupBy group_by);

}  // namespace roofwalk
