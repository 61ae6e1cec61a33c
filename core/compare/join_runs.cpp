// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/join_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/base/text.h"
#include "core/compare/match_kernels.h"
#include "core/model/kernel_name.h"
#include "core/model/source_names.h"
#include "core/roofline/unit_throughput.h"

namespace roofwalk {

namespace {

/// What a run counted: time, work of each pipe that is always listed, bytes of each boundary; without either
/// the profiler's throughput.
struct CountedKinds {
    bool time = false;
    bool throughput = false;
    std::set<PipeKind> pipes;
    std::set<Boundary> boundaries;

    CountedKinds& operator|=(const CountedKinds& other) {
        time |= other.time;
        throughput |= other.throughput;
        pipes.insert(other.pipes.begin(), other.pipes.end());
        boundaries.insert(other.boundaries.begin(), other.boundaries.end());
        return *this;
    }
    [[nodiscard]] bool holds(CountedKinds other) const { return (other |= *this) == *this; }
    friend bool operator==(const CountedKinds&, const CountedKinds&) = default;
};

/// More processes of a file are not runs that a person made one by one.
constexpr std::size_t most_processes = 4096;

/// A report, or one process of it.
struct Run {
    const Profile* profile = nullptr;
    std::optional<std::uint32_t> process{};  ///< absent: all of the report
    std::size_t launches = 0;
    CountedKinds counted{};
    bool derived = false;       ///< a time of it is
    std::size_t metrics = 0;    ///< of the launch that has most
    std::size_t processes = 1;  ///< of the report; more than most_processes: it is not joined

    [[nodiscard]] bool can_join() const { return launches > 0 && processes <= most_processes; }
    /// Time, work and bytes: it needs no other.
    [[nodiscard]] bool is_complete() const {
        return counted.time && !derived && !counted.pipes.empty() && !counted.boundaries.empty();
    }

    void add(const Launch& launch) {
        ++launches;
        counted.time |= launch.duration.has_value();
        for (const WorkSample& sample : launch.work)
            if (!is_tensor(sample.pipe)) counted.pipes.insert(sample.pipe.kind);
        for (const TrafficSample& sample : launch.traffic)
            counted.boundaries.insert(sample.boundary);
        derived |= launch.duration_origin == TimeOrigin::derived;
        metrics = std::max(metrics, launch.metrics.size());
        if (counted.throughput || !counted.pipes.empty() || !counted.boundaries.empty()) return;
        counted.throughput = std::ranges::any_of(launch.metrics, [&](const MetricSample& sample) {
            return std::ranges::count(share_metrics(), profile->texts.view(sample.name)) > 0;
        });
    }
    void end() { counted.throughput &= counted.pipes.empty() && counted.boundaries.empty(); }
};

/// Those of a report, by process where its processes counted different things.
std::vector<Run> runs_of(const Profile& profile) {
    Run whole{.profile = &profile};
    std::vector<Run> runs;
    std::unordered_map<std::uint32_t, std::size_t> places;
    for (const Launch& launch : profile.launches) {
        const auto [place, added] = places.try_emplace(launch.process, runs.size());
        if (added) runs.push_back({.profile = &profile, .process = launch.process});
        runs[place->second].add(launch);
        whole.add(launch);
    }
    whole.end();
    std::ranges::for_each(runs, &Run::end);
    const bool alike =
        std::ranges::all_of(runs, [&](const Run& run) { return run.counted == whole.counted; });
    if (alike || profile.sources.size() != 1) return {whole};
    whole.processes = runs.size();
    if (!whole.can_join()) return {whole};
    return runs;
}

std::vector<Run> runs_of(std::span<const Profile* const> profiles) {
    std::vector<Run> runs;
    for (const Profile* profile : profiles)
        std::ranges::move(runs_of(*profile), std::back_inserter(runs));
    return runs;
}

/// The launches of each process of a report, with what they refer to; what is said of the report as a whole
/// goes with its first one.
class ProcessSplit {
  public:
    explicit ProcessSplit(const Profile& profile) : profile_(profile) {
        std::vector<std::pair<Part*, LaunchIndex>> places;
        for (const Launch& launch : profile.launches) {
            const auto [part, added] = parts_.try_emplace(launch.process);
            if (added) begin(part->second, launch.process);
            places.emplace_back(&part->second,
                                static_cast<LaunchIndex>(part->second.profile.launches.size()));
            part->second.profile.launches.push_back(renumbered(launch, part->second));
        }
        Profile& first = places.front().first->profile;
        for (const Warning& warning : profile.warnings) {
            if (warning.launches.empty()) first.warnings.push_back(warning);
            std::map<Part*, std::vector<LaunchIndex>> launches;
            for (const LaunchIndex launch : warning.launches) {
                const auto& [part, place] = places[static_cast<std::size_t>(launch)];
                launches[part].push_back(place);
            }
            for (auto& [part, list] : launches)
                part->profile.warnings.push_back({warning.message, std::move(list), warning.refuses_time,
                                                  warning.refuses_figures, warning.file});
        }
    }

    [[nodiscard]] const Profile& of(std::uint32_t process) const { return parts_.at(process).profile; }

  private:
    struct Part {
        Profile profile;
        std::unordered_map<KernelIndex, KernelIndex> kernels;
        std::unordered_map<DeviceIndex, DeviceIndex> devices;
        std::unordered_map<NvtxIndex, NvtxIndex> nvtx_stacks;
    };

    void begin(Part& part, std::uint32_t process) const {
        part.profile.sources = profile_.sources;
        part.profile.sources.front().process = process;
    }

    template <class Index>
    static Index renumbered(Index index, std::unordered_map<Index, Index>& known, const auto& from,
                            auto& to) {
        const auto [place, added] = known.try_emplace(index, static_cast<Index>(to.size()));
        if (added) to.push_back(from[static_cast<std::size_t>(index)]);
        return place->second;
    }

    Launch renumbered(Launch launch, Part& part) const {
        Profile& to = part.profile;
        launch.kernel = renumbered(launch.kernel, part.kernels, profile_.kernels, to.kernels);
        launch.device = renumbered(launch.device, part.devices, profile_.devices, to.devices);
        if (launch.nvtx != NvtxIndex::none)
            launch.nvtx = renumbered(launch.nvtx, part.nvtx_stacks, profile_.nvtx_stacks, to.nvtx_stacks);
        move_texts(launch, profile_.texts, to.texts);
        return launch;
    }

    const Profile& profile_;
    std::unordered_map<std::uint32_t, Part> parts_;
};

/// How far a run is from one that was timed and nothing else.
auto instrumented(const Run& run) {
    const CountedKinds& kinds = run.counted;
    return std::tuple(!kinds.time, !kinds.pipes.empty(), kinds.boundaries.size(), run.derived, run.metrics);
}

/// What every spelling of the name of a kernel has; but some leave the namespaces out.
struct FunctionName {
    std::string whole;
    std::string bare;
};

FunctionName name_of_function(const std::string& kernel) {
    KernelSpelling spelling = spelling_of(kernel);
    if (spelling.bare.function.empty()) return {kernel_base_name(kernel), kernel_base_name(kernel)};
    return {std::move(spelling.whole.function), std::move(spelling.bare.function)};
}

/// By run the first one of its program: runs are of one that launch kernels of the same name, also by way of
/// others. A name without namespaces is that of every namespace, unless those are of several programs.
std::vector<std::size_t> programs_of(const std::vector<Run>& runs) {
    std::vector<std::size_t> programs(runs.size());
    std::iota(programs.begin(), programs.end(), std::size_t{0});
    const auto program_of = [&](std::size_t run) {
        while (programs[run] != run)
            run = programs[run] = programs[programs[run]];
        return run;
    };
    const auto unite = [&](std::size_t run, std::size_t other) {
        const std::size_t first = program_of(other);
        const std::size_t own = program_of(run);
        programs[std::max(first, own)] = std::min(first, own);
    };
    std::unordered_map<std::string, std::size_t> launched_by;  // the whole name
    std::map<std::string, std::set<std::string>> in_namespaces;
    const auto launches = [&](std::size_t run, const FunctionName& kernel) {
        unite(run, launched_by.try_emplace(kernel.whole, run).first->second);
        if (kernel.whole != kernel.bare) in_namespaces[kernel.bare].insert(kernel.whole);
    };
    std::map<const Profile*, std::unordered_map<std::uint32_t, std::size_t>> of_processes;
    for (std::size_t run = 0; run < runs.size(); ++run)
        if (runs[run].process)
            of_processes[runs[run].profile][*runs[run].process] = run;
        else if (runs[run].can_join())
            for (const Kernel& kernel : runs[run].profile->kernels)
                launches(run, name_of_function(kernel.name));
    for (const auto& [profile, run_of] : of_processes) {
        std::vector<FunctionName> names;
        for (const Kernel& kernel : profile->kernels)
            names.push_back(name_of_function(kernel.name));
        for (const Launch& launch : profile->launches)
            launches(run_of.at(launch.process), names[static_cast<std::size_t>(launch.kernel)]);
    }
    for (const auto& [bare, wholes] : in_namespaces) {
        const auto plain = launched_by.find(bare);
        if (plain == launched_by.end()) continue;
        std::set<std::size_t> of;
        for (const std::string& whole : wholes)
            of.insert(program_of(launched_by.at(whole)));
        if (of.size() == 1) unite(plain->second, *of.begin());
    }
    for (std::size_t run = 0; run < runs.size(); ++run)
        programs[run] = program_of(run);
    return programs;
}

/// Of runs that counted different things one that is complete, and holds no more than the others do together:
/// it stands beside them.
std::optional<Run> take_complete(std::vector<Run>& group) {
    for (auto run = group.begin(); run != group.end(); ++run) {
        CountedKinds others;
        for (auto other = group.begin(); other != group.end(); ++other)
            if (other != run) others |= other->counted;
        if (!run->is_complete() || !others.holds(run->counted)) continue;
        Run complete = *run;
        group.erase(run);
        return complete;
    }
    return std::nullopt;
}

/// Runs of one program of which each counted something else, one of each kind; the one that counted least
/// comes first. A run that cannot be joined is alone.
std::vector<std::vector<Run>> groups_of(const std::vector<Run>& runs) {
    using Rank = std::optional<std::uint32_t>;
    std::vector<std::vector<Run>> groups;
    const std::vector<std::size_t> programs = programs_of(runs);
    // By rank, program and how manieth of its kind.
    std::map<std::tuple<Rank, std::size_t, std::size_t>, std::size_t> places;
    std::map<std::tuple<Rank, std::size_t, bool, bool, std::set<PipeKind>, std::set<Boundary>>, std::size_t>
        seen;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const Run& run = runs[i];
        if (!run.can_join()) {
            groups.push_back({run});
            continue;
        }
        const Rank rank = run.profile->sources.empty() ? Rank() : run.profile->sources.front().rank;
        const CountedKinds& kinds = run.counted;
        const std::size_t number =
            seen[{rank, programs[i], kinds.time, kinds.throughput, kinds.pipes, kinds.boundaries}]++;
        const auto [place, added] = places.try_emplace({rank, programs[i], number}, groups.size());
        if (added) groups.emplace_back();
        groups[place->second].push_back(run);
    }
    for (std::size_t i = 0; i < groups.size(); ++i)
        while (const auto complete = take_complete(groups[i]))
            groups.push_back({*complete});
    for (std::vector<Run>& group : groups) {
        const auto plain = std::ranges::min_element(group, {}, instrumented);
        std::rotate(group.begin(), plain, plain + 1);
    }
    return groups;
}

std::string counted_words(std::size_t count) {
    return format_count(static_cast<double>(count));
}

std::string too_many_processes(const Run& run) {
    return fmt::format("{} is not joined: its launches are of {} processes, and at most {} are.",
                       run.profile->sources.front().path, counted_words(run.processes),
                       counted_words(most_processes));
}

/// "a, b and 3 more".
std::string listed(const std::vector<std::string>& names, const std::vector<std::size_t>& sources) {
    constexpr std::size_t most_named = 5;
    std::vector<std::string> said;
    for (std::size_t i = 0; i < std::min(sources.size(), most_named); ++i)
        said.push_back(names[sources[i]]);
    if (sources.size() > most_named) said.push_back(counted_words(sources.size() - most_named) + " more");
    return joined_with_and(said);
}

std::string why_none_joined(std::span<const Profile* const> profiles, const std::vector<Run>& runs) {
    const std::vector<std::size_t> programs = programs_of(runs);
    if (runs.size() < 2 || std::set(programs.begin(), programs.end()).size() < runs.size())
        return "no two runs counted different things";
    std::set<std::string> devices;
    for (const Profile* profile : profiles)
        for (const Device& device : profile->devices)
            if (!device.name.empty()) devices.insert(device.name);
    return "the runs are of different programs, with no kernel in common" +
           (devices.size() < 2 ? std::string()
                               : fmt::format(", and on different GPUs ({})", fmt::join(devices, ", ")));
}

/// Launches of one kernel that were not joined.
struct UnmatchedLaunches {
    std::vector<LaunchIndex> here;   ///< of the run whose time is used
    std::vector<LaunchIndex> there;  ///< of the other
};

/// Adds what other runs counted to the launches of the first.
class Joiner {
  public:
    /// `runs`: the launches of each of `group`.
    Joiner(const std::vector<const Profile*>& runs, const std::vector<Run>& group)
        : runs_(runs), group_(group), all_(append_profiles(runs)), names_(source_names(all_)) {
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
        for (std::size_t i = 0; i < runs_.front()->launches.size(); ++i) {
            Launch& launch = all_.launches[i];
            name_sources(launch);
            // Counting holds launches up, and what others counted of them will stand beside their times.
            if (!launch.work.empty() || !launch.traffic.empty()) launch.start.reset();
        }
        std::vector<std::string> counts;
        std::vector<std::string> alone;
        for (std::size_t run = 1; run < runs_.size(); ++run) {
            const std::size_t joined = join_run(run);
            if (joined > 0) {
                mark_sources(run);
                counts.push_back(fmt::format("{} of {} launches of {}", counted_words(joined),
                                             counted_words(runs_[run]->launches.size()), name_of_run(run)));
            } else {
                alone.push_back(name_of_run(run));
            }
        }
        std::vector<std::string> sentences;
        if (!counts.empty())
            sentences.push_back(fmt::format("{} are joined with those of {}, whose times hold.",
                                            fmt::join(counts, ", "), name_of_run(0)));
        if (!alone.empty())
            sentences.push_back(fmt::format("No launch of {} is one of {}: nothing of it is joined.",
                                            fmt::join(alone, ", "), name_of_run(0)));
        drop_joined();
        drop_devices();
        return {std::move(all_), std::move(sentences)};
    }

  private:
    [[nodiscard]] AnalysedProfile view(std::size_t run) const { return {runs_[run], &analyses_[run]}; }
    [[nodiscard]] const std::string& name_of_run(std::size_t run) const {
        return names_[static_cast<std::size_t>(all_.launches[first_launch_[run]].source)];
    }
    /// A point of an analysis by launch is the launch of its number.
    [[nodiscard]] LaunchIndex launch_of(std::size_t run, std::uint32_t point) const {
        return static_cast<LaunchIndex>(first_launch_[run] + point);
    }

    /// Returns how many of its launches were joined.
    std::size_t join_run(std::size_t run) {
        const std::optional<KernelMatches> first = first_alike(run);
        const KernelMatches matches = first ? *first : match_kernels(view(0), view(run));
        std::map<std::string_view, UnmatchedLaunches> unmatched;
        const auto leave = [&](std::uint32_t here, std::size_t of) {
            const LaunchIndex launch = launch_of(of, here);
            UnmatchedLaunches& list = unmatched[all_.kernel_of(all_.at(launch)).name];
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
        const Run& its = group_[run];
        if (!its.is_complete() && (joined > 0 || its.derived))
            for (const auto& [kernel, list] : unmatched)
                for (const LaunchIndex launch : list.there)
                    all_.at(launch).duration.reset();
        warn_of(
            unmatched, run,
            first
                ? "One of the runs ends before them. One that left out its first launches is to be made again."
                : "Runs match where each launches the same kernels as often, with the same grids and NVTX "
                  "ranges.");
        return joined;
    }

    /// Where one run has fewer launches than the other, and they are as the first ones of that: those are
    /// pairs.
    [[nodiscard]] std::optional<KernelMatches> first_alike(std::size_t run) const {
        const auto here = static_cast<std::uint32_t>(runs_.front()->launches.size());
        const auto there = static_cast<std::uint32_t>(runs_[run]->launches.size());
        if (here == there) return std::nullopt;
        const OlderNames spelt = older_names(analyses_[0], analyses_[run]);
        const auto is_spelt = [&](const std::string& name, const std::string& other) {
            const auto found = spelt.find(other);
            return found != spelt.end() && found->second == name;
        };
        KernelMatches first;
        for (std::uint32_t i = 0; i < std::min(here, there); ++i) {
            const Launch& one = all_.at(launch_of(0, i));
            const Launch& other = all_.at(launch_of(run, i));
            const std::string& name = all_.kernel_of(one).name;
            const std::string& other_name = all_.kernel_of(other).name;
            const MatchBasis basis = name == other_name           ? MatchBasis::same
                                     : is_spelt(name, other_name) ? MatchBasis::other_spelling
                                     : kernel_base_name(name) == kernel_base_name(other_name)
                                         ? MatchBasis::other_arguments
                                         : MatchBasis::other_name;
            if (!is_one_launch(one, other, basis)) return std::nullopt;
            first.pairs.push_back({i, i, basis, true});
        }
        for (std::uint32_t i = std::min(here, there); i < std::max(here, there); ++i)
            (here > there ? first.removed : first.added).push_back(i);
        return first;
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
            case MatchBasis::other_spelling:
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
        here.joined.push_back({there.source, there.file_offset});
        for (const TrafficSample& sample : there.traffic)
            if (!here.find(sample.boundary)) here.traffic.push_back(sample);
        if (here.work.empty())
            here.unchecked = there.unchecked;
        else if (!there.work.empty())
            here.unchecked &= there.unchecked;
        if (!here.find(Pipe())) here.precision_assumed = there.precision_assumed;
        for (const WorkSample& sample : there.work)
            if (!here.find(sample.pipe)) here.work.push_back(sample);
        here.uncounted |= there.uncounted;
        here.uncounted.fp16 &= !here.find(Pipe{PipeKind::fp16});
        here.uncounted.tensor &=
            std::ranges::none_of(here.work, [](const WorkSample& sample) { return is_tensor(sample.pipe); });
        std::set<TextId> known;
        for (const MetricSample& sample : here.metrics)
            known.insert(sample.name);
        for (const MetricSample& sample : there.metrics)
            if (known.insert(sample.name).second) here.metrics.push_back(sample);
        if (!here.ceilings) here.ceilings = there.ceilings;
        if (all_.device_of(here).name.empty()) here.device = there.device;
        if (here.nvtx == NvtxIndex::none) here.nvtx = there.nvtx;
        if (here.algorithm == TextId::none) here.algorithm = there.algorithm;
    }

    void warn_of(std::map<std::string_view, UnmatchedLaunches>& unmatched, std::size_t run,
                 const char* hint) {
        for (auto& [kernel, list] : unmatched) {
            std::vector<LaunchIndex> launches = list.here;
            launches.insert(launches.end(), list.there.begin(), list.there.end());
            std::ranges::sort(launches);
            all_.warnings.push_back(
                {{ErrorCode::not_understood,
                  fmt::format("Launches of {} are not joined: {} of {} and {} of {} cannot be told apart or "
                              "have no counterpart",
                              kernel, counted_words(list.here.size()), name_of_run(0),
                              counted_words(list.there.size()), name_of_run(run)),
                  name_of_run(run), hint},
                 std::move(launches)});
        }
    }

    void mark_sources(std::size_t run) {
        for (std::size_t i = 0; i < runs_[run]->launches.size(); ++i)
            all_.sources[static_cast<std::size_t>(all_.launches[first_launch_[run] + i].source)].joined_with =
                all_.launches.front().source;
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
    const std::vector<Run>& group_;
    Profile all_;
    std::vector<std::string> names_;  ///< by source
    std::vector<std::size_t> first_launch_;
    std::vector<Analysis> analyses_;
    std::vector<LaunchIndex> became_;  ///< by launch: the one that has its figures now
    std::map<std::pair<SourceIndex, TextId>, TextId> named_;
};

}  // namespace

bool are_separate_runs(std::span<const Profile* const> profiles) {
    std::vector<Run> runs = runs_of(profiles);
    std::erase_if(runs, [](const Run& run) { return !run.can_join(); });
    return runs.size() > 1 && std::ranges::any_of(groups_of(runs), [](const std::vector<Run>& group) {
               CountedKinds all;
               for (const Run& run : group)
                   all |= run.counted;
               return std::ranges::none_of(group, [&](const Run& run) { return run.counted == all; });
           });
}

JoinedRuns join_runs(std::span<const Profile* const> profiles) {
    const std::vector<Run> runs = runs_of(profiles);
    JoinedRuns result;
    std::map<const Profile*, ProcessSplit> of_processes;
    std::deque<Profile> joined;
    std::vector<const Profile*> parts;
    std::vector<std::size_t> timed;  // first sources of those that stand beside
    std::vector<std::size_t> untimed;
    std::size_t first_source = 0;
    for (const std::vector<Run>& group : groups_of(runs)) {
        if (group.front().processes > most_processes)
            result.sentences.push_back(too_many_processes(group.front()));
        std::vector<const Profile*> members;
        for (const Run& run : group)
            members.push_back(
                run.process
                    ? &of_processes.try_emplace(run.profile, *run.profile).first->second.of(*run.process)
                    : run.profile);
        if (members.size() > 1) {
            JoinedRuns made = Joiner(members, group).join();
            joined.push_back(std::move(made.profile));
            std::ranges::move(made.sentences, std::back_inserter(result.sentences));
        } else if (group.front().can_join() && !members.front()->sources.empty()) {
            (group.front().counted.time ? timed : untimed).push_back(first_source);
        }
        parts.push_back(members.size() > 1 ? &joined.back() : members.front());
        first_source += parts.back()->sources.size();
    }
    result.profile = append_profiles(parts);
    if (result.sentences.empty()) result.why_none = why_none_joined(profiles, runs);
    if (result.sentences.empty()) return result;
    const std::vector<std::string> names = own_source_names(result.profile);
    if (!timed.empty())
        result.sentences.push_back("Not joined, with times of their own: " + listed(names, timed) + ".");
    if (!untimed.empty()) result.sentences.push_back("Not joined: " + listed(names, untimed) + ".");
    return result;
}

}  // namespace roofwalk
