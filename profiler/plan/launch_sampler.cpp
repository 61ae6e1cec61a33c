// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/launch_sampler.h"

#include <algorithm>
#include <utility>

namespace roofwalk {

namespace {

/// A plan that fails this often in a row on one shape is given up.
constexpr std::uint32_t most_failures = 3;

bool is_given_up(const std::map<PlanKind, std::uint32_t>& failures, PlanKind plan) {
    const auto found = failures.find(plan);
    return found != failures.end() && found->second >= most_failures;
}

std::optional<double> value_of(const std::map<std::string, double>& values, const std::string& name) {
    const auto found = values.find(name);
    if (found == values.end()) return std::nullopt;
    return found->second;
}

}  // namespace

std::optional<TensorUse> tensor_use(const Chip& chip, const std::map<std::string, double>& values) {
    const std::string all = "sm__inst_executed_pipe_tensor";
    const auto instructions = value_of(values, all + ".sum");
    if (!instructions) return std::nullopt;
    TensorUse use{*instructions > 0, std::nullopt, std::nullopt};
    if (chip.family == ChipFamily::hopper) {
        const auto half = value_of(values, all + "_op_hmma.sum");
        const auto integer = value_of(values, all + "_op_imma.sum");
        const auto fp64 = value_of(values, all + "_op_dmma.sum");
        if (half && integer && fp64) {
            use.by_warp = *half + *integer > 0;
            use.by_warp_group = *instructions > *half + *integer + *fp64;
        }
    } else if (const auto operands = value_of(values, "l1tex__data_pipe_tc_wavefronts_mem_shared.sum")) {
        use.by_warp_group = *operands > 0;
        if (*operands == 0) use.by_warp = use.used;
    }
    return use;
}

LaunchSampler::LaunchSampler(SamplingPolicy policy, std::vector<PlanKind> plans_of_chip)
    : policy_(policy), plans_(std::move(plans_of_chip)) {}

bool LaunchSampler::has(PlanKind plan) const {
    return std::ranges::find(plans_, plan) != plans_.end();
}

LaunchSampler::State& LaunchSampler::state_of(const LaunchShape& shape) {
    const auto [place, is_new] = states_.try_emplace(shape);
    if (is_new && policy_.work && has(PlanKind::work)) place->second.wanted.push_back(PlanKind::work);
    return place->second;
}

std::optional<PlanKind> LaunchSampler::choose(const LaunchShape& shape) {
    ++seen_;
    State& state = state_of(shape);
    ++state.since_memory;
    const bool memory = !is_given_up(state.failures, PlanKind::memory);
    const bool first = memory && state.memory_done == 0;
    if (!first && !state.wanted.empty()) {
        const PlanKind plan = state.wanted.front();
        state.wanted.erase(state.wanted.begin());
        return plan;
    }
    const bool due = state.memory_done < policy_.memory_first ||
                     (policy_.memory_every > 0 && state.since_memory >= policy_.memory_every);
    if (memory && (first || due)) {
        ++state.memory_done;
        state.since_memory = 0;
        return PlanKind::memory;
    }
    ++left_out_;
    return std::nullopt;
}

void LaunchSampler::learn(const LaunchShape& shape, const TensorUse& use) {
    State& state = state_of(shape);
    if (state.tensor_known || !use.used || !policy_.tensor) return;
    state.tensor_known = true;
    if (use.by_warp_group.value_or(true) && has(PlanKind::tensor)) state.wanted.push_back(PlanKind::tensor);
    if (use.by_warp.value_or(true) && has(PlanKind::warp_tensor))
        state.wanted.push_back(PlanKind::warp_tensor);
}

void LaunchSampler::measured(const LaunchShape& shape, PlanKind plan) {
    state_of(shape).failures.erase(plan);
}

void LaunchSampler::failed(const LaunchShape& shape, PlanKind plan) {
    State& state = state_of(shape);
    ++state.failures[plan];
    if (is_given_up(state.failures, plan)) return;
    if (plan == PlanKind::memory && state.memory_done > 0)
        --state.memory_done;
    else if (plan != PlanKind::memory)
        state.wanted.insert(state.wanted.begin(), plan);
}

std::vector<GivenUpPlan> LaunchSampler::given_up() const {
    std::vector<GivenUpPlan> plans;
    for (const auto& [shape, state] : states_)
        for (const auto& [plan, count] : state.failures)
            if (count >= most_failures) plans.push_back({shape, plan});
    return plans;
}

}  // namespace roofwalk
