// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/chart/scene/scene_parts.h"
#include "core/operations/op_model.h"
#include "core/roofline/utilisation.h"

namespace roofwalk {

namespace {

/// "; both gaps: 3.40x faster", where each has a part in it, or what is in the way of that.
std::string potential_text(const KernelPoint& point, const AlgorithmicTarget& target) {
    if (const auto busy = unit_in_the_way(point))
        return fmt::format("; but {} {} busy", label_of(busy->unit, point.memory),
                           marked(point, busy->unit, format_percent(busy->share)));
    const bool far_from_both = point.gap && point.gap->factor > 1 + target_tolerance && target.useful &&
                               *target.useful > 1 + target_tolerance && target.potential;
    return far_from_both ? "; both gaps: " + marked_gap(point, format_factor(*target.potential)) + " faster"
                         : std::string();
}

/// Which roof ends the useful part, where another does than that of HBM: it may not be drawn.
std::string other_roof(const KernelPoint& point, std::string_view before) {
    const AlgorithmicTarget& target = *point.target;
    return target.useful_until && target.binding
               ? fmt::format("{}{} binds", before, label_of(*target.binding, point.memory))
               : std::string();
}

std::string target_label(const KernelPoint& point, const AlgorithmicTarget& target) {
    const double gap = *target.gap;
    const bool inexact = has_inexact_intensity(point, MemoryLevel::hbm);
    std::string label = horizontal_distance_words(gap, inexact);
    if (gap < 1 + target_tolerance) return label;
    if (target.useful && *target.useful < gap * (1 - target_tolerance))
        label += *target.useful < 1 + target_tolerance
                     ? fmt::format(", fewer {} bytes alone gain nothing", label_of(point.memory)) +
                           other_roof(point, ": ")
                     : ", " + marked_if(inexact, format_factor(*target.useful)) + " useful" +
                           other_roof(point, " until ");
    return label + potential_text(point, target);
}

/// "gemm (rule)", "gemv (rule, dtype=fp16 assumed)", "gemm (assumed)": which operation, and who says so.
std::string tick_label(const AlgorithmicTarget& target) {
    const std::string name =
        target.operations == 1 ? target.operation->model->operation : std::string("operations");
    const std::string assumed = assumed_type(*target.operation->model);
    const BindingSource source = target.operation->source;
    const std::string_view who = source == BindingSource::suggestion ? "accepted"
                                 : source == BindingSource::user && !target.operation->assumed.empty()
                                     ? "assumed"
                                     : id_of(source);
    return fmt::format("{} ({}{})", name, who, assumed.empty() ? "" : ", " + assumed + " assumed");
}

/// Why the tick is not at the algorithmic intensity.
std::string other_work(Intensity algorithmic, Intensity place, const std::string& unit) {
    constexpr double alike = 1e-3;
    if (std::abs(place / algorithmic - 1) < alike) return {};
    return fmt::format("; the tick is at {}, since the kernel did other work", format(place, unit));
}

}  // namespace

std::optional<double> target_intensity(const KernelPoint& point, const SceneOptions& options) {
    if (point.placement != Placement::chart || !point.target || !point.target->gap) return std::nullopt;
    if (!shown_intensity(point, MemoryLevel::hbm, options)) return std::nullopt;
    const double intensity = point.target->place->value();
    return std::isfinite(intensity) && intensity > 0 ? std::optional(intensity) : std::nullopt;
}

std::optional<TargetMark> target_mark_of(const Analysis& analysis, std::uint32_t i,
                                         const SceneOptions& options, std::string whose) {
    const KernelPoint& point = analysis.points[i];
    const auto to = target_intensity(point, options);
    if (!to) return std::nullopt;
    const AlgorithmicTarget& target = *point.target;
    const double from = point.at(MemoryLevel::hbm)->intensity->value();
    const std::string unit = std::string(work_unit(analysis.options.operations)) + "/byte";
    const double end = target.useful_until ? target.useful_until->value() : *to;
    return TargetMark{.point = i,
                      .y = point.performance->value(),
                      .from = from,
                      .to = *to,
                      .useful_to = std::clamp(end, std::min(from, *to), std::max(from, *to)),
                      .label = target_label(point, target),
                      .whose = std::move(whose),
                      .tick_label = tick_label(target),
                      .note = fmt::format("algorithmic AI {} of {} ({})", format(*target.intensity, unit),
                                          target.operation->text, why_words(*target.operation)) +
                              other_work(*target.intensity, Intensity(*to), unit),
                      .selected = options.selected == i};
}

}  // namespace roofwalk
