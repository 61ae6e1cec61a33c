// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/stored_metrics.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <utility>

#include "core/base/text.h"
#include "core/import/open_profile.h"

namespace roofwalk {

namespace {

struct UnitRule {
    std::string_view part;  ///< of a name without its unit of hardware and rollup
    std::string_view unit;
};

/// As Nsight Compute names them; the first that a name holds.
constexpr std::array<UnitRule, 10> counted_units{{{"time_duration", "ns"},
                                                  {"bytes", "byte"},
                                                  {"inst_executed", "inst"},
                                                  {"inst_issued", "inst"},
                                                  {"sectors", "sector"},
                                                  {"cycles_", "cycle"},
                                                  {"warps_active", "warp"},
                                                  {"maximum_warps_avg", "warp"},
                                                  {"replayer_passes", "pass"},
                                                  {"workids_granted_as_ctas", "block"}}};

/// Sizes of grids and blocks have no unit there.
constexpr std::array<UnitRule, 9> launch_units{{{"registers_per_thread", "register/thread"},
                                                {"shared_mem_per_block", "byte/block"},
                                                {"shared_mem_config_size", "byte"},
                                                {"thread_count", "thread"},
                                                {"sm_count", "SM"},
                                                {"cluster_max_active", "cluster"},
                                                {"cluster_max_potential_size", "block"},
                                                {"occupancy_limit_", "block"},
                                                {"occupancy_cluster_pct", "%"}}};

template <std::size_t N>
std::string_view first_unit(const std::array<UnitRule, N>& rules, std::string_view name) {
    const auto rule =
        std::ranges::find_if(rules, [&](const UnitRule& each) { return contains(name, each.part); });
    return rule == rules.end() ? std::string_view() : rule->unit;
}

/// Gathers what readers hand out, each name once, and passes it on launch by launch.
class Gatherer {
  public:
    Gatherer(std::vector<MetricRow>& known, const std::function<void(const LaunchMetrics&)>& take)
        : known_(known), take_(take) {}

    void begin(SourceIndex source) {
        launch_.source = source;
        launch_.values.clear();
    }
    void add(const StoredMetric& metric) {
        launch_.values.push_back({row_of(metric), metric.number, clean_utf8(metric.text), metric.instances});
    }
    void hand_out(LaunchIndex launch) {
        launch_.launch = launch;
        take_(launch_);
    }

  private:
    std::uint32_t row_of(const StoredMetric& metric) {
        key_.assign(metric.name).append(1, '\0').append(metric.instance);
        const auto [entry, fresh] = rows_.try_emplace(key_, static_cast<std::uint32_t>(known_.size()));
        if (fresh)
            known_.push_back({clean_utf8(metric.name), clean_utf8(metric.instance),
                              metric.unit.empty() ? metric_unit(metric.name) : clean_utf8(metric.unit)});
        return entry->second;
    }

    std::vector<MetricRow>& known_;
    const std::function<void(const LaunchMetrics&)>& take_;
    std::unordered_map<std::string, std::uint32_t> rows_;
    std::string key_;
    LaunchMetrics launch_;
};

/// Launches of one file, by their offsets.
using PlacedLaunches = std::vector<std::pair<std::uint64_t, LaunchIndex>>;

struct FileLaunches {
    std::vector<LaunchIndex> kept;  ///< the profile has their metrics
    PlacedLaunches placed;
};

Result<void> read_file(const Profile& profile, SourceIndex source, const PlacedLaunches& launches,
                       const MetricChoice& choice, const Progress& progress, Gatherer& gatherer) {
    MetricSearch search{{}, choice, {}};
    for (const auto& [offset, launch] : launches)  // launches of one average share theirs
        if (search.offsets.empty() || search.offsets.back() != offset) search.offsets.push_back(offset);
    std::optional<std::size_t> met;
    auto next = launches.begin();
    const auto hand_out = [&] {
        for (; met && next != launches.end() && next->first == search.offsets[*met]; ++next)
            gatherer.hand_out(next->second);
    };
    search.visit = [&](std::size_t index, const StoredMetric& metric) {
        if (met != index) {
            hand_out();
            gatherer.begin(source);
            met = index;
        }
        if (!metric.name.empty()) gatherer.add(metric);
    };
    Result<void> read = search_metrics(profile.at(source).path, search, progress);
    hand_out();
    return read;
}

void take_kept(const Profile& profile, LaunchIndex index, const MetricChoice& choice, Gatherer& gatherer) {
    gatherer.begin(profile.at(index).source);
    for (const MetricSample& sample : profile.at(index).metrics)
        if (const std::string_view name = profile.texts.view(sample.name); choice.names(name))
            gatherer.add({.name = name, .number = sample.value});
    gatherer.hand_out(index);
}

}  // namespace

std::string metric_unit(std::string_view name) {
    if (contains(name, ".pct") || name.ends_with("_pct")) return "%";
    if (name.starts_with("launch__")) return std::string(first_unit(launch_units, name));
    if (name.starts_with("device__") || name.starts_with("derived__") || contains(name, ".ratio") ||
        contains(name, ".max_rate"))
        return {};
    const std::size_t unit_end = name.find("__");
    if (unit_end == std::string_view::npos) return {};
    const std::size_t rollup = name.find('.', unit_end);
    std::string unit(first_unit(counted_units, name.substr(unit_end, rollup - unit_end)));
    const std::string_view suffix = rollup == std::string_view::npos ? "" : name.substr(rollup);
    if (unit.empty()) return unit;
    if (contains(suffix, ".per_second")) return unit == "cycle" ? "Hz" : unit + "/s";
    if (unit == "warp") return unit;  // in a cycle too, as Nsight Compute has it
    if (contains(suffix, ".per_cycle") || contains(suffix, ".peak_sustained"))
        return unit == "cycle" ? std::string() : unit + "/cycle";
    return unit;
}

std::vector<Error> each_stored_metrics(const Profile& profile, std::span<const LaunchIndex> launches,
                                       const MetricChoice& choice, std::vector<MetricRow>& rows,
                                       const std::function<void(const LaunchMetrics&)>& take,
                                       const Progress& progress) {
    Gatherer gatherer(rows, take);
    std::map<SourceIndex, FileLaunches> files;
    for (const LaunchIndex index : launches) {
        const Launch& launch = profile.at(index);
        FileLaunches& own = files[launch.source];
        if (launch.file_offset == 0)
            own.kept.push_back(index);
        else
            own.placed.emplace_back(launch.file_offset, index);
        for (const FilePlace& place : launch.joined)
            if (place.offset != 0) files[place.source].placed.emplace_back(place.offset, index);
    }
    std::vector<Error> failures;
    for (auto& [source, of_file] : files) {
        for (const LaunchIndex index : of_file.kept)
            take_kept(profile, index, choice, gatherer);
        if (of_file.placed.empty()) continue;
        std::ranges::sort(of_file.placed);
        const auto read = read_file(profile, source, of_file.placed, choice, progress, gatherer);
        if (!read) failures.push_back(read.error());
    }
    return failures;
}

StoredMetrics read_stored_metrics(const Profile& profile, std::span<const LaunchIndex> launches,
                                  const MetricChoice& choice, const Progress& progress) {
    StoredMetrics result;
    result.failures = each_stored_metrics(
        profile, launches, choice, result.rows,
        [&](const LaunchMetrics& launch) { result.launches.push_back(launch); }, progress);
    std::ranges::stable_sort(result.launches, {}, &LaunchMetrics::launch);
    return result;
}

}  // namespace roofwalk
