// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "core/base/text.h"
#include "core/devices/match_device.h"
#include "core/model/derived_time.h"
#include "core/model/kernel_name.h"
#include "core/model/source_names.h"
#include "core/roofline/group_ceilings.h"
#include "core/roofline/group_totals.h"
#include "core/roofline/operation_model_point.h"
#include "core/roofline/point_bounds.h"
#include "core/roofline/utilisation.h"
#include "core/roofline/verdict_words.h"

namespace roofwalk {

namespace {

constexpr std::size_t points_between_reports = 4096;

AnalysisOptions with_l1_for_smem(AnalysisOptions options, Boundary l2, Boundary l1) {
    options.boundaries[MemoryLevel::hbm] = Boundary::hbm_dram_rw;
    options.boundaries[MemoryLevel::l2] = l2;
    options.boundaries[MemoryLevel::l1] = l1;
    options.levels = {true, true, true, false};
    return options;
}

Seconds time_of_all(const Profile& profile) {
    Seconds total;
    for (const Launch& launch : profile.launches)
        if (!launch.failed && launch.duration) total += *launch.duration;
    return total;
}

/// Of a level whose default bytes were not counted, those that were, NERSC's first.
EnumArray<MemoryLevel, Boundary> counted_boundaries(const EnumArray<Boundary, bool>& counted,
                                                    EnumArray<MemoryLevel, Boundary> boundaries) {
    std::vector<Boundary> others(all_boundaries.begin(), all_boundaries.end());
    std::ranges::copy(nersc_view().boundaries, std::back_inserter(others));
    for (const MemoryLevel level : all_levels) {
        if (boundaries[level] != default_boundary(level) || counted[boundaries[level]]) continue;
        for (const Boundary other : others)  // the last of them wins
            if (level_of(other) == level && counted[other]) boundaries[level] = other;
    }
    return boundaries;
}

/// Options of all reports, and of those that counted the bytes of a level at another boundary.
class ReportOptions {
  public:
    /// `asked`: before `options` took boundaries that were counted.
    ReportOptions(const Profile& profile, const AnalysisOptions& options,
                  const EnumArray<MemoryLevel, Boundary>& asked)
        : of_all_(options) {
        std::map<SourceIndex, EnumArray<Boundary, bool>> counted;
        for (const Launch& launch : profile.launches)
            for (const TrafficSample& sample : launch.traffic)
                counted[launch.source][sample.boundary] = true;
        for (const auto& [source, boundaries] : counted)
            if (const auto own = own_boundaries(boundaries, options, asked); own != options.boundaries)
                of_source_.emplace(source, options).first->second.boundaries = own;
    }

    [[nodiscard]] const AnalysisOptions& of(const Launch& launch) const {
        const auto own = of_source_.find(launch.source);
        return own == of_source_.end() ? of_all_ : own->second;
    }

  private:
    /// Of a level that a report did not count, those of all.
    static EnumArray<MemoryLevel, Boundary> own_boundaries(const EnumArray<Boundary, bool>& counted,
                                                           const AnalysisOptions& options,
                                                           const EnumArray<MemoryLevel, Boundary>& asked) {
        EnumArray<MemoryLevel, Boundary> own = counted_boundaries(counted, asked);
        for (const MemoryLevel level : all_levels)
            if (!counted[own[level]]) own[level] = options.boundaries[level];
        return own;
    }

    const AnalysisOptions& of_all_;
    std::map<SourceIndex, AnalysisOptions> of_source_;
};

using SharedName = std::shared_ptr<const ReportName>;

/// What the reports of points are called.
class ReportNames {
  public:
    explicit ReportNames(const Profile& profile)
        : profile_(profile), own_(own_source_names(profile)), alone_(own_.size()) {
        constexpr std::size_t brief = 24;
        const auto cut = cut_apart({own_.begin(), own_.end()}, brief);
        for (const std::string& name : own_)
            brief_.push_back(cut.at(name));
        // Long names that begin alike are told by what differs, not by their ends.
        constexpr std::size_t word_or_two = 14;
        const auto parts = differing_parts({own_.begin(), own_.end()}, word_or_two);
        if (own_ != brief_ && std::ranges::all_of(parts, &DifferingPart::begins_late))
            std::ranges::transform(parts, brief_.begin(), &DifferingPart::marked);
    }

    /// Null where the profile names none.
    SharedName of(std::span<const LaunchIndex> launches) {
        const auto source = static_cast<std::size_t>(profile_.at(launches.front()).source);
        if (source >= own_.size()) return nullptr;
        const bool alone = std::ranges::all_of(
            launches, [&](LaunchIndex launch) { return profile_.at(launch).joined.empty(); });
        if (alone) return named(alone_[source], std::array{static_cast<SourceIndex>(source)});
        const std::vector<SourceIndex> sources = sources_of(profile_, launches);
        return named(joined_[sources], sources);
    }

  private:
    const SharedName& named(SharedName& name, std::span<const SourceIndex> sources) const {
        if (!name)
            name = std::make_shared<const ReportName>(
                ReportName{source_name(profile_, own_, sources), source_name(profile_, brief_, sources)});
        return name;
    }

    const Profile& profile_;
    std::vector<std::string> own_;
    std::vector<std::string> brief_;
    std::vector<SharedName> alone_;  ///< by source
    std::map<std::vector<SourceIndex>, SharedName> joined_;
};

bool has_several_reports(const Profile& profile) {
    return std::ranges::any_of(profile.launches, [&](const Launch& launch) {
        return launch.source != profile.launches.front().source;
    });
}

/// What the launches of one execution can recover together; absent until `told`, and where it is not known.
struct SharedExecution {
    std::vector<LaunchIndex> launches;
    std::optional<Recoverable> recoverable = {};
    bool told = false;
};

/// What is known of launches before they are put together.
struct LaunchFacts {
    const Profile& profile;
    const AnalysisOptions& options;  ///< of all reports
    ReportOptions of_reports;
    LaunchCeilings ceilings;
    StoredThroughput throughput;
    std::vector<LaunchFloor> floors;  ///< by device
    std::vector<bool> contradicted;   ///< by launch; empty: none
    std::vector<bool> refused;        ///< likewise, and figures were taken out
    std::vector<bool> doubted;        ///< likewise, of their times
    ReportNames reports;
    Timeline timeline;
    std::vector<double> compute_shares = {};       ///< by kernel; empty where each launch has work
    std::vector<double> memory_shares = {};        ///< likewise, and bytes
    std::vector<double> unit_shares = {};          ///< likewise, and throughput
    std::vector<SharedExecution> executions = {};  ///< by execution, from 1; empty until one is asked for

    /// Of the report of some launches.
    [[nodiscard]] const AnalysisOptions& options_of(std::span<const LaunchIndex> launches) const {
        return of_reports.of(profile.at(launches.front()));
    }
};

/// Whether launches that have what others lack may stand for all: they take most of the time, or about as
/// long each, or nothing is known of all.
bool stand_for_all(const GroupTotals& sums, std::uint32_t count, const GroupTotals& all,
                   std::uint32_t all_count) {
    const bool some_known =
        all.throughput || !all.pipes.empty() ||
        std::ranges::any_of(all.traffic, [](const auto& level) { return level.has_value(); });
    if (!some_known || !all.time || !sums.time) return true;
    return TimedLaunches{count, *sums.time}.stand_for({all_count, *all.time});
}

/// The launches of a group that its figures are of, and their sums. Where only some have what others lack it
/// puts these first, and tells of them and of the time of all.
GroupTotals sum_known(const LaunchFacts& facts, const KernelGroup& group, Analysis& analysis,
                      KernelPoint& point) {
    const Profile& profile = facts.profile;
    const std::span<LaunchIndex> launches =
        std::span(analysis.grouping.order).subspan(group.first, group.count);
    const AnalysisOptions& options = facts.options_of(launches);
    GroupTotals all = sum_launches(profile, launches, options, &facts.throughput);
    if (!all.unlike) return all;
    const std::uint32_t count = known_first(profile, launches, options, &facts.throughput);
    if (count == 0 || count == group.count - all.failed) return all;
    GroupTotals sums = sum_launches(profile, launches.first(count), options, &facts.throughput);
    if (!stand_for_all(sums, count, all, group.count - all.failed)) {
        std::ranges::sort(launches);
        return all;
    }
    sums.failed = all.failed;
    point.time = all.time;
    point.time_origin = all.time_origin;
    KnownLaunches& known = point.known.emplace();
    known.count = count;
    known.alone_timed = !all.time;
    known.alone_work = all.pipes.empty() && !sums.pipes.empty();
    known.alone_throughput = sums.throughput && !all.throughput;
    for (const MemoryLevel level : all_levels)
        known.alone_bytes[level] = sums.traffic[level] && !all.traffic[level];
    return sums;
}

/// By kernel: the largest share that launches of its name reach, in any report.
std::vector<double> largest_shares(const Profile& profile, const auto& share_of) {
    std::vector<double> shares(profile.kernels.size());
    for (const Launch& launch : profile.launches) {
        if (launch.failed || !(launch.duration.value_or(Seconds()).value() > 0)) continue;
        double& share = shares[static_cast<std::size_t>(launch.kernel)];
        share = std::max(share, share_of(launch));
    }
    std::map<std::string_view, double> of_names;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        double& share = of_names[profile.kernels[i].name];
        share = std::max(share, shares[i]);
    }
    for (std::size_t i = 0; i < shares.size(); ++i)
        shares[i] = of_names[profile.kernels[i].name];
    return shares;
}

/// Of a pipe.
std::vector<double> compute_shares(const Profile& profile, LaunchCeilings& ceilings) {
    if (std::ranges::none_of(profile.launches, &std::vector<WorkSample>::empty, &Launch::work)) return {};
    return largest_shares(profile, [&](const Launch& launch) {
        double share = 0;
        for (const WorkSample& part : launch.work)
            if (const ComputeCeiling* ceiling = ceilings.of(launch)->find(part.pipe))
                share = std::max(share, part.work / *launch.duration / ceiling->rate);
        return share;
    });
}

/// Of a level.
std::vector<double> memory_shares(const Profile& profile, const ReportOptions& options,
                                  LaunchCeilings& ceilings) {
    if (std::ranges::none_of(profile.launches, &std::vector<TrafficSample>::empty, &Launch::traffic))
        return {};
    return largest_shares(profile, [&](const Launch& launch) {
        double share = 0;
        for (const TrafficSample& part : launch.traffic)
            if (part.boundary == options.of(launch).boundaries[level_of(part.boundary)])
                if (const BandwidthCeiling* ceiling = ceilings.of(launch)->find(part.boundary))
                    share = std::max(share, part.total / *launch.duration / ceiling->rate);
        return share;
    });
}

/// Of a unit.
std::vector<double> unit_shares(const Profile& profile, const StoredThroughput& throughput) {
    const auto tells = [&](const Launch& launch) { return throughput.tells(launch); };
    if (std::ranges::all_of(profile.launches, tells) || std::ranges::none_of(profile.launches, tells))
        return {};
    return largest_shares(profile, [&](const Launch& launch) {
        const auto index = static_cast<LaunchIndex>(&launch - profile.launches.data());
        const auto busy = busiest(throughput.of(std::span(&index, 1)));
        return busy ? busy->share : 0;
    });
}

/// Whether others of a kernel are nearer to a limit by their work than `point`, without any, by its bytes, or
/// the other way round, or by the throughput that it lacks.
void look_at_others(const LaunchFacts& facts, std::span<const LaunchIndex> launches, KernelPoint& point) {
    const auto are_nearer = [&](auto samples, const std::vector<double>& shares,
                                const std::optional<Utilisation>& own) {
        return std::ranges::any_of(launches, [&](LaunchIndex index) {
            const Launch& launch = facts.profile.at(index);
            return (launch.*samples).empty() &&
                   shares[static_cast<std::size_t>(launch.kernel)] > (own ? own->share : 0);
        });
    };
    point.others_have_work = are_nearer(&Launch::work, facts.compute_shares, memory_utilisation(point));
    point.others_have_bytes = are_nearer(&Launch::traffic, facts.memory_shares, compute_utilisation(point));
    double own = 0;
    for (const auto& use : {memory_utilisation(point), compute_utilisation(point)})
        if (use) own = std::max(own, use->share);
    point.others_have_throughput =
        !facts.unit_shares.empty() && point.throughput_launches == 0 &&
        std::ranges::any_of(launches, [&](LaunchIndex index) {
            return facts.unit_shares[static_cast<std::size_t>(facts.profile.at(index).kernel)] > own;
        });
}

/// What follows from the totals of `launches`, the known ones of `all` that a point is of, but for its
/// verdict. Which launches its throughput is of.
std::span<const LaunchIndex> bound_launches(LaunchFacts& facts, std::span<const LaunchIndex> all,
                                            std::span<const LaunchIndex> launches, GroupTotals totals,
                                            KernelPoint& point) {
    const Profile& profile = facts.profile;
    point.launches = static_cast<std::uint32_t>(all.size());
    point.ceilings = facts.ceilings.of(launches);
    std::span<const LaunchIndex> busy = launches;
    for (const auto those : {launches, all}) {
        busy = those;
        point.throughput = facts.throughput.of(those);
        point.throughput_launches = facts.throughput.count(those, point.throughput);
        if (point.throughput_launches > 0 || !point.known) break;
    }
    point.l1tex_while_active =
        point.throughput[HardwareUnit::l1tex] && facts.throughput.has_l1tex_while_active(busy);
    point.sm_beside_loads = facts.throughput.sm_beside_loads(busy);
    point.sampled = facts.throughput.sampled(busy);
    point.launch_floor = facts.floors[static_cast<std::size_t>(profile.at(launches.front()).device)];
    const auto any_of = [&](const std::vector<bool>& marked) {
        return !marked.empty() && std::ranges::any_of(all, [&](LaunchIndex launch) {
            return marked[static_cast<std::size_t>(launch)];
        });
    };
    point.contradicted = any_of(facts.contradicted);
    point.lacks_contradicted = any_of(facts.refused);
    point.time_doubted = any_of(facts.doubted);
    const bool some_level_counted =
        std::ranges::any_of(totals.traffic, [](const auto& level) { return level.has_value(); });
    const AnalysisOptions& options = facts.options_of(launches);
    point.precision_assumed = assumes_precision(totals, profile, launches, *point.ceilings, options);
    const ModelledParts modelled =
        fill_from_operation_model(totals, profile, launches, *point.ceilings, options);
    point.modelled = modelled.work && modelled.bytes && !some_level_counted;
    point.modelled_work = modelled.work && !point.modelled;
    point.modelled_bytes = modelled.bytes && !point.modelled;
    if (const auto half = facts.throughput.hbm_at_least(launches)) {
        point.hbm_at_least = half->bytes;
        point.hbm_read_alone = half->read && !half->written;
        point.hbm_written_alone = half->written && !half->read;
    }
    apply_totals(std::move(totals), options, point);
    look_at_others(facts, launches, point);
    point.target = target_of(point, profile, launches, options);
    return busy;
}

/// Whether limits of a launch may be told by more than its work and bytes.
bool has_further_limits(const LaunchFacts& facts, LaunchIndex index) {
    const auto& operations = facts.options.launch_operations;
    if (operations && !operations->of_launch.empty() &&
        operations->of_launch[static_cast<std::size_t>(index)] != 0)
        return true;
    return facts.throughput.tells(facts.profile.at(index)) ||
           facts.throughput.hbm_at_least(std::span(&index, 1)).has_value();
}

bool tells_limits(const LaunchFacts& facts, LaunchIndex index) {
    const Launch& launch = facts.profile.at(index);
    return !launch.work.empty() || !launch.traffic.empty() || has_further_limits(facts, index);
}

/// Of launches that were measured and have no further limits: whether they can differ in their times alone.
bool have_same_bounds(const Launch& a, const Launch& b) {
    return a.source == b.source && a.device == b.device && a.ceilings == b.ceilings &&
           a.uncounted == b.uncounted && a.unchecked == b.unchecked &&
           std::ranges::equal(a.work, b.work,
                              [](const WorkSample& x, const WorkSample& y) {
                                  return x.pipe == y.pipe && x.origin == y.origin && x.work == y.work;
                              }) &&
           std::ranges::equal(a.traffic, b.traffic, [](const TrafficSample& x, const TrafficSample& y) {
               return x.boundary == y.boundary && x.origin == y.origin && x.total == y.total;
           });
}

/// What each of some launches can recover. The bounds of a launch, or else its roofs, are kept for the next
/// that has the same.
class RecoverableLaunches {
  public:
    explicit RecoverableLaunches(LaunchFacts& facts) : facts_(facts) {}

    const KernelPoint& of(LaunchIndex index) {
        const Launch& launch = facts_.profile.at(index);
        const bool simple = !launch.failed && launch.duration && launch.duration->value() > 0 &&
                            facts_.contradicted.empty() && !has_further_limits(facts_, index);
        if (simple && last_ && have_same_bounds(*last_, launch)) {
            point_.time = launch.duration;
            if (point_.work) point_.performance = *point_.work / *launch.duration;
            if (point_.gap) point_.gap = vertical_gap(*launch.duration, *point_.speed_of_light);
        } else {
            const std::span alone(&index, 1);
            const AnalysisOptions& options = facts_.options_of(alone);
            GroupTotals totals = sum_launches(facts_.profile, alone, options);
            if (simple && last_ && last_->device == launch.device && last_->ceilings == launch.ceilings &&
                last_->source == launch.source) {
                point_.unchecked = {};
                apply_totals(std::move(totals), options, point_);
            } else {
                point_ = {};
                bound_launches(facts_, alone, alone, std::move(totals), point_);
            }
        }
        last_ = simple ? &launch : nullptr;
        look_at_others(facts_, std::span(&index, 1), point_);
        // At its roof or below it a verdict would change nothing.
        const VerdictThresholds& limits = facts_.options.thresholds;
        const bool needs_none = simple && point_.gap && point_.gap->efficiency() <= limits.above_roof;
        point_.verdict = needs_none ? Verdict() : judge(point_, limits);
        if (needs_none) add_side(point_, limits, point_.verdict);
        point_.recoverable = recoverable_as_one(point_);
        return point_;
    }

    /// Of those that carry one operation out together.
    std::optional<Recoverable> together(std::span<const LaunchIndex> launches) {
        last_ = nullptr;
        point_ = {};
        bound_launches(facts_, launches, launches,
                       sum_launches(facts_.profile, launches, facts_.options_of(launches)), point_);
        point_.verdict = judge(point_, facts_.options.thresholds);
        return point_.recoverable = recoverable_as_one(point_);
    }

    /// What the last answer is of.
    [[nodiscard]] const KernelPoint& point() const { return point_; }

  private:
    LaunchFacts& facts_;
    const Launch* last_ = nullptr;  ///< that `point_` is of; null: its bounds hold for no other
    KernelPoint point_;
};

/// The launches of each execution that several timed launches carried out, whose limits none tells alone.
std::map<std::uint32_t, std::vector<LaunchIndex>> timed_executions(const LaunchFacts& facts,
                                                                   std::span<const LaunchIndex> launches) {
    const auto& operations = facts.options.launch_operations;
    std::map<std::uint32_t, std::vector<LaunchIndex>> executions;
    if (!operations || operations->execution_of.empty()) return executions;
    for (const LaunchIndex index : launches) {
        const Launch& launch = facts.profile.at(index);
        const std::uint32_t execution = operations->execution_of[static_cast<std::size_t>(index)];
        if (execution != 0 && launch.work.empty() && launch.traffic.empty() && !launch.failed)
            executions[execution].push_back(index);
    }
    std::erase_if(executions, [&](const auto& execution) {
        return execution.second.size() != operations->launches_of_execution[execution.first - 1];
    });
    return executions;
}

/// What launches of a kernel, and several that carry an operation out together, can recover in all.
class RecoverableSum {
  public:
    explicit RecoverableSum(const KernelPoint& kernel)
        : limit_(tightest_limit(kernel)), level_(limiting_level(kernel)) {
        sum_.launches = 0;
    }

    /// Of `count` launches that `one` tells of; `other`: they are beside those that judge the kernel.
    void add(const KernelPoint& one, std::size_t count, bool other) {
        const std::optional<Recoverable>& own = one.recoverable;
        if (!own) return;
        add_time(by_limit_, own->limit, own->time);
        const bool relieved = own->next && is_limited_alike(one);
        if (relieved) add_time(by_next_, own->next, own->of);
        once_relieved_ += relieved ? *own->once_relieved : own->time;
        if (other) sum_.of_others += own->time;
        sum_.launches += static_cast<std::uint32_t>(count);
        sum_.time += own->time;
        sum_.of += own->of;
        with_needed_bytes_ += own->with_needed_bytes.value_or(own->time);
        any_needs_ = any_needs_ || own->with_needed_bytes;
        with_operations_ += own->with_operation.value_or(own->time);
        any_operation_ = any_operation_ || own->with_operation;
        sum_.at_most = sum_.at_most || own->at_most;
        sum_.at_least = sum_.at_least || own->at_least;
    }
    /// That of all as one where none told its own, which also tells what none of them did.
    [[nodiscard]] std::optional<Recoverable> total(const std::optional<Recoverable>& as_one) const {
        if (sum_.launches == 0) return as_one;
        Recoverable sum = sum_;
        sum.limit = longest(by_limit_).first;
        sum.mixed = longest(by_limit_).second < sum.time * (1 - 1e-9);
        if (!by_next_.empty()) {
            sum.once_relieved = once_relieved_;
            sum.others_next = by_next_.size() > 1;
            Seconds all;
            for (const auto& one : by_next_)
                all += one.second;
            if (longest(by_next_).second > all * 0.5) sum.next = longest(by_next_).first;
        }
        const auto of_all = [&](auto with, bool any, Seconds all) {
            if (any)
                sum.*with = all;
            else if (as_one && (*as_one).*with)
                sum.*with = std::max(sum.time, *((*as_one).*with));
        };
        of_all(&Recoverable::with_needed_bytes, any_needs_, with_needed_bytes_);
        of_all(&Recoverable::with_operation, any_operation_, with_operations_);
        return sum;
    }

  private:
    /// By what limits launches; absent: what a launch takes at least.
    using Times = std::vector<std::pair<std::optional<LimitTarget>, Seconds>>;

    /// The roof of a level and the unit that serves its bytes are one limit.
    [[nodiscard]] bool is_limited_alike(const KernelPoint& one) const {
        const auto own = tightest_limit(one);
        return limit_ && (own->of == limit_->of ||
                          (is_of_memory(*own) && is_of_memory(*limit_) && limiting_level(one) == level_));
    }
    static void add_time(Times& times, const std::optional<LimitTarget>& limit, Seconds time) {
        auto part = std::ranges::find(times, limit, [](const auto& one) { return one.first; });
        if (part == times.end()) part = times.insert(part, {limit, Seconds()});
        part->second += time;
    }
    static const Times::value_type& longest(const Times& times) {
        return *std::ranges::max_element(times, {}, [](const auto& one) { return one.second; });
    }

    std::optional<NearestLimit> limit_;
    std::optional<MemoryLevel> level_;
    Recoverable sum_;
    Times by_limit_;
    Times by_next_;
    Seconds once_relieved_;
    Seconds with_needed_bytes_;
    Seconds with_operations_;
    bool any_needs_ = false;
    bool any_operation_ = false;
};

/// The sum over launches and over what several carried out together, whose limits it collects, and their
/// sides; that of all as one where none tells its own.
std::optional<Recoverable> sum_recoverable(LaunchFacts& facts, std::span<const LaunchIndex> launches,
                                           std::size_t known, KernelPoint& point, LaunchLimits& limits) {
    if (std::ranges::none_of(launches, [&](LaunchIndex launch) { return tells_limits(facts, launch); }))
        return point.recoverable;
    RecoverableLaunches each(facts);
    RecoverableSum sum(point);
    double timed = 0;
    EnumArray<Side, double, 3> sides{};
    const auto count_side = [&](const std::optional<Side>& side) {
        const double time = each.point().time.value_or(Seconds()).value();
        timed += time;
        if (side) sides[*side] += time;
    };
    const auto executions = timed_executions(facts, launches);
    for (const auto& [execution, parts] : executions) {
        each.together(parts);
        sum.add(each.point(), parts.size(), known < launches.size());
        count_side(each.point().verdict.side);
    }
    for (std::size_t i = 0; i < launches.size(); ++i) {
        const LaunchIndex launch = launches[i];
        const auto& operations = facts.options.launch_operations;
        const bool told = !executions.empty() &&
                          executions.contains(operations->execution_of[static_cast<std::size_t>(launch)]);
        if (told) continue;
        const KernelPoint& own_point = each.of(launch);
        if (facts.profile.at(launch).kind == LaunchKind::kernel) sum.add(own_point, 1, i >= known);
        if (i < known) limits.add(each.point());
        // Those that nothing is known of are taken for such as the others are together.
        const auto& own = each.point().verdict.side;
        count_side(own || i < known ? own : point.verdict.side);
    }
    if (timed > 0) {
        for (double& share : sides)
            share /= timed;
        point.share_by_side = sides;
    }
    return sum.total(point.recoverable);
}

std::vector<SharedExecution>& shared_executions(LaunchFacts& facts) {
    const LaunchOperations& operations = *facts.options.launch_operations;
    if (!facts.executions.empty()) return facts.executions;
    facts.executions.resize(operations.launches_of_execution.size() + 1);
    for (std::size_t i = 0; i < operations.execution_of.size(); ++i)
        facts.executions[operations.execution_of[i]].launches.push_back(static_cast<LaunchIndex>(i));
    return facts.executions;
}

/// Of each execution that launches have a part in.
void add_shares(LaunchFacts& facts, std::span<const LaunchIndex> launches, AlgorithmicTarget& target) {
    std::vector<SharedExecution>& executions = shared_executions(facts);
    RecoverableLaunches each(facts);
    std::set<std::uint32_t> counted;
    for (const LaunchIndex index : launches) {
        const std::uint32_t number =
            facts.options.launch_operations->execution_of[static_cast<std::size_t>(index)];
        if (number == 0) continue;
        SharedExecution& execution = executions[number];
        if (!execution.told) execution.recoverable = each.together(execution.launches);
        execution.told = true;
        const std::optional<Seconds> time = facts.profile.at(index).duration;
        if (!execution.recoverable || !time || execution.recoverable->of.value() <= 0) continue;
        const Seconds whole = execution.recoverable->with_operation.value_or(execution.recoverable->time);
        const Seconds share = whole * (*time / execution.recoverable->of);
        target.shared_recoverable = target.shared_recoverable.value_or(Seconds()) + share;
        if (counted.insert(number).second)
            target.whole_recoverable = target.whole_recoverable.value_or(Seconds()) + whole;
    }
}

bool launches_bind(const KernelPoint& point, const VerdictThresholds& limits) {
    const KernelClass is = point.verdict.kernel_class;
    const bool far = is == KernelClass::latency_bound || is == KernelClass::low_use;
    if (!far || point.verdict.busy || !point.recoverable || !point.recoverable->held_by_launches())
        return false;
    return point.recoverable->time <= point.recoverable->of * (1 - limits.near_roof);
}

void add_point(std::uint32_t number, LaunchFacts& facts, Analysis& analysis) {
    const Profile& profile = facts.profile;
    const KernelGroup& group = analysis.grouping.groups[number];
    const auto all = analysis.grouping.launches_of(group);
    KernelPoint& point = analysis.points.emplace_back();
    point.group = number;
    point.name =
        name_or_placeholder(name_of_group(profile, analysis.grouping, group, analysis.options.group_by));
    point.source = facts.reports.of(all);
    point.memory = analysis.options.memory;
    point.idle_before = facts.timeline.before(all);
    GroupTotals totals = sum_known(facts, group, analysis, point);
    const auto launches = analysis.known_launches(point);
    const auto busy = bound_launches(facts, all, launches, std::move(totals), point);
    if (point.target && point.target->in_part) add_shares(facts, all, *point.target);
    point.verdict = judge(point, facts.options.thresholds);
    point.recoverable = recoverable_as_one(point);
    point.l1tex_scaled = point.throughput[HardwareUnit::l1tex] && !point.l1tex_while_active &&
                         facts.throughput.scales_l1tex(busy);
    if (point.time && analysis.total_time.value() > 0) point.time_share = *point.time / analysis.total_time;
    point.share_doubted = !facts.doubted.empty();
    const GroupSpreads spreads = spread_launches(profile, launches, facts.options_of(launches));
    point.performance_spread = spreads.performance;
    point.intensity_spread = spreads.intensity;
    point.bandwidth_spread = spreads.bandwidth;
    // What starts its kernels is in the time of a graph or range, and what is idle between: no limit ends it.
    const auto is_whole = [&](LaunchIndex launch) { return profile.at(launch).kind != LaunchKind::kernel; };
    if (std::ranges::any_of(all, is_whole)) point.recoverable.reset();
    point.launches_differ = spreads.differ || (launches.size() < all.size() &&
                                               spread_launches(profile, all, facts.options_of(all)).differ);
    if (all.size() > 1) {
        LaunchLimits limits(point);
        point.recoverable = sum_recoverable(facts, all, launches.size(), point, limits);
        limits.judge(point.verdict, facts.options.thresholds);
    }
    point.verdict.launch_binds = launches_bind(point, facts.options.thresholds);
}

/// Ceilings of the points of one device, in the order of the points.
struct DeviceShare {
    double time = 0;
    bool on_chart = false;  ///< a kernel of it has a dot there
    std::vector<WeightedCeilings> sets;

    void add(const KernelPoint& point) {
        const double seconds = point.time.value_or(Seconds()).value();
        time += seconds;
        on_chart = on_chart || point.placement == Placement::chart || point.placement == Placement::line;
        if (sets.empty() || sets.back().ceilings != point.ceilings) sets.push_back({point.ceilings, 0});
        sets.back().weight += seconds;
    }
};

/// A file with more variants of one name than this is not worth a search through all of them.
constexpr std::size_t most_variants = 64;

std::vector<ModelCeilings> ceilings_of_models(const Profile& profile, const Analysis& analysis) {
    const std::vector<DeviceIndex> models = models_of(profile);
    std::map<DeviceIndex, DeviceShare> shares;
    for (const KernelPoint& point : analysis.points)
        shares[model_of(profile, models, analysis, point)].add(point);
    std::vector<const std::pair<const DeviceIndex, DeviceShare>*> order;
    for (const auto& entry : shares)
        order.push_back(&entry);
    std::ranges::stable_sort(order, std::ranges::greater(), [](const auto* entry) {
        return std::pair(entry->second.on_chart, entry->second.time);
    });
    std::vector<ModelCeilings> list;
    for (const auto* entry : order)
        list.push_back({entry->first, *blend_ceilings(entry->second.sets)});
    return list;
}

/// Of a GPU that its file does not name, what tells it from others.
std::string name_or_capability(const Device& device) {
    if (!device.name.empty()) return device.name;
    const auto& of = device.compute_capability;
    return of ? fmt::format("unnamed GPU (CC {}.{})", of->major, of->minor) : "unnamed GPU";
}

std::string name_with_sms(const Device& device) {
    const std::string name = name_or_capability(device);
    return device.sm_count ? fmt::format("{}, {} SMs", name, *device.sm_count) : name;
}

const CeilingSet& no_ceilings() {
    static const CeilingSet none;
    return none;
}

/// By name and number of SMs, else by the name alone.
const CeilingSet& of_name(const std::map<std::string, CeilingSet>& sets, const Device& device) {
    if (sets.empty()) return no_ceilings();
    for (const std::string& name : {name_with_sms(device), name_or_capability(device), device.name})
        if (const auto set = sets.find(name); set != sets.end()) return set->second;
    return no_ceilings();
}

}  // namespace

const CeilingSet& overrides_of(const AnalysisOptions& options, const Device& device) {
    return of_name(options.overrides, device);
}

std::string measured_key(const Profile& profile, const Device& device) {
    return device.uuid.empty() ? model_name(profile, device) : device.uuid;
}

const CeilingSet& measured_of(const AnalysisOptions& options, const Device& device) {
    if (device.uuid.empty()) return of_name(options.measured, device);
    const auto measured = options.measured.find(device.uuid);
    return measured != options.measured.end() ? measured->second : no_ceilings();
}

AnalysisOptions with_level(AnalysisOptions options, MemoryLevel level, bool shown) {
    options.levels[level] = shown;
    if (level == MemoryLevel::l1) options.l1_where_it_binds = shown;
    return options;
}

AnalysisOptions nsight_view(AnalysisOptions options) {
    return with_l1_for_smem(std::move(options), Boundary::l2_sm_return, Boundary::l1_writeback);
}

AnalysisOptions nersc_view(AnalysisOptions options) {
    return with_l1_for_smem(std::move(options), Boundary::l2_all, Boundary::l1_tag);
}

std::string label_of(const CeilingTarget& target, MemoryName memory) {
    if (const Pipe* pipe = std::get_if<Pipe>(&target)) return label_of(*pipe);
    return std::string(label_of(level_of(std::get<Boundary>(target)), memory));
}

std::string at_least(const KernelPoint& point, const std::string& number) {
    return std::string(sign_of(point.uncounted.any() ? ShareBound::at_least : ShareBound::exact)) + number;
}

const Device& device_of(const Profile& profile, const KernelPoint& point, const Analysis& analysis) {
    const KernelGroup& group = analysis.grouping.groups[point.group];
    return profile.device_of(profile.at(analysis.grouping.order[group.first]));
}

const Launch& leading_launch(const Profile& profile, const KernelPoint& point, const Analysis& analysis) {
    const auto launches = analysis.grouping.launches_of(analysis.grouping.groups[point.group]);
    const auto measured =
        std::ranges::find_if(launches, [&](LaunchIndex index) { return !profile.at(index).failed; });
    return profile.at(measured != launches.end() ? *measured : launches.front());
}

bool comes_from_model(const KernelPoint& point) {
    const bool run =
        std::ranges::any_of(point.throughput, [](const auto& share) { return share.has_value(); });
    const auto modelled = [](const auto& figure) { return figure.origin == Origin::modelled; };
    return !run && !point.modelled && point.work && !point.uncounted.any() && has_known_bytes(point) &&
           std::ranges::all_of(point.levels, [&](const auto& level) { return !level || modelled(*level); }) &&
           std::ranges::all_of(point.pipes, modelled);
}

std::string known_launches_words(const KernelPoint& point) {
    std::string words;
    const auto add = [&](const std::string& what, std::uint32_t count) {
        words += fmt::format("{}{} of {} of {} launches", words.empty() ? "" : ", ", what,
                             format_count(count), format_count(point.launches));
    };
    const bool others = point.throughput_launches > 0 && point.throughput_launches != point.known_launches();
    if (point.known) {
        std::vector<std::string> what;
        if (point.known->alone_timed) what.emplace_back("time");
        if (point.known->alone_work) what.emplace_back("work");
        if (std::ranges::count(point.known->alone_bytes, true) > 0) what.emplace_back("bytes");
        if (point.known->alone_throughput && !others) what.emplace_back("throughput");
        if (!what.empty()) add(joined_with_and(what), point.known->count);
    }
    if (others) add("throughput", point.throughput_launches);
    return words;
}

bool Analysis::has_doubted_times() const {
    return std::ranges::any_of(points, &KernelPoint::share_doubted);
}

std::span<const LaunchIndex> Analysis::known_launches(const KernelPoint& point) const {
    const auto launches = grouping.launches_of(grouping.groups[point.group]);
    return point.known ? launches.first(point.known->count) : launches;
}

std::string_view name_of_report(const KernelPoint& point) {
    return point.source ? std::string_view(point.source->whole) : std::string_view();
}

std::string_view work_unit(OperationClass operations) {
    return operations == OperationClass::integer || operations == OperationClass::all ? "OP" : "FLOP";
}

std::vector<DeviceIndex> models_of(const Profile& profile) {
    std::map<std::string_view, std::vector<DeviceIndex>> variants;
    std::vector<DeviceIndex> models;
    for (const Device& device : profile.devices) {
        const auto index = static_cast<DeviceIndex>(models.size());
        const std::string_view name = device.name;
        std::vector<DeviceIndex>& of_name = variants[name.substr(name.starts_with("NVIDIA ") ? 7 : 0)];
        const auto same = std::ranges::find_if(
            of_name, [&](DeviceIndex known) { return may_be_one_model(profile.at(known), device); });
        models.push_back(same != of_name.end() ? *same : index);
        if (same == of_name.end() && of_name.size() < most_variants) of_name.push_back(index);
    }
    return models;
}

DeviceIndex model_of(const Profile& profile, const std::vector<DeviceIndex>& models, const Analysis& analysis,
                     const KernelPoint& point) {
    const KernelGroup& group = analysis.grouping.groups[point.group];
    const DeviceIndex device = profile.at(analysis.grouping.order[group.first]).device;
    return models[static_cast<std::size_t>(device)];
}

std::string model_name(const Profile& profile, const Device& device) {
    const bool shared = std::ranges::any_of(profile.devices, [&](const Device& other) {
        return name_or_capability(other) == name_or_capability(device) && other.sm_count &&
               other.sm_count != device.sm_count;
    });
    return shared ? name_with_sms(device) : name_or_capability(device);
}

std::vector<bool> contradicted_launches(const Profile& profile, bool refused) {
    std::vector<bool> contradicted;
    for (const Warning& warning : profile.warnings) {
        if (warning.message.code != ErrorCode::contradiction || warning.launches.empty() ||
            (refused && !warning.refuses_figures))
            continue;
        contradicted.resize(profile.launches.size());
        for (const LaunchIndex launch : warning.launches)
            contradicted[static_cast<std::size_t>(launch)] = true;
    }
    return contradicted;
}

Analysis analyse(const Profile& profile, const AnalysisOptions& options, const Progress& progress) {
    Analysis analysis;
    analysis.options = options;
    if (options.operations == OperationClass::automatic)
        analysis.options.operations =
            holds_only_integer_work(profile) ? OperationClass::integer : OperationClass::floating;
    analysis.options.memory = common_memory_name(options.memory, memory_of(profile.devices));
    const bool by_operation = options.group_by == GroupBy::operation && options.launch_operations;
    analysis.grouping = group_launches(profile, options.group_by,
                                       by_operation ? labels_of(*options.launch_operations) : LaunchLabels());
    analysis.total_time = time_of_all(profile);
    analysis.options.boundaries = counted_boundaries(boundaries_with_bytes(profile), options.boundaries);
    LaunchFacts facts{profile,
                      analysis.options,
                      ReportOptions(profile, analysis.options, options.boundaries),
                      LaunchCeilings(profile, analysis.options),
                      StoredThroughput(profile, options.clock),
                      launch_floors(profile, options),
                      contradicted_launches(profile),
                      contradicted_launches(profile, true),
                      doubted_times(profile),
                      ReportNames(profile),
                      timeline_of(profile)};
    facts.compute_shares = compute_shares(profile, facts.ceilings);
    facts.memory_shares = memory_shares(profile, facts.of_reports, facts.ceilings);
    facts.unit_shares = unit_shares(profile, facts.throughput);
    analysis.idle = facts.timeline.devices;
    analysis.several_reports = has_several_reports(profile);
    const std::size_t count = analysis.grouping.groups.size();
    analysis.points.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        if (i % points_between_reports == 0) {
            if (progress.cancelled()) break;
            progress.at(static_cast<double>(i) / static_cast<double>(count));
        }
        add_point(static_cast<std::uint32_t>(i), facts, analysis);
    }
    analysis.idle_before = std::move(facts.timeline.idle_before);
    show_l1_where_it_binds(analysis);
    analysis.models = ceilings_of_models(profile, analysis);
    if (!analysis.models.empty()) analysis.ceilings = analysis.models.front().ceilings;
    progress.at(1);
    return analysis;
}

std::optional<Seconds> KernelPoint::least_launch_time() const {
    if (!known_time()) return std::nullopt;
    return std::min(*known_time(), launch_floor.time * known_launches());
}

std::optional<ByteRate> KernelPoint::rate_of(Bytes bytes) const {
    const std::optional<Seconds> of = known_time();
    return of && of->value() > 0 ? std::optional(bytes / *of) : std::nullopt;
}

std::optional<ByteRate> KernelPoint::bandwidth(MemoryLevel level) const {
    return at(level) ? rate_of(at(level)->bytes) : std::nullopt;
}

std::optional<double> KernelPoint::bandwidth_share(MemoryLevel level) const {
    const std::optional<ByteRate> reached = bandwidth(level);
    if (!reached || !at(level)->ceiling) return std::nullopt;
    return *reached / *at(level)->ceiling;
}

}  // namespace roofwalk
