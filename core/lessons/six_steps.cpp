// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/six_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "core/advice/questions.h"
#include "core/base/text.h"
#include "core/model/kernel_name.h"
#include "core/operations/op_parser.h"
#include "core/operations/op_suggestions.h"
#include "core/report/kernel_page.h"
#include "core/roofline/gap.h"
#include "core/roofline/missing.h"
#include "core/roofline/summary.h"
#include "core/roofline/utilisation.h"
#include "core/roofline/verdict_words.h"

namespace roofwalk {

namespace {

constexpr std::size_t step_name_chars = 48;

std::string_view words_of(ItemState state) {
    switch (state) {
        case ItemState::to_do:
            return "to do";
        case ItemState::done:
            return "done";
        case ItemState::cannot:
            break;
    }
    return "not possible";
}

/// Whether time, all FLOP and the bytes of a level were counted of every launch.
bool is_counted(const KernelPoint& point) {
    return point.time && !point.known && point.measured_work() && !point.uncounted.any() &&
           std::ranges::any_of(all_levels, [&](MemoryLevel level) { return point.measured_level(level); });
}

ChecklistItem collect(const WorkspaceResult& result, const KernelPoint* point) {
    ChecklistItem step{"Collect", ItemState::to_do, "Nothing is open", "open", "Open…"};
    if (!result.analysis) return step;
    const Analysis& analysis = *result.analysis;
    step = {"Collect", ItemState::done, rows_counted(analysis.points.size(), analysis.options.group_by)};
    if (analysis.total_time.value() > 0) step.figure += ", " + format(analysis.total_time);
    if (!point) return step;
    std::string missing;
    for (const MissingQuantity& quantity : missing_quantities(*result.inputs.profile, *point, analysis))
        missing += (missing.empty() ? "" : ", ") + quantity.quantity;
    if (!missing.empty()) step.figure += "; not collected of this kernel: " + missing;
    if (!is_counted(*point)) step.state = ItemState::to_do;
    const bool whole = point->performance && lacks_only_a_ceiling(*point);
    if ((!missing.empty() || !is_counted(*point)) && !whole) {
        step.action = "dock_details/copy_command";
        step.button = "Details";
    }
    return step;
}

/// At the level that binds, else at the farthest.
std::string intensity_words(const KernelPoint& point, const AnalysisOptions& options) {
    const std::string unit = fmt::format("{}/byte", work_unit(options.operations));
    if (const auto place = ridge_place(point))
        return fmt::format("AI {} at {}", at_least(point, format(place->intensity, unit)),
                           label_of(place->level, point.memory));
    for (const auto& level : point.levels)
        if (level && level->intensity)
            return fmt::format("AI {} at {}", at_least(point, format(*level->intensity, unit)),
                               label_of(level_of(level->boundary), point.memory));
    return "AI not known";
}

std::string bandwidth_words(const KernelPoint& point) {
    for (const MemoryLevel level : all_levels)
        if (const auto rate = point.bandwidth(level); rate && rate->value() > 0)
            return fmt::format("{} of {}", format(*rate), label_of(level, point.memory));
    return "bandwidth not known";
}

ChecklistItem place(const KernelPoint& point, const AnalysisOptions& options) {
    ChecklistItem step{"Place", ItemState::done, {}, "focus", "Show it on the chart"};
    switch (point.placement) {
        case Placement::chart:
            step.figure = intensity_words(point, options);
            if (point.performance)
                step.figure +=
                    ", " + at_least(point, format(*point.performance,
                                                  fmt::format("{}/s", work_unit(options.operations))));
            if (!point.modelled) break;
            step.state = ItemState::to_do;
            step.figure += ": as its operation needs, since nothing but its time was measured";
            break;
        case Placement::rail_no_work:
            step.figure = "No FLOP: at the lower edge, " + bandwidth_words(point);
            break;
        case Placement::rail_no_traffic:
            step.figure = "No bytes: at the right edge";
            break;
        case Placement::line:
            step.state = ItemState::to_do;
            step.figure = fmt::format("Somewhere on its line, {}: FLOP not counted", bandwidth_words(point));
            break;
        case Placement::not_drawn:
            step = {"Place", ItemState::to_do, "Not on the chart: time or bytes are not known"};
    }
    return step;
}

/// The panel of the ceilings, at the one that binds.
std::string place_of_roof(const KernelPoint& point) {
    if (!point.binding) return "dock_ceilings";
    const Boundary* level = std::get_if<Boundary>(&*point.binding);
    return fmt::format("dock_ceilings/ceiling_{}", level ? id_of(level_of(*level)) : id_of(*point.binding));
}

ChecklistItem which_roof(const Profile& profile, const KernelPoint& point, const Analysis& analysis) {
    ChecklistItem step{"Which roof", ItemState::done, limit_label(point), place_of_roof(point), "Ceilings"};
    if (step.figure.empty()) {
        step.state = ItemState::cannot;
        step.figure = rule_text(point, analysis.options.thresholds);
        if (const auto roof = roof_action(profile, point, analysis))
            step = {step.title, ItemState::to_do, step.figure, std::string(roof->action),
                    std::string(roof->words)};
        return step;
    }
    if (!point.verdict.launch_limits.empty())
        step.figure = "The " + limit_words(point);
    else
        step.figure += is_judged_by_roof(point) ? " roof" : " is nearest to its limit";
    if (point.verdict.side)
        step.figure += fmt::format(", {}", label_of(SideShare{.side = *point.verdict.side}));
    else if (!is_counted(point))
        step.state = ItemState::to_do;
    return step;
}

bool is_above_roof(const KernelPoint& point) {
    return point.verdict.kernel_class == KernelClass::above_roof;
}

ChecklistItem vertical(const KernelPoint& point) {
    ChecklistItem step{"Vertical gap", ItemState::done, {}, "dock_details", "Details"};
    const std::optional<double> share = share_of_limit(point);
    if (has_roof(point))
        step.figure =
            nearer_than_the_roof(point) +
            gap_words(*point.gap, label_of(*point.binding, point.memory), has_approximate_gap(point));
    else if (share && *share > 0)
        step.figure =
            fmt::format("{}{}{} below the {}", nearer_than_the_roof(point), bound_words(point, true),
                        marked_share(point, format_factor(1 / *share)), limit_words(point));
    else
        step = {"Vertical gap", ItemState::cannot, "No limit of this kernel is known"};
    if (is_above_roof(point)) step.state = ItemState::to_do;
    return step;
}

ChecklistItem horizontal(const Profile& profile, const KernelPoint& point, const Analysis& analysis) {
    const AnalysisOptions& options = analysis.options;
    ChecklistItem step{"Horizontal gap", ItemState::to_do, "No operation is bound", "bind_operation",
                       "Operation of the kernel…"};
    if (!point.target) {
        if (const auto looks = evidence_of(profile, leading_launch(profile, point, analysis))) {
            step.figure += fmt::format("; it looks like {}", shown_operation(looks->operation));
            step.action = accept_operation_action;
            step.button = "Accept this operation";
        }
        return step;
    }
    if (is_above_roof(point) && !point.measured_work()) {
        step.figure =
            "With the work of its operation it is above its roof: look whether the sizes are those of "
            "one launch";
        return step;
    }
    const Answer answer = reading_questions(point, options).back();
    if (answer.figures.empty()) {
        step.state = ItemState::cannot;
        step.figure = answer.answer;
        return step;
    }
    const AlgorithmicTarget& target = *point.target;
    step.state = ItemState::done;
    const bool inexact = is_inexact(point, MemoryLevel::hbm);
    step.figure = (target.gap ? horizontal_distance_words(*target.gap, inexact) + ": it " : "It ") +
                  horizontal_clause(point);
    if (target.useful && *target.useful >= noticeable_gap)
        step.figure += fmt::format("; worth up to {}", marked_if(inexact, format_factor(*target.useful)));
    return step;
}

/// What its moves promise beside what was measured, of an older report too where that has it.
std::string promise_words(const WorkspaceResult& result, std::uint32_t selected, const KernelPath* path) {
    const MovedKernel* moved = result.what_if->effect.moved_kernel(selected);
    const KernelPoint& point = result.analysis->points[selected];
    if (!moved || !moved->counted.time || !point.time) return {};
    std::string words =
        fmt::format("; its moves promise {}; measured: {}",
                    marked_if(point.time_doubted, format(*time_of_all(moved->in_program(), moved->model))),
                    marked_if(point.time_doubted, format(*point.time)));
    if (!path) return words;
    const KernelPoint& older = result.comparison->comparison.first_run_of(*path).point(path->points.front());
    return older.time ? fmt::format("{}, in the older report {}", words,
                                    marked_if(older.time_doubted, format(*older.time)))
                      : words;
}

/// What the newest report says of what was done.
ChecklistItem checked(const WorkspaceResult& result, std::optional<std::uint32_t> selected) {
    const Comparison& comparison = result.comparison->comparison;
    ChecklistItem step{"Move and check", ItemState::done, comparison_sentence(comparison), "dock_compare",
                       "Comparison"};
    const KernelPath* path = selected ? path_to(comparison, *selected) : nullptr;
    const ComparisonTotals totals = totals_of(comparison);
    const bool compared = path ? path->whole.verdict != ChangeVerdict::not_compared
                               : !selected && totals.compared > totals.verdicts[ChangeVerdict::not_compared];
    if (path)
        step.figure = change_text(path->whole);
    else if (selected)
        step.figure = "The older report has no such kernel: " + step.figure;
    if (selected) step.figure += promise_words(result, *selected, path);
    if (!compared) step = {step.title, ItemState::to_do, step.figure, "compare_with", "Compare with…"};
    return step;
}

ChecklistItem move_and_check(const WorkspaceResult& result, std::uint32_t selected) {
    if (result.comparison) return checked(result, selected);
    const KernelPoint& point = result.analysis->points[selected];
    if (!point.time) return {"Move and check", ItemState::cannot, "Its time is not known"};
    const ScenarioEffect& effect = result.what_if->effect;
    const MovedKernel* moved = effect.moved_kernel(selected);
    if (!moved)
        return {"Move and check", ItemState::to_do, "Not moved yet: drag its dot, or choose a change",
                "what_if_menu", "What if…"};
    ChecklistItem step{
        "Move and check", ItemState::to_do,
        fmt::format("Moved, not measured: {} instead of {}",
                    marked_if(point.time_doubted, format(*time_of_all(moved->in_program(), moved->model))),
                    marked_if(point.time_doubted, format(*point.time))),
        "compare_with", "Compare with…"};
    if (moved->state.time && moved->state.time < moved->counted.time)
        step.figure += fmt::format(", as no roof promises the {} with its distance kept",
                                   format(*time_of_all(moved->state, moved->model)));
    if (const auto gain = speed_up(effect.before, effect.after))
        step.figure += fmt::format("; the program {} faster",
                                   marked_if(effect.before.time_doubted, format_factor(*gain)));
    step.figure += ". Make the change, record again, open that and compare it with the older report.";
    return step;
}

}  // namespace

void add(TextPage& page, const ChecklistItem& item) {
    page.add(BlockKind::heading, fmt::format("{}: {}", item.title, words_of(item.state)));
    std::string figure = item.figure;
    if (!figure.empty()) {
        figure.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(figure.front())));
        page.add(BlockKind::text, figure);
    }
    if (!item.action.empty()) page.add(BlockKind::action, item.button, item.action);
}

std::array<ChecklistItem, 6> six_steps(const WorkspaceResult& result, std::optional<std::uint32_t> selected) {
    const KernelPoint* point = result.analysis && selected ? &result.analysis->points[*selected] : nullptr;
    std::array<ChecklistItem, 6> steps{collect(result, point)};
    if (point) {
        steps = {std::move(steps[0]),
                 place(*point, result.analysis->options),
                 which_roof(*result.inputs.profile, *point, *result.analysis),
                 vertical(*point),
                 horizontal(*result.inputs.profile, *point, *result.analysis),
                 move_and_check(result, *selected)};
    } else {
        const std::string why = result.analysis ? "No kernel is selected" : "";  // the first step says it
        const std::array titles{"Place", "Which roof", "Vertical gap", "Horizontal gap", "Move and check"};
        for (std::size_t i = 0; i < titles.size(); ++i)
            steps[i + 1] = {titles[i], ItemState::cannot, why};
        if (result.analysis)
            steps[1] = {"Place", ItemState::to_do, why, "next", "Select where most can be recovered"};
        if (result.comparison) steps[5] = checked(result, selected);
    }
    for (std::size_t i = 0; i < steps.size(); ++i)
        steps[i].title = fmt::format("{}. {}", i + 1, steps[i].title);
    return steps;
}

TextPage six_steps_page(const WorkspaceResult& result, std::optional<std::uint32_t> selected) {
    TextPage page;
    page.add(BlockKind::title, "From a report to a faster kernel");
    if (result.analysis && selected)
        page.add(BlockKind::note,
                 shorten_kernel_name(result.analysis->points[*selected].name, step_name_chars));
    for (const ChecklistItem& step : six_steps(result, selected))
        add(page, step);
    return page;
}

}  // namespace roofwalk
