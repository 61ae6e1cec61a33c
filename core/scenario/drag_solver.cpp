// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/drag_solver.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/scenario/move_words.h"

namespace roofwalk {

namespace {

/// What a drag may go on with: nothing that a preset, a file or a dialog has more to say of.
bool made_by_hand(const Move& move) {
    const bool written = !move.preset.empty() || !move.assumption.empty() || !move.unknown_members.empty();
    return !written && !move.pipe && move.work == 1 && move.time_rule != MoveTime::to_roof;
}

std::string stops_named(const DragStops& stops, const DragResult& result, MemoryName memory) {
    std::string words;
    const auto add = [&](const std::string& stop) { words += (words.empty() ? "" : " and ") + stop; };
    if (stops.roof && result.limit) add("the " + limit_named(*result.limit, memory));
    if (stops.algorithm) add("what the algorithm needs");
    if (stops.launch) add("what a launch takes at least");
    if (stops.beneath)
        add(fmt::format("what {} moves, which comes through it", label_of(*stops.beneath, memory)));
    return words;
}

std::string stop_words(const DragResult& result, MemoryName memory) {
    if (result.passed.roof_unknown) return "beyond the model: its roof is not known";
    if (result.beyond_model) return "beyond the model: past " + stops_named(result.passed, result, memory);
    if (result.stops.roof_unknown) return "not faster: its roof is not known";
    const std::string stops = stops_named(result.stops, result, memory);
    return stops.empty() ? stops : "stopped at " + stops;
}

}  // namespace

std::optional<DragSolver> DragSolver::begin(const Profile& profile, const Analysis& measured,
                                            const Scenario& scenario, const ScenarioEffect& effect,
                                            std::uint32_t point, MemoryLevel level) {
    const KernelPoint& kernel = measured.points.at(point);
    DragSolver solver;
    solver.point_ = point;
    solver.key_ = key_of(profile, measured, kernel);
    solver.thresholds_ = measured.options.thresholds;
    const MovedKernel* moved = effect.moved_kernel(point);
    solver.model_ = moved ? moved->model : kernel_model(kernel, measured.options);
    solver.base_ = solver.from_ = moved ? moved->state : solver.model_.measured;
    solver.counted_base_ = solver.counted_from_ =
        moved ? moved->counted : counted_time(solver.model_.measured.time);
    if (!place_of(solver.from_, solver.model_.roofs, level)) return std::nullopt;
    for (const ScenarioStep& step : effect.steps) {
        if (step.point != point) continue;
        const bool by_hand = made_by_hand(scenario.moves[step.move]);
        solver.by_hand_ = by_hand ? std::optional<std::size_t>(step.move) : std::nullopt;
        solver.base_ = by_hand ? step.before : solver.from_;
        solver.counted_base_ = by_hand ? step.counted_before : solver.counted_from_;
    }
    solver.scenario_ = scenario;
    solver.measured_ = effect.before;
    solver.program_ = effect.after;
    solver.target_.level = level;
    if (kernel.target && kernel.target->place)
        solver.algorithmic_ = *kernel.target->place * solver.from_.needs.intensity();
    if (level == MemoryLevel::hbm) solver.target_.algorithmic = solver.algorithmic_;
    solver.result_.state = solver.from_;
    solver.counted_ = solver.counted_from_;
    return solver;
}

void DragSolver::to(ChartPlace pointer, DragMode mode, bool pass) {
    // The pointer is among dots as they are drawn, which follow a typed time as those by their roofs do.
    const double drawn = *counted_base_.promised / *time_by_roofs(base_);
    target_.pointer = {pointer.x, pointer.y * drawn};
    target_.mode = mode;
    target_.pass = pass;
    const Seconds typed = *counted_from_.promised / drawn;
    const bool unpromised = typed > *time_by_roofs(from_) * (1 + factor_rounding);
    result_ = solve_drag(
        model_,
        // What takes the place of a slide that was promised nothing starts where that is drawn.
        unpromised && mode != DragMode::keep_efficiency ? in_time(from_, counted_time(typed)) : from_,
        target_, thresholds_);
    const Move made = move();
    no_promise_ = no_promise(made, model_, base_, result_.state, thresholds_);
    counted_ = counted_after(counted_base_, made, model_, base_, result_.state, no_promise_);
}

std::optional<ChartPlace> DragSolver::start(MemoryLevel level) const {
    return place_of(in_time(from_, counted_from_), model_.roofs, level);
}

std::optional<ChartPlace> DragSolver::place(MemoryLevel level) const {
    return place_of(told(), model_.roofs, level);
}

std::optional<double> DragSolver::roof() const {
    const auto now = place_of(result_.state, model_.roofs, target_.level);
    return result_.gap && now ? std::optional(now->y * result_.gap->factor) : std::nullopt;
}

std::optional<MemoryLevel> DragSolver::binding_level() const {
    const Boundary* boundary = result_.bound ? std::get_if<Boundary>(&result_.bound->binding) : nullptr;
    return boundary != nullptr ? std::optional(level_of(*boundary)) : std::nullopt;
}

bool DragSolver::beyond_model() const {
    if (result_.beyond_model) return true;
    if (!by_hand_ || !scenario_.moves[*by_hand_].beyond_model) return false;
    const auto least = least_time(base_, result_.state, model_);
    const auto hbm = place_of(result_.state, model_.roofs, MemoryLevel::hbm);
    const Seconds allowed = least.value_or(*base_.time);
    return *result_.state.time < allowed * (1 - factor_rounding) ||
           (hbm && target_.algorithmic && hbm->x > target_.algorithmic->value() * (1 + factor_rounding));
}

Move DragSolver::move() const {
    Move move = move_of(target_, result_);
    move.kernel = key_;
    if (by_hand_) {
        const Move& earlier = scenario_.moves[*by_hand_];
        const bool keeps =
            earlier.time_rule == MoveTime::keep_efficiency && move.time_rule == MoveTime::keep_efficiency;
        const auto added = move.bytes;
        move = earlier;
        for (const MemoryLevel level : all_levels)
            move.bytes[level] = bounded_factor(earlier.bytes[level] * added[level]);
        // What the move says of L1 overrules what its factor of shared memory does to L1.
        constexpr MemoryLevel l1 = MemoryLevel::l1;
        if (shared_is_part_of_l1(model_.roofs) && move.bytes[l1] != 1 && base_.bytes[l1]->value() > 0)
            move.bytes[l1] = bounded_factor(*result_.state.bytes[l1] / *base_.bytes[l1]);
        if (!keeps) {
            move.time_rule = MoveTime::factor;
            move.time = bounded_factor(*result_.state.time / *time_by_roofs(base_));
        }
    }
    move.beyond_model = beyond_model();
    return move;
}

Scenario DragSolver::scenario() const {
    Scenario changed = scenario_;
    Move made = move();
    if (!by_hand_) {
        if (!changes_nothing(made)) changed.moves.push_back(std::move(made));
    } else if (changes_nothing(made)) {
        changed.moves.erase(changed.moves.begin() + static_cast<std::ptrdiff_t>(*by_hand_));
    } else {
        changed.moves[*by_hand_] = std::move(made);
    }
    return changed;
}

std::vector<std::string> DragSolver::words() const {
    const MemoryLevel level = target_.level;
    const Bytes bytes = *result_.state.bytes[level];
    const Seconds time = *time_of_all(told(), model_);
    const ProgramTotals after =
        with_change(program_, from_, result_.state, saved_time(counted_from_, counted_));
    std::vector<std::string> lines;
    const Bytes measured_bytes = *model_.measured.bytes[level];
    const Seconds measured_time = *time_of_all(model_.measured, model_);
    lines.push_back(
        std::string(label_of(target_.level, model_.memory)) + " " +
        changed_words(format(measured_bytes), format(bytes), format_factor(bytes / measured_bytes)));
    if (const auto there = place(level)) lines.push_back("AI " + format(Intensity{there->x}));
    lines.push_back("time " +
                    changed_time_words(measured_time, time, model_.time_doubted, model_.approximate));
    lines.push_back(verdict_words(told(), model_, thresholds_));
    if (const auto hbm = place(MemoryLevel::hbm); hbm && algorithmic_ && algorithmic_->value() > 0)
        lines.push_back(distance_words(algorithmic_->value() / hbm->x, false));
    if (speed_up(measured_, after))
        lines.push_back("program " + changed_time_words(measured_.time, after.time, measured_.time_doubted,
                                                        after.time_doubted || model_.approximate));
    if (no_promise_) lines.emplace_back(label_of(*no_promise_));
    if (std::string stops = stop_words(result_, model_.memory); !stops.empty())
        lines.push_back(std::move(stops));
    return lines;
}

}  // namespace roofwalk
