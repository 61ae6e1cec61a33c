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
    launch,     ///< each execution by itself
    kernel,     ///< all launches of one function on one device from one file
    nvtx,       ///< all launches inside the same NVTX stack
    operation,  ///< all launches that carry out the same operation; those of none as by kernel
};
template <>
inline constexpr EnumIds<GroupBy, 4> enum_ids<GroupBy>{"launch", "kernel", "nvtx", "operation"};

/// What so many rows are called: "kernel", "launches", "NVTX ranges".
[[nodiscard]] std::string_view noun_of(GroupBy group_by, std::size_t count);

/// Launches that are shown as one. `first` and `count` select from Grouping::order.
struct KernelGroup {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t label = 0;  ///< from 1, in Grouping::labels; 0: named by its kernel or range
};

/// What launches are called beside their kernel: the operation that they carry out.
struct LaunchLabels {
    std::vector<std::string> texts;
    std::vector<std::uint32_t> of_launch;  ///< from 1, in `texts`; 0: none. Empty: no launch has one
};

struct Grouping {
    std::vector<LaunchIndex> order;   ///< every launch once, group after group, file order within a group
    std::vector<KernelGroup> groups;  ///< in order of their first launch
    std::vector<std::string> labels;  ///< of groups by operation

    [[nodiscard]] std::span<const LaunchIndex> launches_of(const KernelGroup& group) const;
};

[[nodiscard]] Grouping group_launches(const Profile& profile, GroupBy group_by, LaunchLabels labels = {});

/// What to call a group: the kernel's demangled name, the NVTX path "outer / inner", or its
/// operation.
[[nodiscard]] std::string name_of_group(const Profile& profile, const Grouping& grouping,
                                        const KernelGroup& group, GroupBy group_by);

}  // namespace roofwalk
