// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>
#include <mutex>

namespace roofwalk::agent {

/// Whether the mutex is free within a tenth of a second.
[[nodiscard]] inline bool can_be_had(std::mutex& mutex) {
    constexpr int tries = 50;
    constexpr timespec between{0, 2'000'000};
    for (int at = 0; at < tries; ++at) {
        if (const std::unique_lock lock(mutex, std::try_to_lock); lock.owns_lock()) return true;
        nanosleep(&between, nullptr);
    }
    return false;
}

}  // namespace roofwalk::agent
