// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "core/base/sentences.h"
#include "core/base/text.h"
#include "core/model/kernel_name.h"
#include "core/operations/bound_operation.h"
#include "core/roofline/point_bounds.h"
#include "core/roofline/utilisation.h"
#include "core/roofline/verdict_words.h"

namespace roofwalk {

namespace {

constexpr std::size_t longest_name = 60;
constexpr double told_apart = 1.005;  // figures closer to each other would read the same
constexpr double noticeable = 1.05;   // of clocks and of what they make of a gap

/// Those that `matches` has, by point; all where it is empty.
template <class Visit>
void each_shown(const Analysis& analysis, const std::vector<bool>& matches, const Visit& visit) {
    for (std::size_t i = 0; i < analysis.points.size(); ++i)
        if (matches.empty() || matches[i]) visit(analysis.points[i]);
}

std::size_t count_shown(const Analysis& analysis, const std::vector<bool>& matches) {
    return matches.empty() ? analysis.points.size()
                           : static_cast<std::size_t>(std::ranges::count(matches, true));
}

/// "memory-bound", "not classified", "under no known roof"
std::string_view words_of(const ClassShare& share) {
    if (share.label == roof_not_known) return "under no known roof";
    return share.label == label_of(KernelClass::not_measured) ? "not classified" : label_of(share);
}

/// Figures that are in doubt still tell where a look is due.
std::optional<Seconds> most_to_gain(const KernelPoint& point) {
    if (const auto gain = gain_of(point)) return gain->most;
    const auto limit = tightest_limit(point);
    const auto known = point.known_time();
    const auto saved = saved_by_fewer_bytes(point);
    return std::max({known && limit ? std::optional(time_above(point, *known, limit->share)) : std::nullopt,
                     saved ? std::optional(saved->time) : std::nullopt, saved_by_fewer_launches(point)});
}

/// Of which no more is known than that it is at least so much it is not.
std::optional<Gain> told_gain(const KernelPoint& point) {
    return point.recoverable && point.recoverable->at_least ? std::nullopt : gain_of(point);
}

}  // namespace

bool Gain::is_range() const {
    return most > same * told_apart;
}

std::optional<Gain> gain_of(const KernelPoint& point) {
    const std::optional<Seconds> same = recoverable_time(point);
    if (!same) return std::nullopt;
    const auto saved = saved_by_fewer_bytes(point);
    return Gain{*same, std::max({*same, saved ? saved->time : *same,
                                 saved_by_fewer_launches(point).value_or(*same)})};
}

std::string gain_words(const Gain& gain) {
    if (!gain.is_range()) return format(gain.same);
    const double least = gain.same.value() / si_prefix_of(gain.most.value()).factor;  // in one unit
    return fmt::format("{}–{}", format_number(least, least < 1 ? 2 : 3), format(gain.most));
}

std::string share_of_time(const Analysis& analysis, double share) {
    constexpr double rounding = 1e-9;  // of a sum of shares
    constexpr double least = 1e-5;     // as format_percent() tells shares
    const bool part = share > 0.5 && share < 1 - rounding;
    const std::string figure = !part               ? format_percent(share)
                               : share > 1 - least ? "> 99.999 %"
                                                   : format_percents_apart(share, 1).first;
    return marked_if(analysis.has_doubted_times(), figure);
}

std::vector<SideShare> side_shares(const Analysis& analysis, const std::vector<bool>& matches) {
    std::vector<SideShare> shares;
    const auto of = [&](std::optional<Side> side) -> SideShare& {
        const auto known = std::ranges::find(shares, side, &SideShare::side);
        return known != shares.end() ? *known : shares.emplace_back(SideShare{.side = side});
    };
    each_shown(analysis, matches, [&](const KernelPoint& point) {
        SideShare& share = of(point.verdict.side);
        ++share.kernels;
        share.without_time += point.time ? 0U : 1U;
        if (!point.share_by_side || !point.verdict.side) {
            share.share_of_time += point.time_share;
            return;
        }
        constexpr double rounding = 1e-9;
        double rest = 1;
        for (const Side side : {Side::memory, Side::at_ridge, Side::compute})
            if (const double part = (*point.share_by_side)[side]; part > 0) {
                of(side).share_of_time += point.time_share * part;
                rest -= part;
            }
        if (rest > rounding) of(std::nullopt).share_of_time += point.time_share * rest;
    });
    std::ranges::stable_sort(shares, std::ranges::greater(), [](const SideShare& share) {
        return std::pair(share.side.has_value(), share.share_of_time);
    });
    return shares;
}

std::string_view label_of(const SideShare& share) {
    constexpr EnumArray<Side, std::string_view, 3> labels{"memory side", "at the ridge", "compute side"};
    return share.side ? labels[*share.side] : "not known";
}

std::string_view label_of(const ClassShare& share) {
    return share.label;
}

std::vector<ClassShare> class_shares(const Analysis& analysis, const std::vector<bool>& matches) {
    std::vector<ClassShare> shares;
    std::size_t kernels = 0;
    each_shown(analysis, matches, [&](const KernelPoint& point) {
        ++kernels;
        std::string label = class_label(point);
        auto share = std::ranges::find(shares, label, &ClassShare::label);
        if (share == shares.end())
            share =
                shares.insert(share, {.label = std::move(label), .kernel_class = point.verdict.kernel_class});
        ++share->kernels;
        share->without_time += point.time ? 0U : 1U;
        share->share_of_time += point.time_share;
    });
    for (ClassShare& share : shares)
        share.share_of_kernels = static_cast<double>(share.kernels) / static_cast<double>(kernels);
    std::ranges::stable_sort(shares, std::ranges::greater(), [](const ClassShare& share) {
        return std::pair(share.share_of_time, share.kernels);
    });
    return shares;
}

std::vector<ReportShare> report_shares(const Analysis& analysis) {
    std::vector<ReportShare> shares;
    std::unordered_map<std::string_view, std::size_t> places;
    for (const KernelPoint& point : analysis.points) {
        const auto [place, fresh] = places.try_emplace(name_of_report(point), shares.size());
        if (fresh) shares.emplace_back().source = name_of_report(point);
        ReportShare& share = shares[place->second];
        ++share.points;
        share.launches += point.launches;
        if (point.time) share.time = share.time.value_or(Seconds()) + *point.time;
        share.share_of_time += point.time_share;
        share.doubted |= point.time_doubted;
        share.approximate |= has_approximate_recovery(point);
        if (const auto gain = told_gain(point))
            (share.recoverable ? *share.recoverable : share.recoverable.emplace()) += *gain;
    }
    return shares;
}

std::string_view short_name_of_report(const KernelPoint& point) {
    return point.source ? std::string_view(point.source->brief) : std::string_view();
}

std::string in_report(const Analysis& analysis, const KernelPoint& point) {
    return analysis.several_reports ? ", " + std::string(short_name_of_report(point)) : std::string();
}

std::string report_sentence(const ReportShare& report, GroupBy rows) {
    std::string text = fmt::format("{}: {}, ", report.source, rows_counted(report.points, rows));
    if (!report.time) return text + "time not measured.";
    text += fmt::format("{}, {} of the time", marked_if(report.doubted, format(*report.time)),
                        marked_if(report.doubted, format_percent(report.share_of_time)));
    if (report.recoverable && report.recoverable->most > Seconds())
        text += fmt::format("; {}{} can be recovered", report.recoverable->is_range() ? "" : "at most ",
                            marked_if(report.approximate, gain_words(*report.recoverable)));
    return text + ".";
}

std::string rows_counted(std::size_t count, GroupBy group_by) {
    return fmt::format("{} {}", format_count(static_cast<double>(count)), noun_of(group_by, count));
}

std::string rows_among(std::size_t count, std::size_t all, GroupBy group_by) {
    if (count != all)
        return fmt::format("{} of {}", format_count(static_cast<double>(count)), rows_counted(all, group_by));
    if (all <= 2) return fmt::format("{} {}", all == 2 ? "both" : "the", noun_of(group_by, all));
    return "all " + rows_counted(all, group_by);
}

std::vector<std::uint32_t> ranked(const Analysis& analysis, std::vector<std::uint32_t> points) {
    using Key = std::pair<double, double>;  // what can be gained and time [s]; -1 where not known
    std::vector<std::pair<Key, std::uint32_t>> order;
    order.reserve(points.size());
    for (const std::uint32_t i : points)
        order.emplace_back(Key(most_to_gain(analysis.points[i]).value_or(Seconds(-1)).value(),
                               analysis.points[i].time.value_or(Seconds(-1)).value()),
                           i);
    std::ranges::stable_sort(order, std::ranges::greater(), &std::pair<Key, std::uint32_t>::first);
    std::ranges::transform(order, points.begin(), &std::pair<Key, std::uint32_t>::second);
    return points;
}

std::vector<std::uint32_t> ranked_points(const Analysis& analysis) {
    std::vector<std::uint32_t> all(analysis.points.size());
    std::iota(all.begin(), all.end(), 0U);
    return ranked(analysis, std::move(all));
}

namespace {

/// What bound operations make of the time that can be recovered: "; in all 1.20 ms (34.0 %) at the least time
/// of the operations, part assumed"; empty where that is no more.
std::string with_operations(const Analysis& analysis, const std::vector<bool>& matches, Seconds recoverable) {
    Seconds all;
    bool doubted = false;
    bool assumed = false;
    each_shown(analysis, matches, [&](const KernelPoint& point) {
        if (!told_gain(point)) return;
        assumed |=
            point.recoverable->with_operation && point.target && is_partly_assumed(*point.target->operation);
        all += point.recoverable->with_operation.value_or(point.recoverable->time);
        doubted |= has_approximate_recovery(point);
    });
    if (all <= recoverable * told_apart) return {};
    return fmt::format(
        "; in all {} ({}) at the least time of the operations{}", marked_if(doubted, format(all)),
        marked_if(doubted, format_percent(all / analysis.total_time)), assumed ? ", part assumed" : "");
}

/// "A launch takes 1.57 µs (the report's shortest launch) at least.", where that leaves a kernel less to
/// recover than its roof does.
std::string launch_floor_sentence(const Analysis& analysis) {
    for (const KernelPoint& point : analysis.points)
        if (point.recoverable && !point.recoverable->limit)
            return fmt::format(" A launch takes {} at least.", describe(point.launch_floor));
    return {};
}

/// " The second figure of a range is with fewer bytes across L1 alone, more where …": of what the one kernel
/// with a range needs, else of all in a word.
std::string by_less_sentence(const Analysis& analysis, const std::vector<bool>& matches) {
    const KernelPoint* only = nullptr;
    std::size_t ranges = 0;
    bool bytes = false;
    bool launches = false;
    each_shown(analysis, matches, [&](const KernelPoint& point) {
        const std::optional<Gain> gain = told_gain(point);
        if (!gain || !gain->is_range()) return;
        const auto saved = saved_by_fewer_bytes(point);
        (saved && saved->time >= gain->most ? bytes : launches) = true;
        only = ++ranges == 1 ? &point : nullptr;
    });
    if (ranges == 0) return {};
    std::string what = bytes && launches ? "bytes or launches" : bytes ? "bytes" : "launches";
    if (only && bytes) {
        const SavedTime saved = *saved_by_fewer_bytes(*only);
        const std::string limit = held_words(*only, saved);
        what = bytes_in_the_way(*only, saved) + (limit.empty() ? "" : "; " + limit);
    }
    return fmt::format(" The second figure of a range is with fewer {}.", what);
}

/// Time that can be recovered, of all kernels of a name: launches of one kernel share it.
struct RecoverableByName {
    static constexpr std::size_t most_named = 3;
    struct Kernel {
        std::string_view name;
        Gain gain;
        bool doubted = false;
        bool at_most = false;
        bool at_least = false;

        [[nodiscard]] std::string_view bound() const {
            return at_most == at_least ? "" : words_of(at_most ? ShareBound::at_most : ShareBound::at_least);
        }
    };
    Gain all;
    bool doubted = false;
    std::size_t shown = 0;        ///< points, of which it may be known or not
    std::size_t timed = 0;        ///< of these
    std::vector<Kernel> kernels;  ///< the most first

    /// "At most 27.0 µs (6.42 %)"; "0.073–13.2 ms (0.0743–13.4 %)"; "~27.0 µs (~6.42 %)" where a time is
    /// doubted.
    [[nodiscard]] std::string most(const Analysis& analysis) const {
        std::string share = format_percent(all.most / analysis.total_time);
        if (all.is_range()) share.insert(0, format_number(all.same / analysis.total_time * 100) + "–");
        return fmt::format("{}{} ({}{})", all.is_range() ? "" : "At most ",
                           marked_if(doubted, gain_words(all)), marked_if(doubted, share),
                           shown == analysis.grouping.groups.size() ? "" : " of the whole time");
    }
    /// Whether one of its figures in words() or most() is a range.
    [[nodiscard]] bool shows_range() const {
        const auto named = std::span(kernels).first(std::min(most_named, kernels.size()));
        return all.is_range() ||
               std::ranges::any_of(named, [](const Kernel& kernel) { return kernel.gain.is_range(); });
    }
    /// " in sgemm", where that is all of it.
    [[nodiscard]] std::string in_one() const {
        return kernels.size() == 1 ? " in " + shorten_kernel_name(kernels[0].name, longest_name) : "";
    }
    /// ". Most of it: 5.40 ms in sgemm, 1.20 ms in copy"; empty of one kernel.
    [[nodiscard]] std::string words() const {
        std::string text;
        if (kernels.size() < 2) return text;
        for (std::size_t i = 0; i < std::min(most_named, kernels.size()) && kernels[i].gain.most > Seconds();
             ++i)
            text += fmt::format("{}{}{} in {}", i == 0 ? ". Most of it: " : ", ", kernels[i].bound(),
                                marked_if(kernels[i].doubted, gain_words(kernels[i].gain)),
                                shorten_kernel_name(kernels[i].name, longest_name));
        return text;
    }
};

/// Without kernels where no time is known.
RecoverableByName recoverable_by_name(const Analysis& analysis, const std::vector<bool>& matches = {}) {
    RecoverableByName found;
    std::unordered_map<std::string_view, std::size_t> places;
    each_shown(analysis, matches, [&](const KernelPoint& point) {
        ++found.shown;
        found.timed += point.time ? 1U : 0U;
        const std::optional<Gain> gain = told_gain(point);
        if (!gain || analysis.total_time.value() <= 0) return;
        found.all += *gain;
        const bool doubted = has_approximate_recovery(point);
        found.doubted |= doubted;
        const auto [place, fresh] = places.try_emplace(point.name, found.kernels.size());
        if (fresh) found.kernels.push_back({.name = point.name, .gain = {}});
        RecoverableByName::Kernel& kernel = found.kernels[place->second];
        kernel.gain += *gain;
        kernel.doubted |= doubted;
        kernel.at_most |= point.recoverable->at_most;
        kernel.at_least |= is_recoverable_at_least(point);
    });
    // Equal ones in the order of the points, as ranked_points() has them.
    std::ranges::stable_sort(found.kernels, std::ranges::greater(),
                             [](const RecoverableByName::Kernel& kernel) { return kernel.gain.most; });
    return found;
}

}  // namespace

Sentences recoverable_sentences(const Analysis& analysis, const std::vector<bool>& matches,
                                RangeWords ranges) {
    const RecoverableByName found = recoverable_by_name(analysis, matches);
    if (found.kernels.empty()) return {};
    std::size_t unknown = 0;
    std::size_t partly = 0;
    std::size_t bounded = 0;
    bool doubted = false;  // a time of these
    bool at_most = false;
    Seconds at_least;
    each_shown(analysis, matches, [&](const KernelPoint& point) {
        if (!recoverable_time(point))
            ++unknown;
        else if (!told_gain(point)) {
            ++bounded;
            doubted |= has_approximate_recovery(point);
            at_most |= point.recoverable->at_most;
            at_least += *recoverable_time(point);
        } else if (point.recoverable->launches < point.launches - point.failed)
            ++partly;
    });
    const bool any = found.all.most > Seconds();
    std::string text = (any ? found.most(analysis) + " can be recovered" + found.in_one()
                            : std::string("Nothing can be recovered")) +
                       (found.all.is_range() ? "" : " with the same bytes, work, instructions and launches") +
                       found.words() + with_operations(analysis, matches, found.all.most);
    if (unknown > 0)
        text += fmt::format("; of {} it is not known", rows_counted(unknown, analysis.options.group_by));
    if (bounded > 0)
        text += fmt::format("; of {} it is {}{}", rows_counted(bounded, analysis.options.group_by),
                            at_most ? "" : "at least ", marked_if(doubted, format(at_least)));
    if (partly > 0)
        text += fmt::format("; of {} it is that of the launches where it is known",
                            rows_counted(partly, analysis.options.group_by));
    text += '.';
    if (ranges == RangeWords::told && found.shows_range()) text += by_less_sentence(analysis, matches);
    Sentences sentences = short_sentences(text);
    if (!matches.empty()) return sentences;
    sentences.add(launch_floor_sentence(analysis));
    return sentences;
}

namespace {

/// Without a pipe that has a ceiling there is none.
bool has_ridge(const Analysis& analysis) {
    return std::ranges::any_of(analysis.points,
                               [](const KernelPoint& point) { return point.compute_ceiling.has_value(); }) ||
           (analysis.options.operations == OperationClass::floating &&
            std::ranges::any_of(analysis.models,
                                [](const ModelCeilings& model) { return !model.ceilings.compute.empty(); }));
}

/// "71 % of the time on the memory side, 29 % on the compute side"; empty where it is known of none.
std::string sides_of_time(const Analysis& analysis, const std::vector<bool>& matches, bool whole) {
    constexpr EnumArray<Side, std::string_view, 3> places{"on the memory side", "at the ridge",
                                                          "on the compute side"};
    constexpr double told = 0.005;   // of the time, where the side is not known
    constexpr double least = 0.001;  // of the time where it is
    std::string text;
    const std::vector<SideShare> shares = side_shares(analysis, matches);
    if (!has_ridge(analysis) || shares.empty() || shares.front().share_of_time < least) return text;
    for (const SideShare& share : shares)
        if (share.side ? share.share_of_time > 0 : !text.empty() && share.share_of_time > told)
            text += fmt::format("{}{}{} {}", text.empty() ? "" : ", ",
                                share_of_time(analysis, share.share_of_time),
                                !text.empty() ? ""
                                : whole       ? " of the time"
                                              : " of the whole time",
                                share.side ? places[*share.side] : "on an unknown side");
    return text;
}

}  // namespace

std::string session_size(const Analysis& analysis, const std::vector<bool>& matches) {
    const GroupBy group_by = analysis.options.group_by;
    const std::size_t all = analysis.grouping.groups.size();
    const std::size_t shown = count_shown(analysis, matches);
    Seconds time;
    each_shown(analysis, matches, [&](const KernelPoint& point) { time += point.time.value_or(Seconds()); });
    const std::string rows = shown == all ? rows_counted(all, group_by) : rows_among(shown, all, group_by);
    if (analysis.total_time.value() <= 0) return rows + ", time not measured";
    return rows + ", " +
           marked_if(analysis.has_doubted_times(),
                     (shown == all ? "" : format(time) + " of ") + format(analysis.total_time));
}

std::string session_sentence(const Analysis& analysis, const std::vector<bool>& matches, bool brief) {
    constexpr std::size_t few_classes = 3;  // go into one sentence
    constexpr double told_in_brief = 1e-3;
    if (analysis.points.empty()) return "No kernels.";
    const GroupBy group_by = analysis.options.group_by;
    const bool whole = count_shown(analysis, matches) == analysis.grouping.groups.size();
    std::string text = session_size(analysis, matches);
    if (analysis.total_time.value() <= 0) return text + ".";
    const std::string sides = sides_of_time(analysis, matches, whole);
    const std::vector<ClassShare> shares = class_shares(analysis, matches);
    std::uint32_t without_time = 0;
    for (const ClassShare& share : shares)
        without_time += share.without_time;
    std::size_t contradicted = 0;
    each_shown(analysis, matches, [&](const KernelPoint& point) { contradicted += point.contradicted; });
    std::string end;
    if (without_time > 0) end += fmt::format("; {} without a time", rows_counted(without_time, group_by));
    if (contradicted > 0)
        end += fmt::format("; counters of {} contradict each other", rows_counted(contradicted, group_by));
    end += ".";
    if (brief && !sides.empty()) return text + ": " + sides + end;
    const auto classes = [&](std::string_view separator) {
        std::string told;
        for (const ClassShare& share : shares) {
            if (share.without_time == share.kernels) continue;
            const bool first = told.empty();
            if (brief && !first && share.share_of_time < told_in_brief) continue;
            told += first ? ": " : separator;
            told += share_of_time(analysis, share.share_of_time);
            if (first) told += whole ? " of the time" : " of the whole time";
            if (!brief && shares.size() > 1) told += " and " + format_percent(share.share_of_kernels);
            if (!brief && first && shares.size() > 1) told += fmt::format(" of the {}", noun_of(group_by, 2));
            told += fmt::format(" {}", words_of(share));
        }
        return told;
    };
    const std::string in_one = classes(", ");
    const bool fit = shares.size() <= few_classes && count_words(text + in_one) <= most_words;
    text += fit ? in_one : classes("; ");
    if (!sides.empty()) text += "; " + sides;
    return short_sentences(text + end).text();
}

std::string clock_gap_words(const Profile& profile, const Analysis& analysis) {
    if (analysis.options.clock != ClockBasis::boost) return {};
    Hertz slowest;
    Hertz boost;
    double most = noticeable;
    for (const KernelPoint& point : analysis.points)
        for (const LaunchIndex index : analysis.known_launches(point)) {
            const Launch& launch = profile.at(index);
            const auto clock = launch.ceilings ? launch.ceilings->sm_clock() : std::nullopt;
            const auto& highest = profile.device_of(launch).boost_clock;
            if (!clock || !highest || !(*highest / *clock > most)) continue;
            slowest = *clock;
            boost = *highest;
            most = boost / slowest;
        }
    if (most <= noticeable) return {};
    return fmt::format("kernels ran from {} on, not at {}", format(slowest), format(boost));
}

std::string clock_sentences(const Profile& profile, const Analysis& analysis) {
    const std::string words = clock_gap_words(profile, analysis);
    if (words.empty()) return {};
    AnalysisOptions options = analysis.options;
    options.clock = ClockBasis::measured;
    const Analysis measured = analyse(profile, options);
    std::vector<bool> matches(measured.points.size());
    std::size_t others = 0;
    double most = noticeable;  // HBM has a clock of its own
    for (const KernelPoint& point : analysis.points) {
        const KernelPoint& own = measured.points[point.group];
        matches[point.group] = true;
        others += class_label(own) == class_label(point) ? 0U : 1U;
        if (const auto limit = share_of_limit(point); limit && *limit > 0)
            most = std::max(most, share_of_limit(own).value_or(0) / *limit);
    }
    if (most <= noticeable) return {};
    std::string text = fmt::format("The {}, so up to {} of a gap is the clock.", words, format_factor(most));
    constexpr std::string_view roofs = " Under roofs at their own clock ";
    if (const RecoverableByName left = recoverable_by_name(measured, matches); !left.kernels.empty())
        text += fmt::format("{}{}{} can be recovered.", roofs, left.all.is_range() ? "" : "at most ",
                            marked_if(left.doubted, gain_words(left.all)));
    if (others > 0)
        text += fmt::format("{}{} {} of another class.", roofs,
                            rows_among(others, analysis.points.size(), options.group_by),
                            others == 1 ? "is" : "are");
    return text;
}

namespace {

std::string with_session(const std::string& recoverable, const Analysis& analysis,
                         const std::vector<bool>& matches, bool brief) {
    const std::string idle = idle_sentence(analysis.idle);
    return recoverable + (recoverable.empty() ? "" : " ") + session_sentence(analysis, matches, brief) +
           (idle.empty() ? "" : " ") + idle;
}

}  // namespace

std::string whole_session_sentence(const Analysis& analysis, const std::vector<bool>& matches,
                                   RangeWords ranges) {
    return with_session(recoverable_sentences(analysis, matches, ranges).text(), analysis, matches, false);
}

std::string session_line(const Analysis& analysis, const std::vector<bool>& matches) {
    const RecoverableByName found = recoverable_by_name(analysis, matches);
    const bool told = found.all.most > Seconds() && found.timed > 1;
    return with_session(told ? fmt::format("{}{} can be recovered in all.",
                                           found.all.is_range() ? "" : "With the same bytes at most ",
                                           marked_if(found.doubted, gain_words(found.all)))
                             : "",
                        analysis, matches, true);
}

}  // namespace roofwalk
