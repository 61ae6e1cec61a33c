// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/questions.h"

#include <fmt/format.h>

#include "core/roofline/utilisation.h"
#include "core/text.h"

namespace roofwalk {

namespace {

std::string intensity_unit(const AnalysisOptions& options) {
    return std::string(work_unit(options.operations)) + "/byte";
}

std::string side_unknown(const KernelPoint& point) {
    switch (point.verdict.kernel_class) {
        case KernelClass::no_flop:
            return point.mostly_integer
                       ? "Left of every ridge in FLOP, because none were counted: its work is integer "
                         "operations."
                       : "Left of every ridge: it moves bytes and does no such work.";
        case KernelClass::no_traffic:
            return "Right of every ridge: no bytes were counted at any level shown.";
        case KernelClass::work_incomplete:
            return "Not known: a part of the work was not counted.";
        default:
            return "Not known: work, bytes or a ceiling is missing.";
    }
}

Answer side_of(const KernelPoint& point, const AnalysisOptions& options) {
    Answer answer{"side", "Left or right of the ridge?", {}, {}};
    const auto place = ridge_place(point);
    if (!place || !point.verdict.side) {
        answer.answer = side_unknown(point);
        return answer;
    }
    const std::string unit = intensity_unit(options);
    const double ratio = place->ridge / place->intensity;
    const std::string figures = fmt::format("{} against a ridge of {} at {}", format(place->intensity, unit),
                                            format(place->ridge, unit), label_of(place->level));
    const std::string near = point.verdict.near_ridge ? ", near the ridge" : "";
    switch (*point.verdict.side) {
        case Side::memory:
            answer.answer =
                fmt::format("Left, by a factor of {}{}: {}.", format_number(ratio), near, figures);
            break;
        case Side::at_ridge:
            answer.answer = fmt::format("At the ridge: {}.", figures);
            break;
        case Side::compute:
            answer.answer =
                fmt::format("Right, by a factor of {}{}: {}.", format_number(1 / ratio), near, figures);
            break;
    }
    answer.figures = {{"intensity", place->intensity.value(), unit}, {"ridge", place->ridge.value(), unit}};
    return answer;
}

Answer below_roof(const KernelPoint& point, const AnalysisOptions& options) {
    Answer answer{"below_roof", "Below the roof?", {}, {}};
    if (!point.gap || !point.binding) {
        answer.answer = "Not known (" + rule_text(point, options.thresholds) + ").";
        return answer;
    }
    const double share = point.gap->efficiency();
    const std::string reached =
        fmt::format("{} of the {} roof", format_percent(share), label_of(*point.binding));
    const std::string factor = format_factor(point.gap->factor);
    if (share > options.thresholds.above_roof)
        answer.answer = fmt::format("No, above it: {}. The figures need a look.", reached);
    else if (share >= options.thresholds.well_optimised)
        answer.answer = fmt::format("Barely: {} is reached.", reached);
    else
        answer.answer = fmt::format("Yes, by {}: {} is reached.", factor, reached);
    answer.figures = {{"vertical_gap", point.gap->factor, "x"}, {"efficiency", share, "share"}};
    return answer;
}

Answer left_of_algorithm() {
    return {"left_of_algorithm",
            "Far left of the algorithm?",
            "Not known: no operation is bound to this kernel, so the least bytes are not known.",
            {}};
}

}  // namespace

std::array<Answer, 3> reading_questions(const KernelPoint& point, const AnalysisOptions& options) {
    return {side_of(point, options), below_roof(point, options), left_of_algorithm()};
}

}  // namespace roofwalk
