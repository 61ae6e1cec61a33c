// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/join_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <deque>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/base/text.h"
#include "core/compare/match_kernels.h"
#include "core/model/kernel_name.h"
#include "core/model/source_names.h"

namespace roofwalk {

namespace {

/// What a run counted: time, work of each pipe that is always listed, bytes of each boundary.
struct CountedKinds {
    bool time = false;
    std::bitset<std::size(all_pipe_kinds)> pipes;
    std::bitset<enum_size<Boundary>> boundaries;

    CountedKinds& operator|=(const CountedKinds& other) {
        time |= other.time;
        pipes |= other.pipes;
        boundaries |= other.boundaries;
        return *this;
    }
    friend bool operator==(const CountedKinds&, const CountedKinds&) = default;
};

void add_counted(const Launch& launch, CountedKinds& kinds) {
    kinds.time |= launch.duration.has_value();
    for (const WorkSample& sample : launch.work)
        if (!is_tensor(sample.pipe)) kinds.pipes.set(static_cast<std::size_t>(sample.pipe.kind));
    for (const TrafficSample& sample : launch.traffic)
        kinds.boundaries.set(static_cast<std::size_t>(sample.boundary));
}

/// A report, or one process of it.
struct Run {
    const Profile* profile = nullptr;
    std::optional<std::uint32_t> process;  ///< absent: all of the report
    bool first = true;                     ///< of its report
    CountedKinds counted;
};

/// Those of a report, by process where its processes counted different things.
std::vector<Run> runs_of(const Profile& profile) {
    std::vector<Run> runs;
    std::unordered_map<std::uint32_t, std::size_t> places;
    std::size_t current = 0;
    for (const Launch& launch : profile.launches) {
        if (runs.empty() || runs[current].process != launch.process) {
            const auto [place, added] = places.try_emplace(launch.process, runs.size());
            if (added) runs.push_back({&profile, launch.process, runs.empty(), {}});
            current = place->second;
        }
        add_counted(launch, runs[current].counted);
    }
    CountedKinds all;
    for (const Run& process : runs)
        all |= process.counted;
    const bool alike = std::ranges::all_of(runs, [&](const Run& run) { return run.counted == all; });
    if (alike || runs.size() < 2 || profile.sources.size() != 1) return {{&profile, {}, true, all}};
    return runs;
}

std::vector<Run> runs_of(std::span<const Profile* const> profiles) {
    std::vector<Run> runs;
    for (const Profile* profile : profiles)
        std::ranges::move(runs_of(*profile), std::back_inserter(runs));
    return runs;
}

/// The launches of one process; what is said of the report as a whole goes with its first one.
Profile launches_of_process(const Run& run) {
    const Profile& profile = *run.profile;
    Profile part = profile;
    part.launches.clear();
    part.warnings.clear();
    for (SourceInfo& source : part.sources)
        source.process = run.process;
    std::vector<std::optional<LaunchIndex>> place(profile.launches.size());
    for (std::size_t i = 0; i < profile.launches.size(); ++i) {
        if (profile.launches[i].process != run.process) continue;
        place[i] = static_cast<LaunchIndex>(part.launches.size());
        part.launches.push_back(profile.launches[i]);
    }
    for (Warning warning : profile.warnings) {
        const bool of_all = warning.launches.empty();
        std::vector<LaunchIndex> kept;
        for (const LaunchIndex launch : warning.launches)
            if (const auto moved = place[static_cast<std::size_t>(launch)]) kept.push_back(*moved);
        warning.launches = std::move(kept);
        if (of_all ? run.first : !warning.launches.empty()) part.warnings.push_back(std::move(warning));
    }
    return part;
}

/// How far a run is from one that was timed and nothing else.
auto instrumented(const Run& run) {
    bool derived = false;
    std::size_t metrics = 0;
    for (const Launch& launch : run.profile->launches) {
        if (run.process && launch.process != *run.process) continue;
        derived |= launch.duration_origin == TimeOrigin::derived;
        metrics = std::max(metrics, launch.metrics.size());
    }
    const CountedKinds& kinds = run.counted;
    return std::tuple(!kinds.time, kinds.pipes.any(), kinds.boundaries.count(), derived, metrics);
}

/// Runs of which each counted something else, one of each kind; the one that counted least comes first.
std::vector<std::vector<Run>> groups_of(const std::vector<Run>& runs) {
    using Rank = std::optional<std::uint32_t>;
    struct Group {
        Rank rank;
        std::size_t number = 0;
        std::vector<Run> runs;
    };
    std::vector<Group> groups;
    std::vector<std::pair<Rank, CountedKinds>> seen;
    for (const Run& run : runs) {
        const Rank rank = run.profile->sources.empty() ? Rank() : run.profile->sources.front().rank;
        const std::pair kind{rank, run.counted};
        const auto number = static_cast<std::size_t>(std::ranges::count(seen, kind));
        seen.push_back(kind);
        auto group = std::ranges::find_if(
            groups, [&](const Group& known) { return known.rank == rank && known.number == number; });
        if (group == groups.end()) group = groups.insert(groups.end(), {rank, number, {}});
        group->runs.push_back(run);
    }
    std::vector<std::vector<Run>> list;
    for (Group& group : groups) {
        const auto plain = std::ranges::min_element(group.runs, {}, instrumented);
        std::rotate(group.runs.begin(), plain, plain + 1);
        list.push_back(std::move(group.runs));
    }
    return list;
}

std::string counted_words(std::size_t count) {
    return format_count(static_cast<double>(count));
}

/// Launches of one kernel that were not joined.
struct Unmatched {
    std::vector<LaunchIndex> here;   ///< of the run whose time is used
    std::vector<LaunchIndex> there;  ///< of the other
};

/// Adds what other runs counted to the launches of the first.
class Joiner {
  public:
    explicit Joiner(const std::vector<const Profile*>& runs)
        : runs_(runs), all_(append_profiles(runs)), names_(source_names(all_)) {
        std::size_t first = 0;
        for (const Profile* run : runs_) {
            first_launch_.push_back(first);
            first += run->launches.size();
            AnalysisOptions options;
            options.group_by = GroupBy::launch;
            analyses_.push_back(analyse(*run, options));
        }
        became_.resize(all_.launches.size());
        for (std::size_t i = 0; i < became_.size(); ++i)
            became_[i] = static_cast<LaunchIndex>(i);
    }

    JoinedRuns join() {
        for (std::size_t i = 0; i < runs_.front()->launches.size(); ++i)
            name_sources(all_.launches[i]);
        std::vector<std::string> counts;
        for (std::size_t run = 1; run < runs_.size(); ++run)
            counts.push_back(fmt::format("{} of {} launches of {}", counted_words(join_run(run)),
                                         counted_words(runs_[run]->launches.size()), name_of_run(run)));
        std::string sentence = fmt::format("{} are joined with those of {}, whose times hold.",
                                           fmt::join(counts, ", "), name_of_run(0));
        mark_sources();
        drop_joined();
        drop_devices();
        return {std::move(all_), {std::move(sentence)}};
    }

  private:
    [[nodiscard]] RunView view(std::size_t run) const { return {runs_[run], &analyses_[run]}; }
    [[nodiscard]] const std::string& name_of_run(std::size_t run) const {
        return names_[static_cast<std::size_t>(all_.launches[first_launch_[run]].source)];
    }
    /// A point of an analysis by launch is the launch of its number.
    [[nodiscard]] LaunchIndex launch_of(std::size_t run, std::uint32_t point) const {
        return static_cast<LaunchIndex>(first_launch_[run] + point);
    }

    /// Returns how many of its launches were joined.
    std::size_t join_run(std::size_t run) {
        const KernelMatches matches = match_kernels(view(0), view(run));
        std::map<std::string_view, Unmatched> unmatched;
        const auto leave = [&](std::uint32_t here, std::size_t of) {
            const LaunchIndex launch = launch_of(of, here);
            Unmatched& list = unmatched[all_.kernel_of(all_.at(launch)).name];
            (of == 0 ? list.here : list.there).push_back(launch);
        };
        std::size_t joined = 0;
        for (const KernelMatch& match : matches.pairs) {
            const LaunchIndex here = launch_of(0, match.before);
            const LaunchIndex there = launch_of(run, match.after);
            if (is_one_launch(all_.at(here), all_.at(there), match.basis)) {
                name_sources(all_.at(there));
                complete(all_.at(here), all_.at(there));
                became_[static_cast<std::size_t>(there)] = here;
                ++joined;
            } else {
                leave(match.before, 0);
                leave(match.after, run);
            }
        }
        for (const AmbiguousKernels& alike : matches.ambiguous) {
            for (const std::uint32_t point : alike.before)
                leave(point, 0);
            for (const std::uint32_t point : alike.after)
                leave(point, run);
        }
        for (const std::uint32_t point : matches.removed)
            leave(point, 0);
        for (const std::uint32_t point : matches.added)
            leave(point, run);
        warn_of(unmatched, run);
        return joined;
    }

    /// What a report does not tell of a launch is no difference: tables leave out grids, NVTX ranges and
    /// arguments.
    [[nodiscard]] bool is_one_launch(const Launch& here, const Launch& there, MatchBasis basis) const {
        const auto unknown = [](const Launch& launch) {
            return launch.grid == Dim3{} && launch.block == Dim3{};
        };
        const auto bare = [&](const Launch& launch) {
            const std::string& name = all_.kernel_of(launch).name;
            return kernel_base_name(name) == name;
        };
        const bool shapes =
            (here.grid == there.grid && here.block == there.block) || unknown(here) || unknown(there);
        const bool ranges = here.nvtx == NvtxIndex::none || there.nvtx == NvtxIndex::none ||
                            all_.nvtx_of(here) == all_.nvtx_of(there);
        switch (basis) {
            case MatchBasis::same:
            case MatchBasis::other_nvtx:
            case MatchBasis::other_shape:
                return shapes && ranges;
            case MatchBasis::other_arguments:
                return shapes && ranges && (bare(here) || bare(there));
            case MatchBasis::other_name:
                break;
        }
        return false;
    }

    /// Every figure says of which run it is.
    void name_sources(Launch& launch) {
        const auto named = [&, run = launch.source](TextId formula) {
            const auto [known, added] = named_.try_emplace(std::pair(run, formula));
            if (added) {
                const std::string& name = names_[static_cast<std::size_t>(run)];
                known->second = all_.texts.intern(
                    formula == TextId::none ? name : fmt::format("{} of {}", all_.texts.view(formula), name));
            }
            return known->second;
        };
        if (launch.duration) launch.duration_source = named(launch.duration_source);
        for (WorkSample& sample : launch.work)
            sample.source = named(sample.source);
        for (TrafficSample& sample : launch.traffic)
            sample.source = named(sample.source);
    }

    void complete(Launch& here, const Launch& there) {
        if (there.file_offset != 0) here.joined.push_back({there.source, there.file_offset});
        for (const TrafficSample& sample : there.traffic)
            if (!here.find(sample.boundary)) here.traffic.push_back(sample);
        for (const WorkSample& sample : there.work)
            if (!here.find(sample.pipe)) here.work.push_back(sample);
        here.uncounted |= there.uncounted;
        here.uncounted.fp16 &= !here.find(Pipe{PipeKind::fp16});
        here.uncounted.tensor &=
            std::ranges::none_of(here.work, [](const WorkSample& sample) { return is_tensor(sample.pipe); });
        for (const MetricSample& sample : there.metrics)
            if (std::ranges::find(here.metrics, sample.name, &MetricSample::name) == here.metrics.end())
                here.metrics.push_back(sample);
        if (!here.ceilings) here.ceilings = there.ceilings;
        if (all_.device_of(here).name.empty()) here.device = there.device;
        if (here.nvtx == NvtxIndex::none) here.nvtx = there.nvtx;
        if (here.algorithm == TextId::none) here.algorithm = there.algorithm;
    }

    void warn_of(std::map<std::string_view, Unmatched>& unmatched, std::size_t run) {
        for (auto& [kernel, list] : unmatched) {
            for (const LaunchIndex launch : list.there)
                all_.at(launch).duration.reset();
            std::vector<LaunchIndex> launches = list.here;
            launches.insert(launches.end(), list.there.begin(), list.there.end());
            std::ranges::sort(launches);
            all_.warnings.push_back(
                {{ErrorCode::not_understood,
                  fmt::format("Launches of {} are not joined: {} of {} and {} of {} cannot be told apart or "
                              "have no counterpart",
                              kernel, counted_words(list.here.size()), name_of_run(0),
                              counted_words(list.there.size()), name_of_run(run)),
                  name_of_run(run),
                  "Runs match where each launches the same kernels as often, with the same grids and NVTX "
                  "ranges."},
                 std::move(launches)});
        }
    }

    void mark_sources() {
        const SourceIndex first = all_.launches.front().source;
        for (std::size_t run = 1; run < runs_.size(); ++run)
            for (std::size_t i = 0; i < runs_[run]->launches.size(); ++i)
                all_.sources[static_cast<std::size_t>(all_.launches[first_launch_[run] + i].source)]
                    .joined_with = first;
    }

    /// Those whose figures stand in another launch; warnings follow, but for those of times that do not
    /// count.
    void drop_joined() {
        std::vector<LaunchIndex> place(all_.launches.size());
        std::vector<Launch> kept;
        for (std::size_t i = 0; i < all_.launches.size(); ++i) {
            if (became_[i] != static_cast<LaunchIndex>(i)) {
                place[i] = place[static_cast<std::size_t>(became_[i])];
                continue;
            }
            place[i] = static_cast<LaunchIndex>(kept.size());
            kept.push_back(std::move(all_.launches[i]));
        }
        for (Warning& warning : all_.warnings) {
            if (warning.refuses_time)
                std::erase_if(warning.launches, [&](LaunchIndex launch) {
                    return became_[static_cast<std::size_t>(launch)] != launch;
                });
            for (LaunchIndex& launch : warning.launches)
                launch = place[static_cast<std::size_t>(launch)];
            std::ranges::sort(warning.launches);
            // Not std::ranges::unique: clang 14 cannot compile what it returns.
            warning.launches.erase(std::unique(warning.launches.begin(), warning.launches.end()),
                                   warning.launches.end());
        }
        std::erase_if(all_.warnings, [](const Warning& warning) {
            return warning.refuses_time && warning.launches.empty();
        });
        all_.launches = std::move(kept);
    }

    /// Those that no launch is left on: each run tells of the same ones.
    void drop_devices() {
        std::vector<std::optional<DeviceIndex>> place(all_.devices.size());
        std::vector<Device> kept;
        for (Launch& launch : all_.launches) {
            std::optional<DeviceIndex>& now = place[static_cast<std::size_t>(launch.device)];
            if (!now) {
                now = static_cast<DeviceIndex>(kept.size());
                kept.push_back(all_.device_of(launch));
            }
            launch.device = *now;
        }
        all_.devices = std::move(kept);
    }

    const std::vector<const Profile*>& runs_;
    Profile all_;
    std::vector<std::string> names_;  ///< by source
    std::vector<std::size_t> first_launch_;
    std::vector<Analysis> analyses_;
    std::vector<LaunchIndex> became_;  ///< by launch: the one that has its figures now
    std::map<std::pair<SourceIndex, TextId>, TextId> named_;
};

}  // namespace

bool are_separate_runs(std::span<const Profile* const> profiles) {
    const std::vector<Run> runs = runs_of(profiles);
    CountedKinds all;
    std::set<std::string> names;
    for (const Run& run : runs)
        all |= run.counted;
    if (runs.size() < 2 || std::ranges::any_of(runs, [&](const Run& run) { return run.counted == all; }))
        return false;
    for (const Kernel& kernel : runs.front().profile->kernels)
        names.insert(kernel_base_name(kernel.name));
    return std::ranges::all_of(runs, [&](const Run& run) {
        return std::ranges::any_of(run.profile->kernels, [&](const Kernel& kernel) {
            return names.contains(kernel_base_name(kernel.name));
        });
    });
}

JoinedRuns join_runs(std::span<const Profile* const> profiles) {
    const std::vector<Run> runs = runs_of(profiles);
    JoinedRuns result;
    std::deque<Profile> of_processes;
    std::deque<Profile> joined;
    std::vector<const Profile*> parts;
    for (const std::vector<Run>& group : groups_of(runs)) {
        std::vector<const Profile*> members;
        for (const Run& run : group)
            members.push_back(run.process ? &of_processes.emplace_back(launches_of_process(run))
                                          : run.profile);
        if (members.size() > 1) {
            JoinedRuns made = Joiner(members).join();
            joined.push_back(std::move(made.profile));
            std::ranges::move(made.sentences, std::back_inserter(result.sentences));
        }
        parts.push_back(members.size() > 1 ? &joined.back() : members.front());
    }
    result.profile = append_profiles(parts);
    return result;
}

}  // namespace roofwalk
