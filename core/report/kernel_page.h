// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/advice/advice.h"
#include "core/compare/comparison.h"
#include "core/report/text_page.h"
#include "core/scenario/scenario_effect.h"

namespace roofwalk {

/// What else is known of a kernel than how it was measured.
struct KernelContext {
    const ScenarioEffect* scenario = nullptr;  ///< null without one
    const Comparison* comparison = nullptr;    ///< with older reports; null without one
    std::vector<std::string> older = {};       ///< names of these reports, oldest first
    AdviceThresholds thresholds = {};          ///< of what to do first
    std::vector<std::uint32_t> next = {};      ///< kernels to look at afterwards, in their ranking
};

inline constexpr std::string_view accept_operation_action = "accept_operation";
inline constexpr std::string_view integer_operations_action = "operations_integer";
inline constexpr std::string_view thresholds_action = "thresholds";
inline constexpr std::string_view name_device_action = "dock_ceilings/ran_on";

/// An action with the words of its button.
struct WordedAction {
    std::string_view action;
    std::string_view words;
};
/// What gives a kernel its roof that lacks nothing else: the name of its GPU, or ceilings of one that nobody
/// knows.
[[nodiscard]] std::optional<WordedAction> roof_action(const Profile& profile, const KernelPoint& point,
                                                      const Analysis& analysis);

/// The details of a kernel: one sentence, what to do first and what that is worth, the next kernels, the
/// questions that a roofline answers beyond that, what is missing with the command that collects it, the
/// numbers behind the answers, and advice. Its actions are "change_operation", `thresholds_action`,
/// `integer_operations_action`, those of roof_action(), "kernel_7" for point 7 and, where numbers tell an
/// operation that nobody bound, `accept_operation_action`; where they tell none it is typed into its input.
[[nodiscard]] TextPage kernel_page(const Profile& profile, const Analysis& analysis, std::uint32_t index,
                                   const KernelContext& context = {});

/// Grid, block, device and the like of the leading launch, and what all launches share.
[[nodiscard]] FactTable launch_facts(const Profile& profile, const Analysis& analysis,
                                     const KernelPoint& point);

}  // namespace roofwalk
