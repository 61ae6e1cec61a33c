// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_shared_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace roofwalk {

namespace {

using Figures = std::array<double, 3>;  // time [s], DRAM bytes read and written

/// Absent for traffic so small that launches may agree by chance.
std::optional<Figures> figures_of(const Launch& launch) {
    constexpr double least_bytes = 1e6;
    const TrafficSample* dram = launch.find(Boundary::hbm_dram_rw);
    if (launch.failed || !launch.duration || dram == nullptr || !dram->read || !dram->write) return {};
    if (dram->total.value() < least_bytes) return {};
    return Figures{launch.duration->value(), dram->read->value(), dram->write->value()};
}

struct SharedCounters {
    std::size_t launch = 0;
    std::size_t other = 0;  ///< of another kernel, with the same figures
};

std::vector<SharedCounters> shared_counters(const Profile& profile) {
    std::map<Figures, std::vector<std::size_t>> launches;
    for (std::size_t i = 0; i < profile.launches.size(); ++i)
        if (const auto figures = figures_of(profile.launches[i])) launches[*figures].push_back(i);

    std::vector<SharedCounters> found;
    for (const auto& [figures, same] : launches) {
        const auto of_another_kernel = [&, first = profile.launches[same.front()].kernel](std::size_t i) {
            return profile.launches[i].kernel != first;
        };
        const auto other = std::ranges::find_if(same, of_another_kernel);
        if (other == same.end()) continue;
        for (const std::size_t i : same)
            found.push_back({i, of_another_kernel(i) ? same.front() : *other});
    }
    std::ranges::sort(found, {}, &SharedCounters::launch);
    return found;
}

std::vector<LaunchIndex> launches_of(const std::vector<SharedCounters>& found) {
    std::vector<LaunchIndex> launches;
    for (const SharedCounters& shared : found)
        launches.push_back(static_cast<LaunchIndex>(shared.launch));
    return launches;
}

}  // namespace

void warn_of_shared_counters(Profile& profile) {
    constexpr std::size_t most_warnings = 20;
    const std::vector<SharedCounters> found = shared_counters(profile);
    const bool many = found.size() > most_warnings;
    for (const auto& [launch, other] : found) {
        const auto name = [&](std::size_t i) {
            return fmt::format("kernel {}, {}", i, profile.kernel_of(profile.launches[i]).name);
        };
        std::string what =
            fmt::format("Time and dram__bytes of this kernel are exactly those of {}", name(other));
        if (many) what += fmt::format(", and so with {} kernels of the report", found.size());
        profile.warnings.push_back(
            {{ErrorCode::contradiction, what + ": one launch's counters were given to several", name(launch),
              "Application replay does so when a program does not repeat itself. Profile again with "
              "kernel replay."},
             many ? launches_of(found) : std::vector{static_cast<LaunchIndex>(launch)}});
        if (many) return;
    }
}

}  // namespace roofwalk
