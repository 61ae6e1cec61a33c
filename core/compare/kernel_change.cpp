// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/kernel_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/text.h"
#include "core/devices/match_device.h"
#include "core/model/derived_time.h"
#include "core/roofline/utilisation.h"

namespace roofwalk {

namespace {

constexpr std::size_t least_launches = 3;

/// Student's t for a two-sided 95 % interval, by degrees of freedom from 1; about 2 beyond.
double student_t(std::size_t freedom) {
    constexpr std::array table{12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23};
    return freedom <= table.size() ? table[freedom - 1] : 2.1;
}

/// Of the mean, with n - 1 degrees of freedom.
double standard_error(std::span<const double> values) {
    const auto count = static_cast<double>(values.size());
    double mean = 0;
    for (const double value : values)
        mean += value / count;
    double squares = 0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    return std::sqrt(squares / (count - 1) / count);
}

std::vector<double> logarithms(std::span<const double> values) {
    std::vector<double> logs;
    for (const double value : values)
        logs.push_back(std::log(value));
    return logs;
}

/// The clocks that a kernel ran at, as its counters tell; absent where the report does not.
struct MeasuredClocks {
    std::optional<Hertz> sm;
    std::optional<Hertz> memory;
    std::optional<bool> locked;  ///< by the profiler; absent too where launches differ
};

class MeanClock {
  public:
    void add(const Provenance& provenance) {
        if (provenance.basis != ClockBasis::measured || !provenance.clock) return;
        sum_ += provenance.clock->value();
        ++count_;
    }
    [[nodiscard]] std::optional<Hertz> mean() const {
        return count_ > 0 ? std::optional(Hertz(sum_ / count_)) : std::nullopt;
    }

  private:
    double sum_ = 0;
    double count_ = 0;
};

/// Means over the launches.
MeasuredClocks measured_clocks(const AnalysedProfile& run, const KernelPoint& point) {
    MeanClock sm;
    MeanClock memory;
    MeasuredClocks clocks;
    bool first = true;
    for (const LaunchIndex index : run.launches_of(point)) {
        const Launch& launch = run.profile->at(index);
        if (first)
            clocks.locked = launch.clocks_locked;
        else if (clocks.locked != launch.clocks_locked)
            clocks.locked.reset();
        first = false;
        if (!launch.ceilings) continue;
        if (!launch.ceilings->compute.empty()) sm.add(launch.ceilings->compute.front().provenance);
        if (const BandwidthCeiling* hbm = launch.ceilings->find(Boundary::hbm_dram_rw))
            memory.add(hbm->provenance);
    }
    clocks.sm = sm.mean();
    clocks.memory = memory.mean();
    return clocks;
}

constexpr EnumArray<ChangeVerdict, std::string_view> labels{
    "unchanged", "right", "up", "faster", "right and up", "mixed", "wrong way", "other work", "not compared"};

/// A kernel in one report.
struct ChangeTotals {
    const AnalysedProfile& run;
    const KernelPoint& point;

    [[nodiscard]] double launches() const { return static_cast<double>(point.launches - point.failed); }
    [[nodiscard]] const Device& device() const { return run.device_of(point); }
    /// Of work and bytes, what makes those of the known launches those of all, were the others alike.
    [[nodiscard]] double launches_a_known() const {
        return point.known ? launches() / static_cast<double>(point.known_launches()) : 1;
    }
    /// W, where all of it was counted.
    [[nodiscard]] std::optional<Flops> work() const {
        return point.uncounted.any() || !point.measured_work() ? std::nullopt : point.work;
    }
    /// One value for each launch that was measured and has one.
    template <class ValueOf>
    [[nodiscard]] std::vector<double> of_launches(ValueOf value_of) const {
        std::vector<double> values;
        for (const LaunchIndex index : run.launches_of(point)) {
            const Launch& launch = run.profile->at(index);
            const std::optional<double> value = launch.failed ? std::nullopt : value_of(launch);
            if (value) values.push_back(*value);
        }
        return values;
    }
};

template <class Value>
std::optional<Change> change_of(const std::optional<Value>& before, const std::optional<Value>& after,
                                double noise) {
    if (!before || !after) return std::nullopt;
    const double ratio = *after / *before;
    if (!(ratio > 0) || !std::isfinite(ratio)) return std::nullopt;
    return Change{ratio, noise};
}

std::optional<Change> scaled(std::optional<Change> change, double factor) {
    if (change) change->ratio *= factor;
    return change;
}

template <class ValueOf>
double noise_of(const ChangeTotals& before, const ChangeTotals& after, double least, ValueOf value_of) {
    if (before.point.launches < 3 || after.point.launches < 3) return least;
    const auto spread = spread_of_ratio(before.of_launches(value_of), after.of_launches(value_of));
    return std::max(least, spread.value_or(0));
}

/// Sums are compared where they do the same work or the launches are equally many, else means of one launch.
bool needs_means(const ChangeTotals& before, const ChangeTotals& after,
                 const std::optional<Change>& total_work) {
    if (before.launches() == after.launches() || before.launches() <= 0 || after.launches() <= 0)
        return false;
    return !total_work || total_work->direction() != 0;
}

bool work_differs(const ChangeTotals& before, const ChangeTotals& after, const std::optional<Change>& work) {
    if (work) return work->direction() != 0;
    return before.work() && after.work() && before.work() != after.work();
}

LevelChange level_change(const ChangeTotals& before, const ChangeTotals& after, MemoryLevel level,
                         double per_launch, const CompareOptions& options) {
    const LevelPoint* old_level = before.point.measured_level(level);
    const LevelPoint* new_level = after.point.measured_level(level);
    if (!old_level || !new_level || old_level->boundary != new_level->boundary) return {};
    const auto bytes = [&](const Launch& launch) -> std::optional<double> {
        const TrafficSample* sample = launch.find(old_level->boundary);
        return sample ? std::optional(sample->total.value()) : std::nullopt;
    };
    const double noise = noise_of(before, after, options.noise, bytes);
    LevelChange change;
    change.bytes = scaled(change_of(std::optional(old_level->bytes), std::optional(new_level->bytes), noise),
                          per_launch);
    if (before.work() && after.work())
        change.intensity = change_of(old_level->intensity, new_level->intensity, noise);
    for (std::optional<Change>* of_bytes : {&change.bytes, &change.intensity})
        if (*of_bytes)
            (*of_bytes)->doubted = is_inexact(before.point, level) || is_inexact(after.point, level);
    return change;
}

std::optional<MemoryLevel> judged_level(const ChangeTotals& before, const KernelChange& change) {
    if (const Boundary* bound =
            before.point.binding ? std::get_if<Boundary>(&*before.point.binding) : nullptr)
        if (change.at(level_of(*bound)).bytes) return level_of(*bound);
    for (const MemoryLevel level : all_levels)
        if (change.at(level).bytes) return level;
    return std::nullopt;
}

/// 1 where less of the amount is needed, -1 where more. With other work an amount says this only together
/// with the place on the chart that follows from it.
int saved(const std::optional<Change>& amount, const std::optional<Change>& place, bool other_work) {
    if (!amount) return 0;
    const int less = -amount->direction();
    return !other_work || (place && place->direction() == less) ? less : 0;
}

ChangeVerdict verdict_of(const KernelChange& change) {
    if (change.devices_differ || !change.time) return ChangeVerdict::not_compared;
    const LevelChange level = change.judged_at ? change.at(*change.judged_at) : LevelChange{};
    const int right = saved(level.bytes, level.intensity, change.other_work);
    const int up = saved(change.time, change.performance, change.other_work);
    if (right == 0 && up == 0)
        return change.other_work ? ChangeVerdict::other_work : ChangeVerdict::unchanged;
    if (right > 0 && up > 0) return ChangeVerdict::both;
    if (right * up < 0) return ChangeVerdict::mixed;
    if (right < 0 || up < 0) return ChangeVerdict::wrong_way;
    if (right > 0) return ChangeVerdict::right;
    return change.judged_at ? ChangeVerdict::up : ChangeVerdict::faster;
}

/// Whether the clock that sets the pace of the kernel changed, and the time with it.
bool clock_explains(const ChangeTotals& before, const ChangeTotals& after, const Change& time) {
    const MeasuredClocks old_clocks = measured_clocks(before.run, before.point);
    const MeasuredClocks new_clocks = measured_clocks(after.run, after.point);
    const Boundary* bound = before.point.binding ? std::get_if<Boundary>(&*before.point.binding) : nullptr;
    const bool by_memory = bound && level_of(*bound) == MemoryLevel::hbm;
    const auto clock = by_memory ? change_of(old_clocks.memory, new_clocks.memory, time.noise)
                                 : change_of(old_clocks.sm, new_clocks.sm, time.noise);
    return clock && clock->direction() != 0 && direction_of(clock->ratio * time.ratio, time.noise) == 0;
}

/// Whether the time of a kernel is derived from cycles of a pass that counted instructions, or may be, and
/// not that in another report, or not of one that counted the same.
bool is_of_counting_pass(const KernelPoint& point, const KernelPoint& other) {
    if (!point.time || !other.time || point.time_origin != TimeOrigin::derived) return false;
    const auto counts = [](const KernelPoint& kernel) { return kernel.measured_work() != nullptr; };
    if (point.time_doubted && (!other.time_doubted || counts(point) != counts(other))) return true;
    const bool plain = other.time_origin == TimeOrigin::measured || (counts(point) && !counts(other));
    const auto of_launch = [](const KernelPoint& kernel) {
        return *kernel.time / static_cast<double>(std::max(kernel.launches - kernel.failed, 1U));
    };
    return plain && is_of_counting_pass(of_launch(point), of_launch(other));
}

/// "L2 all clients, L2 to SMs": what a report has of a level instead.
std::string other_boundaries(const Launch& launch, MemoryLevel level, MemoryName memory) {
    std::string list;
    for (const TrafficSample& sample : launch.traffic)
        if (level_of(sample.boundary) == level)
            list += (list.empty() ? "" : ", ") + name_of(sample.boundary, memory);
    return list;
}

void add_level_note(const AnalysedProfile& before, const AnalysedProfile& after, const KernelChange& change,
                    MemoryLevel level, std::vector<std::string>& notes) {
    const KernelPoint& old_point = before.point(change.match.before);
    const KernelPoint& new_point = after.point(change.match.after);
    const LevelPoint* old_level = old_point.measured_level(level);
    const LevelPoint* new_level = new_point.measured_level(level);
    if (old_level && new_level) {
        if (old_level->boundary != new_level->boundary)
            notes.push_back(fmt::format("{} is not compared: the reports count different bytes, {} and {}.",
                                        label_of(level, change.memory),
                                        name_of(old_level->boundary, change.memory),
                                        name_of(new_level->boundary, change.memory)));
        return;
    }
    if (!old_level && !new_level) return;
    const std::string other =
        other_boundaries(old_level ? after.first_launch_of(new_point) : before.first_launch_of(old_point),
                         level, change.memory);
    notes.push_back(fmt::format("{} is not compared: only the {} report has {}{}.",
                                label_of(level, change.memory), old_level ? "older" : "newer",
                                name_of((old_level ? old_level : new_level)->boundary, change.memory),
                                other.empty() ? "" : ", the other has " + other));
}

std::string clock_words(std::string_view which, Hertz before, Hertz after) {
    return fmt::format("{} clock {} → {}", which, format(before), format(after));
}

void add_clock_notes(const AnalysedProfile& before, const AnalysedProfile& after, const KernelChange& change,
                     std::vector<std::string>& notes) {
    const MeasuredClocks old_clocks = measured_clocks(before, before.point(change.match.before));
    const MeasuredClocks new_clocks = measured_clocks(after, after.point(change.match.after));
    const double noise = change.time ? change.time->noise : default_noise;
    std::string text;
    const auto add = [&](std::string_view which, std::optional<Hertz> old_clock,
                         std::optional<Hertz> new_clock) {
        if (!old_clock || !new_clock || direction_of(*new_clock / *old_clock, noise) == 0) return;
        text += (text.empty() ? "" : ", ") + clock_words(which, *old_clock, *new_clock);
    };
    add("SM", old_clocks.sm, new_clocks.sm);
    add("memory", old_clocks.memory, new_clocks.memory);
    if (!text.empty())
        notes.push_back("Other clocks: " + text +
                        (change.clock_explains ? ", which explains the change of time." : "."));
    if (old_clocks.locked && new_clocks.locked && *old_clocks.locked != *new_clocks.locked)
        notes.push_back(
            fmt::format("Clocks were locked in the {} report only.", *old_clocks.locked ? "older" : "newer"));
}

/// Of the two, those without something; at least one is.
std::string_view reports_without(bool older_has, bool newer_has) {
    if (older_has) return "the newer report";
    return newer_has ? "the older report" : "both reports";
}

bool has_time(const KernelPoint& point) {
    return point.time && point.time->value() > 0;
}

std::string work_note(const AnalysedProfile& before, const AnalysedProfile& after,
                      const KernelChange& change) {
    const KernelPoint& old_point = before.point(change.match.before);
    const KernelPoint& new_point = after.point(change.match.after);
    if (change.work)
        return change.other_work ? fmt::format("Does {} the work{}.", ratio_text(change.work->ratio),
                                               change.per_launch ? " in a launch" : "")
                                 : std::string();
    if (change.other_work) return "Only one of the reports has work of the kind that is counted.";
    if (old_point.uncounted.any() || new_point.uncounted.any())
        return "Part of the work was not counted: intensity and performance are not compared.";
    const bool older_has = old_point.measured_work() != nullptr;
    const bool newer_has = new_point.measured_work() != nullptr;
    if (!older_has || !newer_has)
        return fmt::format("Work was not measured in {}: it is taken to be the same{}.",
                           reports_without(older_has, newer_has), change.per_launch ? " in a launch" : "");
    return {};
}

}  // namespace

std::optional<double> spread_of_ratio(std::span<const double> before, std::span<const double> after) {
    const std::size_t fewer = std::min(before.size(), after.size());
    const auto positive = [](double value) { return value > 0 && std::isfinite(value); };
    if (fewer < least_launches || !std::ranges::all_of(before, positive) ||
        !std::ranges::all_of(after, positive))
        return std::nullopt;
    std::vector<double> old_logs = logarithms(before);
    const std::vector<double> new_logs = logarithms(after);
    if (before.size() == after.size()) {
        for (std::size_t i = 0; i < fewer; ++i)
            old_logs[i] = new_logs[i] - old_logs[i];
        return std::expm1(student_t(fewer - 1) * standard_error(old_logs));
    }
    return std::expm1(student_t(fewer - 1) * std::hypot(standard_error(old_logs), standard_error(new_logs)));
}

int direction_of(double ratio, double noise) {
    const double threshold = 1 + noise;
    if (ratio > threshold) return 1;
    return ratio < 1 / threshold ? -1 : 0;
}

void withdraw_verdict(KernelChange& change, bool before, bool after) {
    change.contradicts_before |= before;
    change.contradicts_after |= after;
    if (change.contradicts()) change.verdict = ChangeVerdict::not_compared;
}

std::string_view why_no_verdict(const KernelChange& change) {
    return change.times_unlike ? "time may be far too long" : "counters contradict each other";
}

std::string_view label_of(ChangeVerdict verdict) {
    return labels[verdict];
}

KernelChange kernel_change(const AnalysedProfile& before_run, const AnalysedProfile& after_run,
                           const KernelMatch& match, const CompareOptions& options) {
    const ChangeTotals before{before_run, before_run.point(match.before)};
    const ChangeTotals after{after_run, after_run.point(match.after)};
    const double of_all = after.launches_a_known() / before.launches_a_known();
    KernelChange change;
    change.match = match;
    // A device without a name is known by all that is said of it.
    change.devices_differ =
        before.device() != after.device() && !may_be_one_model(before.device(), after.device());
    change.work = scaled(change_of(before.work(), after.work(), options.noise), of_all);
    change.per_launch = needs_means(before, after, change.work);
    const double per_launch = change.per_launch ? before.launches() / after.launches() : 1;
    change.work = scaled(change.work, per_launch);
    change.other_work = work_differs(before, after, change.work);

    const double noise = noise_of(before, after, options.noise, [](const Launch& launch) {
        return launch.duration ? std::optional(launch.duration->value()) : std::nullopt;
    });
    change.time = scaled(change_of(before.point.time, after.point.time, noise), per_launch);
    if (before.work() && after.work())
        change.performance = change_of(before.point.performance, after.point.performance, noise);
    if (before.point.gap && after.point.gap && before.point.modelled == after.point.modelled)
        change.gap =
            change_of(std::optional(before.point.gap->factor), std::optional(after.point.gap->factor), noise);
    for (const MemoryLevel level : all_levels)
        change.levels[level] = level_change(before, after, level, per_launch * of_all, options);
    change.judged_at = judged_level(before, change);
    change.memory = after.point.memory;
    change.clock_explains = !change.devices_differ && !change.other_work && change.time &&
                            change.time->direction() != 0 && clock_explains(before, after, *change.time);
    change.verdict = verdict_of(change);
    for (std::optional<Change>* of_time : {&change.time, &change.performance, &change.gap})
        if (*of_time) (*of_time)->doubted = before.point.time_doubted || after.point.time_doubted;
    withdraw_verdict(change, is_of_counting_pass(before.point, after.point),
                     is_of_counting_pass(after.point, before.point));
    change.times_unlike = change.contradicts();
    return change;
}

std::string ratio_text(double ratio) {
    return format_number(ratio, 3) + "x";
}

std::string time_text(const Change& time) {
    if (time.direction() == 0) return marked_if(time.doubted, "the same time");
    return marked_if(time.doubted, time.ratio < 1 ? ratio_text(1 / time.ratio) + " faster"
                                                  : ratio_text(time.ratio) + " slower");
}

std::string bytes_text(const KernelChange& change) {
    if (!change.judged_at) return {};
    const std::optional<Change>& bytes = change.at(*change.judged_at).bytes;
    if (bytes->direction() == 0) return {};
    const bool fewer = bytes->ratio < 1;
    return fmt::format("{} {} bytes at {}",
                       marked_if(bytes->doubted, ratio_text(fewer ? 1 / bytes->ratio : bytes->ratio)),
                       fewer ? "fewer" : "more", label_of(*change.judged_at, change.memory));
}

std::string change_text(const KernelChange& change) {
    std::string text(label_of(change.verdict));
    if (change.contradicts()) return fmt::format("{}: {}", text, why_no_verdict(change));
    if (change.devices_differ) return text + ": another device";
    if (change.verdict == ChangeVerdict::unchanged) return text;
    if (!change.time) return text + ": no times that can be compared";
    const std::string bytes = bytes_text(change);
    text += ": " + time_text(*change.time);
    if (!change.judged_at) return text + ", bytes not compared";
    return text + (bytes.empty() ? "" : ", " + bytes);
}

std::vector<std::string> change_notes(const AnalysedProfile& before, const AnalysedProfile& after,
                                      const KernelChange& change) {
    const KernelPoint& old_point = before.point(change.match.before);
    const KernelPoint& new_point = after.point(change.match.after);
    std::vector<std::string> notes;
    if (change.match.basis >= MatchBasis::other_spelling)
        notes.push_back(fmt::format("Matched by {}.", label_of(change.match.basis)));
    const auto name_of = [](const Device& device) {
        return device.name.empty() ? std::string("not named") : device.name;
    };
    if (change.devices_differ)
        notes.push_back(fmt::format("Other device: {} → {}.", name_of(before.device_of(old_point)),
                                    name_of(after.device_of(new_point))));
    const bool counting_before = is_of_counting_pass(old_point, new_point);
    const bool counting_after = is_of_counting_pass(new_point, old_point);
    if (counting_before && counting_after)
        notes.emplace_back(
            "Both times are derived from cycles, and only in one report while instructions were counted: no verdict.");
    else if (counting_before || counting_after)
        notes.push_back(fmt::format(
            "The time in {} is derived from cycles while instructions were counted, and may be far too "
            "long: no verdict.",
            reports_without(!counting_before, !counting_after)));
    else if (change.time && change.time->doubted)
        notes.emplace_back("A time is derived from cycles, and may be far too long.");
    else if (change.contradicts())
        notes.push_back(
            fmt::format("Counters contradict each other in {}, as when those of different "
                        "launches are mixed: no verdict.",
                        reports_without(!change.contradicts_before, !change.contradicts_after)));
    if (!change.time)
        notes.push_back(fmt::format("Time was not measured in {}.",
                                    reports_without(has_time(old_point), has_time(new_point))));
    add_clock_notes(before, after, change, notes);
    for (const KernelPoint* point : {&old_point, &new_point})
        if (point->known)
            notes.push_back(fmt::format("In the {} report {} are known, and stand for all.",
                                        point == &old_point ? "older" : "newer",
                                        known_launches_words(*point)));
    if (old_point.launches - old_point.failed != new_point.launches - new_point.failed)
        notes.push_back(fmt::format("Launches {} → {}: compared {}.", old_point.launches - old_point.failed,
                                    new_point.launches - new_point.failed,
                                    change.per_launch ? "as means of one launch" : "as sums"));
    if (std::string note = work_note(before, after, change); !note.empty()) notes.push_back(std::move(note));
    for (const MemoryLevel level : all_levels)
        add_level_note(before, after, change, level, notes);
    return notes;
}

}  // namespace roofwalk
