// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario_effect.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <unordered_map>
#include <unordered_set>
#include <utility>

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

}  // namespace

void PastMoves::add(const Move& move) {
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

double PastMoves::left_by(std::string_view preset, MemoryLevel level) const {
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
        kernel.past.add(move);
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

}  // namespace roofwalk
