// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/group_totals.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/base/text.h"
#include "core/roofline/utilisation.h"

namespace roofwalk {

namespace {

/// The least trustworthy of two origins.
Origin weaker(Origin a, Origin b) {
    return std::max(a, b);
}

void add_work(const Launch& launch, std::vector<PipeLoad>& pipes) {
    if (pipes.empty()) pipes.reserve(launch.work.size());
    for (const WorkSample& sample : launch.work) {
        const auto it = std::ranges::find(pipes, sample.pipe, &PipeLoad::pipe);
        if (it == pipes.end()) {
            pipes.push_back({.pipe = sample.pipe,
                             .origin = sample.origin,
                             .work = sample.work,
                             .ceiling = {},
                             .bound = {}});
        } else {
            it->work += sample.work;
            it->origin = weaker(it->origin, sample.origin);
        }
    }
}

/// Sums a quantity of which one missing part makes the whole unknown.
template <class Total, class Add>
void add_or_forget(std::optional<Total>& total, bool first, bool present, Add add) {
    if (first && present) total = Total{};
    if (!present) total.reset();
    if (total) add(*total);
}

std::optional<Flops> sum_of_class(const auto& samples, OperationClass operations) {
    std::optional<Flops> sum;
    for (const auto& sample : samples)
        if (counts_into_work(sample.pipe, operations)) sum = sum.value_or(Flops()) + sample.work;
    return sum;
}

std::optional<Spread> spread_of(std::vector<double>& values) {
    if (values.size() < 2) return std::nullopt;
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    const double median = values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    return Spread{values.front(), median, values.back()};
}

/// What a launch has, a bit each.
using Figures = unsigned;
constexpr EnumArray<MemoryLevel, Figures> has_bytes{1U, 2U, 4U, 8U};
constexpr Figures has_time = 16U;
constexpr Figures has_work = 32U;
constexpr Figures has_throughput = 64U;

/// But for bytes.
Figures figures_beside_bytes(const Launch& launch, const StoredThroughput* throughput) {
    return (launch.duration ? has_time : 0U) | (launch.work.empty() ? 0U : has_work) |
           (throughput && throughput->tells(launch) ? has_throughput : 0U);
}

Figures figures_of(const Launch& launch, const AnalysisOptions& options, const StoredThroughput* throughput) {
    if (launch.failed) return 0;
    Figures figures = figures_beside_bytes(launch, throughput);
    for (const MemoryLevel level : all_levels)
        if (launch.find(options.boundaries[level])) figures |= has_bytes[level];
    return figures;
}

/// Whether a launch has all that is asked for.
bool holds(Figures figures, Figures asked) {
    return (figures & asked) == asked;
}

/// What a launch must have to be one of those that judge the group.
Figures best_known(std::span<const Figures> launches) {
    Figures best = has_time;
    std::ptrdiff_t most = 0;
    const auto consider = [&](Figures asked) {
        const auto count = std::ranges::count_if(launches, [&](Figures has) { return holds(has, asked); });
        if (count > most) {
            most = count;
            best = asked;
        }
    };
    for (const Figures work : {has_work, 0U}) {
        for (const MemoryLevel level : all_levels)
            consider(has_time | work | has_bytes[level]);
        if (most > 0) return best;
    }
    consider(has_time | has_work);
    consider(has_time | has_throughput);
    return best;
}

bool is_wide(const std::optional<Spread>& spread) {
    return spread && spread->max > launch_spread_limit * spread->min;
}

/// "0.0900 to 1.20 GFLOP/s": the prefix stands once, unless the lower end would be lost in zeros. Empty where
/// both ends read alike.
std::string rate_range(const Spread& spread, const std::string& unit) {
    if (format_si(spread.min, unit) == format_si(spread.max, unit)) return {};
    const double low = spread.min / si_prefix_of(spread.max).factor;
    const bool readable = low == 0 || low >= 0.01;
    return fmt::format("{} to {}", readable ? format_number(low) : format_si(spread.min, ""),
                       format_si(spread.max, unit));
}

/// "AI 0.250 to 1.00 at HBM"; empty where it is one figure.
std::string intensity_range(const KernelPoint& point) {
    const Spread spread = point.intensity_spread.value_or(Spread());
    const std::string high = format_number(spread.max);
    if (format_number(spread.min) == high) return {};
    return fmt::format("AI {} to {} at {}", at_least(point, format_number(spread.min)), high,
                       label_of(point.memory));
}

/// One launch, or those that carry one operation out together.
struct Run {
    const Launch* first = nullptr;
    std::optional<Flops> work;
    std::optional<Bytes> bytes;
    std::optional<Seconds> time;
};

/// By launch of these: its execution where all launches of that are among them, else 0. Empty: all are 0.
std::vector<std::uint32_t> whole_executions(std::span<const LaunchIndex> launches,
                                            const AnalysisOptions& options) {
    std::vector<std::uint32_t> executions;
    const auto& operations = options.launch_operations;
    if (!operations || operations->execution_of.empty()) return executions;
    std::unordered_map<std::uint32_t, std::uint32_t> counts;
    for (const LaunchIndex index : launches)
        ++counts[executions.emplace_back(operations->execution_of[static_cast<std::size_t>(index)])];
    for (std::uint32_t& execution : executions)
        if (execution != 0 && counts.at(execution) != operations->launches_of_execution[execution - 1])
            execution = 0;
    return executions;
}

std::vector<Run> runs_of(const Profile& profile, std::span<const LaunchIndex> launches,
                         const AnalysisOptions& options) {
    const std::vector<std::uint32_t> executions = whole_executions(launches, options);
    std::vector<Run> runs;
    std::unordered_map<std::uint32_t, std::size_t> places;  // in `runs`, by execution
    for (std::size_t i = 0; i < launches.size(); ++i) {
        const Launch& launch = profile.at(launches[i]);
        if (launch.failed) continue;
        const std::uint32_t execution = executions.empty() ? 0 : executions[i];
        const auto place =
            execution == 0 ? runs.size() : places.try_emplace(execution, runs.size()).first->second;
        const bool first = place == runs.size();
        if (first) runs.push_back({.first = &launch, .work = {}, .bytes = {}, .time = {}});
        Run& run = runs[place];
        const auto work = work_of(launch, options.operations);
        const TrafficSample* hbm = launch.find(options.boundaries[MemoryLevel::hbm]);
        add_or_forget(run.work, first, work.has_value(), [&](Flops& sum) { sum += *work; });
        add_or_forget(run.bytes, first, hbm != nullptr, [&](Bytes& sum) { sum += hbm->total; });
        add_or_forget(run.time, first, launch.duration.has_value(),
                      [&](Seconds& sum) { sum += *launch.duration; });
    }
    return runs;
}

}  // namespace

bool counts_into_work(Pipe pipe, OperationClass operations) {
    switch (operations) {
        case OperationClass::floating:
        case OperationClass::automatic:
            return !counts_integers(pipe);
        case OperationClass::integer:
            return counts_integers(pipe);
        case OperationClass::all:
            return true;
    }
    return true;
}

std::optional<Flops> work_of(std::span<const PipeLoad> pipes, OperationClass operations) {
    return sum_of_class(pipes, operations);
}

bool is_mostly_integer(std::span<const PipeLoad> pipes) {
    Flops floating;
    Flops integer;
    Flops integer_tensor;
    for (const PipeLoad& load : pipes) {
        (counts_integers(load.pipe) ? integer : floating) += load.work;
        if (counts_integers(load.pipe) && is_tensor(load.pipe)) integer_tensor += load.work;
    }
    return integer_tensor > floating ||
           (integer.value() > 0 && floating <= (floating + integer) * negligible_work_share);
}

std::optional<Flops> work_of(const Launch& launch, OperationClass operations) {
    return sum_of_class(launch.work, operations);
}

bool holds_only_integer_work(const Profile& profile) {
    bool any = false;
    for (const Launch& launch : profile.launches) {
        const Flops floating = work_of(launch, OperationClass::floating).value_or(Flops());
        const Flops integer = work_of(launch, OperationClass::integer).value_or(Flops());
        if (launch.uncounted.any() || floating > (floating + integer) * negligible_work_share) return false;
        any |= integer.value() > 0;
    }
    return any;
}

bool TimedLaunches::stand_for(const TimedLaunches& all) const {
    if (count == all.count || time * 2 >= all.time) return true;
    const Seconds of_one = time / count;
    const Seconds of_other = (all.time - time) / (all.count - count);
    return of_other <= of_one * launch_spread_limit && of_one <= of_other * launch_spread_limit;
}

GroupTotals sum_launches(const Profile& profile, std::span<const LaunchIndex> launches,
                         const AnalysisOptions& options, const StoredThroughput* throughput) {
    GroupTotals totals;
    bool first = true;
    bool every_work_known = true;
    Figures in_some = 0;
    Figures in_all = ~0U;
    for (const LaunchIndex index : launches) {
        const Launch& launch = profile.at(index);
        if (launch.failed) {
            ++totals.failed;
            continue;
        }
        Figures figures = figures_beside_bytes(launch, throughput);
        add_or_forget(totals.time, first, launch.duration.has_value(),
                      [&](Seconds& sum) { sum += *launch.duration; });
        totals.time_origin = std::max(totals.time_origin, launch.duration_origin);
        every_work_known = every_work_known && !launch.work.empty();
        if (every_work_known) add_work(launch, totals.pipes);
        totals.uncounted |= launch.uncounted;
        totals.unchecked |= launch.unchecked;
        for (const MemoryLevel level : all_levels) {
            const TrafficSample* sample = launch.find(options.boundaries[level]);
            if (sample) figures |= has_bytes[level];
            add_or_forget(totals.traffic[level], first, sample != nullptr, [&](GroupTotals::Traffic& sum) {
                sum.bytes += sample->total;
                sum.origin = weaker(sum.origin, sample->origin);
            });
        }
        in_some |= figures;
        in_all &= figures;
        first = false;
    }
    if (!every_work_known) totals.pipes.clear();
    totals.throughput = !first && holds(in_all, has_throughput);
    totals.unlike = !first && in_some != in_all;
    return totals;
}

std::uint32_t known_first(const Profile& profile, std::span<LaunchIndex> launches,
                          const AnalysisOptions& options, const StoredThroughput* throughput) {
    std::vector<Figures> figures;
    figures.reserve(launches.size());
    for (const LaunchIndex index : launches)
        figures.push_back(figures_of(profile.at(index), options, throughput));
    // Work of pipes that are no part of W tells nothing.
    if (std::ranges::none_of(launches, [&](LaunchIndex index) {
            return work_of(profile.at(index), options.operations).has_value();
        }))
        for (Figures& has : figures)
            has &= ~has_work;
    const Figures asked = best_known(figures);
    const auto rest = std::stable_partition(launches.begin(), launches.end(), [&](LaunchIndex index) {
        return holds(figures_of(profile.at(index), options, throughput), asked);
    });
    return static_cast<std::uint32_t>(rest - launches.begin());
}

GroupSpreads spread_launches(const Profile& profile, std::span<const LaunchIndex> launches,
                             const AnalysisOptions& options) {
    if (launches.size() < 2) return {};
    std::vector<double> performance;
    std::vector<double> intensity;
    std::vector<double> bandwidth;
    bool other_grid = false;
    const std::vector<Run> runs = runs_of(profile, launches, options);
    for (const Run& run : runs) {
        other_grid = other_grid || run.first->grid != runs.front().first->grid;
        const bool timed = run.time && run.time->value() > 0;
        if (run.work && timed) performance.push_back((*run.work / *run.time).value());
        if (run.work && run.bytes && run.bytes->value() > 0)
            intensity.push_back((*run.work / *run.bytes).value());
        if (run.bytes && timed) bandwidth.push_back((*run.bytes / *run.time).value());
    }
    GroupSpreads spreads{spread_of(performance), spread_of(intensity), spread_of(bandwidth)};
    spreads.differ = other_grid || is_wide(spreads.performance) || is_wide(spreads.intensity) ||
                     (!spreads.performance && is_wide(spreads.bandwidth));
    return spreads;
}

std::string launch_range_words(const KernelPoint& point, std::string_view work_unit) {
    if (!point.launches_differ) return {};
    std::string words;
    if (const auto& spread = point.performance_spread; spread && spread->max > 0) {
        const std::string rates = rate_range(*spread, fmt::format("{}/s", work_unit));
        const std::string intensities = intensity_range(point);
        words = rates.empty() ? rates : at_least(point, rates);
        words += (words.empty() || intensities.empty() ? "" : ", ") + intensities;
    } else if (const auto& bandwidth = point.bandwidth_spread; bandwidth && bandwidth->max > 0) {
        words = rate_range(*bandwidth, "B/s");
        if (!words.empty()) words += fmt::format(" at {}", label_of(point.memory));
    } else {
        words = intensity_range(point);
    }
    return words.empty() ? "with different grids" : marked_if(point.time_doubted, words);
}

EnumArray<Boundary, bool> boundaries_with_bytes(const Profile& profile) {
    EnumArray<Boundary, bool> counted{};
    for (const Launch& launch : profile.launches)
        for (const TrafficSample& sample : launch.traffic)
            counted[sample.boundary] = true;
    return counted;
}

std::optional<TrafficDirections> directions_of(const Profile& profile, std::span<const LaunchIndex> launches,
                                               Boundary boundary) {
    TrafficDirections sum;
    for (const LaunchIndex index : launches) {
        const Launch& launch = profile.at(index);
        if (launch.failed) continue;
        const TrafficSample* sample = launch.find(boundary);
        if (!sample || !sample->read || !sample->write) return std::nullopt;
        sum.read += *sample->read;
        sum.write += *sample->write;
    }
    return sum;
}

KnownDirections directions_at(const Profile& profile, const Analysis& analysis, const KernelPoint& point,
                              MemoryLevel level) {
    const LevelPoint* own = point.measured_level(level);
    const auto apart =
        own ? directions_of(profile, analysis.known_launches(point), own->boundary) : std::nullopt;
    if (apart) return {apart->read, apart->write};
    if (own || level != MemoryLevel::hbm) return {};
    return {point.hbm_read_alone ? point.hbm_at_least : std::nullopt,
            point.hbm_written_alone ? point.hbm_at_least : std::nullopt};
}

std::string directions_words(const Profile& profile, const Analysis& analysis, const KernelPoint& point,
                             const EnumArray<MemoryLevel, bool>& levels) {
    const auto amount = [&](const std::optional<Bytes>& bytes, std::string_view one, std::string_view all) {
        if (!bytes) return fmt::format("{} not counted", all);
        const auto rate = point.rate_of(*bytes);
        return fmt::format("{} {}{}", one, format(*bytes),
                           rate ? fmt::format(" ({})", marked_if(point.time_doubted, format(*rate))) : "");
    };
    std::string words;
    for (const MemoryLevel level : all_levels) {
        const auto [read, write] =
            levels[level] ? directions_at(profile, analysis, point, level) : KnownDirections();
        if (read || write)
            words += fmt::format("{}{} {}, {}", words.empty() ? "" : "; ", label_of(level, point.memory),
                                 amount(read, "read", "reads"), amount(write, "written", "writes"));
    }
    return words;
}

}  // namespace roofwalk
