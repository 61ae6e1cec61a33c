// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/launch_sampler.h"

#include <utility>

namespace roofwalk::agent {

namespace {

/// A plan that fails this often in a row on one shape is given up.
constexpr std::uint32_t most_failures = 3;

/// Of a kernel: its three passes on an H100 take 0.045 s, more where it is long, since patched instructions
/// run up to a hundred times slower, or where much memory is saved.
constexpr std::uint64_t fast_replay_ns = 80'000'000;

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

LaunchSampler::State& LaunchSampler::state_of(const SampleKey& shape) {
    const auto [place, is_new] = states_.try_emplace(shape);
    State& state = place->second;
    if (is_new && policy_.work && has(work_plan)) state.wanted.push_back(work_plan);
    if (is_new && policy_.tensor_unasked) want(state, tensor_plan);
    return state;
}

std::optional<char> LaunchSampler::choose(const SampleKey& shape) {
    ++seen_;
    const auto plan = choose(state_of(shape));
    if (plan) last_ = plan;
    return plan;
}

std::optional<char> LaunchSampler::choose(State& state) {
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
        state.since_memory = 0;
        if (is_replayed(state)) {
            std::erase(state.wanted, work_plan);
            if (policy_.replay_has_tensor)
                for (auto* const plans : {&state.wanted, &state.asked})
                    std::erase(*plans, tensor_plan);
            ++state.memory_done;
            return replay_plan;
        }
        ++state.memory_done;
        return memory_plan;
    }
    return std::nullopt;
}

bool LaunchSampler::is_replayed(const State& state) {
    if (!policy_.work || !state.replays || !has(replay_plan)) return false;
    if (policy_.replay != wire::Replay::once) return policy_.replay == wire::Replay::always;
    if (state.memory_done == 0) {
        replayed_on_ = 0;
        return true;
    }
    return last_ == replay_plan && state.replays_fast && replayed_on_++ < wire::most_replayed_on;
}

void LaunchSampler::want(const SampleKey& shape, char plan) {
    State& state = state_of(shape);
    // Who asks knows which plans count the types, and begins with B where that is one of them.
    if (std::exchange(state.nobody_asked, false) && plan != tensor_plan)
        std::erase(state.wanted, tensor_plan);
    want(state, plan);
}

void LaunchSampler::want(State& state, char plan) const {
    if (!policy_.tensor || !has(plan) || std::ranges::find(state.asked, plan) != state.asked.end()) return;
    state.asked.push_back(plan);
    state.wanted.push_back(plan);
}

void LaunchSampler::measured(const SampleKey& shape, char plan, std::uint64_t took_ns) {
    State& state = state_of(shape);
    state.failures.erase(plan);
    if (plan != replay_plan) return;
    state.has_work = true;
    state.replays_fast = took_ns < fast_replay_ns;
    if (state.nobody_asked && !policy_.replay_has_tensor) want(state, tensor_plan);
}

bool LaunchSampler::failed(const SampleKey& shape, char plan) {
    State& state = state_of(shape);
    if (plan == replay_plan) {
        without_replay(shape);
        plan = memory_plan;
    }
    ++state.failures[plan];
    if (is_given_up(state.failures, plan)) return true;
    not_tried(shape, plan);
    return false;
}

void LaunchSampler::not_tried(const SampleKey& shape, char plan) {
    State& state = state_of(shape);
    if (plan == replay_plan) want_work(state);
    if (plan == replay_plan || plan == memory_plan)
        state.memory_done -= state.memory_done > 0 ? 1 : 0;
    else
        state.wanted.insert(state.wanted.begin(), plan);
}

void LaunchSampler::without_replay(const SampleKey& shape) {
    State& state = state_of(shape);
    state.replays = false;
    last_ = memory_plan;
    if (state.nobody_asked) std::erase(state.asked, tensor_plan);
    if (policy_.tensor_unasked && policy_.replay_has_tensor) want(state, tensor_plan);
    want_work(state);
}

/// Of a launch of its own, where plan E has not counted it.
void LaunchSampler::want_work(State& state) const {
    if (!state.has_work && has(work_plan) && std::ranges::find(state.wanted, work_plan) == state.wanted.end())
        state.wanted.insert(state.wanted.begin(), work_plan);
}

}  // namespace roofwalk::agent
