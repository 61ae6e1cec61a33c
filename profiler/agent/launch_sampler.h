// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "profiler/wire/record.h"

namespace roofwalk::agent {

/// Letters of counter plans, as records call them.
inline constexpr char memory_plan = 'A';
inline constexpr char tensor_plan = 'B';
inline constexpr char work_plan = 'C';
inline constexpr char replay_plan = 'E';  ///< A and C on one launch

/// Launches on one device that may be expected to do the same: one kernel with one geometry, for one set of
/// sizes where PyTorch's ranges tell them.
struct SampleKey {
    std::string name;
    wire::Extent grid;
    wire::Extent block;
    std::uint32_t dynamic_shared = 0;  ///< per block [byte]
    std::string sizes{};               ///< of inputs: ", sizes = [[64, 4096], [4096, 11008]]"

    friend auto operator<=>(const SampleKey&, const SampleKey&) = default;
};

struct SamplingPolicy {
    bool work = true;                 ///< plan C, once for a shape
    bool tensor = true;               ///< plans that are asked for
    bool tensor_unasked = false;      ///< plan B too, once for a shape, also where plan E was not had
    bool replay_has_tensor = false;   ///< plan E counts what plan B does
    std::uint32_t memory_first = 5;   ///< launches of a shape that get plan A before it is thinned out
    std::uint32_t memory_every = 20;  ///< after those, every so many of its launches gets plan A; 0: none
    wire::Replay replay = wire::Replay::once;  ///< which of those with plan A get plan E in its place
};

/// Decides which launch of a kernel that repeats gets which plan: E on the first launch, which then runs once
/// for each of its passes, or A there and C on the second; others on the next once they are asked for, or B
/// unasked after E, as a kernel that is launched twice may end before somebody asks; then A again now and
/// then. Another plan than the last one costs as much as some passes more: E takes the place of A for a few
/// launches after the last that needed it.
class LaunchSampler {
  public:
    explicit LaunchSampler(SamplingPolicy policy, std::vector<char> plans_of_device);

    /// The plan for the next launch of this shape; absent: the launch is not measured.
    [[nodiscard]] std::optional<char> choose(const SampleKey& shape);

    /// The next launch of the shape shall have `plan`, once; may come late, or never.
    void want(const SampleKey& shape, char plan);

    /// `plan` was measured, which took so long for each kernel [ns]: what failed before is forgotten.
    void measured(const SampleKey& shape, char plan, std::uint64_t took_ns = 0);

    /// The measuring of `plan` failed: a later launch of the shape gets it again, until it has failed three
    /// times in a row. Then it is given up, and this is true. Of plan E A and C are tried instead.
    bool failed(const SampleKey& shape, char plan);

    /// `plan` could not be tried on the launch that got it: a later one gets it again.
    void not_tried(const SampleKey& shape, char plan);

    /// The launch that was to get plan E, or B unasked, gets plan A, as do those after it.
    void without_replay(const SampleKey& shape);

    /// Whether want() has named a plan.
    [[nodiscard]] bool is_asked(const SampleKey& shape) { return !state_of(shape).nobody_asked; }

    [[nodiscard]] std::uint64_t seen() const { return seen_; }

  private:
    struct State {
        std::uint32_t memory_done = 0;
        std::uint32_t since_memory = 0;  ///< launches since the last one with plan A
        bool has_work = false;           ///< by plan E
        bool replays = true;             ///< plan E may be had
        bool replays_fast = false;       ///< plan E has taken less than another plan would
        std::vector<char> wanted;        ///< plans to be had once each
        std::vector<char> asked;         ///< plans that want() has named, and B unasked
        bool nobody_asked = true;
        std::map<char, std::uint32_t> failures;  ///< in a row
    };

    State& state_of(const SampleKey& shape);
    [[nodiscard]] bool has(char plan) const;
    [[nodiscard]] bool is_replayed(const State& state);
    std::optional<char> choose(State& state);
    void want(State& state, char plan) const;
    void want_work(State& state) const;

    SamplingPolicy policy_;
    std::vector<char> plans_;
    std::map<SampleKey, State> states_;
    std::uint64_t seen_ = 0;
    std::optional<char> last_;       ///< plan that was chosen
    std::uint32_t replayed_on_ = 0;  ///< launches since one needed plan E
};

/// When to try again for what another program holds: after a second, then after twice as long each time, up
/// to a minute.
class RetryTimes {
  public:
    /// It was refused.
    void refused(std::uint64_t now_ns) {
        distance_ns_ = distance_ns_ == 0 ? shortest_ns : std::min(2 * distance_ns_, longest_ns);
        due_ns_ = now_ns + distance_ns_;
    }

    /// Whether it was refused so long ago that it is to be tried now: true once, until it is refused again.
    [[nodiscard]] bool take_turn(std::uint64_t now_ns) {
        if (due_ns_ == 0 || now_ns < due_ns_) return false;
        due_ns_ = 0;
        return true;
    }

    /// It was refused, and not had since.
    [[nodiscard]] bool is_waiting() const { return distance_ns_ != 0; }

  private:
    static constexpr std::uint64_t shortest_ns = 1'000'000'000;
    static constexpr std::uint64_t longest_ns = 60'000'000'000;

    std::uint64_t distance_ns_ = 0;
    std::uint64_t due_ns_ = 0;
};

}  // namespace roofwalk::agent
