// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/move_words.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/text.h"
#include "core/model/kernel_name.h"
#include "core/roofline/verdict_words.h"
#include "core/scenario/preset_rules.h"

namespace roofwalk {

namespace {

std::string time_change(const Move& move) {
    switch (move.time_rule) {
        case MoveTime::keep_efficiency:
            return "keeps its efficiency";
        case MoveTime::factor:
            return "time " + format_factor(move.time);
        case MoveTime::to_roof:
            return "to the roof";
    }
    return {};
}

std::string limit_of(const ScenarioRow& row) {
    const auto limit = tightest_limit(row.step->after, row.kernel->model);
    return limit ? limit_named(*limit, row.kernel->model.memory) : std::string();
}

/// Whether a move to the roof ends at something else, and says so.
bool ends_beside_the_roof(const ScenarioRow& row) {
    if (row.move->time_rule != MoveTime::to_roof || row.step->left_as_it_was()) return false;
    const auto limit = tightest_limit(row.step->after, row.kernel->model);
    return limit && (std::holds_alternative<HardwareUnit>(limit->of) ||
                     !speed_of_light(row.step->after, row.kernel->model.roofs));
}

std::string made_words(const ScenarioRow& row) {
    if (row.move->beyond_model) return "made, beyond the model";
    if (row.past_algorithm) return "made, past its algorithm";
    if (row.stopped_at == StoppedAt::launch) return "made, stopped at the launch floor";
    if (row.stopped_at == StoppedAt::roof) return "made, stopped at the " + limit_of(row);
    if (row.stopped_at) return "made, stopped at its algorithm";
    if (ends_beside_the_roof(row)) return "made, to the " + limit_of(row);
    return row.step->left_as_it_was() ? "made, changes nothing" : "made";
}

std::string_view doubt_of_reuse(const ScenarioRow& row) {
    const bool reuses = row.move->preset == "tile" || row.move->preset == "batch";
    return reuses && !row.step->left_as_it_was() &&
                   preset_rules::may_need_bytes_once(row.step->before, row.kernel->algorithmic)
               ? ", saves no bytes where each is needed once"
               : "";
}

std::string stop_sentence(const ScenarioRow& row) {
    if (row.move->beyond_model)
        return "It may pass the roof, or what its algorithm needs: no known ceiling allows this.";
    if (row.past_algorithm)
        return fmt::format(
            "It leaves fewer {} bytes than its operation needs: some must stay on chip from one kernel "
            "to the next.",
            label_of(row.kernel->model.memory));
    if (row.stopped_at == StoppedAt::algorithm)
        return fmt::format("It leaves the {} bytes that its operation needs, and cannot leave fewer.",
                           label_of(row.kernel->model.memory));
    if (!row.stopped_at) return {};
    if (row.stopped_at == StoppedAt::launch) {
        if (row.step->unpromised) return {};  // which says the same
        return fmt::format("By its roofs it would take {}; a launch takes {} at least.",
                           format(*row.step->after.below_floor), describe(row.kernel->model.launch_floor));
    }
    const auto& below = row.step->after.below_floor;
    return fmt::format("{}; the {} allows no less than {}.",
                       below ? "By its roofs it would take " + format(*below)
                             : "Its factor asks for " + format(*row.step->before.time * row.move->time),
                       limit_of(row), format(*row.step->after.time));
}

/// What a move among others of its kernel brings: "2.10x", "merged".
std::string step_words(const Move& move, const ScenarioStep& step) {
    const auto before = step.before_in_program().time;
    const auto after = step.after_in_program().time;
    if (move.launches == 0) return "merged";
    return before && after && after->value() > 0 ? format_factor(*before / *after) : "time not known";
}

}  // namespace

std::string limit_named(const NearestLimit& limit, MemoryName memory) {
    return label_of(limit, memory) + (std::holds_alternative<HardwareUnit>(limit.of) ? " limit" : " roof");
}

std::string title_of(const Move& move) {
    if (!move.name.empty()) return move.name;
    const Preset* preset = find_preset(move.preset);
    return preset != nullptr ? std::string(preset->label) : "by hand";
}

std::string change_of(const Move& move, MemoryName memory) {
    std::vector<std::string> parts;
    for (const MemoryLevel level : all_levels)
        if (const double factor = move.bytes[level]; factor != 1)
            parts.push_back(fmt::format("{} {}", label_of(level, memory), format_factor(factor)));
    if (!parts.empty()) parts.back() += " bytes";
    if (move.work != 1) parts.push_back("work " + format_factor(move.work));
    if (move.smem_of_l2 > 0)
        parts.push_back(fmt::format("{} of the L2 bytes through SMEM", format_factor(move.smem_of_l2)));
    if (move.launches == 0)
        parts.emplace_back("no launch of its own");
    else if (move.launches != 1)
        parts.push_back("launches " + format_factor(move.launches));
    if (move.calls != 1) parts.push_back("calls that launch it " + format_factor(move.calls));
    if (move.pipe)
        parts.push_back(fmt::format("{} work on {}", label_of(move.pipe->from), label_of(move.pipe->to)));
    parts.push_back(time_change(move));
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string per_input_words(const KernelState& state, const KernelModel& model) {
    if (!state.time || state.inputs <= 1) return {};
    const auto launch = launch_time(model, state, *state.time);
    return launch ? fmt::format("per input (a launch takes {})", format(*launch)) : std::string();
}

std::string state_of(const ScenarioRow& row) {
    if (row.step == nullptr) return row.why;
    const std::string per_input = per_input_words(row.step->after_in_program(), row.kernel->model);
    std::string state = made_words(row);
    if (!per_input.empty()) state += ", " + per_input;
    if (!row.step->unpromised) return state.append(doubt_of_reuse(row));
    const bool saves = saves_launches(row.kernel->model, row.step->before, row.step->after);
    return state + (saves ? ", promises the launches that it saves" : ", promises nothing");
}

std::string move_limit_words(const ScenarioRow& row) {
    if (row.step == nullptr) return {};
    std::string text = stop_sentence(row);
    if (row.step->unpromised)
        text += (text.empty() ? "" : " ") +
                to_text(*row.step->unpromised, row.kernel->model, row.step->before, row.step->after);
    return text;
}

std::string pace_factor(double times_as_fast) {
    constexpr int usual = 3;
    constexpr int most = 9;
    const bool is_one = std::abs(times_as_fast - 1) < factor_rounding;
    int digits = usual;
    while (!is_one && digits < most && format_number(times_as_fast, digits) == format_number(1, digits))
        ++digits;
    return format_number(times_as_fast, digits) + "x";
}

std::string pace_words(double times_as_fast) {
    if (std::abs(times_as_fast - 1) < factor_rounding) return "unchanged";
    return times_as_fast >= 1 ? pace_factor(times_as_fast) + " faster"
                              : pace_factor(1 / times_as_fast) + " slower";
}

std::string per_input_if(bool of_a_batch, const std::string& figure) {
    return of_a_batch ? figure + " per input" : figure;
}

std::pair<std::string, std::string> moves_words(const Scenario& scenario, const ScenarioEffect& effect,
                                                std::uint32_t point) {
    constexpr std::size_t most_told = 3;
    const MovedKernel* kernel = effect.moved_kernel(point);
    std::vector<std::string> titles;
    std::vector<std::string> steps;
    bool merged = false;
    for (const ScenarioStep& step : effect.steps) {
        if (step.point != point || step.left_as_it_was()) continue;
        const Move& move = scenario.moves[step.move];
        titles.push_back(title_of(move));
        steps.push_back(fmt::format("{} ({})", titles.back(), step_words(move, step)));
        merged = merged || move.launches == 0;
    }
    if (!kernel || titles.empty()) return {};
    const std::string count = fmt::format("{} moves", titles.size());
    const bool one = titles.size() == 1;
    const std::string told = one                         ? titles.front()
                             : steps.size() <= most_told ? fmt::format("{}", fmt::join(steps, " + "))
                                                         : count;
    const auto before = kernel->model.measured.time;
    const auto after = kernel->in_program().time;
    if (!merged && (!before || !after || after->value() <= 0)) return {told, {}};
    const std::string pace =
        merged ? "merged" : per_input_if(kernel->state.inputs > 1, pace_words(*before / *after));
    return {told + ": " + pace, one ? pace : count + ": " + pace};
}

std::string changed_words(const std::string& before, const std::string& after, const std::string& how) {
    return fmt::format("{} → {} ({})", before, after, how);
}

std::string changed_time_words(Seconds before, Seconds after, bool doubted, bool approximate) {
    const std::string from = marked_if(doubted, format(before));
    const std::string to = marked_if(approximate, format(after));
    if (before.value() <= 0 || after.value() <= 0) return fmt::format("{} → {}", from, to);
    return changed_words(from, to, marked_if(approximate, pace_words(before / after)));
}

std::string verdict_words(const KernelState& state, const KernelModel& model,
                          const VerdictThresholds& thresholds) {
    std::string name = class_name(state, model, thresholds);
    const auto gap = gap_of(state, model.roofs);
    const auto bound = speed_of_light(state, model.roofs);
    if (!gap || !bound) return name;
    if (const auto binds = what_binds(state, model); std::holds_alternative<HardwareUnit>(binds->of))
        return fmt::format("{}, at the {}", name, limit_named(*binds, model.memory));
    // As the arrow on the chart, which ends at a unit that is nearer than the roof.
    if (const auto limit = tightest_limit(state, model))
        if (const auto* unit = std::get_if<HardwareUnit>(&limit->of))
            return fmt::format("{}, {}", name,
                               distance_of_unit({*unit, limit->share}, model.memory, model.approximate));
    return fmt::format("{}, {}", name,
                       gap_words(*gap, label_of(bound->binding, model.memory), model.approximate));
}

std::vector<std::string> gain_words(const Move& move, const KernelModel& model, const KernelState& before,
                                    const KernelState& after, const VerdictThresholds& thresholds) {
    const auto reason = unpromised_reason(move, model, before, after, thresholds);
    KernelState told = after;
    if (reason)
        told = in_counted_time(
            after, counted_after_move(counted_time(before.time), move, model, before, after, reason));
    std::vector<std::string> lines;
    for (const MemoryLevel level : all_levels) {
        const auto& from = before.bytes[level];
        const auto& to = after.bytes[level];
        if (!from || !to || *from == *to) continue;
        lines.push_back(fmt::format(
            "{} {}", label_of(level, model.memory),
            from->value() > 0 ? changed_words(format(*from), format(*to), format_factor(*to / *from))
                              : fmt::format("{} → {}", format(*from), format(*to))));
    }
    const std::string per_input = per_input_words(told, model);
    if (before.time && after.time)
        lines.push_back("time " +
                        changed_time_words(*time_of_all(before, model), *time_of_all(told, model),
                                           model.time_doubted, model.approximate) +
                        (per_input.empty() ? "" : " " + per_input));
    else
        lines.emplace_back("time not measured");
    lines.push_back(verdict_words(told, model, thresholds));
    if (reason) lines.push_back(to_text(*reason, model, before, after));
    return lines;
}

std::vector<WaterfallBar> waterfall(const Scenario& scenario, const ScenarioEffect& effect) {
    std::vector<WaterfallBar> bars;
    if (effect.steps.empty()) return bars;
    bars.push_back({"as measured", {}, {}, effect.before.time});
    Seconds time = effect.before.time;
    for (const ScenarioStep& step : effect.steps) {
        const Move& move = scenario.moves[step.move];
        const bool nothing = step.unpromised && step.program.time == time;
        bars.push_back({title_of(move), move.kernel.name, time, step.program.time, nothing, move.inputs > 1});
        time = step.program.time;
    }
    const std::size_t made = effect.steps.size();
    bars.push_back({fmt::format("after {} move{}", made, made == 1 ? "" : "s"), {}, {}, effect.after.time});
    return bars;
}

std::string bar_label(const WaterfallBar& bar, const SimilarNames& names, std::size_t name_chars) {
    return bar.is_step() ? names.shortened(bar.kernel, name_chars) + ": " + bar.title : bar.title;
}

std::string amount_words(const WaterfallBar& bar) {
    if (!bar.is_step()) return format(bar.to);
    if (bar.promises_nothing) return "promises nothing";
    if (bar.to == bar.from) return "no gain";
    const bool falls = bar.to < bar.from;
    const Seconds amount = falls ? bar.from - bar.to : bar.to - bar.from;
    return per_input_if(bar.per_input,
                        fmt::format("{}{} → {}", falls ? "−" : "+", format(amount), format(bar.to)));
}

std::string waterfall_words(const std::vector<WaterfallBar>& bars) {
    std::string words;
    for (const WaterfallBar& bar : bars) {
        if (!words.empty()) words += "; ";
        words += bar.title;
        if (bar.is_step()) words += " of " + bar.kernel;
        words += ": " + amount_words(bar);
    }
    return words;
}

}  // namespace roofwalk
