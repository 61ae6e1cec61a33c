// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bench.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>

namespace roofwalk::bench {

void print_row(std::string_view what, std::string_view measured, std::string_view to_hold) {
    fmt::print("| {} | {} | {} |\n", what, measured, to_hold);
    std::fflush(stdout);
}

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

double peak_memory() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024;
}

}  // namespace roofwalk::bench
