// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/json_writer.h"
#include "core/report/report_cells.h"
#include "core/roofline/analysis.h"

namespace roofwalk {

using KernelColumn = ColumnRule<KernelPoint>;

/// The columns of kernels: those of the reports in their order, those of the window's table
/// (ReportColumn::window). All of them, but those that need the launches of a point.
[[nodiscard]] std::vector<KernelColumn> point_columns(const AnalysisOptions& options);

/// Where rows are launches, the column of their number tells it; it refers to `profile` and `analysis` then.
void number_launches(const Profile& profile, const Analysis& analysis, std::vector<KernelColumn>& columns);

/// All of them; they refer to `profile` and `analysis`. Of levels and operations that there are none of, the
/// columns are in files only.
[[nodiscard]] std::vector<KernelColumn> report_columns(const Profile& profile, const Analysis& analysis);

/// All of them, in the units and words of AnalysisOptions{}: what filters name, the same in every view. They
/// refer to `profile` and `analysis`.
[[nodiscard]] std::vector<KernelColumn> filter_columns(const Profile& profile, const Analysis& analysis);

/// Numbers of columns as members of JSON under the ids of these, without what stands `before` all of them;
/// "time_s" has its unit.
class ColumnMembers {
  public:
    ColumnMembers() = default;
    ColumnMembers(std::span<const KernelColumn> columns, std::initializer_list<std::string_view> ids,
                  std::string_view before = {});

    void write(JsonWriter& json, const KernelPoint& point) const;

  private:
    std::vector<KernelColumn> columns_;
};

/// "with fewer bytes across L1 alone, more where the bytes of every level fall, as with larger tiles", "with
/// fewer launches": how the second figure of gain_of() is reached; empty where that is no range.
[[nodiscard]] std::string by_less_words(const KernelPoint& point);
/// What the kernel can recover; in words where that is a share of what others can with it.
[[nodiscard]] ReportCell own_or_shared_cell(const KernelPoint& point);
/// How the bytes of a level came to be; measured where there are none.
[[nodiscard]] Origin bytes_origin(const KernelPoint& point, MemoryLevel level);

/// What all of these launches have in common; absent where two differ.
template <class Property>
std::optional<Property> shared_by_all(const Profile& profile, std::span<const LaunchIndex> launches,
                                      Property Launch::*property) {
    const Property first = profile.at(launches.front()).*property;
    for (const LaunchIndex launch : launches)
        if (profile.at(launch).*property != first) return std::nullopt;
    return first;
}

}  // namespace roofwalk
