// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <span>
#include <unordered_map>

#include "core/model/profile.h"
#include "core/model/profile_codec.h"
#include "core/model/source_names.h"
#include "core/report/profile_to_json.h"
#include "core/report/report_columns.h"
#include "core/report/report_table.h"
#include "core/roofline/group_totals.h"
#include "core/roofline/missing.h"
#include "core/roofline/practical_codec.h"
#include "core/roofline/summary.h"
#include "core/roofline/utilisation.h"
#include "core/roofline/verdict_words.h"

namespace roofwalk {

namespace {

constexpr EnumArray<Placement, std::string_view, 5> placement_ids{"chart", "rail_no_work", "rail_no_traffic",
                                                                  "line", "not_drawn"};

void write_options(JsonWriter& json, const AnalysisOptions& options) {
    json.member("group_by", options.group_by);
    json.member("clock", options.clock);
    json.member("operations", options.operations);
    json.object("levels", [&] {
        for (const MemoryLevel level : all_levels)
            json.object(id_of(level), [&] {
                json.member("boundary", options.boundaries[level]);
                json.member("shown", options.levels[level]);
            });
    });
    json.object("thresholds", [&] {
        json.member("near_ridge_low", options.thresholds.near_ridge_low);
        json.member("near_ridge_high", options.thresholds.near_ridge_high);
        json.member("latency", options.thresholds.latency);
        json.member("near_roof", options.thresholds.near_roof);
        json.member("ridge_tolerance", options.thresholds.ridge_tolerance);
        json.member("above_roof", options.thresholds.above_roof);
    });
    FieldWriter field(json);
    each_practical_field(field, options);
    json.member("launch_floor_s", options.launch_floor);
    json.object("overrides", [&] {
        for (const auto& [device, ceilings] : options.overrides)
            json.member(device, ceilings);
    });
}

void write_summary(JsonWriter& json, const Profile& profile, const Analysis& analysis) {
    const auto write_share = [&](double share, bool timed) {
        json.member("share_of_time", timed ? std::optional(share) : std::nullopt);
    };
    json.member("points", analysis.points.size());
    json.member("launches", profile.launches.size());
    const bool any_time = analysis.total_time.value() > 0;
    json.member("time_s", any_time ? std::optional(analysis.total_time) : std::nullopt);
    json.member("sentence", session_sentence(analysis));
    json.member("recoverable", recoverable_sentences(analysis).text());
    json.member("clock", clock_sentences(profile, analysis));
    json.objects("reports", report_shares(analysis), [&](const ReportShare& report) {
        json.member("source", report.source);
        json.member("points", report.points);
        json.member("launches", report.launches);
        json.member("time_s", report.time);
        write_share(report.share_of_time, report.time.has_value());
        json.member("recoverable_time_s",
                    report.recoverable ? std::optional(report.recoverable->same) : std::nullopt);
        json.member("recoverable_most_s",
                    report.recoverable ? std::optional(report.recoverable->most) : std::nullopt);
    });
    json.objects("classes", class_shares(analysis), [&](const ClassShare& share) {
        json.member("class", share.kernel_class);
        json.member("class_label", share.label);
        json.member("kernels", share.kernels);
        json.member("share_of_kernels", share.share_of_kernels);
        write_share(share.share_of_time, share.without_time < share.kernels);
    });
    json.objects("sides", side_shares(analysis), [&](const SideShare& share) {
        json.member("side", share.side);
        json.member("kernels", share.kernels);
        write_share(share.share_of_time, share.without_time < share.kernels || share.share_of_time > 0);
    });
    const std::vector<std::string> names = own_source_names(profile);
    json.objects("idle", analysis.idle, [&](const IdleTime& idle) {
        json.member("source", names[static_cast<std::size_t>(idle.source)]);
        json.member("device", profile.at(idle.device).name);
        json.member("device_index", static_cast<std::uint32_t>(idle.device));
        json.member("launches", idle.launches);
        json.member("wall_s", idle.wall);
        json.member("idle_s", idle.idle);
    });
}

void write_spread(JsonWriter& json, std::string_view key, const std::optional<Spread>& spread) {
    json.object_or_null(key, spread, [&](const Spread& found) {
        json.member("min", found.min);
        json.member("median", found.median);
        json.member("max", found.max);
    });
}

/// Metrics and formula of a figure, as of the leading launch; null where the file does not tell.
void write_source(JsonWriter& json, const Profile& profile, std::string_view key, TextId source) {
    json.key(key);
    source == TextId::none ? json.null() : json.value(profile.texts.view(source));
}

/// Those that stand together.
struct PointFigures {
    explicit PointFigures(std::span<const KernelColumn> columns)
        : launch(columns, {"launch"}),
          amounts(columns,
                  {"launches", "failed", "known_launches", "time", "known_time", "time_share",
                   "recoverable_time", "fewer_bytes_time", "fewer_launches_time", "work", "performance"}),
          compute(columns, {"compute_ceiling"}),
          least_time(columns, {"speed_of_light"}),
          practical(columns, {"practical_efficiency"}),
          needed(columns, {"intensity"}, "algorithmic_"),
          gaps(columns, {"horizontal_gap", "byte_gap", "work_ratio", "useful_gap"}),
          potential(columns, {"potential"}) {
        for (const MemoryLevel level : all_levels)
            levels[level] = {columns,
                             {"bytes", "bytes_read", "bytes_written", "bandwidth", "read_bandwidth",
                              "write_bandwidth", "share", "intensity"},
                             fmt::format("{}_", id_of(level))};
    }

    ColumnMembers launch;
    ColumnMembers amounts;
    ColumnMembers compute;
    ColumnMembers least_time;
    ColumnMembers practical;
    ColumnMembers needed;  ///< by an operation
    ColumnMembers gaps;
    ColumnMembers potential;
    EnumArray<MemoryLevel, ColumnMembers> levels;
};

void write_levels(JsonWriter& json, const Profile& profile, const KernelPoint& point, const Launch& leading,
                  const EnumArray<MemoryLevel, ColumnMembers>& figures) {
    json.object("levels", [&] {
        for (const MemoryLevel level : all_levels) {
            std::optional<LevelPoint> known = point.at(level);
            if (level == MemoryLevel::hbm && (point.hbm_read_alone || point.hbm_written_alone))
                known = known.value_or(LevelPoint());
            json.object_or_null(id_of(level), known, [&](const LevelPoint& at) {
                json.member("boundary", at.boundary);
                json.member("origin", at.origin);
                const TrafficSample* counted =
                    point.measured_level(level) ? leading.find(at.boundary) : nullptr;
                write_source(json, profile, "source", counted ? counted->source : TextId::none);
                figures[level].write(json, point);
                json.member("ceiling", at.ceiling);
                json.member("bound_s", at.bound);
            });
        }
    });
}

void write_pipes(JsonWriter& json, const Profile& profile, const KernelPoint& point, const Launch& leading) {
    json.objects("pipes", point.pipes, [&](const PipeLoad& load) {
        json.member("pipe", load.pipe);
        json.member("origin", load.origin);
        const WorkSample* counted = point.measured_work() ? leading.find(load.pipe) : nullptr;
        write_source(json, profile, "source", counted ? counted->source : TextId::none);
        json.member("work", load.work);
        json.member("ceiling", load.ceiling);
        json.member("bound_s", load.bound);
    });
}

void write_binding(JsonWriter& json, const std::optional<CeilingTarget>& binding, MemoryName memory) {
    json.object_or_null("binding", binding, [&](const CeilingTarget& limit) {
        if (const Boundary* boundary = std::get_if<Boundary>(&limit)) {
            json.member("kind", "bandwidth");
            json.member("boundary", *boundary);
        } else {
            json.member("kind", "compute");
            json.member("pipe", std::get<Pipe>(limit));
        }
        json.member("label", label_of(limit, memory));
    });
}

void write_bound(JsonWriter& json, std::string_view key, ShareBound bound) {
    json.key(key);
    bound == ShareBound::exact ? json.null() : json.value(id_of(bound));
}

void write_members(JsonWriter& json, const NearestLimit& limit, const KernelPoint& point) {
    if (const HardwareUnit* unit = std::get_if<HardwareUnit>(&limit.of)) {
        json.member("kind", "unit");
        json.member("unit", *unit);
    } else if (const Pipe* pipe = std::get_if<Pipe>(&limit.of)) {
        json.member("kind", "compute");
        json.member("pipe", *pipe);
    } else {
        json.member("kind", "bandwidth");
        json.member("boundary", std::get<Boundary>(limit.of));
    }
    json.member("label", label_of(limit, point.memory));
    json.member("share", limit.share);
    write_bound(json, "bound", share_bound(point, limit.of));
}

void write_limit(JsonWriter& json, std::string_view key, const std::optional<NearestLimit>& nearest,
                 const KernelPoint& point) {
    json.object_or_null(key, nearest, [&](const NearestLimit& limit) { write_members(json, limit, point); });
}

/// What binds a kernel with a roof, and that roof, which may be another.
void write_what_binds(JsonWriter& json, const KernelPoint& point) {
    const bool by_unit = unit_beyond_roof(point).has_value();
    by_unit ? write_limit(json, "binding", tightest_limit(point), point)
            : write_binding(json, point.binding, point.memory);
    std::optional<NearestLimit> roof;
    if (point.gap)
        std::visit([&](const auto& of) { roof = NearestLimit{of, point.gap->efficiency()}; }, *point.binding);
    write_limit(json, "roof", roof, point);
}

void write_algorithmic_target(JsonWriter& json, const KernelPoint& point, const PointFigures& figures) {
    json.object_or_null("target", point.target, [&](const AlgorithmicTarget& target) {
        json.member("operation", target.operation->text);
        json.member("operation_source", target.operation->source);
        json.member("operation_why", why_words(*target.operation));
        json.member("operations", target.operations);
        json.member("bound_launches", target.bound);
        json.member("launches_without", target.not_bound);
        const bool any = target.bound > 0;
        json.member("work", any ? std::optional(target.work) : std::nullopt);
        json.member("bytes", any ? std::optional(target.bytes) : std::nullopt);
        figures.needed.write(json, point);
        json.member("place", target.place);
        figures.gaps.write(json, point);
        json.member("useful_until", target.useful_until);
        write_binding(json, target.binding, point.memory);
        figures.potential.write(json, point);
        json.member("recoverable_time_s", recoverable_with_operation(point));
        json.member("shared_recoverable_time_s", target.shared_recoverable);
    });
}

void write_gap(JsonWriter& json, const KernelPoint& point) {
    json.object_or_null("vertical_gap", point.gap, [&](const auto& gap) {
        json.member("factor", gap.factor);
        json.member("efficiency", gap.efficiency());
        json.member("decades", gap.decades());
    });
}

/// Points share their ceilings: each set is written once and named by its place.
class CeilingSets {
  public:
    explicit CeilingSets(const Analysis& analysis) {
        for (const KernelPoint& point : analysis.points)
            if (point.ceilings && places_.emplace(point.ceilings.get(), sets_.size()).second)
                sets_.push_back(point.ceilings.get());
    }

    void write(JsonWriter& json) const {
        json.lines("ceiling_sets", sets_, [&](const CeilingSet* set) { json.value(*set); });
    }
    [[nodiscard]] std::optional<std::size_t> place(const KernelPoint& point) const {
        if (!point.ceilings) return std::nullopt;
        return places_.at(point.ceilings.get());
    }

  private:
    std::vector<const CeilingSet*> sets_;
    std::unordered_map<const CeilingSet*, std::size_t> places_;
};

/// What the class rests on beside the bounds.
void write_evidence(JsonWriter& json, const KernelPoint& point) {
    const Verdict& verdict = point.verdict;
    json.member("side", verdict.side);
    json.member("near_ridge", verdict.side ? std::optional(verdict.near_ridge) : std::nullopt);
    json.object("throughput", [&] {
        for (const HardwareUnit unit : all_hardware_units)
            json.member(id_of(unit), point.throughput[unit]);
    });
    json.member("throughput_launches",
                point.throughput_launches > 0 ? std::optional(point.throughput_launches) : std::nullopt);
    json.member("pm_samples",
                point.sampled.samples > 0 ? std::optional(point.sampled.samples) : std::nullopt);
    json.array("sampled_units", all_hardware_units, [&](HardwareUnit unit) {
        if (point.sampled.units[unit]) json.value(unit);
    });
    json.key("busy_unit");
    verdict.busy ? json.value(verdict.busy->unit) : json.null();
    json.array("levels_not_judged", labels_not_judged(point),
               [&](std::string_view level) { json.value(level); });
}

void write_extent(JsonWriter& json, std::string_view key, const std::optional<Dim3>& size) {
    json.key(key);
    size&& is_known(*size) ? json.value(*size) : json.null();
}

/// What tells one launch from the next, beside its number.
void write_launch(JsonWriter& json, const Profile& profile, std::span<const LaunchIndex> launches) {
    json.member("kind", shared_by_all(profile, launches, &Launch::kind));
    write_extent(json, "grid", shared_by_all(profile, launches, &Launch::grid));
    write_extent(json, "block", shared_by_all(profile, launches, &Launch::block));
    const auto stack = shared_by_all(profile, launches, &Launch::nvtx);
    json.key("nvtx");
    stack&&* stack != NvtxIndex::none ? json.value(nvtx_path(profile.at(*stack))) : json.null();
    const auto stream = shared_by_all(profile, launches, &Launch::stream);
    json.key("stream");
    stream.value_or(0) != 0 ? json.value(*stream) : json.null();
}

void write_point(JsonWriter& json, const Profile& profile, const Analysis& analysis, const KernelPoint& point,
                 const CeilingSets& sets, const PointFigures& figures) {
    const auto launches = analysis.grouping.launches_of(analysis.grouping.groups[point.group]);
    const Launch& leading = leading_launch(profile, point, analysis);
    json.member("name", point.name);
    json.member("source", name_of_report(point));
    json.member("device", profile.device_of(profile.at(launches.front())).name);
    figures.launch.write(json, point);
    write_launch(json, profile, launches);
    figures.amounts.write(json, point);
    json.member("recoverable_at_most", point.recoverable && point.recoverable->at_most);
    json.member("recoverable_at_least", is_recoverable_at_least(point));
    json.member("duration_origin", point.time ? std::optional(point.time_origin) : std::nullopt);
    json.member("time_doubted", point.time_doubted);
    write_source(json, profile, "duration_source", point.time ? leading.duration_source : TextId::none);
    json.member("uncounted_work", point.uncounted);
    json.member("unchecked_work", point.unchecked);
    write_pipes(json, profile, point, leading);
    json.member("hbm_bytes_at_least", point.hbm_at_least);
    write_levels(json, profile, point, leading, figures.levels);
    figures.compute.write(json, point);
    write_what_binds(json, point);
    figures.least_time.write(json, point);
    json.object("launch_floor", [&] {
        json.member("time_s", point.launch_floor.time);
        json.member("source", point.launch_floor.source);
    });
    write_gap(json, point);
    write_algorithmic_target(json, point, figures);
    figures.practical.write(json, point);
    json.member("practical_band", practical_band(point, analysis.options.practical_limits));
    write_spread(json, "performance_spread", point.performance_spread);
    write_spread(json, "intensity_spread", point.intensity_spread);
    write_spread(json, "bandwidth_spread", point.bandwidth_spread);
    json.member("launches_differ", point.launches_differ);
    json.member("placement", placement_ids[point.placement]);
    json.member("class", point.verdict.kernel_class);
    json.member("share_of_limit", share_of_bound(point));
    write_bound(json, "share_of_limit_bound", bound_of_limit(point));
    json.member("launch_binds", point.verdict.launch_binds);
    write_limit(json, "nearest_limit", judged_nearest(point), point);
    json.array("launch_limits", point.verdict.launch_limits,
               [&](const NearestLimit& limit) { json.object([&] { write_members(json, limit, point); }); });
    write_limit(json, "recoverable_limit", recoverable_time(point) ? tightest_limit(point) : std::nullopt,
                point);
    write_evidence(json, point);
    json.member("rule", rule_text(point, analysis.options.thresholds));
    json.member("ceiling_set", sets.place(point));
}

}  // namespace

std::string to_report_json(const Profile& profile, const Analysis& analysis) {
    const CeilingSets sets(analysis);
    const PointFigures figures(filter_columns(profile, analysis));
    return json_document([&](JsonWriter& json) {
        json.line("format", "roofwalk-report");
        json.member("version", 1);
        json.line("work_unit", work_unit(analysis.options.operations));
        json.next_line();
        json.object("options", [&] { write_options(json, analysis.options); });
        json.next_line();
        write_sources(json, profile);
        json.next_line();
        json.object("summary", [&] { write_summary(json, profile, analysis); });
        json.next_line();
        json.object_lines("models", analysis.models, [&](const ModelCeilings& model) {
            json.member("device", profile.at(model.device).name);
            json.member("ceilings", model.ceilings);
        });
        json.next_line();
        sets.write(json);
        json.next_line();
        json.object_lines("points", ranked_points(analysis), [&](std::uint32_t index) {
            write_point(json, profile, analysis, analysis.points[index], sets, figures);
        });
        json.next_line();
        json.object_lines("warnings", profile.warnings, [&](const Warning& warning) {
            json.member("code", warning.message.code);
            json.member("what", warning.message.what);
            json.member("where", place_in_file(file_name_of(warning.file), warning.message.where));
            json.member("hint", warning.message.hint);
            json.member("launches", warning.launches);
        });
        json.next_line();
    });
}

}  // namespace roofwalk
