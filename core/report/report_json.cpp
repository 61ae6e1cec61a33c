// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <unordered_map>

#include "core/model/launch_numbers.h"
#include "core/report/json_text.h"
#include "core/report/practical_json.h"
#include "core/report/report_json_target.h"
#include "core/report/report_table.h"
#include "core/roofline/summary.h"
#include "core/roofline/utilisation.h"

namespace roofwalk {

namespace {

constexpr std::array<std::string_view, 4> placement_ids{"chart", "rail_no_work", "rail_no_traffic",
                                                        "not_drawn"};

/// The place of a warning with file paths cut to the name of the file.
std::string without_folders(std::string where, const Profile& profile) {
    for (const SourceInfo& source : profile.sources)
        if (!source.path.empty() && where.starts_with(source.path)) {
            where.replace(0, source.path.size(), file_name(source.path));
            break;
        }
    return where;
}

void write_options(JsonText& json, const AnalysisOptions& options) {
    json.key("options");
    json.begin_object();
    json.member("group_by", id_of(options.group_by));
    json.member("clock", id_of(options.clock));
    json.member("operations", id_of(options.operations));
    json.key("levels");
    json.begin_object();
    for (const MemoryLevel level : all_levels) {
        const auto index = static_cast<std::size_t>(level);
        json.key(id_of(level));
        json.begin_object();
        json.member("boundary", id_of(options.boundaries[index]));
        json.member("shown", options.levels[index]);
        json.end_object();
    }
    json.end_object();
    json.key("thresholds");
    json.begin_object();
    json.member("near_ridge_low", options.thresholds.near_ridge_low);
    json.member("near_ridge_high", options.thresholds.near_ridge_high);
    json.member("latency", options.thresholds.latency);
    json.member("near_roof", options.thresholds.near_roof);
    json.member("ridge_tolerance", options.thresholds.ridge_tolerance);
    json.member("above_roof", options.thresholds.above_roof);
    json.end_object();
    write_practical(json, options);
    json.key("overrides");
    json.begin_object();
    for (const auto& [device, ceilings] : options.overrides) {
        json.key(device);
        write_ceilings(json, ceilings);
    }
    json.end_object();
    json.end_object();
}

void write_summary(JsonText& json, const Profile& profile, const Analysis& analysis) {
    json.key("summary");
    json.begin_object();
    json.member("points", static_cast<std::int64_t>(analysis.points.size()));
    json.member("launches", static_cast<std::int64_t>(profile.launches.size()));
    json.member("time_s", analysis.total_time.value());
    json.member("sentence", session_sentence(analysis));
    json.key("classes");
    json.begin_array();
    for (const ClassShare& share : class_shares(analysis)) {
        json.begin_object();
        json.member("class", id_of(share.kernel_class));
        json.member("kernels", share.kernels);
        json.member("share_of_kernels", share.share_of_kernels);
        json.member("share_of_time", share.share_of_time);
        json.end_object();
    }
    json.end_array();
    json.end_object();
}

void write_spread(JsonText& json, std::string_view key, const std::optional<Spread>& spread) {
    json.key(key);
    if (!spread) return json.null();
    json.begin_object();
    json.member("min", spread->min);
    json.member("median", spread->median);
    json.member("max", spread->max);
    json.end_object();
}

void write_levels(JsonText& json, const KernelPoint& point) {
    json.key("levels");
    json.begin_object();
    for (const MemoryLevel level : all_levels) {
        json.key(id_of(level));
        const std::optional<LevelPoint>& at = point.at(level);
        if (!at) {
            json.null();
            continue;
        }
        json.begin_object();
        json.member("boundary", id_of(at->boundary));
        json.member("origin", id_of(at->origin));
        json.member("bytes", at->bytes.value());
        json.member("intensity", at->intensity);
        json.member("ceiling", at->ceiling);
        json.member("bound_s", at->bound);
        json.end_object();
    }
    json.end_object();
}

void write_pipes(JsonText& json, const KernelPoint& point) {
    json.key("pipes");
    json.begin_array();
    for (const PipeLoad& load : point.pipes) {
        json.begin_object();
        json.member("pipe", id_of(load.pipe));
        json.member("origin", id_of(load.origin));
        json.member("work", load.work.value());
        json.member("ceiling", load.ceiling);
        json.member("bound_s", load.bound);
        json.end_object();
    }
    json.end_array();
}

void write_gap(JsonText& json, const KernelPoint& point) {
    json.key("vertical_gap");
    if (!point.gap) return json.null();
    json.begin_object();
    json.member("factor", point.gap->factor);
    json.member("efficiency", point.gap->efficiency());
    json.member("decades", point.gap->decades());
    json.end_object();
}

/// Points share their ceilings: each set is written once and named by its place.
class CeilingSets {
  public:
    explicit CeilingSets(const Analysis& analysis) {
        for (const KernelPoint& point : analysis.points)
            if (point.ceilings && places_.emplace(point.ceilings.get(), sets_.size()).second)
                sets_.push_back(point.ceilings.get());
    }

    void write(JsonText& json) const {
        json.key("ceiling_sets");
        json.begin_array();
        for (const CeilingSet* set : sets_) {
            json.next_line();
            write_ceilings(json, *set);
        }
        json.end_array();
    }

    void write_place(JsonText& json, const KernelPoint& point) const {
        json.key("ceiling_set");
        if (!point.ceilings) return json.null();
        json.value(static_cast<std::int64_t>(places_.at(point.ceilings.get())));
    }

  private:
    std::vector<const CeilingSet*> sets_;
    std::unordered_map<const CeilingSet*, std::size_t> places_;
};

/// What the class rests on beside the bounds.
void write_evidence(JsonText& json, const KernelPoint& point) {
    const Verdict& verdict = point.verdict;
    json.key("side");
    verdict.side ? json.value(id_of(*verdict.side)) : json.null();
    json.key("near_ridge");
    verdict.side ? json.value(verdict.near_ridge) : json.null();
    json.key("throughput");
    json.begin_object();
    for (const HardwareUnit unit : all_hardware_units) {
        const auto& share = point.throughput[static_cast<std::size_t>(unit)];
        json.key(id_of(unit));
        share ? json.value(*share) : json.null();
    }
    json.end_object();
    json.key("busy_unit");
    verdict.busy ? json.value(id_of(verdict.busy->unit)) : json.null();
    json.key("levels_not_judged");
    json.begin_array();
    for (const std::string_view level : levels_not_judged(point))
        json.value(level);
    json.end_array();
}

/// What all of these launches have in common; absent where two differ.
template <class Property>
std::optional<Property> shared_by_all(const Profile& profile, std::span<const LaunchIndex> launches,
                                      Property Launch::*property) {
    const Property first = profile.at(launches.front()).*property;
    for (const LaunchIndex launch : launches)
        if (profile.at(launch).*property != first) return std::nullopt;
    return first;
}

void write_extent(JsonText& json, std::string_view key, const std::optional<Dim3>& size) {
    json.key(key);
    if (!size || *size == Dim3{}) return json.null();
    json.begin_array();
    for (const std::uint32_t extent : {size->x, size->y, size->z})
        json.value(extent);
    json.end_array();
}

/// What tells one launch from the next.
void write_launch(JsonText& json, const Profile& profile, const Analysis& analysis,
                  std::span<const LaunchIndex> launches, const LaunchNumbers& numbers) {
    json.key("launch");
    analysis.options.group_by == GroupBy::launch ? json.value(numbers.of(launches.front())) : json.null();
    write_extent(json, "grid", shared_by_all(profile, launches, &Launch::grid));
    write_extent(json, "block", shared_by_all(profile, launches, &Launch::block));
    const auto stack = shared_by_all(profile, launches, &Launch::nvtx);
    json.key("nvtx");
    stack&&* stack != NvtxIndex::none
        ? json.value(nvtx_path(profile.nvtx_stacks[static_cast<std::size_t>(*stack)]))
        : json.null();
    const auto stream = shared_by_all(profile, launches, &Launch::stream);
    json.key("stream");
    stream.value_or(0) != 0 ? json.value(*stream) : json.null();
}

void write_point(JsonText& json, const Profile& profile, const Analysis& analysis, const KernelPoint& point,
                 const CeilingSets& sets, const LaunchNumbers& numbers) {
    const auto launches = analysis.grouping.launches_of(analysis.grouping.groups[point.group]);
    json.begin_object();
    json.member("name", point.name);
    json.member("device", profile.device_of(profile.at(launches.front())).name);
    write_launch(json, profile, analysis, launches, numbers);
    json.member("launches", point.launches);
    json.member("failed", point.failed);
    json.member("time_s", point.time);
    json.key("time_share");
    point.time ? json.value(point.time_share) : json.null();
    json.member("work", point.work);
    json.member("performance", point.performance);
    write_uncounted_work(json, point.uncounted);
    write_pipes(json, point);
    write_levels(json, point);
    json.member("compute_ceiling", point.compute_ceiling);
    write_ceiling_target(json, "binding", point.binding);
    json.member("speed_of_light_s", point.speed_of_light);
    write_gap(json, point);
    write_algorithmic_target(json, point);
    json.key("practical_efficiency");
    point.practical_efficiency ? json.value(*point.practical_efficiency) : json.null();
    json.key("practical_band");
    const auto band = practical_band(point, analysis.options.practical_limits);
    band ? json.value(id_of(*band)) : json.null();
    write_spread(json, "performance_spread", point.performance_spread);
    write_spread(json, "intensity_spread", point.intensity_spread);
    json.member("placement", placement_ids[static_cast<std::size_t>(point.placement)]);
    json.member("class", id_of(point.verdict.kernel_class));
    write_evidence(json, point);
    json.member("rule", rule_text(point, analysis.options.thresholds));
    sets.write_place(json, point);
    json.end_object();
}

void write_models(JsonText& json, const Profile& profile, const Analysis& analysis) {
    json.key("models");
    json.begin_array();
    for (const ModelCeilings& model : analysis.models) {
        json.next_line();
        json.begin_object();
        json.member("device", profile.devices[static_cast<std::size_t>(model.device)].name);
        json.key("ceilings");
        write_ceilings(json, model.ceilings);
        json.end_object();
    }
    json.end_array();
}

void write_warnings(JsonText& json, const Profile& profile) {
    json.key("warnings");
    json.begin_array();
    for (const Warning& warning : profile.warnings) {
        json.next_line();
        json.begin_object();
        json.member("code", name_of(warning.message.code));
        json.member("what", warning.message.what);
        json.member("where", without_folders(warning.message.where, profile));
        json.member("hint", warning.message.hint);
        write_launches(json, warning);
        json.end_object();
    }
    json.end_array();
}

}  // namespace

std::string to_report_json(const Profile& profile, const Analysis& analysis) {
    const CeilingSets sets(analysis);
    const LaunchNumbers numbers(profile);
    JsonText json;
    json.begin_object();
    json.next_line();
    json.member("format", "roofwalk-report");
    json.member("version", 1U);
    json.next_line();
    json.member("work_unit", work_unit(analysis.options.operations));
    json.next_line();
    write_options(json, analysis.options);
    json.next_line();
    write_sources(json, profile);
    json.next_line();
    write_summary(json, profile, analysis);
    json.next_line();
    write_models(json, profile, analysis);
    json.next_line();
    sets.write(json);
    json.next_line();
    json.key("points");
    json.begin_array();
    for (const std::uint32_t index : points_by_time(analysis)) {
        json.next_line();
        write_point(json, profile, analysis, analysis.points[index], sets, numbers);
    }
    json.end_array();
    json.next_line();
    write_warnings(json, profile);
    json.next_line();
    json.end_object();
    json.end_line();
    return json.take();
}

}  // namespace roofwalk
