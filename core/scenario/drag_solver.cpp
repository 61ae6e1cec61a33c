// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/drag_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/scenario/move_words.h"

namespace roofwalk {

namespace {

constexpr double step = 1.01;

bool is_place(double value) {
    return std::isfinite(value) && value > 0;
}

/// How often more bytes the level may move before its bound, or that of the L1 that counts them too, is as
/// long as the kernel may take.
double most_bytes(const KernelState& from, const KernelRoofs& roofs, MemoryLevel level, Seconds longest) {
    double most = largest_factor;
    const Bytes own = *from.bytes[level];
    const auto limit = [&](MemoryLevel counted) {
        const auto& rate = roofs.bandwidth[counted];
        const auto& bytes = from.bytes[counted];
        if (rate && bytes) most = std::min(most, 1 + (*rate * longest - *bytes) / own);
    };
    limit(level);
    if (level == MemoryLevel::smem && shared_is_part_of_l1(roofs)) limit(MemoryLevel::l1);
    return std::max(most, 1.0);
}

/// The next level towards HBM whose bytes are known, or shared memory that L1 counts too: the one with more
/// bytes of those that have no more than the level itself. Those of shared memory need not come from there.
std::optional<MemoryLevel> level_beneath(const KernelState& state, const KernelRoofs& roofs,
                                         MemoryLevel level) {
    std::optional<MemoryLevel> beneath;
    const auto consider = [&](MemoryLevel other) {
        const auto& bytes = state.bytes[other];
        if (bytes && *bytes <= *state.bytes[level] && (!beneath || *bytes > *state.bytes[*beneath]))
            beneath = other;
    };
    if (level == MemoryLevel::smem) return beneath;
    if (level == MemoryLevel::l1 && state.bytes[MemoryLevel::l2])
        consider(MemoryLevel::l2);
    else if (level != MemoryLevel::hbm)
        consider(MemoryLevel::hbm);
    if (level == MemoryLevel::l1 && shared_is_part_of_l1(roofs)) consider(MemoryLevel::smem);
    return beneath;
}

/// One drag, step by step.
class DragStep {
  public:
    DragStep(const KernelModel& model, const KernelState& from, const DragTarget& target, ChartPlace start)
        : model_(model),
          roofs_(model.roofs),
          from_(from),
          target_(target),
          start_(start),
          bound_(speed_of_light(from, roofs_)) {
        result_.state = from;
    }

    DragResult go() {
        change_bytes();
        change_time();
        const DragStops& passed = result_.passed;
        result_.beyond_model =
            passed.roof || passed.algorithm || passed.launch || passed.beneath || passed.roof_unknown;
        return result_;
    }

  private:
    void change_bytes() {
        if (target_.mode == DragMode::up_only) return;
        double x = is_place(target_.pointer.x) ? target_.pointer.x : start_.x;
        if (target_.algorithmic) {
            const double last = std::max(target_.algorithmic->value(), start_.x);
            const bool past = x > last * (1 + factor_rounding);
            result_.passed.algorithm = past && target_.pass;
            if (past && !target_.pass) {
                result_.stops.algorithm = true;
                x = last;
            }
        }
        double factor = bounded_factor(start_.x / x);
        if (target_.mode == DragMode::right_only && bound_ && !target_.pass) {
            const Seconds longest = std::max(*from_.time, bound_->time);
            const double most = most_bytes(from_, roofs_, target_.level, longest);
            result_.stops.roof = factor > most;
            factor = std::min(factor, most);
        }
        const auto beneath = level_beneath(from_, roofs_, target_.level);
        const double least = beneath ? *from_.bytes[*beneath] / *from_.bytes[target_.level] : 0;
        if (factor < least * (1 - factor_rounding)) {
            (target_.pass ? result_.passed : result_.stops).beneath = beneath;
            if (!target_.pass) factor = least;
        }
        result_.bytes_factor = factor;
        set_bytes(result_.state, roofs_, target_.level, *from_.bytes[target_.level] * factor);
    }

    /// The time that the mode and the pointer ask for.
    [[nodiscard]] Seconds wanted_time() const {
        const auto bound = speed_of_light(result_.state, roofs_);
        switch (target_.mode) {
            case DragMode::keep_efficiency:
                return bound && bound_ ? *time_by_roofs(from_) * (bound->time / bound_->time) : *from_.time;
            case DragMode::free:
            case DragMode::up_only:
                if (is_place(target_.pointer.y))
                    return *from_.time * bounded_factor(start_.y / target_.pointer.y);
                return *from_.time;
            case DragMode::right_only:
                return *from_.time;
        }
        return *from_.time;
    }

    void change_time() {
        Seconds time = wanted_time();
        const auto least = least_time(from_, result_.state, model_);
        const Seconds busy = busy_time(from_, result_.state, model_);
        const bool past_unit = time < busy * (1 - factor_rounding);
        const bool past_roof = past_unit || (least && time < *least * (1 - factor_rounding));
        const bool unbounded = !least && time < *from_.time;
        if (target_.pass) {
            result_.passed.roof = past_roof;
            result_.passed.roof_unknown = unbounded;
        } else {
            result_.stops.roof_unknown = unbounded;
            time = unbounded ? *from_.time : std::max(time, least.value_or(time));
        }
        const Seconds held = target_.pass ? time : std::max(time, busy);
        const Seconds floor = launch_floor_of(result_.state, roofs_);
        const bool below = held < floor * (1 - factor_rounding);
        if (target_.pass) {
            result_.passed.launch = below;
            result_.state.time = time;
            result_.state.below_floor.reset();
        } else {
            set_time_by_roofs(from_, result_.state, model_, time);
            // A dot that is lifted stays where it stopped; one that slides stands where its roof leaves it.
            if (target_.mode != DragMode::keep_efficiency) result_.state.below_floor.reset();
            time = *result_.state.time;
            // Of two limits the lower one stops it, and none where it takes longer than at both.
            result_.stops.launch = below && time <= floor * (1 + factor_rounding);
            result_.stops.roof = result_.stops.roof || (past_roof && !below && !unbounded);
        }
        result_.time_factor = time / *from_.time;
    }

    const KernelModel& model_;
    const KernelRoofs& roofs_;
    const KernelState& from_;
    const DragTarget& target_;
    ChartPlace start_;
    std::optional<SpeedOfLight> bound_;  // of from_
    DragResult result_;
};

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
        add(fmt::format("what {} moves, which {}", label_of(*stops.beneath, memory),
                        *stops.beneath == MemoryLevel::smem ? "it counts too" : "comes through it"));
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

DragResult solve_drag(const KernelModel& model, const KernelState& from, const DragTarget& target,
                      const VerdictThresholds& thresholds) {
    DragResult result;
    result.state = from;
    if (const auto start = place_of(from, model.roofs, target.level))
        result = DragStep(model, from, target, *start).go();
    result.bound = speed_of_light(result.state, model.roofs);
    result.limit = tightest_limit(result.state, model);
    result.gap = gap_of(result.state, model.roofs);
    result.kernel_class = class_of(result.state, model, thresholds);
    return result;
}

ChartPlace stepped(ChartPlace place, int right, int up) {
    return {place.x * std::pow(step, right), place.y * std::pow(step, up)};
}

Move move_of(const DragTarget& target, const DragResult& result) {
    Move move;
    move.bytes[target.level] = result.bytes_factor;
    if (target.mode != DragMode::keep_efficiency) {
        move.time_rule = MoveTime::factor;
        move.time = result.time_factor;
    }
    move.beyond_model = result.beyond_model;
    return move;
}

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
        unpromised && mode != DragMode::keep_efficiency ? in_counted_time(from_, counted_time(typed)) : from_,
        target_, thresholds_);
    const Move made = move();
    unpromised_ = unpromised_reason(made, model_, base_, result_.state, thresholds_);
    counted_ = counted_after_move(counted_base_, made, model_, base_, result_.state, unpromised_);
}

std::optional<ChartPlace> DragSolver::start(MemoryLevel level) const {
    return place_of(in_counted_time(from_, counted_from_), model_.roofs, level);
}

std::optional<ChartPlace> DragSolver::place(MemoryLevel level) const {
    return place_of(in_program(), model_.roofs, level);
}

std::optional<ChartPlace> DragSolver::measured_place(MemoryLevel level) const {
    return place_of(model_.measured, model_.roofs, level);
}

std::optional<double> DragSolver::roof() const {
    const auto now = place_of(result_.state, model_.roofs, target_.level);
    // As the words beside it, which name a unit that is nearer than the roof.
    if (now && result_.limit && std::holds_alternative<HardwareUnit>(result_.limit->of))
        return now->y / result_.limit->share;
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
    const Seconds time = *time_of_all(in_program(), model_);
    const ProgramTotals after =
        with_change(program_, from_, result_.state, saved_time(counted_from_, counted_));
    std::vector<std::string> lines;
    const Bytes measured_bytes = *model_.measured.bytes[level];
    const Seconds measured_time = *time_of_all(model_.measured, model_);
    lines.push_back(
        std::string(label_of(target_.level, model_.memory)) + " " +
        changed_words(format(measured_bytes), format(bytes), format_factor(bytes / measured_bytes)));
    if (const auto there = place(level))
        lines.push_back("AI " + format(Intensity{there->x}, fmt::format("{}/byte", model_.work_unit)));
    lines.push_back("time " +
                    changed_time_words(measured_time, time, model_.time_doubted, model_.approximate));
    const KernelState told = in_program();
    const auto binds = what_binds(told, model_);
    const bool at_unit = result_.stops.roof && binds && std::holds_alternative<HardwareUnit>(binds->of);
    lines.push_back(at_unit ? class_name(told, model_, thresholds_)  // what stops it says where it is
                            : verdict_words(told, model_, thresholds_));
    if (const auto hbm = place(MemoryLevel::hbm); hbm && algorithmic_ && algorithmic_->value() > 0)
        lines.push_back(horizontal_distance_words(algorithmic_->value() / hbm->x, false));
    if (speed_up(measured_, after))
        lines.push_back("program " + changed_time_words(measured_.time, after.time, measured_.time_doubted,
                                                        after.time_doubted || model_.approximate));
    if (unpromised_) lines.emplace_back(label_of(*unpromised_));
    if (std::string stops = stop_words(result_, model_.memory); !stops.empty())
        lines.push_back(std::move(stops));
    return lines;
}

}  // namespace roofwalk
