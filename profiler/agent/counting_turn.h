// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace roofwalk::agent {

/// Lets one launch of the process be counted at a time: kernels that other threads launch meanwhile would be
/// counted with it.
class CountingTurn {
  public:
    /// Waits until nobody has the turn, then takes it; false when that lasts too long.
    [[nodiscard]] bool take() {
        std::unique_lock lock(mutex_);
        if (!ended_.wait_for(lock, patience, [&] { return !taken_; })) return false;
        taken_ = true;
        return true;
    }

    /// Waits until nobody has the turn, or too long: whoever has it may be waiting for the launch that asks.
    void stand_by() {
        std::unique_lock lock(mutex_);
        if (!ended_.wait_for(lock, patience, [&] { return !taken_; })) disturbed_ = true;
    }

    /// Whether another launch has slipped in since take().
    [[nodiscard]] bool is_disturbed() {
        const std::lock_guard lock(mutex_);
        return disturbed_;
    }

    void end() {
        const std::lock_guard lock(mutex_);
        taken_ = false;
        disturbed_ = false;
        ended_.notify_all();
    }

  private:
    static constexpr std::chrono::seconds patience{1};

    std::mutex mutex_;
    std::condition_variable ended_;
    bool taken_ = false;
    bool disturbed_ = false;
};

}  // namespace roofwalk::agent
