// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <concepts>
#include <string>
#include <string_view>
#include <vector>

/// What the benchmarks share: a clock and the rows of one table.
namespace roofwalk::bench {

/// Prints one row of the table that tests/bench/run puts together.
void print_row(std::string_view what, std::string_view measured, std::string_view to_hold);

[[nodiscard]] double median(std::vector<double> values);

/// Seconds of one call.
template <std::invocable Call>
[[nodiscard]] double seconds_of(Call&& call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Median seconds of one call, over `repeats` calls.
template <std::invocable Call>
[[nodiscard]] double median_seconds(int repeats, Call&& call) {
    std::vector<double> times;
    for (int i = 0; i < repeats; ++i)
        times.push_back(seconds_of(call));
    return median(std::move(times));
}

/// Keeps a result alive, so that the work for it is not optimised away.
template <class T>
void keep(const T& value) {
    asm volatile("" : : "g"(&value) : "memory");
}

/// The most memory this process has had resident so far [byte].
[[nodiscard]] double peak_memory();

}  // namespace roofwalk::bench
