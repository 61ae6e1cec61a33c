// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace roofwalk::agent {

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
