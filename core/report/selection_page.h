// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/enum_array.h"
#include "core/report/text_page.h"
#include "core/roofline/analysis.h"

namespace roofwalk {

/// Sums over points. A sum is absent unless every point has its part.
struct SelectionSum {
    std::size_t points = 0;
    GroupBy rows = GroupBy::kernel;  ///< what a point is
    std::uint64_t launches = 0;
    std::optional<Seconds> time;
    double time_share = 0;  ///< of all launches; points without a time add nothing
    bool doubted = false;   ///< KernelPoint::share_doubted
    std::optional<Flops> work;
    bool work_incomplete = false;  ///< a part of the work was not counted: `work` is a lower bound
    EnumArray<MemoryLevel, std::optional<Bytes>> bytes{};  ///< by MemoryLevel
};

[[nodiscard]] SelectionSum sum_points(const Analysis& analysis, const std::vector<std::uint32_t>& points);
/// "3 kernels selected: 1.20 ms, 45 % of the time."
[[nodiscard]] std::string selection_sentence(const SelectionSum& sum);
/// Time, work and bytes, with the performance and intensities that follow from them.
[[nodiscard]] FactTable sum_facts(const SelectionSum& sum, const Analysis& analysis);
/// The kernels by time, the longest ones only when they are many.
[[nodiscard]] FactTable longest_facts(const Analysis& analysis, std::vector<std::uint32_t> points);

/// "Not timed, so in no share here: copy and 2 more kernels.", of some that are; else empty. Beside kernels
/// without a time those with one may be the smaller part of a program.
[[nodiscard]] std::string untimed_words(const Analysis& analysis, const std::vector<bool>& matches = {});

/// Several kernels together; the filter hides so many of them.
[[nodiscard]] TextPage selection_page(const Analysis& analysis, const std::vector<std::uint32_t>& points,
                                      std::size_t hidden);
/// All that is open, or of it what `matches` has: where the time goes; what is not known, devices, files and
/// warnings of all.
[[nodiscard]] TextPage session_page(const Profile& profile, const Analysis& analysis,
                                    const std::vector<bool>& matches = {});

}  // namespace roofwalk
