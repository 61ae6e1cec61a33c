// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/launch_sampler.h"

#include <algorithm>
#include <utility>

namespace roofwalk::agent {

namespace {

/// A plan that fails this often in a row on one shape is given up.
constexpr std::uint32_t most_failures = 3;

bool is_given_up(const std::map<char, std::uint32_t>& failures, char plan) {
    const auto found = failures.find(plan);
    return found != failures.end() && found->second >= most_failures;
}

}  // namespace

LaunchSampler::LaunchSampler(SamplingPolicy policy, std::vector<char> plans_of_device)
    : policy_(policy), plans_(std::move(plans_of_device)) {}

bool LaunchSampler::has(char plan) const {
    return std::ranges::find(plans_, plan) != plans_.end();
}

LaunchSampler::State& LaunchSampler::state_of(const Shape& shape) {
    const auto [place, is_new] = states_.try_emplace(shape);
    if (is_new && policy_.work && has(work_plan)) place->second.wanted.push_back(work_plan);
    return place->second;
}

std::optional<char> LaunchSampler::choose(const Shape& shape) {
    ++seen_;
    State& state = state_of(shape);
    ++state.since_memory;
    const bool memory = !is_given_up(state.failures, memory_plan);
    const bool first = memory && state.memory_done == 0;
    if (!first && !state.wanted.empty()) {
        const char plan = state.wanted.front();
        state.wanted.erase(state.wanted.begin());
        return plan;
    }
    const bool due = state.memory_done < policy_.memory_first ||
                     (policy_.memory_every > 0 && state.since_memory >= policy_.memory_every);
    if (memory && (first || due)) {
        ++state.memory_done;
        state.since_memory = 0;
        return memory_plan;
    }
    ++left_out_;
    return std::nullopt;
}

void LaunchSampler::want(const Shape& shape, char plan) {
    State& state = state_of(shape);
    if (!policy_.tensor || !has(plan) || std::ranges::find(state.asked, plan) != state.asked.end()) return;
    state.asked.push_back(plan);
    state.wanted.push_back(plan);
}

void LaunchSampler::measured(const Shape& shape, char plan) {
    state_of(shape).failures.erase(plan);
}

bool LaunchSampler::failed(const Shape& shape, char plan) {
    State& state = state_of(shape);
    ++state.failures[plan];
    if (is_given_up(state.failures, plan)) return true;
    not_tried(shape, plan);
    return false;
}

void LaunchSampler::not_tried(const Shape& shape, char plan) {
    State& state = state_of(shape);
    if (plan == memory_plan && state.memory_done > 0)
        --state.memory_done;
    else if (plan != memory_plan)
        state.wanted.insert(state.wanted.begin(), plan);
}

}  // namespace roofwalk::agent
