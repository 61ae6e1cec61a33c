// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/check_plans.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "profiler/plan/pass_count.h"

namespace roofwalk::cli {

namespace {

Result<std::vector<Chip>> chips_of(const std::vector<std::string>& names) {
    const auto all = planned_chips();
    if (std::ranges::find(names, "all") != names.end()) return std::vector<Chip>(all.begin(), all.end());
    std::vector<Chip> chips;
    for (const std::string& name : names) {
        const Chip* chip = find_chip(name);
        if (chip == nullptr) {
            std::vector<std::string_view> known;
            for (const Chip& each : all)
                known.push_back(each.name);
            return tl::unexpected(Error{ErrorCode::bad_argument,
                                        "There are no counter plans for a chip '" + name + "'", "--chip",
                                        fmt::format("Known are {}; or all.", fmt::join(known, ", "))});
        }
        chips.push_back(*chip);
    }
    return chips;
}

Result<CuptiHost> load(const std::optional<std::filesystem::path>& cupti) {
    if (cupti) return CuptiHost::load(*cupti);
    return tl::unexpected(
        Error{ErrorCode::file_not_found,
              "Counter passes are unknown: libcupti.so.13 with libnvperf_host.so was not found", "",
              "Install the CUDA toolkit 13.0 or later, or set CUDA_HOME to its folder."});
}

std::string letters(const std::vector<PlanKind>& plans) {
    std::string text;
    for (const PlanKind plan : plans) {
        if (!text.empty()) text += '+';
        text += letter_of(plan);
    }
    return text;
}

void add_row(std::string& text, const std::string& plan, std::size_t metrics, const std::string& passes,
             const std::string& gives) {
    text += fmt::format("  {:<6} {:>7} {:>7}  {}\n", plan, metrics, passes, gives);
}

std::string plans_of(const Chip& chip, const std::optional<ChipPasses>& passes) {
    std::string text =
        fmt::format("{}\n  {:<6} {:>7} {:>7}  {}\n", chip.name, "plan", "metrics", "passes", "gives");
    const std::vector<MetricPlan> plans = metric_plans(chip);
    for (std::size_t i = 0; i < plans.size(); ++i) {
        add_row(text, std::string(1, letter_of(plans[i].kind)), plans[i].metrics.size(),
                passes ? std::to_string(passes->alone[i].passes) : "unknown", plans[i].gives);
        if (!plans[i].leaves_out.empty()) text += fmt::format("{:26}not {}\n", "", plans[i].leaves_out);
    }
    if (passes)
        for (const PassCount& count : passes->together)
            add_row(text, letters(count.plans), count.metrics, std::to_string(count.passes),
                    "on one launch, by replay");
    if (chip.family == ChipFamily::volta) text += "  CUDA 13 has no driver for this chip.\n";
    return text;
}

}  // namespace

Result<PlansText> plans_text(const std::vector<std::string>& names,
                             const std::optional<std::filesystem::path>& cupti) {
    const auto chips = chips_of(names);
    if (!chips) return tl::unexpected(chips.error());
    const auto host = load(cupti);
    PlansText plans;
    if (!host) plans.without_passes = host.error();
    for (const Chip& chip : *chips) {
        std::optional<ChipPasses> passes;
        if (host) {
            auto counted = count_passes(*host, chip);
            if (counted)
                passes = *std::move(counted);
            else if (!plans.without_passes)
                plans.without_passes = counted.error();
        }
        plans.text += (plans.text.empty() ? "" : "\n") + plans_of(chip, passes);
    }
    return plans;
}

}  // namespace roofwalk::cli
