// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/advice_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/model/partial_words.h"
#include "core/report/advice_words.h"
#include "core/roofline/missing.h"
#include "core/roofline/summary.h"

namespace roofwalk {

namespace {

std::string joined(const std::vector<std::string>& parts) {
    return fmt::format("{}", fmt::join(parts, "; "));
}

void add_command(AdviceReport& report, const Profile& profile, const Analysis& analysis) {
    std::vector<std::string> options;
    for (const AdvisedKernel& kernel : report.kernels)
        for (std::string& option : options_to_collect(kernel.advice))
            if (std::ranges::find(options, option) == options.end()) options.push_back(std::move(option));
    const bool lacks = std::ranges::any_of(analysis.points, [&](const KernelPoint& point) {
        return !missing_quantities(profile, point, analysis).empty();
    });
    if (options.empty() && !lacks) return;
    if (std::string why = why_not_collectable(profile, nullptr, analysis); !why.empty()) {
        report.before_collecting.push_back(std::move(why));
        return;
    }
    if (std::string why = why_nothing_was_counted(profile, analysis); !why.empty())
        report.before_collecting.push_back(std::move(why));
    report.command = one_line(ncu_command(profile, nullptr, analysis.options, analysis, options));
}

}  // namespace

AdviceReport advise_longest(const Profile& profile, const Analysis& analysis,
                            const AdviceThresholds& thresholds, std::size_t most) {
    AdviceReport report{thresholds, {}, {}, {}, partial_sentence(profile)};
    std::vector<std::uint32_t> order = points_by_time(analysis);
    if (most > 0 && order.size() > most) order.resize(most);
    for (const std::uint32_t index : order) {
        const KernelPoint& point = analysis.points[index];
        report.kernels.push_back({index, advise(profile, analysis, point, thresholds),
                                  reading_questions(point, analysis.options), level_reuse(point)});
    }
    add_command(report, profile, analysis);
    return report;
}

std::string inexact_words(const AdviceReport& report, const Analysis& analysis) {
    std::vector<std::string> figures;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < report.kernels.size(); ++i) {
        const auto found = inexact_figures(analysis.points[report.kernels[i].point]);
        if (!found.empty()) numbers.push_back(i + 1);
        for (const std::string& figure : found)
            if (std::ranges::find(figures, figure) == figures.end()) figures.push_back(figure);
    }
    if (numbers.empty()) return {};
    const std::string where = numbers.size() == report.kernels.size()
                                  ? std::string("of every kernel above")
                                  : fmt::format("of kernel {}", fmt::join(numbers, ", "));
    return fmt::format(
        "Figures {} that are no exact counts: {}. They may be off, and with them the place of the "
        "kernel.",
        where, fmt::join(figures, ", "));
}

std::vector<Advice> warnings_of_one_kernel(const KernelAdvice& advice) {
    std::vector<Advice> warnings = advice.warnings;
    std::erase_if(warnings, [](const Advice& warning) { return warning.id == "not_exact"; });
    return warnings;
}

std::string time_words(const KernelPoint& point) {
    const std::string launches =
        fmt::format("{} {}", format_count(point.launches), point.launches == 1 ? "launch" : "launches");
    if (!point.time) return "time not measured, " + launches;
    return fmt::format("{} of the time, {}, {}", format_percent(point.time_share), format(*point.time),
                       launches);
}

std::string worth_words(const Advice& advice) {
    std::string words;
    if (advice.axis == AdviceAxis::both)
        words = "right and up";
    else if (advice.axis != AdviceAxis::none)
        words = id_of(advice.axis);
    if (advice.worth)
        words += fmt::format("{}up to {} {}", words.empty() ? "" : "; ", format_factor(advice.worth->factor),
                             advice.worth->of);
    return words;
}

std::string evidence_words(const Advice& advice) {
    std::vector<std::string> parts;
    for (const AdviceEvidence& evidence : advice.evidence)
        parts.push_back(to_text(evidence));
    return joined(parts);
}

std::string missing_words(const Advice& advice) {
    std::vector<std::string> parts;
    for (const MissingEvidence& missing : advice.missing)
        parts.push_back(missing.label);
    return joined(parts);
}

std::string place_words(Position position, const KernelPoint& point) {
    const auto& busy = point.verdict.busy;
    return fmt::format("{} ({}{})", guide_of(position).title, label_of(*point.binding),
                       busy ? fmt::format("; {} busy", label_of(busy->unit)) : "");
}

std::string no_position_words(const KernelPoint& point, const Thresholds& limits) {
    if (point.verdict.kernel_class == KernelClass::above_roof)
        return "Above its roof: no change of the kernel is advised before the figures are explained.";
    return "Not known (" + rule_text(point, limits) + ").";
}

std::string level_words(const KernelPoint& point) {
    const std::string reuse = reuse_sentence(point);
    const std::string binding = binding_sentence(point);
    return reuse + (reuse.empty() || binding.empty() ? "" : " ") + binding;
}

}  // namespace roofwalk
