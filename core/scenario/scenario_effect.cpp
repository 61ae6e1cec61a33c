// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario_effect.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/roofline/group_totals.h"
#include "core/roofline/point_bounds.h"
#include "core/scenario/preset_rules.h"

namespace roofwalk {

namespace {

void add(ProgramTotals& totals, const KernelPoint& point) {
    ++totals.rows;
    if (!point.time) ++totals.rows_without_time;
    totals.calls += point.launches - point.failed;
    if (point.idle_before) totals.idle = totals.idle.value_or(Seconds()) + *point.idle_before;
    for (const MemoryLevel level : all_levels) {
        if (const auto& at = point.at(level))
            totals.bytes[level] = totals.bytes[level].value_or(Bytes()) + at->bytes;
        if (!point.at(level) || point.known) ++totals.rows_without_bytes[level];
    }
}

/// What saved calls save of the idle time. Nobody knows which launches they leave: at most those go that have
/// the longest time before them, of whichever kernel that saves some.
class SavedIdle {
  public:
    SavedIdle(const Analysis& analysis, const ProgramTotals& measured)
        : analysis_(analysis), measured_(measured) {}

    void change_calls(ProgramTotals& totals, std::uint32_t number, double before, double after) {
        const KernelPoint& point = analysis_.points[number];
        const double launches = point.launches - point.failed;
        totals.calls += launches * (after - before);
        if (!point.idle_before || before == after) return;
        if (added_.insert(number).second)
            for (const LaunchIndex launch :
                 analysis_.grouping.launches_of(analysis_.grouping.groups[point.group]))
                others_.push(analysis_.idle_before[static_cast<std::size_t>(launch)]);
        // Of calls that nobody made yet no idle time is known.
        saved_ += launches * (std::min(before, 1.0) - std::min(after, 1.0));
        totals.idle = std::max(Seconds(), *measured_.idle - longest());
    }

  private:
    /// Before as many launches as are saved.
    Seconds longest() {
        constexpr double rounding = 1e-6;
        const auto count = static_cast<std::size_t>(std::max(0.0, std::ceil(saved_ - rounding)));
        while (!longest_.empty() &&
               (longest_.size() > count || (!others_.empty() && others_.top() > longest_.top()))) {
            others_.push(longest_.top());
            sum_ = sum_ - longest_.top();
            longest_.pop();
        }
        for (; longest_.size() < count && !others_.empty(); others_.pop()) {
            longest_.push(others_.top());
            sum_ += others_.top();
        }
        return sum_;
    }

    const Analysis& analysis_;
    const ProgramTotals& measured_;
    std::unordered_set<std::uint32_t> added_;  ///< points
    std::priority_queue<Seconds, std::vector<Seconds>, std::greater<>> longest_;
    std::priority_queue<Seconds> others_;
    Seconds sum_;  ///< of the longest
    double saved_ = 0;
};

std::string_view grouping_words(GroupBy group_by) {
    switch (group_by) {
        case GroupBy::launch:
            return "launch by launch";
        case GroupBy::kernel:
            return "kernel by kernel";
        case GroupBy::nvtx:
            return "by NVTX range";
        case GroupBy::operation:
            return "operation by operation";
    }
    return {};
}

std::string why_unused(KeyMatch match, const KernelKey& key, GroupBy shown) {
    switch (match) {
        case KeyMatch::unknown:
            return "the report has no kernel of this name";
        case KeyMatch::other_row:
            return "the report has the kernel, but no row with this grid, block and place in the order";
        case KeyMatch::other_grouping:
        case KeyMatch::found:
            break;
    }
    std::string why = "it was made for rows ";
    why += grouping_words(key.group_by);
    why += ", and they are shown ";
    return why += grouping_words(shown);
}

struct EnabledMoves {
    std::vector<std::uint32_t> moves;  // those that are on
    std::vector<FoundKernel> kernels;
};

EnabledMoves find_moved(const Scenario& scenario, const Profile& profile, const Analysis& analysis,
                        const Progress& progress) {
    EnabledMoves wanted;
    std::vector<const KernelKey*> keys;
    for (std::uint32_t i = 0; i < scenario.moves.size(); ++i) {
        if (!scenario.moves[i].on) continue;
        wanted.moves.push_back(i);
        keys.push_back(&scenario.moves[i].kernel);
    }
    wanted.kernels = find_kernels(profile, analysis, keys, progress);
    return wanted;
}

constexpr MemoryLevel hbm = MemoryLevel::hbm;
constexpr double algorithm_tolerance = 1e-6;  ///< relative; a factor in a file may have been rounded

/// HBM intensity over that of the algorithm; absent where one of them is not known.
std::optional<double> over_algorithm(const KernelState& state, const MovedKernel& kernel) {
    const auto place = place_of(state, kernel.model.roofs, MemoryLevel::hbm);
    if (!place || !kernel.algorithmic) return std::nullopt;
    return place->x / (kernel.algorithmic->value() * state.needs.intensity());
}

bool is_cut_at_roof(const ScenarioRow& row) {
    const auto before = time_by_roofs(row.step->before);
    const auto after = time_by_roofs(row.step->after);
    return !row.move->beyond_model && row.move->time_rule == MoveTime::factor && before && after &&
           *after > *before * (row.move->time * (1 + factor_rounding));
}

/// Fusion keeps bytes on chip that each operation by itself needs.
void find_stop(ScenarioRow& row) {
    if (is_cut_at_roof(row)) row.stopped_at = StoppedAt::roof;
    const auto& below = row.step->after.below_floor;
    if (below && below != row.step->before.below_floor)
        row.stopped_at =
            is_held_by_unit(row.step->after, row.kernel->model.roofs) ? StoppedAt::roof : StoppedAt::launch;
    if (row.move->preset == "fuse") return;
    const auto from = over_algorithm(row.step->before, *row.kernel);
    const auto to = over_algorithm(row.step->after, *row.kernel);
    if (!from || !to || row.move->bytes[hbm] >= 1 || *from >= 1 - algorithm_tolerance) return;
    row.past_algorithm = *to > 1 + algorithm_tolerance;
    const bool at_algorithm = !row.past_algorithm && *to >= 1 - algorithm_tolerance;
    if (at_algorithm && !row.stopped_at && row.move->preset != "to_algorithm")
        row.stopped_at = StoppedAt::algorithm;
}

GroupTotals totals_of(const KernelPoint& measured, const KernelState& state) {
    GroupTotals totals;
    totals.failed = measured.failed;
    totals.time = state.time;
    totals.uncounted = measured.uncounted;
    const auto add = [&](Pipe pipe, Origin origin) {
        totals.pipes.push_back(
            {.pipe = pipe, .origin = origin, .work = state.work[pipe], .ceiling = {}, .bound = {}});
    };
    for (const PipeLoad& load : measured.pipes)
        add(load.pipe, load.origin);
    for (const Pipe pipe : all_pipes)
        if (state.work[pipe].value() > 0 &&
            std::ranges::find(measured.pipes, pipe, &PipeLoad::pipe) == measured.pipes.end())
            add(pipe, Origin::modelled);
    for (const MemoryLevel level : all_levels)
        if (state.bytes[level])
            totals.traffic[level] = GroupTotals::Traffic{measured.levels[level]->origin, *state.bytes[level]};
    return totals;
}

bool is_used(const Flops& work) {
    return work.value() > 0;
}

}  // namespace

void AppliedPresets::add(const Move& move) {
    if (move.preset.empty()) return;
    preset_rules::narrow_as(move, stored_);
    const auto known = std::ranges::find(factors_, move.preset, &PresetFactors::preset);
    if (known == factors_.end()) {
        factors_.push_back({move.preset, move.bytes});
        return;
    }
    for (const MemoryLevel level : all_levels)
        known->bytes[level] = bounded_factor(known->bytes[level] * move.bytes[level]);
}

double AppliedPresets::left_by(std::string_view preset, MemoryLevel level) const {
    const auto known = std::ranges::find(factors_, preset, &PresetFactors::preset);
    return known == factors_.end() ? 1 : known->bytes[level];
}

ProgramTotals measured_totals(const Analysis& analysis) {
    ProgramTotals totals;
    totals.time = analysis.total_time;
    totals.time_doubted = analysis.has_doubted_times();
    for (const KernelPoint& point : analysis.points)
        add(totals, point);
    return totals;
}

ProgramTotals with_change(ProgramTotals totals, const KernelState& from, const KernelState& to,
                          Seconds saved) {
    totals.time = totals.time - saved;
    for (const MemoryLevel level : all_levels)
        if (totals.bytes[level] && from.bytes[level] && to.bytes[level])
            *totals.bytes[level] += *to.bytes[level] - *from.bytes[level];
    return totals;
}

std::optional<double> speed_up(const ProgramTotals& before, const ProgramTotals& after) {
    if (before.time.value() <= 0 || after.time.value() <= 0) return std::nullopt;
    return before.time / after.time;
}

const MovedKernel* ScenarioEffect::moved_kernel(std::uint32_t point) const {
    const auto found = std::ranges::lower_bound(kernels, point, {}, &MovedKernel::point);
    return found == kernels.end() || found->point != point ? nullptr : &*found;
}

ScenarioEffect effect_of(const Scenario& scenario, const Profile& profile, const Analysis& analysis,
                         const Progress& progress) {
    ScenarioEffect effect;
    effect.before = effect.after = measured_totals(analysis);
    const EnabledMoves wanted = find_moved(scenario, profile, analysis, progress);
    std::unordered_map<std::uint32_t, std::size_t> of_point;
    SavedIdle idle(analysis, effect.before);
    for (std::size_t i = 0; i < wanted.moves.size(); ++i) {
        progress.at(static_cast<double>(i) / static_cast<double>(wanted.moves.size()));
        if (progress.cancelled()) break;
        const Move& move = scenario.moves[wanted.moves[i]];
        const FoundKernel& found = wanted.kernels[i];
        if (found.match != KeyMatch::found) {
            effect.unused.push_back({wanted.moves[i], found.match,
                                     why_unused(found.match, move.kernel, analysis.options.group_by)});
            continue;
        }
        const auto [entry, fresh] = of_point.try_emplace(found.point, effect.kernels.size());
        if (fresh) {
            const KernelPoint& point = analysis.points[found.point];
            const KernelModel model = kernel_model(point, analysis.options);
            effect.kernels.push_back({found.point,
                                      model,
                                      model.measured,
                                      counted_time(model.measured.time),
                                      {},
                                      point.target ? point.target->place : std::nullopt});
        }
        MovedKernel& kernel = effect.kernels[entry->second];
        const KernelState before = kernel.state;
        kernel.state = moved(before, kernel.model, move);
        kernel.applied.add(move);
        const auto reason =
            unpromised_reason(move, kernel.model, before, kernel.state, analysis.options.thresholds);
        const CountedTime counted = std::exchange(
            kernel.counted,
            counted_after_move(kernel.counted, move, kernel.model, before, kernel.state, reason));
        effect.after = with_change(effect.after, before, kernel.state, saved_time(counted, kernel.counted));
        effect.after.time_doubted |= kernel.model.approximate;
        idle.change_calls(effect.after, found.point, before.calls, kernel.state.calls);
        effect.steps.push_back({wanted.moves[i], found.point, before, kernel.state, effect.after, reason,
                                counted, kernel.counted});
    }
    std::ranges::sort(effect.kernels, {}, &MovedKernel::point);
    return effect;
}

std::vector<ScenarioRow> scenario_rows(const Scenario& scenario, const ScenarioEffect& effect) {
    std::vector<ScenarioRow> rows;
    for (const Move& move : scenario.moves)
        rows.push_back({.move = &move, .why = move.on ? "" : "off"});
    for (const UnusedMove& unused : effect.unused)
        rows[unused.move].why = "not made: " + unused.why;
    const ProgramTotals* before = &effect.before;
    for (const ScenarioStep& step : effect.steps) {
        ScenarioRow& row = rows[step.move];
        row.step = &step;
        row.kernel = &*std::ranges::lower_bound(effect.kernels, step.point, {}, &MovedKernel::point);
        row.before = before;
        find_stop(row);
        before = &step.program;
    }
    return rows;
}

KernelPoint moved_point(const KernelPoint& measured, const KernelState& state,
                        const AnalysisOptions& options) {
    KernelPoint point = measured;
    point.performance_spread.reset();
    point.intensity_spread.reset();
    point.bandwidth_spread.reset();
    point.launches_differ = false;
    const KernelModel model = kernel_model(measured, options);
    point.throughput = moved_throughput(model, state);
    point.sm_beside_loads.reset();
    if (point.known && point.time) point.time = *time_of_all(state, model);
    apply_totals(totals_of(measured, state), options, point);
    if (point.target) {
        point.target->bytes = point.target->bytes * state.needs.bytes;
        point.target->work = point.target->work * state.needs.work;
        if (auto& time = point.target->pipe_time) {
            const bool other_pipes = std::ranges::any_of(all_pipes, [&](Pipe pipe) {
                return is_used(state.work[pipe]) != is_used(model.measured.work[pipe]);
            });
            time = other_pipes ? std::nullopt : std::optional(*time * state.needs.work);
        }
        compute_target_gaps(point, *point.target);
    }
    point.verdict = judge(point, options.thresholds);
    if (const KernelClass by_launches = class_of(state, model, options.thresholds);
        model.facts.by_launches && by_launches != point.verdict.kernel_class) {
        point.verdict.kernel_class = by_launches;
        point.verdict.launch_limits = measured.verdict.launch_limits;
        const auto limit = tightest_limit(state, model);
        point.verdict.share_by_launches = limit ? std::min(1.0, limit->share * model.apart) : 0;
    }
    point.recoverable = recoverable_as_one(point);
    const bool same = state.work == model.measured.work && state.bytes == model.measured.bytes;
    if (!same) point.share_by_side.reset();
    return point;
}

Analysis moved_analysis(const Analysis& measured, const ScenarioEffect& effect, const Progress& progress) {
    Analysis analysis = measured;
    analysis.total_time = effect.after.time;
    for (const MovedKernel& kernel : effect.kernels) {
        if (progress.cancelled()) return analysis;
        analysis.points[kernel.point] =
            moved_point(measured.points[kernel.point], kernel.in_program(), analysis.options);
    }
    if (analysis.total_time.value() > 0)
        for (KernelPoint& point : analysis.points)
            if (point.time) point.time_share = *point.time / analysis.total_time;
    show_l1_where_it_binds(analysis);
    return analysis;
}

}  // namespace roofwalk
