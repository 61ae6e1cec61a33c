// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/kernel_walk.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/scenario/move_words.h"

namespace roofwalk {

namespace {

/// What a drag may go on with: nothing that a preset, a file or a dialog has more to say of.
bool made_by_hand(const Move& move) {
    const bool written = !move.preset.empty() || !move.assumption.empty() || !move.unknown_members.empty();
    return !written && !move.pipe && move.work == 1 && move.time_rule != MoveTime::to_roof;
}

std::string stops_named(const WalkStops& stops, const std::optional<SpeedOfLight>& bound) {
    std::string words;
    const auto add = [&](const std::string& stop) { words += (words.empty() ? "" : " and ") + stop; };
    if (stops.roof && bound) add("the " + label_of(bound->binding) + " roof");
    if (stops.algorithm) add("what the algorithm needs");
    return words;
}

std::string stop_words(const Walked& walked) {
    if (walked.passed.roof_unknown) return "beyond the model: its roof is not known";
    if (walked.beyond_model) return "beyond the model: past " + stops_named(walked.passed, walked.bound);
    if (walked.stops.roof_unknown) return "not faster: its roof is not known";
    const std::string stops = stops_named(walked.stops, walked.bound);
    return stops.empty() ? stops : "stopped at " + stops;
}

}  // namespace

std::optional<KernelWalk> KernelWalk::begin(const Profile& profile, const Analysis& measured,
                                            const Scenario& scenario, const ScenarioEffect& effect,
                                            std::uint32_t point, MemoryLevel level) {
    const KernelPoint& kernel = measured.points.at(point);
    KernelWalk walk;
    walk.point_ = point;
    walk.key_ = key_of(profile, measured, kernel);
    walk.thresholds_ = measured.options.thresholds;
    const MovedKernel* moved = effect.moved_kernel(point);
    walk.model_ = moved ? moved->model : kernel_model(kernel, measured.options);
    walk.base_ = walk.from_ = moved ? moved->state : walk.model_.measured;
    walk.counted_base_ = walk.counted_from_ =
        moved ? moved->counted : counted_time(walk.model_.measured.time);
    if (!place_of(walk.from_, walk.model_.roofs, level)) return std::nullopt;
    for (const ScenarioStep& step : effect.steps) {
        if (step.point != point) continue;
        const bool by_hand = made_by_hand(scenario.moves[step.move]);
        walk.by_hand_ = by_hand ? std::optional<std::size_t>(step.move) : std::nullopt;
        walk.base_ = by_hand ? step.before : walk.from_;
        walk.counted_base_ = by_hand ? step.counted_before : walk.counted_from_;
    }
    walk.scenario_ = scenario;
    walk.measured_ = effect.before;
    walk.program_ = effect.after;
    walk.target_.level = level;
    if (kernel.target && kernel.target->place)
        walk.algorithmic_ = *kernel.target->place * walk.from_.needs.intensity();
    if (level == MemoryLevel::hbm) walk.target_.algorithmic = walk.algorithmic_;
    walk.walked_.state = walk.from_;
    return walk;
}

void KernelWalk::to(ChartPlace pointer, WalkMode mode, bool pass) {
    target_.pointer = pointer;
    target_.mode = mode;
    target_.pass = pass;
    walked_ = walk(model_, from_, target_, thresholds_);
}

std::optional<ChartPlace> KernelWalk::start(MemoryLevel level) const {
    return place_of(from_, model_.roofs, level);
}

std::optional<ChartPlace> KernelWalk::place(MemoryLevel level) const {
    return place_of(walked_.state, model_.roofs, level);
}

std::optional<double> KernelWalk::roof() const {
    const auto now = place(target_.level);
    return walked_.gap && now ? std::optional(now->y * walked_.gap->factor) : std::nullopt;
}

std::optional<MemoryLevel> KernelWalk::binding_level() const {
    const Boundary* boundary = walked_.bound ? std::get_if<Boundary>(&walked_.bound->binding) : nullptr;
    return boundary != nullptr ? std::optional(level_of(*boundary)) : std::nullopt;
}

bool KernelWalk::beyond_model() const {
    if (walked_.beyond_model) return true;
    if (!by_hand_ || !scenario_.moves[*by_hand_].beyond_model) return false;
    const auto least = least_time(base_, walked_.state, model_.roofs);
    const auto hbm = place(MemoryLevel::hbm);
    const Seconds allowed = least.value_or(*base_.time);
    return *walked_.state.time < allowed * (1 - factor_rounding) ||
           (hbm && target_.algorithmic && hbm->x > target_.algorithmic->value() * (1 + factor_rounding));
}

Move KernelWalk::move() const {
    Move move = move_of(target_, walked_);
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
            move.bytes[l1] = bounded_factor(*walked_.state.bytes[l1] / *base_.bytes[l1]);
        if (!keeps) {
            move.time_rule = MoveTime::factor;
            move.time = bounded_factor(*walked_.state.time / *base_.time);
        }
    }
    move.beyond_model = beyond_model();
    return move;
}

Scenario KernelWalk::scenario() const {
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

std::vector<std::string> KernelWalk::words() const {
    const MemoryLevel level = target_.level;
    const Bytes bytes = *walked_.state.bytes[level];
    const Seconds time = *walked_.state.time;
    const Move made = move();
    const auto reason = no_promise(made, model_, base_, walked_.state, thresholds_);
    const CountedTime counted = counted_after(counted_base_, made, model_, base_, walked_.state, reason);
    const ProgramTotals after =
        with_change(program_, from_, walked_.state, saved_time(counted_from_, counted));
    std::vector<std::string> lines;
    const Bytes measured_bytes = *model_.measured.bytes[level];
    const Seconds measured_time = *model_.measured.time;
    lines.push_back(
        std::string(label_of(target_.level)) + " " +
        changed_words(format(measured_bytes), format(bytes), format_factor(bytes / measured_bytes)));
    lines.push_back("time " + changed_time_words(measured_time, time));
    lines.push_back(verdict_words(walked_.state, model_, thresholds_));
    if (const auto hbm = place(MemoryLevel::hbm); hbm && algorithmic_ && algorithmic_->value() > 0)
        lines.push_back(distance_words(algorithmic_->value() / hbm->x));
    if (speed_up(measured_, after))
        lines.push_back("program " + changed_time_words(measured_.time, after.time));
    if (reason) lines.emplace_back(label_of(*reason));
    if (std::string stops = stop_words(walked_); !stops.empty()) lines.push_back(std::move(stops));
    return lines;
}

}  // namespace roofwalk
