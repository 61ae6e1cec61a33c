// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/questions.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/roofline/utilisation.h"
#include "core/roofline/verdict_words.h"

namespace roofwalk {

namespace {

/// A ridge in FLOP per byte does not tell.
std::string integer_side(const KernelPoint& point) {
    const std::string counted = "Its work is integer operations, which have no place on an axis of FLOP";
    if (!point.binding) return counted + ".";
    const auto& sm = point.throughput[HardwareUnit::sm];
    const NearestLimit binding{limit_of(*point.binding), point.gap ? point.gap->efficiency() : 0};
    const std::string compared =
        sm && point.gap && is_of_memory(binding)
            ? fmt::format("{} reaches {} of its limit, the SM {}", label_of(binding, point.memory),
                          marked_gap(point, format_percent(binding.share)), format_percent(*sm))
            : "";
    if (!point.verdict.side)
        return fmt::format(
            "{}. On which side of the ridge it is in operations is not known: no ceiling of them is{}.",
            counted, compared.empty() ? "" : ". Of what is known, " + compared);
    return fmt::format("{}. In operations it is {} of the ridge, since {}.", counted,
                       std::holds_alternative<Pipe>(*point.binding) ? "right" : "left",
                       is_beyond_sm(point, binding) && !compared.empty()
                           ? compared
                           : label_of(*point.binding, point.memory) + " binds");
}

std::string side_without_ridge(const KernelPoint& point) {
    if (!point.verdict.launch_limits.empty() && point.verdict.side)
        return fmt::format("{}, most of the time, of the {}. How far from the ridge is not known ({}).",
                           *point.verdict.side == Side::memory ? "Left" : "Right", limit_words(point),
                           why_no_roof(point));
    auto limit = judged_nearest(point);
    if (const Boundary* roof = point.binding ? std::get_if<Boundary>(&*point.binding) : nullptr;
        !limit && roof && point.gap)
        limit = NearestLimit{*roof, point.gap->efficiency()};
    const auto& sm = point.throughput[HardwareUnit::sm];
    if (limit && point.verdict.side && is_beyond_sm(point, *limit) && sm.value_or(0) > 0)
        return fmt::format("Left, by a factor of at least {}: {} reaches {} of its peak, SM {} ({}).",
                           format_number(limit->share / *sm), label_of(*limit, point.memory),
                           format_percent(limit->share), format_percent(*sm), why_no_roof(point));
    if (point.verdict.nearest && point.verdict.side)
        return fmt::format("{}: {} is nearest to its limit. How far from the ridge is not known ({}).",
                           *point.verdict.side == Side::memory ? "Left" : "Right", limit_label(point),
                           why_no_roof(point));
    if (point.verdict.nearest)
        return fmt::format("Not known ({}). Of what is known, {} is nearest to its limit.",
                           why_no_roof(point), limit_label(point));
    if (is_without_work(point))
        return std::ranges::any_of(point.levels,
                                   [](const auto& level) { return level && level->bytes.value() > 0; })
                   ? "Left of every ridge: it moves bytes and does no FLOP."
                   : "Not known: it does no FLOP, and no bytes were counted.";
    switch (point.verdict.kernel_class) {
        case KernelClass::no_traffic:
            return "Right of the ridge of every level that was counted: no bytes crossed it.";
        case KernelClass::work_incomplete:
            return "Not known: a part of the work was not counted.";
        default:
            return "Not known: work, bytes or a ceiling is missing.";
    }
}

/// "a factor of 3.40"; three digits of a factor say nothing of what is within half a per cent.
std::string ridge_distance(const KernelPoint& point, MemoryLevel level, double ratio) {
    const std::string factor = format_number(ratio);
    return factor == "1.00" ? "less than 1 %" : "a factor of " + marked_intensity(point, level, factor);
}

/// " Launch by launch 77.4 % of its time is left of it and 22.6 % right of it.", of launches of both sides.
std::string sides_of_launches(const KernelPoint& point) {
    if (!point.share_by_side) return {};
    const double left = (*point.share_by_side)[Side::memory];
    const double right = (*point.share_by_side)[Side::compute];
    if (left <= 0 || right <= 0) return {};
    return fmt::format(" Launch by launch {} of its time is left of it and {} right of it.",
                       format_percent(left), format_percent(right));
}

Answer side_of(const KernelPoint& point, const AnalysisOptions& options) {
    Answer answer{"side", "Left or right of the ridge?", {}, {}};
    const auto place = ridge_place(point);
    // The FLOP beside integer work are those of an epilogue: their ridge is not where the kernel stands.
    if (!place || !point.verdict.side || point.mostly_integer) {
        answer.answer = point.mostly_integer ? integer_side(point) : side_without_ridge(point);
        return answer;
    }
    const std::string unit = fmt::format("{}/byte", work_unit(options.operations));
    const double ratio = place->ridge / place->intensity;
    const std::string figures =
        fmt::format("{} against a ridge of {} at {}",
                    marked_intensity(point, place->level, format(place->intensity, unit)),
                    format(place->ridge, unit), label_of(place->level, point.memory));
    const std::string near = point.verdict.near_ridge ? ", near the ridge" : "";
    switch (*point.verdict.side) {
        case Side::memory:
            answer.answer =
                fmt::format("Left, by {}{}: {}.", ridge_distance(point, place->level, ratio), near, figures);
            break;
        case Side::at_ridge:
            answer.answer = fmt::format("At the ridge: {}.", figures);
            break;
        case Side::compute:
            answer.answer = fmt::format("Right, by {}{}: {}.", ridge_distance(point, place->level, 1 / ratio),
                                        near, figures);
            break;
    }
    answer.answer += sides_of_launches(point);
    answer.figures = {{"intensity", place->intensity.value(), unit}, {"ridge", place->ridge.value(), unit}};
    return answer;
}

Answer below_roof(const KernelPoint& point, const AnalysisOptions& options) {
    Answer answer{"below_roof", "Below the roof?", {}, {}};
    const std::optional<double> known = share_of_limit(point);
    if (!known) {
        answer.answer = "Not known (" + rule_text(point, options.thresholds) + ").";
        return answer;
    }
    constexpr double on_the_roof = 0.995;
    const double share = *known;
    const std::string reached = fmt::format("{}{} of the {}", bound_words(point),
                                            marked_share(point, format_percent(share)), limit_words(point));
    if (share <= 0) {
        answer.answer = fmt::format("Yes: {} is reached.", reached);
        return answer;
    }
    const std::string factor = fmt::format(
        "{}{} ({} decades)", bound_words(point, true), marked_share(point, format_factor(1 / share)),
        marked_share(point, fmt::format("{:.2f}", VerticalGap{1 / share}.decades())));
    const bool beyond = unit_beyond_roof(point).has_value();
    if (share > options.thresholds.above_roof)
        answer.answer = fmt::format("No, above it: {}. The figures need a look.", reached);
    else if (share >= on_the_roof && !beyond)
        answer.answer = fmt::format("No, on it: {} is reached.", reached);
    else if (share >= options.thresholds.near_roof)
        answer.answer = fmt::format("{}, {} below: {} is reached.",
                                    beyond                     ? "Yes, but near another limit"
                                    : is_judged_by_roof(point) ? "Near it"
                                                               : "Near its limit",
                                    factor, reached);
    else if (may_reach_more(point))
        answer.answer = fmt::format("Not decided: {} below it, as {} is reached.", factor, reached);
    else
        answer.answer = fmt::format("Yes, by {}: {} is reached.", factor, reached);
    if (const std::string roof = roof_beside(point); !roof.empty())
        answer.answer += fmt::format(" It reaches {}.", roof);
    if (point.modelled)
        answer.answer +=
            " Work and bytes are those that its operation needs: how many of either it does was "
            "not counted.";
    if (!is_judged_by_roof(point))
        answer.figures = {{"share_of_limit", share, "share"}};
    else
        answer.figures = {{"vertical_gap", 1 / share, "x"}, {"efficiency", share, "share"}};
    return answer;
}

std::string how_far_left(double gap) {
    if (gap >= noticeable_gap) return "yes";
    if (gap > 1 + target_tolerance) return "slightly";
    return gap < 1 - target_tolerance ? "no, right of it" : "no";
}

std::string why_no_gap(const KernelPoint& point) {
    const AlgorithmicTarget& target = *point.target;
    if (target.in_part)
        return "Not known: it carries out a part of an operation; group launches by operation.";
    if (target.not_bound > 0)
        return fmt::format("Not known: {} of {} launches {} no operation.", target.not_bound,
                           target.not_bound + target.bound, target.not_bound == 1 ? "has" : "have");
    if (has_size_mismatch(point)) return fmt::format("Not known: {}.", size_mismatch_words(point));
    if (point.modelled) return "Not known: its bytes were not counted.";
    return fmt::format("Not known: {} bytes were not measured.", label_of(point.memory));
}

std::string worth_of_closing(const KernelPoint& point) {
    const AlgorithmicTarget& target = *point.target;
    constexpr double noticeable = 1.01;
    if (!target.useful || target.gap.value_or(*target.byte_gap) < noticeable) return {};
    if (const std::string together = all_levels_sentence(point); !together.empty()) return " " + together;
    if (*target.useful < noticeable)
        return target.useful_until && limiting_level(point) == MemoryLevel::hbm
                   ? fmt::format(" Closing the gap saves hardly any time: {} binds next.",
                                 label_of(*target.binding, point.memory))
                   : with_memory_name(point.memory,
                                      " Closing the gap saves no time: {DRAM} is not what binds.");
    const std::string useful = marked_if(is_inexact(point, MemoryLevel::hbm), format_factor(*target.useful));
    if (const auto busy = unit_in_the_way(point))
        return fmt::format(" Closing the gap would be worth {}, but {} is {} busy: {} at most before that.",
                           useful, label_of(busy->unit, point.memory),
                           marked(point, busy->unit, format_percent(busy->share)),
                           marked(point, busy->unit, format_factor(1 / busy->share)));
    return fmt::format(" Closing the gap is worth up to {}.", useful);
}

Answer left_of_algorithm(const KernelPoint& point) {
    Answer answer{"left_of_algorithm", "More bytes than its algorithm needs?", {}, {}};
    if (!point.target) {
        answer.answer =
            "Not known: no operation is bound to this kernel, so the bytes that its algorithm needs are not "
            "known. Name it: Kernels > Operation of the kernel (O) in the window, --bind PATTERN=OPERATION in "
            "commands.";
        return answer;
    }
    const AlgorithmicTarget& target = *point.target;
    if (!target.byte_gap) {
        answer.answer = why_no_gap(point);
        return answer;
    }
    const double gap = target.gap.value_or(*target.byte_gap);
    answer.answer =
        fmt::format("In {}, {}: it {}.", label_of(point.memory), how_far_left(gap), horizontal_clause(point));
    if (target.gap && !counts_same_work(target))
        answer.answer += fmt::format(" It did {} the work of the model.",
                                     marked_if(has_inexact_work(point), format_factor(*target.work_ratio)));
    answer.answer += worth_of_closing(point);
    const auto add = [&](std::string_view id, const std::optional<double>& factor) {
        if (factor) answer.figures.push_back({id, *factor, "x"});
    };
    add("horizontal_gap", target.gap);
    add("byte_gap", target.byte_gap);
    add("useful", target.useful);
    add("potential", target.potential);
    return answer;
}

}  // namespace

std::array<Answer, 3> reading_questions(const KernelPoint& point, const AnalysisOptions& options) {
    return {side_of(point, options), below_roof(point, options), left_of_algorithm(point)};
}

}  // namespace roofwalk
