// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/derived_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "core/base/text.h"

namespace roofwalk {

namespace {

bool is_derived(const Launch& launch) {
    return launch.duration && launch.duration_origin == TimeOrigin::derived;
}

/// The longest of launches.
struct KnownTimes {
    std::optional<Seconds> timed;
    std::optional<Seconds> derived_without_work;

    void add(const Launch& launch) {
        if (!launch.duration || (is_derived(launch) && !launch.work.empty())) return;
        std::optional<Seconds>& longest = is_derived(launch) ? derived_without_work : timed;
        longest = std::max(longest.value_or(Seconds()), *launch.duration);
    }
};

/// A process of a file.
using Run = std::pair<SourceIndex, std::uint32_t>;

/// Of the farthest level, to a power of 2.
using SomeBytes = std::pair<Boundary, int>;

std::optional<SomeBytes> bytes_of(const Launch& launch) {
    const auto farthest = std::ranges::min_element(launch.traffic, {}, &TrafficSample::boundary);
    if (farthest == launch.traffic.end()) return std::nullopt;
    const double bytes = farthest->total.value();
    if (!(bytes > 0) || !std::isfinite(bytes)) return std::nullopt;
    return SomeBytes(farthest->boundary, static_cast<int>(std::lround(std::log2(bytes))));
}

/// The place of a median: of two the shorter, as counting takes longer, never less.
std::ptrdiff_t middle_of(const std::vector<Seconds>& times) {
    return (std::ssize(times) - 1) / 2;
}

/// Of one kernel, geometry and GPU.
struct LaunchesAlike {
    std::map<Run, std::vector<LaunchIndex>> runs;
    KnownTimes longest;
    std::map<SomeBytes, std::vector<Seconds>> derived;  ///< of those bytes and those beside; medians in place
    std::map<std::size_t, std::vector<KnownTimes>> in_order;  ///< by how many a run has, and number

    /// The time beside which a derived one is judged.
    [[nodiscard]] std::optional<Seconds> beside(const Launch& launch, const KnownTimes& same_number) const {
        if (same_number.timed) return same_number.timed;
        if (longest.timed) return longest.timed;
        if (launch.work.empty() || !longest.derived_without_work) return std::nullopt;
        return same_number.derived_without_work ? same_number.derived_without_work
                                                : longest.derived_without_work;
    }
    /// The same of one that none of these tells.
    [[nodiscard]] std::optional<Seconds> of_as_many_bytes(const Launch& launch) const {
        const auto bytes = bytes_of(launch);
        if (!bytes) return std::nullopt;
        const std::vector<Seconds>& times = derived.at(*bytes);
        return times[static_cast<std::size_t>(middle_of(times))];
    }
    void add(const Launch& launch) {
        longest.add(launch);
        const auto bytes = is_derived(launch) ? bytes_of(launch) : std::nullopt;
        if (!bytes) return;
        for (const int near : {-1, 0, 1})
            derived[{bytes->first, bytes->second + near}].push_back(*launch.duration);
    }
    void find_medians() {
        for (auto& [bytes, times] : derived)
            std::ranges::nth_element(times, times.begin() + middle_of(times));
    }
};

/// GPU, where there are several, kernel and geometry.
using Alike = std::tuple<std::string_view, std::string_view, Dim3, Dim3>;

Alike alike(const Profile& profile, bool several_gpus, const Launch& launch) {
    return {several_gpus ? std::string_view(profile.device_of(launch).name) : std::string_view(),
            profile.kernel_of(launch).name, launch.grid, launch.block};
}

/// A device without a name may be the one that has one.
bool has_several_gpus(const Profile& profile) {
    const auto named = std::ranges::find_if_not(profile.devices, &std::string::empty, &Device::name);
    return std::any_of(named, profile.devices.end(), [&](const Device& device) {
        return !device.name.empty() && device.name != named->name;
    });
}

std::map<Alike, LaunchesAlike> launches_alike(const Profile& profile) {
    const bool several_gpus = has_several_gpus(profile);
    std::map<Alike, LaunchesAlike> all;
    for (std::size_t i = 0; i < profile.launches.size(); ++i) {
        const Launch& launch = profile.launches[i];
        LaunchesAlike& those = all[alike(profile, several_gpus, launch)];
        those.runs[{launch.source, launch.process}].push_back(static_cast<LaunchIndex>(i));
        those.add(launch);
    }
    for (auto& [key, those] : all) {
        those.find_medians();
        for (const auto& [run, launches] : those.runs) {
            std::vector<KnownTimes>& times = those.in_order[launches.size()];
            times.resize(launches.size());
            for (std::size_t i = 0; i < launches.size(); ++i)
                times[i].add(profile.at(launches[i]));
        }
    }
    return all;
}

/// Derived times of a kernel in a run, the denied ones with those beside which they are.
struct DerivedTimes {
    std::vector<LaunchIndex> judged_by_others;
    std::map<LaunchIndex, Seconds> denied;
    std::vector<LaunchIndex> doubted;  ///< by bytes alone, where nothing may have been counted

    /// Those of one geometry.
    void add(const Profile& profile, const LaunchesAlike& those, const std::vector<LaunchIndex>& launches) {
        const std::vector<KnownTimes>& in_order = those.in_order.at(launches.size());
        std::vector<LaunchIndex> derived;
        std::size_t stand = 0;
        for (std::size_t i = 0; i < launches.size(); ++i) {
            const Launch& launch = profile.at(launches[i]);
            if (!is_derived(launch)) continue;
            derived.push_back(launches[i]);
            const auto told = those.beside(launch, in_order[i]);
            const auto other = told ? told : those.of_as_many_bytes(launch);
            if (!other || !is_of_counting_pass(*launch.duration, *other))
                stand += told.has_value() ? 1U : 0U;
            else if (told || !launch.work.empty())
                denied.emplace(launches[i], *other);
            else
                doubted.push_back(launches[i]);
        }
        if (2 * stand < derived.size())
            judged_by_others.insert(judged_by_others.end(), derived.begin(), derived.end());
    }
};

/// By GPU, name and run.
auto derived_times(const Profile& profile) {
    std::map<std::tuple<std::string_view, std::string_view, Run>, DerivedTimes> kernels;
    for (const auto& [key, those] : launches_alike(profile))
        for (const auto& [run, launches] : those.runs)
            kernels[{std::get<0>(key), std::get<1>(key), run}].add(profile, those, launches);
    return kernels;
}

/// "The time of `launch` and of 2 launches more `what`."
void warn_of_times(Profile& profile, ErrorCode code, const Launch& launch, std::string_view what,
                   const std::string& file, std::vector<LaunchIndex> launches) {
    const std::string more =
        launches.size() == 1 ? "" : fmt::format(" and of {} launches more", launches.size() - 1);
    profile.warnings.push_back(
        {.message = {code, fmt::format("The time of {}{} {}", profile.kernel_of(launch).name, more, what), "",
                     "Join it with the report of a run that was timed and nothing else."},
         .launches = std::move(launches),
         .refuses_time = true,
         .file = file});
}

/// Those that stand and were not doubted before.
void doubt(Profile& profile, std::vector<LaunchIndex> launches, std::string_view why,
           const std::string& file) {
    std::vector<bool> before = doubted_times(profile);
    before.resize(profile.launches.size());
    std::erase_if(launches, [&](LaunchIndex launch) {
        return !profile.at(launch).duration || before[static_cast<std::size_t>(launch)];
    });
    if (launches.empty()) return;
    const Launch& first = profile.at(launches.front());
    warn_of_times(profile, ErrorCode::not_understood, first, why, file, std::move(launches));
}

}  // namespace

bool is_of_counting_pass(Seconds derived, Seconds other) {
    constexpr double most = 10;  // no change of clocks comes near
    return other.value() > 0 && derived.value() > most * other.value();
}

void doubt_derived_times(Profile& profile) {
    std::vector<LaunchIndex> doubted;
    for (std::size_t i = 0; i < profile.launches.size(); ++i)
        if (is_derived(profile.launches[i]) && profile.launches[i].instrumented)
            doubted.push_back(static_cast<LaunchIndex>(i));
    doubt(
        profile, std::move(doubted),
        "is derived from cycles of a run that counted instructions, which may have slowed it down many times",
        "");
}

std::vector<bool> doubted_times(const Profile& profile) {
    std::vector<bool> doubted;
    for (const Warning& warning : profile.warnings) {
        if (!warning.refuses_time) continue;
        for (const LaunchIndex launch : warning.launches) {
            if (!profile.at(launch).duration) continue;
            doubted.resize(profile.launches.size());
            doubted[static_cast<std::size_t>(launch)] = true;
        }
    }
    return doubted;
}

void refuse_derived_times(Profile& profile) {
    if (std::ranges::none_of(profile.launches, is_derived)) return;
    std::set<LaunchIndex> refused;
    std::map<LaunchIndex, Seconds> denied;
    std::vector<LaunchIndex> doubted;
    for (const auto& of_kernel : derived_times(profile)) {
        const auto& times = of_kernel.second;
        const auto is_denied = [&](LaunchIndex launch) { return times.denied.contains(launch); };
        if (2 * std::ranges::count_if(times.judged_by_others, is_denied) > std::ssize(times.judged_by_others))
            refused.insert(times.judged_by_others.begin(), times.judged_by_others.end());
        denied.insert(times.denied.begin(), times.denied.end());
        doubted.insert(doubted.end(), times.doubted.begin(), times.doubted.end());
    }
    for (const auto& [launch, other] : denied)
        refused.insert(launch);
    if (!refused.empty()) {
        const auto& [index, other] = *denied.begin();
        const Launch& launch = profile.at(index);
        const std::string first = fmt::format("{} beside {}", format(*launch.duration), format(other));
        for (const LaunchIndex of : refused)
            profile.at(of).duration.reset();
        for (Warning& warning : profile.warnings)
            if (warning.refuses_time)
                std::erase_if(warning.launches, [&](LaunchIndex of) { return refused.contains(of); });
        std::erase_if(profile.warnings, [](const Warning& warning) {
            return warning.refuses_time && warning.launches.empty();
        });
        warn_of_times(
            profile, ErrorCode::contradiction, launch,
            fmt::format("is refused: it is derived from cycles, and launches alike{} took far less, "
                        "{}. Counting instructions {} them down",
                        denied.size() < refused.size() ? " of most" : "", first,
                        launch.work.empty() ? "may have slowed" : "slowed"),
            profile.at(launch.source).path, {refused.begin(), refused.end()});
    }
    if (doubted.empty()) return;
    std::ranges::sort(doubted);
    const std::string& file = profile.at(profile.at(doubted.front()).source).path;
    doubt(profile, std::move(doubted),
          "is derived from cycles and far above those of launches alike with as many bytes. Counting "
          "instructions may have slowed it down",
          file);
}

}  // namespace roofwalk
