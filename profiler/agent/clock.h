// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ctime>
#include <mutex>

namespace roofwalk::agent {

[[nodiscard]] inline std::uint64_t time_of(clockid_t clock) noexcept {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

/// Since 1970 [ns], as the machine has it just now.
[[nodiscard]] inline std::uint64_t now_ns() noexcept {
    return time_of(CLOCK_REALTIME);
}

/// For limits of time: nobody sets this clock [ns].
[[nodiscard]] inline std::uint64_t steady_ns() noexcept {
    return time_of(CLOCK_MONOTONIC);
}

/// The mutex, where it is free within a tenth of a second. (std::timed_mutex needs a newer C library than the
/// programs may have.)
[[nodiscard]] inline std::unique_lock<std::mutex> try_lock_for(std::mutex& mutex) {
    constexpr int tries = 50;
    constexpr timespec between{0, 2'000'000};
    std::unique_lock lock(mutex, std::try_to_lock);
    for (int at = 1; at < tries && !lock.owns_lock(); ++at) {
        nanosleep(&between, nullptr);
        static_cast<void>(lock.try_lock());
    }
    return lock;
}

}  // namespace roofwalk::agent
