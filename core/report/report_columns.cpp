// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "core/advice/evidence.h"
#include "core/base/text.h"
#include "core/model/profile.h"
#include "core/roofline/group_totals.h"
#include "core/roofline/missing.h"
#include "core/roofline/point_bounds.h"
#include "core/roofline/summary.h"
#include "core/roofline/verdict_words.h"

namespace roofwalk {

namespace {

/// ReportColumn::gives_way.
namespace ways {

constexpr std::uint8_t boundary = 1;
constexpr std::uint8_t share = 5;
constexpr std::uint8_t device_beside_report = 5;
constexpr std::uint8_t launches = 6;
constexpr std::uint8_t device = 7;
constexpr std::uint8_t hbm_intensity = 8;
constexpr std::uint8_t performance = 9;

/// Of L2 and nearer, the nearest first.
constexpr EnumArray<MemoryLevel, std::uint8_t> intensity{share, 4, 3, 2};

}  // namespace ways

template <class Amount>
std::optional<double> number_of(const std::optional<Amount>& amount) {
    return amount ? std::optional(amount->value()) : std::nullopt;
}

template <class Amount>
std::function<std::optional<double>(const KernelPoint&)> value_of(std::optional<Amount> KernelPoint::*of) {
    return [of](const KernelPoint& p) { return number_of(p.*of); };
}

/// A column of an amount of the point.
template <class Amount>
KernelColumn amount_column(ReportColumn column, std::optional<Amount> KernelPoint::*of) {
    const auto cell = [of, unit = column.unit](const KernelPoint& p) {
        return or_contradicted(p, quantity_cell(p.*of, unit));
    };
    return {std::move(column), cell, value_of(of)};
}

KernelColumn count_column(ReportColumn column, std::uint32_t KernelPoint::*of) {
    return {std::move(column), [of](const KernelPoint& p) { return number_cell(p.*of, format_count(p.*of)); },
            [of](const KernelPoint& p) { return std::optional<double>(p.*of); }};
}

/// How the work came to be, the weakest of its pipes; measured where there is none.
Origin work_origin(const KernelPoint& point) {
    Origin weakest = Origin::measured;
    for (const PipeLoad& load : point.pipes)
        if (load.work.value() > 0 && load.in_work) weakest = std::max(weakest, load.origin);
    return weakest;
}

/// The same column, whose numbers are marked where they are approximate.
KernelColumn approximate_where(KernelColumn column, std::function<bool(const KernelPoint&)> approximate) {
    column.cell = [cell = std::move(column.cell), approximate = std::move(approximate)](
                      const KernelPoint& p) { return marked_if(approximate(p), cell(p)); };
    return column;
}

/// The same column of a time, or of a quotient of one.
KernelColumn of_time(KernelColumn column) {
    return approximate_where(std::move(column), &KernelPoint::time_doubted);
}

/// The same column, whose cells tell where a number is not measured, and are marked where it is inexact.
KernelColumn with_origin(KernelColumn column, std::function<Origin(const KernelPoint&)> origin,
                         std::function<bool(const KernelPoint&)> inexact) {
    column.note = [origin = std::move(origin)](const KernelPoint& p) {
        if (origin(p) == Origin::estimated) return std::string("Estimated, not measured");
        return std::string(origin(p) == Origin::modelled ? "Of a model, not measured" : "");
    };
    return approximate_where(std::move(column), std::move(inexact));
}

/// W and its quotients.
KernelColumn with_origin_of_work(KernelColumn column) {
    return with_origin(std::move(column), work_origin, has_inexact_work);
}

KernelColumn origin_column(std::string id, std::string title, std::function<bool(const KernelPoint&)> known,
                           std::function<Origin(const KernelPoint&)> origin) {
    return {words_column(std::move(id), std::move(title), ColumnPlace::files_only),
            [known = std::move(known), origin = std::move(origin)](const KernelPoint& p) {
                return known(p) ? word_cell(std::string(id_of(origin(p)))) : not_measured();
            }};
}

/// The same column of numbers that may be lower bounds.
KernelColumn with_lower_bounds(KernelColumn column) {
    column.cell = [cell = std::move(column.cell)](const KernelPoint& p) { return at_least(p, cell(p)); };
    return column;
}

KernelColumn intensity_column(ReportColumn column, MemoryLevel level, OperationClass operations) {
    const std::string unit(work_unit(operations));
    return with_origin(
        {std::move(column), [=](const KernelPoint& p) { return intensity_cell(p, level, unit); },
         [=](const KernelPoint& p) {
             const auto& at = p.at(level);
             return at && at->intensity ? std::optional(at->intensity->value()) : std::nullopt;
         }},
        [=](const KernelPoint& p) { return std::max(work_origin(p), bytes_origin(p, level)); },
        [=](const KernelPoint& p) { return has_inexact_intensity(p, level); });
}

/// Adds a column for each level; `place` is that of the levels that are shown.
template <class Add>
void each_level(const AnalysisOptions& options, ColumnPlace place, Add add) {
    for (const MemoryLevel level : all_levels) {
        const bool shown = options.levels[level];
        add(level, std::string(id_of(level)), std::string(label_of(level, options.memory)),
            shown ? place : ColumnPlace::files_only);
    }
}

void add_intensities(const AnalysisOptions& options, std::vector<KernelColumn>& rules) {
    const std::string unit(work_unit(options.operations));
    each_level(options, ColumnPlace::main,
               [&](MemoryLevel level, const std::string& id, const std::string& label, ColumnPlace place) {
                   const bool farthest = level == MemoryLevel::hbm;
                   rules.push_back(intensity_column(
                       {.id = id + "_intensity",
                        .title = "AI " + label,
                        .unit = unit + "/byte",
                        .place = place,
                        .window = farthest ? std::uint8_t{11} : std::uint8_t{0},
                        .meaning = "Arithmetic intensity at " + label,
                        .word = farthest ? "ai" : "ai." + id,
                        .gives_way = farthest ? ways::hbm_intensity : ways::intensity[level]},
                       level, options.operations));
               });
}

/// The roof that binds, or that is nearest where none is known to; absent where a unit beside it binds.
std::optional<std::string> binding_roof_label(const KernelPoint& point) {
    if (is_bound_beside_roof(point)) return std::nullopt;
    if (point.binding) return label_of(*point.binding, point.memory);
    const auto limit = tightest_limit(point);
    const bool roof = limit && !std::holds_alternative<HardwareUnit>(limit->of);
    return roof ? std::optional(label_of(*limit, point.memory)) : std::nullopt;
}

/// "1.37 % of the limit of L2; 0.809 % of its DRAM roof": what a share is of.
std::string share_note(const KernelPoint& point) {
    const ReportCell share = roof_share_cell(point);
    if (!share.number) return {};
    const std::string of =
        share_of_launches(point) ? "time: launches take that at least" : limit_words(point);
    const std::string roof = roof_beside(point);
    return fmt::format("{} of the {}{}{}", share.text, of, roof.empty() ? "" : "; ", roof);
}

/// What binds, and how far from it: the roof of a kernel.
void add_bound_columns(std::vector<KernelColumn>& rules) {
    rules.push_back({{.id = "binding_ceiling",
                      .title = "Bound by",
                      .kind = ColumnKind::limit,
                      .window = 9,
                      .meaning = "What binds: a ceiling such as L2, a unit nearer to its limit, or launches "
                                 "that take most of the time",
                      .word = "bound"},
                     binding_cell});
    rules.back().text = [](const KernelPoint& p) {
        const std::string limit = bound_by(p);
        return limit.empty() ? std::nullopt : std::optional(limit);
    };
    rules.push_back(
        {{.id = "share_of_limit",
          .title = "Of limit",
          .kind = ColumnKind::share,
          .window = 6,
          .meaning =
              "Share that is reached of what binds: of its roof, of the limit of a unit, or of the time "
              "where launches bind",
          .word = "roof"},
         roof_share_cell,
         share_of_bound});
    rules.back().share = share_of_bound;
    rules.back().note = share_note;
    rules.back().brief = [](const KernelPoint& p) { return roof_share_cell(p).text; };
    rules.back().in_window = [](const KernelPoint& p) {  // beside it "Bound by" may have no room
        ReportCell told = roof_share_cell(p);
        if (told.number) told.text += " " + bound_by(p);
        return told;
    };
}

/// A figure of the target, or why there is none.
ReportCell target_cell(const KernelPoint& point, std::optional<double> AlgorithmicTarget::*figure) {
    if (!point.target) return word_cell("no operation");
    if (point.target->not_bound > 0)
        return word_cell(point.target->in_part ? "part of one" : "not all bound");
    if (const auto value = (*point.target).*figure)
        return marked_if(has_inexact_intensity(point, MemoryLevel::hbm),
                         number_cell(*value, format_factor(*value)));
    if (point.uncounted.any()) return word_cell("work incomplete");
    if (has_size_mismatch(point)) return word_cell("sizes do not fit");
    const bool without_work = point.target->work.value() <= 0 || point.work == Flops(0);
    if (without_work && point.target->byte_gap) return does_not_apply();
    return figure == &AlgorithmicTarget::gap && point.target->byte_gap == 0.0 ? word_cell("no bytes")
                                                                              : not_measured();
}

void add_factor(std::string id, std::string title, ColumnPlace place,
                std::optional<double> AlgorithmicTarget::*figure, std::vector<KernelColumn>& rules) {
    rules.push_back({{.id = std::move(id), .title = std::move(title), .place = place},
                     [figure](const KernelPoint& point) { return target_cell(point, figure); }});
}

KernelColumn class_column(const VerdictThresholds& thresholds) {
    return {.column = {.id = "class",
                       .title = "Class",
                       .kind = ColumnKind::kernel_class,
                       .window = 5,
                       .meaning = "Class by the rules of the roofline, such as memory-bound",
                       .word = "class"},
            .cell = [](const KernelPoint& p) { return word_cell(class_text(p)); },
            .number =
                [](const KernelPoint& p) {
                    // Half a step behind low use, so that it stands beside that and has a sign of its own.
                    return std::optional(static_cast<double>(p.verdict.kernel_class) +
                                         (is_bound_by_unit(p.verdict) ? 0.5 : 0));
                },
            .text = [](const KernelPoint& p) { return std::optional(class_label(p)); },
            .note = [thresholds](const KernelPoint& p) { return rule_text(p, thresholds); },
            .brief = class_label};
}

KernelColumn time_column() {
    KernelColumn column =
        amount_column({.id = "time",
                       .title = "Time",
                       .unit = "s",
                       .window = 3,
                       .meaning = "Time of all its launches; the bar is its share of the whole",
                       .word = "time"},
                      &KernelPoint::time);
    column.share = [](const KernelPoint& p) { return p.time ? std::optional(p.time_share) : std::nullopt; };
    column.note = [](const KernelPoint& p) {
        if (!p.time) return std::string();
        std::string share = marked_if(p.share_doubted, format_percent(p.time_share)) + " of all time";
        if (p.time_origin != TimeOrigin::derived) return share;
        return share + "; derived from cycles" + (p.time_doubted ? ", and may be far too long" : "");
    };
    return of_time(std::move(column));
}

/// Of a kernel that carries out operations with others.
std::optional<Seconds> shared_recoverable(const KernelPoint& point) {
    return point.target && point.target->in_part ? point.target->shared_recoverable : std::nullopt;
}

std::string shared_text(const KernelPoint& point) {
    return marked_if(point.time_doubted, format(*shared_recoverable(point))) + " by share";
}

/// Of what is more than what can be recovered: the second figure of a range.
std::optional<double> if_more(const KernelPoint& point, std::optional<Seconds> saved) {
    return saved > recoverable_time(point) ? number_of(saved) : std::nullopt;
}
std::optional<double> time_by_fewer_bytes(const KernelPoint& point) {
    const auto saved = saved_by_fewer_bytes(point);
    return if_more(point, saved ? std::optional(saved->time) : std::nullopt);
}
std::optional<double> time_by_fewer_launches(const KernelPoint& point) {
    return if_more(point, saved_by_fewer_launches(point));
}

KernelColumn recoverable_column() {
    KernelColumn column{
        {.id = "recoverable_time",
         .title = "Recoverable",
         .unit = "s",
         .window = 4,
         .meaning = "Time above its speed of light: all that it can lose with the same bytes, work, "
                    "instructions and launches. Summed over its launches: where these differ, its gap may "
                    "tell another. Of a range the second figure is with fewer bytes or launches, and rows "
                    "stand by it",
         .word = "recoverable"},
        own_or_shared_cell,
        [](const KernelPoint& p) { return number_of(recoverable_time(p)); }};
    column.note = [](const KernelPoint& p) {
        const bool shared = !recoverable_time(p) && shared_recoverable(p);
        const std::string fewer = by_less_words(p);
        return (shared ? "Its share, by time, of what the kernels of its operation could save together."
                       : recoverable_words(p)) +
               (fewer.empty() ? "" : " Up to the second figure " + fewer + ".");
    };
    return column;
}

/// What is read first, in the order in which it is asked: how much time, how fast, where on the chart, under
/// which roof and how far.
void add_main_columns(const AnalysisOptions& options, ColumnPlace of_targets,
                      std::vector<KernelColumn>& rules) {
    const std::string rate = std::string(work_unit(options.operations)) + "/s";
    rules.push_back({{.id = "kernel",
                      .title = "Kernel",
                      .kind = ColumnKind::name,
                      .window = 1,
                      .meaning = "Kernel, launch or NVTX range",
                      .word = "name"},
                     [](const KernelPoint& p) { return word_cell(p.name); }});
    rules.back().text = [](const KernelPoint& p) { return std::optional(p.name); };
    rules.push_back({{.id = "launch",
                      .title = "Launch",
                      .window = 2,
                      .meaning = "Number of the launch in its file, from 0, where rows are launches"},
                     [](const KernelPoint&) { return does_not_apply(); }});
    rules.push_back({{.id = "source",
                      .title = "Report",
                      .kind = ColumnKind::words,
                      .place = ColumnPlace::context,
                      .window = 7,
                      .meaning = "The report that it is of, where several are open",
                      .word = "source"},
                     [](const KernelPoint& p) { return word_cell(std::string(name_of_report(p))); }});
    rules.back().brief = [](const KernelPoint& p) { return std::string(short_name_of_report(p)); };
    rules.push_back(count_column({.id = "launches",
                                  .title = "Launches",
                                  .window = 14,
                                  .meaning = "How many executions the row stands for",
                                  .word = "launches",
                                  .gives_way = ways::launches},
                                 &KernelPoint::launches));
    rules.push_back(time_column());
    rules.push_back({{.id = "time_share", .title = "Of time", .kind = ColumnKind::share},
                     [](const KernelPoint& p) {
                         return p.time ? number_cell(p.time_share, format_percent(p.time_share))
                                       : not_measured();
                     },
                     rules.back().share});
    rules.back() = approximate_where(std::move(rules.back()), &KernelPoint::share_doubted);
    rules.push_back(recoverable_column());
    rules.push_back(
        of_time(with_origin_of_work(with_lower_bounds(amount_column({.id = "performance",
                                                                     .title = "Performance",
                                                                     .unit = rate,
                                                                     .window = 10,
                                                                     .meaning = "Work over time",
                                                                     .word = "perf",
                                                                     .gives_way = ways::performance},
                                                                    &KernelPoint::performance)))));
    add_intensities(options, rules);
    add_bound_columns(rules);
    add_factor("horizontal_gap", "Horizontal gap", of_targets, &AlgorithmicTarget::gap, rules);
    add_factor("potential", "Potential", of_targets, &AlgorithmicTarget::potential, rules);
    rules.back() = approximate_where(std::move(rules.back()), has_approximate_gap);
    rules.push_back(class_column(options.thresholds));
}

/// W / T: the height of the roof that binds, above the dot. Without work there is no height.
ReportCell roof_cell(const KernelPoint& point, const std::string& rate) {
    if (point.work == Flops(0) && !point.uncounted.any()) return does_not_apply();
    if (!point.work || !point.speed_of_light) return why_unbound(point);
    return quantity_cell(std::optional(*point.work / *point.speed_of_light), rate);
}

ReportCell compute_ceiling_cell(const KernelPoint& point, const std::string& rate) {
    if (point.work && point.uncounted.any()) return work_incomplete();
    if (point.work == Flops(0)) return does_not_apply();
    if (point.work && !point.compute_ceiling) return no_ceiling_known();
    return quantity_cell(point.compute_ceiling, rate);
}

/// Against the practical roof. A kernel above its roof has an efficiency, but no band.
void add_practical_columns(const PracticalLimits& limits, std::vector<KernelColumn>& rules) {
    rules.push_back({{.id = "practical_efficiency",
                      .title = "Of practical roof",
                      .kind = ColumnKind::share,
                      .place = ColumnPlace::detail},
                     [](const KernelPoint& p) { return gap_cell(p, p.practical_efficiency, format_percent); },
                     [](const KernelPoint& p) { return p.practical_efficiency; }});
    const auto band = [limits](const KernelPoint& p) {
        const auto found = practical_band(p, limits);
        return found ? std::optional(std::string(label_of(*found))) : std::nullopt;
    };
    rules.push_back(
        {words_column("practical_band", "Practical band", ColumnPlace::detail), [band](const KernelPoint& p) {
             if (auto found = band(p)) return word_cell(*std::move(found));
             return p.practical_efficiency ? does_not_apply() : gap_cell(p, std::nullopt, format_percent);
         }});
    rules.back().text = band;
}

void add_roof_columns(const AnalysisOptions& options, std::vector<KernelColumn>& rules) {
    const std::string rate = std::string(work_unit(options.operations)) + "/s";
    const auto factor = [](const KernelPoint& p) {
        if (unit_beyond_roof(p)) return std::optional(p.gap->factor);
        const std::optional<double> share = share_of_limit(p);
        return share && *share > 0 ? std::optional(1 / *share) : std::nullopt;
    };
    rules.push_back(
        {{.id = "vertical_gap",
          .title = "Below roof",
          .place = ColumnPlace::detail,
          .window = 8,
          .short_title = "Gap",
          .meaning = "Vertical gap to the roof: measured time over the least time its ceilings allow. Where "
                     "no roof is known, to the limit that the cell names",
          .word = "gap"},
         [factor](const KernelPoint& p) {
             ReportCell cell = gap_cell(p, factor(p), [&](double gap) {
                 const std::string to = unit_beyond_roof(p)    ? label_of(*p.binding, p.memory)
                                        : is_judged_by_roof(p) ? std::string()
                                                               : limit_label(p);
                 return format_factor(gap) + (to.empty() ? "" : " to " + to);
             });
             return bounded(bound_of_limit(p), std::move(cell), true);
         },
         factor});
    rules.push_back({{.id = "roof",
                      .title = "Roof",
                      .unit = rate,
                      .place = ColumnPlace::detail,
                      .meaning = "Performance of the roof above the kernel",
                      .word = "roof.perf"},
                     [=](const KernelPoint& p) { return roof_cell(p, rate); }});
    const auto of_inexact_bound = [](const KernelPoint& p) { return p.binding && is_inexact(p, *p.binding); };
    rules.back() = approximate_where(std::move(rules.back()), of_inexact_bound);
    rules.push_back(
        {{.id = "compute_ceiling", .title = "Compute ceiling", .unit = rate, .place = ColumnPlace::detail},
         [=](const KernelPoint& p) { return compute_ceiling_cell(p, rate); },
         value_of(&KernelPoint::compute_ceiling)});
    rules.push_back(
        {{.id = "speed_of_light", .title = "Speed-of-light time", .unit = "s", .place = ColumnPlace::detail},
         [](const KernelPoint& p) {
             return p.speed_of_light ? quantity_cell(p.speed_of_light, "s") : why_unbound(p);
         },
         value_of(&KernelPoint::speed_of_light)});
    rules.back() = approximate_where(std::move(rules.back()), of_inexact_bound);
    add_practical_columns(options.practical_limits, rules);
}

/// Q / t, and its share of the ceiling of the level.
void add_bandwidth(MemoryLevel level, const std::string& id, const std::string& label, ColumnPlace place,
                   bool in_window, std::vector<KernelColumn>& rules) {
    const auto origin = [level](const KernelPoint& p) { return bytes_origin(p, level); };
    rules.push_back(of_time(with_origin(
        {{.id = id + "_bandwidth",
          .title = label + " bandwidth",
          .unit = "byte/s",
          .place = place,
          .window = in_window ? std::uint8_t{12} : std::uint8_t{0},
          .meaning = "Bytes of " + label + " over the time",
          .word = in_window ? "bw" : "bw." + id},
         [=](const KernelPoint& p) { return or_contradicted(p, quantity_cell(p.bandwidth(level), "B/s")); },
         [=](const KernelPoint& p) { return number_of(p.bandwidth(level)); }},
        origin, [level](const KernelPoint& p) { return is_inexact(p, level); })));
    const auto share = [=](const KernelPoint& p) { return p.bandwidth_share(level); };
    rules.push_back(with_origin(
        {{.id = id + "_share",
          .title = "Of " + label,
          .kind = ColumnKind::share,
          .place = place,
          .window = in_window ? std::uint8_t{13} : std::uint8_t{0},
          .meaning = "The same over the " + label + " ceiling",
          .word = in_window ? "bw.share" : "bw." + id + ".share",
          .gives_way = ways::share},
         [=](const KernelPoint& p) {
             if (const auto reached = share(p)) return number_cell(*reached, format_percent(*reached));
             return or_contradicted(p, p.bandwidth(level) ? no_ceiling_known() : not_measured());
         },
         share},
        origin,
        [level](const KernelPoint& p) { return p.at(level) && is_approximate(p, p.at(level)->boundary); }));
    rules.back().share = share;
}

void add_amount_columns(const AnalysisOptions& options, std::vector<KernelColumn>& rules) {
    const std::string unit(work_unit(options.operations));
    rules.push_back(with_origin_of_work(with_lower_bounds(amount_column(
        {.id = "work", .title = "Work", .unit = unit, .place = ColumnPlace::detail}, &KernelPoint::work))));
    rules.push_back(origin_column(
        "work_origin", "Work origin", [](const KernelPoint& p) { return p.work.has_value(); }, work_origin));
    rules.push_back(
        {words_column("uncounted_work", "Not counted", ColumnPlace::detail), [](const KernelPoint& p) {
             if (!p.work) return not_measured();
             return word_cell(p.uncounted.any() ? labels_of(p.uncounted) : "none");
         }});
    each_level(options, ColumnPlace::detail,
               [&](MemoryLevel level, const std::string& id, const std::string& label, ColumnPlace place) {
                   // Bytes that are not shown have no say in the unit of those that are.
                   const auto origin = [level](const KernelPoint& p) { return bytes_origin(p, level); };
                   rules.push_back(with_origin(
                       {{.id = id + "_bytes",
                         .title = "Bytes " + label,
                         .unit = "byte",
                         .place = place,
                         .quantity = place == ColumnPlace::files_only ? "" : "bytes"},
                        [=](const KernelPoint& p) { return bytes_cell(p, level); },
                        [=](const KernelPoint& p) {
                            return p.at(level) ? std::optional(p.at(level)->bytes.value()) : std::nullopt;
                        }},
                       origin, [level](const KernelPoint& p) { return is_inexact(p, level); }));
                   rules.push_back(origin_column(
                       id + "_bytes_origin", label + " bytes origin",
                       [level](const KernelPoint& p) { return p.at(level).has_value(); }, origin));
               });
    each_level(options, ColumnPlace::detail,
               [&](MemoryLevel level, const std::string& id, const std::string& label, ColumnPlace place) {
                   const bool farthest = level == MemoryLevel::hbm;
                   add_bandwidth(level, id, label, place, farthest, rules);
               });
    each_level(options, ColumnPlace::context,
               [&](MemoryLevel level, const std::string& id, const std::string& label, ColumnPlace place) {
                   rules.push_back({{.id = id + "_boundary",
                                     .title = "Boundary " + label,
                                     .kind = ColumnKind::words,
                                     .place = place,
                                     .gives_way = ways::boundary},
                                    [=](const KernelPoint& p) {
                                        return p.at(level)
                                                   ? word_cell(std::string(id_of(p.at(level)->boundary)))
                                                   : not_measured();
                                    }});
               });
}

/// How busy the profiler itself found the units.
void add_throughput_columns(MemoryName memory, std::vector<KernelColumn>& rules) {
    for (const HardwareUnit unit : all_hardware_units)
        rules.push_back(approximate_where(
            {.column = {.id = std::string(id_of(unit)) + "_throughput",
                        .title = fmt::format("{} throughput", unit == HardwareUnit::l2_slice
                                                                  ? "Busiest L2 slice"
                                                                  : label_of(unit, memory)),
                        .kind = ColumnKind::share,
                        .place = ColumnPlace::detail},
             .cell =
                 [unit](const KernelPoint& p) {
                     const auto& share = p.throughput[unit];
                     return share ? number_cell(*share, format_percent(*share)) : not_measured();
                 }},
            [unit](const KernelPoint& p) { return p.sampled.units[unit]; }));
}

/// The lowest and the highest launch of a row.
void add_spread_columns(const AnalysisOptions& options, std::vector<KernelColumn>& rules) {
    const std::string unit(work_unit(options.operations));
    const auto add = [&](const std::string& id, const std::string& title, const std::string& of,
                         std::optional<Spread> KernelPoint::*spread) {
        for (const auto& [end, words, value] :
             {std::tuple("_min", "lowest ", &Spread::min), std::tuple("_max", "highest ", &Spread::max)})
            rules.push_back(
                {{.id = id + end, .title = words + title, .unit = of, .place = ColumnPlace::files_only},
                 [spread, value = value](const KernelPoint& p) {
                     return p.*spread
                                ? number_cell((*(p.*spread)).*value, format_number((*(p.*spread)).*value))
                                : does_not_apply();
                 }});
    };
    add("performance", "performance", unit + "/s", &KernelPoint::performance_spread);
    add("hbm_intensity", fmt::format("AI {}", label_of(options.memory)), unit + "/byte",
        &KernelPoint::intensity_spread);
    add("hbm_bandwidth", fmt::format("{} bandwidth", label_of(options.memory)), "byte/s",
        &KernelPoint::bandwidth_spread);
    rules.push_back({{.id = "launch_range",
                      .title = "Launches differ",
                      .kind = ColumnKind::words,
                      .place = ColumnPlace::detail,
                      .window = 15,
                      .meaning = "From what to what, where launches differ in grid or by more than twice in "
                                 "performance or intensity"},
                     [unit](const KernelPoint& p) {
                         const std::string range = launch_range_words(p, unit);
                         return range.empty() ? does_not_apply() : word_cell(range);
                     }});
    rules.back().text = [unit](const KernelPoint& p) {
        return p.launches_differ ? std::optional(launch_range_words(p, unit)) : std::nullopt;
    };
}

std::string operation_text(const AlgorithmicTarget& target) {
    if (target.operations == 1) return target.operation->text;
    return target.operation->text + " and " + format_count(target.operations - 1) + " more";
}

/// Further figures of the target, and the operation with its source.
void add_target_columns(ColumnPlace place, const AnalysisOptions& options, std::vector<KernelColumn>& rules) {
    const std::string unit(work_unit(options.operations));
    rules.push_back(
        {{.id = "algorithmic_intensity", .title = "AI algorithm", .unit = unit + "/byte", .place = place},
         [=](const KernelPoint& point) {
             if (!point.target) return word_cell("no operation");
             if (point.target->not_bound > 0)
                 return word_cell(point.target->in_part ? "part of one" : "not all bound");
             if (!point.target->intensity) return does_not_apply();
             return number_cell(point.target->intensity->value(),
                                format(*point.target->intensity, unit + "/byte"));
         }});
    add_factor("byte_gap", with_memory_name(options.memory, "{DRAM} bytes / needed"), place,
               &AlgorithmicTarget::byte_gap, rules);
    add_factor("useful_gap", "Useful gap", place, &AlgorithmicTarget::useful, rules);
    add_factor("work_ratio", "Work / model", place, &AlgorithmicTarget::work_ratio, rules);
    rules.push_back(
        {{.id = "operation_recoverable_time",
          .title = "Recoverable by operation",
          .unit = "s",
          .place = place,
          .meaning = "Time above the least that work and bytes of its operation take. Of a kernel that "
                     "carries one out with others, its share by time",
          .word = "recoverable.operation"},
         [](const KernelPoint& point) {
             if (const auto shared = shared_recoverable(point))
                 return number_cell(shared->value(), shared_text(point));
             const auto time = recoverable_with_operation(point);
             if (time) return quantity_cell(time, "s");
             ReportCell why = target_cell(point, &AlgorithmicTarget::potential);
             return why.number ? no_ceiling_known() : why;
         }});
    rules.back() = approximate_where(std::move(rules.back()), has_approximate_recovery);
    rules.push_back({words_column("operation", "Operation", place), [](const KernelPoint& point) {
                         return word_cell(point.target ? operation_text(*point.target) : "none");
                     }});
    rules.push_back({words_column("operation_source", "Operation from", place), [](const KernelPoint& point) {
                         return word_cell(point.target ? why_words(*point.target->operation) : "none");
                     }});
}

void add_saving_column(ReportColumn column, std::optional<double> (*time_of)(const KernelPoint&),
                       std::vector<KernelColumn>& rules) {
    column.unit = "s";
    column.place = ColumnPlace::detail;
    column.quantity = "recoverable_time";
    rules.push_back({std::move(column),
                     [time_of](const KernelPoint& p) {
                         const auto time = time_of(p);
                         return time ? quantity_cell(std::optional(Seconds(*time)), "s") : does_not_apply();
                     },
                     time_of});
    rules.back() = approximate_where(std::move(rules.back()), has_approximate_recovery);
}

void add_saving_columns(std::vector<KernelColumn>& rules) {
    add_saving_column(
        {.id = "fewer_bytes_time",
         .title = "By fewer bytes",
         .window = 16,
         .meaning = "Time that fewer bytes at the level that binds save at most, where that is more "
                    "than the same bytes leave. Bytes of other levels stay, unless an operation tells "
                    "them",
         .word = "fewer_bytes"},
        time_by_fewer_bytes, rules);
    rules.back().note = by_less_words;
    add_saving_column(
        {.id = "fewer_launches_time",
         .title = "By fewer launches",
         .window = 17,
         .meaning = "Time that launches which take as long as any does save at most as fewer ones, "
                    "where that is more than the same launches leave",
         .word = "fewer_launches"},
        time_by_fewer_launches, rules);
}

/// "at_least", "at_most": of which kind the bound is that a figure is; empty of an exact one.
void add_bound_column(std::string id, std::string title, ShareBound (*bound_of)(const KernelPoint&),
                      std::vector<KernelColumn>& rules) {
    rules.push_back({words_column(std::move(id), std::move(title), ColumnPlace::files_only),
                     [bound_of](const KernelPoint& p) {
                         const std::string_view bound = id_of(bound_of(p));
                         return bound.empty() ? does_not_apply() : word_cell(std::string(bound));
                     }});
}

std::vector<KernelColumn> columns_of_points(const AnalysisOptions& options, bool with_targets) {
    std::vector<KernelColumn> rules;
    add_main_columns(options, with_targets ? ColumnPlace::main : ColumnPlace::files_only, rules);
    add_roof_columns(options, rules);
    add_amount_columns(options, rules);
    add_target_columns(with_targets ? ColumnPlace::detail : ColumnPlace::files_only, options, rules);
    add_saving_columns(rules);
    add_bound_column("share_of_limit_bound", "Bound of limit", bound_of_limit, rules);
    add_bound_column("recoverable_bound", "Bound of recoverable", bound_of_recoverable, rules);
    rules.push_back(count_column({.id = "failed",
                                  .title = "Failed",
                                  .place = ColumnPlace::detail,
                                  .meaning = "Launches that could not be measured",
                                  .word = "failed"},
                                 &KernelPoint::failed));
    rules.push_back({{.id = "known_launches",
                      .title = "Known launches",
                      .place = ColumnPlace::files_only,
                      .meaning = "Launches that every figure but the time of all is of"},
                     [](const KernelPoint& p) {
                         return number_cell(p.known_launches(), format_count(p.known_launches()));
                     }});
    rules.push_back(
        {{.id = "known_time", .title = "Time of these", .unit = "s", .place = ColumnPlace::files_only},
         [](const KernelPoint& p) { return quantity_cell(p.known_time(), "s"); }});
    rules.back() = of_time(std::move(rules.back()));
    add_spread_columns(options, rules);
    add_throughput_columns(options.memory, rules);
    return rules;
}

/// None where `analysis` is not that of the point: a filter is read before there is one.
std::span<const LaunchIndex> grouped_launches(const Analysis& analysis, const KernelPoint& point) {
    const Grouping& grouping = analysis.grouping;
    return point.group < grouping.groups.size() ? grouping.launches_of(grouping.groups[point.group])
                                                : std::span<const LaunchIndex>();
}

/// Bytes at a level, and their rate, apart by direction, where every launch tells them apart or one of them.
void add_directions(const Profile& profile, const Analysis& analysis, std::vector<KernelColumn>& rules) {
    each_level(
        analysis.options, ColumnPlace::detail,
        [&](MemoryLevel level, const std::string& id, const std::string& label, ColumnPlace place) {
            const auto add_way = [&](const char* bytes, const char* bytes_title, const char* rate,
                                     const char* rate_title, std::optional<Bytes> KnownDirections::*way) {
                const auto bytes_of = [&, level, way](const KernelPoint& p) -> std::optional<Bytes> {
                    if (grouped_launches(analysis, p).empty()) return std::nullopt;
                    return directions_at(profile, analysis, p, level).*way;
                };
                const auto rate_of = [bytes_of](const KernelPoint& p) {
                    const auto amount = bytes_of(p);
                    return amount ? p.rate_of(*amount) : std::nullopt;
                };
                rules.push_back(
                    {{.id = id + bytes, .title = label + bytes_title, .unit = "byte", .place = place},
                     [=](const KernelPoint& p) { return quantity_cell(bytes_of(p), "B"); },
                     [=](const KernelPoint& p) { return number_of(bytes_of(p)); }});
                rules.push_back(
                    of_time({{.id = id + rate, .title = label + rate_title, .unit = "byte/s", .place = place},
                             [=](const KernelPoint& p) {
                                 return or_contradicted(p, quantity_cell(rate_of(p), "B/s"));
                             },
                             [=](const KernelPoint& p) { return number_of(rate_of(p)); }}));
            };
            add_way("_bytes_read", " read", "_read_bandwidth", " read bandwidth", &KnownDirections::read);
            add_way("_bytes_written", " written", "_write_bandwidth", " write bandwidth",
                    &KnownDirections::write);
        });
}

std::string shown(const Dim3& size) {
    if (size == Dim3{}) return {};
    return std::to_string(size.x) + "x" + std::to_string(size.y) + "x" + std::to_string(size.z);
}

std::string stream_text(std::uint32_t stream) {
    return stream == 0 ? std::string() : std::to_string(stream);
}

void add_launch_columns(const Profile& profile, const Analysis& analysis, std::vector<KernelColumn>& rules) {
    /// What every launch of a point has in common; "various" where they differ.
    const auto add = [&](const char* id, const char* title, ColumnPlace place, auto property, auto text_of) {
        rules.push_back({words_column(id, title, place), [&, property, text_of](const KernelPoint& point) {
                             const auto launches = grouped_launches(analysis, point);
                             if (launches.empty()) return not_measured();
                             const auto shared = shared_by_all(profile, launches, property);
                             if (!shared) return word_cell("various");
                             const std::string text = text_of(*shared);
                             return text.empty() ? not_measured() : word_cell(text);
                         }});
    };
    add("device", "Device", ColumnPlace::context, &Launch::device, [&](DeviceIndex index) {
        const Device& device = profile.at(index);
        return device.name.empty() && device.compute_capability ? model_name(profile, device) : device.name;
    });
    rules.back().column.gives_way = analysis.several_reports ? ways::device_beside_report : ways::device;
    add("grid", "Grid", ColumnPlace::detail, &Launch::grid, shown);
    add("block", "Block", ColumnPlace::detail, &Launch::block, shown);
    add("nvtx", "NVTX", ColumnPlace::detail, &Launch::nvtx,
        [&](NvtxIndex stack) { return nvtx_path(profile.at(stack)); });
    add("stream", "Stream", ColumnPlace::detail, &Launch::stream, stream_text);
    rules.push_back(
        {words_column("duration_origin", "Time origin", ColumnPlace::detail), [](const KernelPoint& point) {
             return point.time ? word_cell(std::string(id_of(point.time_origin))) : not_measured();
         }});
    rules.push_back({words_column("time_doubted", "Time doubted", ColumnPlace::files_only),
                     [](const KernelPoint& point) { return word_cell(point.time_doubted ? "yes" : "no"); }});
}

void add_columns_of_launches(const Profile& profile, const Analysis& analysis,
                             std::vector<KernelColumn>& rules) {
    number_launches(profile, analysis, rules);
    add_launch_columns(profile, analysis, rules);
    add_directions(profile, analysis, rules);
}

/// What launches were given and what their warps wait for, where a report counts it.
void add_counters(const Profile& profile, const Analysis& analysis, std::vector<KernelColumn>& rules) {
    static constexpr std::pair<AdviceMetric, std::string_view> words[] = {
        {AdviceMetric::registers, "registers"},
        {AdviceMetric::occupancy, "occupancy"},
        {AdviceMetric::theoretical_occupancy, "occupancy.theoretical"},
        {AdviceMetric::waves, "waves"},
        {AdviceMetric::l2_hit_rate, "l2.hit"},
        {AdviceMetric::long_scoreboard, "stall.long_scoreboard"},
        {AdviceMetric::short_scoreboard, "stall.short_scoreboard"},
        {AdviceMetric::mio_throttle, "stall.mio_throttle"},
        {AdviceMetric::lg_throttle, "stall.lg_throttle"},
        {AdviceMetric::barrier, "stall.barrier"},
        {AdviceMetric::wait, "stall.wait"},
        {AdviceMetric::drain, "stall.drain"}};
    const auto reader = std::make_shared<const EvidenceReader>(profile);
    for (const auto& [metric, word] : words) {
        const bool share = spec_of(metric).unit == "share";
        rules.push_back({{.id = std::string(word),
                          .title = label_of(metric),
                          .kind = share ? ColumnKind::share : ColumnKind::number,
                          .place = ColumnPlace::files_only,
                          .meaning = label_of(metric),
                          .word = std::string(word)},
                         [&, reader, of = metric](const KernelPoint& point) {
                             const auto value = reader->of(grouped_launches(analysis, point)).at(of).value;
                             return value ? number_cell(*value, format_metric(*value, spec_of(of).unit))
                                          : not_measured();
                         }});
    }
}

/// Recoverable tells them as the ends of its ranges: they stand apart where every column is asked for.
void place_savings(const Analysis& analysis, std::vector<KernelColumn>& rules) {
    for (KernelColumn& rule : rules)
        if ((rule.column.id == "fewer_bytes_time" || rule.column.id == "fewer_launches_time") &&
            std::ranges::none_of(analysis.points,
                                 [&](const KernelPoint& point) { return rule.number_of(point).has_value(); }))
            rule.column.place = ColumnPlace::files_only;
}

/// Where no kernel has work, its bytes tell how fast it is.
void show_bytes_for_work(const Analysis& analysis, std::vector<KernelColumn>& rules) {
    const auto any = [&](auto has) { return std::ranges::any_of(analysis.points, has); };
    if (any([](const KernelPoint& p) { return p.work && p.work->value() > 0; })) return;
    const bool timed = any([](const KernelPoint& p) { return p.bandwidth(MemoryLevel::hbm).has_value(); });
    for (KernelColumn& rule : rules) {
        const std::string& id = rule.column.id;
        const bool tells = timed ? id == "hbm_bandwidth" || id == "hbm_share" : id == "hbm_bytes";
        if (tells && rule.column.place == ColumnPlace::detail) rule.column.place = ColumnPlace::main;
    }
}

}  // namespace

ColumnMembers::ColumnMembers(std::span<const KernelColumn> columns,
                             std::initializer_list<std::string_view> ids, std::string_view before) {
    for (const std::string_view id : ids) {
        const auto has_id = [&, whole = fmt::format("{}{}", before, id)](const KernelColumn& rule) {
            return rule.column.id == whole;
        };
        KernelColumn& rule = columns_.emplace_back(*std::ranges::find_if(columns, has_id));
        rule.column.id = fmt::format("{}{}", id, rule.column.unit == "s" ? "_s" : "");
    }
}

void ColumnMembers::write(JsonWriter& json, const KernelPoint& point) const {
    for (const KernelColumn& rule : columns_)
        json.member(rule.column.id, rule.number_of(point));
}

ReportCell own_or_shared_cell(const KernelPoint& point) {
    return recoverable_time(point) || !shared_recoverable(point) ? recoverable_cell(point)
                                                                 : word_cell(shared_text(point));
}

std::string by_less_words(const KernelPoint& point) {
    const std::optional<Gain> gain = gain_of(point);
    if (!gain || !gain->is_range()) return {};
    const auto saved = saved_by_fewer_bytes(point);
    if (!saved || saved->time < gain->most) return "with fewer launches";
    const std::string further = held_words(point, *saved);
    return fmt::format("with fewer {}{}{}", bytes_in_the_way(point, *saved), further.empty() ? "" : ", ",
                       further);
}

Origin bytes_origin(const KernelPoint& point, MemoryLevel level) {
    return point.at(level) ? point.at(level)->origin : Origin::measured;
}

std::vector<KernelColumn> point_columns(const AnalysisOptions& options) {
    return columns_of_points(options, true);
}

void number_launches(const Profile& profile, const Analysis& analysis, std::vector<KernelColumn>& columns) {
    KernelColumn& launch =
        *std::ranges::find(columns, "launch", [](const KernelColumn& rule) { return rule.column.id; });
    if (analysis.options.group_by != GroupBy::launch) {
        launch.column.place = ColumnPlace::files_only;
        return;
    }
    launch.cell = [&, numbers = std::make_shared<const LaunchNumbers>(profile)](const KernelPoint& point) {
        const auto launches = grouped_launches(analysis, point);
        if (launches.empty()) return does_not_apply();
        const std::uint32_t place = numbers->of(launches.front());
        return number_cell(place, std::to_string(place));
    };
}

std::vector<KernelColumn> report_columns(const Profile& profile, const Analysis& analysis) {
    std::vector<KernelColumn> rules = columns_of_points(
        analysis.options,
        std::ranges::any_of(analysis.points, [](const KernelPoint& p) { return p.target.has_value(); }));
    if (!analysis.several_reports)
        std::ranges::find(rules, "source", [](const KernelColumn& rule) {
            return rule.column.id;
        })->column.place = ColumnPlace::files_only;
    place_savings(analysis, rules);
    show_bytes_for_work(analysis, rules);
    add_columns_of_launches(profile, analysis, rules);
    return rules;
}

std::vector<KernelColumn> filter_columns(const Profile& profile, const Analysis& analysis) {
    std::vector<KernelColumn> rules = point_columns({});
    add_columns_of_launches(profile, analysis, rules);
    add_counters(profile, analysis, rules);
    rules.push_back(
        {{.id = "bound_roof",
          .title = "Bound by roof",
          .kind = ColumnKind::limit,
          .meaning = "The roof that binds, also where a unit that serves its bytes is nearer to its limit",
          .word = "bound.roof"},
         [](const KernelPoint& p) { return word_cell(binding_roof_label(p).value_or("")); }});
    rules.back().text = binding_roof_label;
    return rules;
}

}  // namespace roofwalk
