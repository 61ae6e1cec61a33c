// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/drag.h"

#include <algorithm>
#include <cmath>

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

/// The next level towards HBM whose bytes are known. Those of shared memory need not come from there.
std::optional<MemoryLevel> level_beneath(const KernelState& state, MemoryLevel level) {
    std::optional<MemoryLevel> beneath;
    if (level == MemoryLevel::l1 && state.bytes[MemoryLevel::l2]) beneath = MemoryLevel::l2;
    const bool over_hbm = level == MemoryLevel::l1 || level == MemoryLevel::l2;
    return !beneath && over_hbm && state.bytes[MemoryLevel::hbm] ? MemoryLevel::hbm : beneath;
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
        // Unless the report itself has fewer here.
        const auto beneath = level_beneath(from_, target_.level);
        const double least = beneath ? *from_.bytes[*beneath] / *from_.bytes[target_.level] : 0;
        if (least <= 1 && factor < least * (1 - factor_rounding)) {
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
        } else if (unbounded) {
            result_.stops.roof_unknown = true;
            time = *from_.time;
        } else {
            result_.stops.roof = result_.stops.roof || past_roof;
            time = std::max(time, least.value_or(time));
        }
        const Seconds held = target_.pass ? time : std::max(time, busy);
        const bool below = held < launch_floor_of(result_.state, roofs_) * (1 - factor_rounding);
        (target_.pass ? result_.passed : result_.stops).launch = below;
        if (target_.pass) {
            result_.state.time = time;
            result_.state.below_floor.reset();
        } else {
            set_time_by_roofs(from_, result_.state, model_, time);
            // A dot that is lifted stays where it stopped; one that slides stands where its roof leaves it.
            if (target_.mode != DragMode::keep_efficiency) result_.state.below_floor.reset();
            time = *result_.state.time;
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

}  // namespace roofwalk
