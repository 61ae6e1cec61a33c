// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/base/text.h"
#include "core/compare/kernel_change.h"
#include "core/compare/measured_clocks.h"

namespace roofwalk {

namespace {

/// "l2/all, l2/sm-return": what a report has of a level instead.
std::string other_boundaries(const Launch& launch, MemoryLevel level) {
    std::string list;
    for (const TrafficSample& sample : launch.traffic)
        if (level_of(sample.boundary) == level)
            list += (list.empty() ? "" : ", ") + std::string(id_of(sample.boundary));
    return list;
}

void add_level_note(const RunView& before, const RunView& after, const KernelChange& change,
                    MemoryLevel level, std::vector<std::string>& notes) {
    const KernelPoint& old_point = before.point(change.match.before);
    const KernelPoint& new_point = after.point(change.match.after);
    const LevelPoint* old_level = old_point.own(level);
    const LevelPoint* new_level = new_point.own(level);
    if (old_level && new_level) {
        if (old_level->boundary != new_level->boundary)
            notes.push_back(fmt::format("{} is not compared: the reports count different bytes, {} and {}.",
                                        label_of(level), id_of(old_level->boundary),
                                        id_of(new_level->boundary)));
        return;
    }
    if (!old_level && !new_level) return;
    const std::string other = other_boundaries(
        old_level ? after.first_launch_of(new_point) : before.first_launch_of(old_point), level);
    notes.push_back(fmt::format("{} is not compared: only the {} report has {}{}.", label_of(level),
                                old_level ? "older" : "newer",
                                id_of((old_level ? old_level : new_level)->boundary),
                                other.empty() ? "" : ", the other has " + other));
}

std::string clock_words(std::string_view which, Hertz before, Hertz after) {
    return fmt::format("{} clock {} → {}", which, format(before), format(after));
}

void add_clock_notes(const RunView& before, const RunView& after, const KernelChange& change,
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

std::string work_note(const RunView& before, const RunView& after, const KernelChange& change) {
    const KernelPoint& old_point = before.point(change.match.before);
    const KernelPoint& new_point = after.point(change.match.after);
    if (change.work)
        return change.other_work ? fmt::format("Does {} the work{}.", ratio_text(change.work->ratio),
                                               change.per_launch ? " in a launch" : "")
                                 : std::string();
    if (change.other_work) return "Only one of the reports has work of the kind that is counted.";
    if (old_point.uncounted.any() || new_point.uncounted.any())
        return "Part of the work was not counted: intensity and performance are not compared.";
    const bool older_has = old_point.own_work() != nullptr;
    const bool newer_has = new_point.own_work() != nullptr;
    if (!older_has || !newer_has)
        return fmt::format("Work was not measured in {}: it is taken to be the same{}.",
                           reports_without(older_has, newer_has), change.per_launch ? " in a launch" : "");
    return {};
}

}  // namespace

std::string ratio_text(double ratio) {
    return format_number(ratio, 3) + "x";
}

std::string time_text(const Change& time) {
    if (time.direction() == 0) return "the same time";
    return time.ratio < 1 ? ratio_text(1 / time.ratio) + " faster" : ratio_text(time.ratio) + " slower";
}

std::string bytes_text(const KernelChange& change) {
    if (!change.judged_at) return {};
    const std::optional<Change>& bytes = change.at(*change.judged_at).bytes;
    if (bytes->direction() == 0) return {};
    const bool fewer = bytes->ratio < 1;
    return fmt::format("{} {} bytes at {}", ratio_text(fewer ? 1 / bytes->ratio : bytes->ratio),
                       fewer ? "fewer" : "more", label_of(*change.judged_at));
}

std::string change_text(const KernelChange& change) {
    std::string text(label_of(change.verdict));
    if (change.contradicts()) return text + ": counters contradict each other";
    if (change.other_device) return text + ": another device";
    if (change.verdict == ChangeVerdict::unchanged || !change.time) return text;
    const std::string bytes = bytes_text(change);
    return text + ": " + time_text(*change.time) + (bytes.empty() ? "" : ", " + bytes);
}

std::vector<std::string> change_notes(const RunView& before, const RunView& after,
                                      const KernelChange& change) {
    const KernelPoint& old_point = before.point(change.match.before);
    const KernelPoint& new_point = after.point(change.match.after);
    std::vector<std::string> notes;
    if (change.other_device)
        notes.push_back(fmt::format("Other device: {} → {}.", before.device_of(old_point).name,
                                    after.device_of(new_point).name));
    if (change.contradicts())
        notes.push_back(
            fmt::format("Counters contradict each other in {}, as when those of different "
                        "launches are mixed: no verdict.",
                        reports_without(!change.contradicts_before, !change.contradicts_after)));
    if (!change.time)
        notes.push_back(fmt::format("Time was not measured in {}.",
                                    reports_without(has_time(old_point), has_time(new_point))));
    add_clock_notes(before, after, change, notes);
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
