// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/kernel_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/advice/guide.h"
#include "core/advice/level_words.h"
#include "core/advice/questions.h"
#include "core/base/sentences.h"
#include "core/base/text.h"
#include "core/model/kernel_name.h"
#include "core/model/profile.h"
#include "core/operations/op_parser.h"
#include "core/operations/op_suggestions.h"
#include "core/operations/pytorch/pytorch_executions.h"
#include "core/report/advice_report.h"
#include "core/report/report_cells.h"
#include "core/report/report_columns.h"
#include "core/report/selection_page.h"
#include "core/roofline/group_totals.h"
#include "core/roofline/missing.h"
#include "core/roofline/ncu_command.h"
#include "core/roofline/summary.h"
#include "core/roofline/utilisation.h"
#include "core/roofline/verdict_words.h"
#include "core/scenario/move_words.h"

namespace roofwalk {

namespace {

/// Laying out a name of a megabyte would stop the window for seconds.
constexpr std::size_t longest_name_told = 4000;
constexpr std::size_t kernel_title_chars = 64;
constexpr std::size_t next_name_chars = 24;    // beside its time in a panel
constexpr std::size_t next_report_chars = 14;  // and of its report, where names are shorter still

template <class Q, class... Rest>
std::string text_or_absent(const std::optional<Q>& quantity, const Rest&... rest) {
    return quantity ? format(*quantity, rest...) : "–";
}

FactRow bound_row(const KernelPoint& point, const CeilingTarget& target, const std::string& amount,
                  const std::string& rate, const std::optional<Seconds>& bound) {
    const auto time = point.known_time();
    const bool timed = bound && time && time->value() > 0;
    const bool inexact = is_inexact(point, target);
    const auto ceiling = point.ceilings ? point.ceilings->find(target) : std::nullopt;
    const std::string note = ceiling ? describe(*ceiling->provenance) : std::string();
    // The amount takes two lines anyway: a name of two words then takes no wider column.
    std::string name = label_of(target, point.memory);
    std::ranges::replace(name, ' ', '\n');
    return {{{std::move(name), note},
             {fmt::format("{}\nat {}", marked_if(inexact, amount), rate), note},
             {bound ? marked_if(inexact, format(*bound)) : "–"},
             {timed ? marked(point, target, format_percent(*bound / *time)) : "–"}},
            point.binding == target};
}

bool counts(OperationClass operations, Pipe pipe) {
    if (operations == OperationClass::all) return true;
    return counts_integers(pipe) == (operations == OperationClass::integer);
}

/// Every lower bound of the time, and the pipes without work, which bound nothing.
void add_bounds(TextPage& page, const KernelPoint& point, OperationClass operations) {
    FactTable table{.headers = {"Ceiling", "Amount", "Least\ntime", "Of time"}};
    std::vector<std::string> idle;
    for (const PipeLoad& load : point.pipes) {
        if (!counts(operations, load.pipe)) continue;
        if (load.work.value() == 0) {
            idle.push_back(label_of(load.pipe));
            continue;
        }
        const std::string unit = counts_integers(load.pipe) ? "OP" : "FLOP";
        table.rows.push_back(bound_row(point, load.pipe, at_least(point, format(load.work, unit)),
                                       text_or_absent(load.ceiling, unit + "/s"), load.bound));
    }
    for (const auto& level : point.levels)
        if (level)
            table.rows.push_back(bound_row(point, level->boundary, format(level->bytes),
                                           text_or_absent(level->ceiling), level->bound));
    if (!table.rows.empty()) {
        page.add(BlockKind::heading, "Bounds");
        page.add(std::move(table));
    }
    if (!idle.empty()) page.add(BlockKind::note, fmt::format("No work: {}", fmt::join(idle, ", ")));
}

/// Intensity and bandwidth at every level; its bytes and its share of the ceiling stand among the bounds.
void add_levels(TextPage& page, const Profile& profile, const Analysis& analysis, const KernelPoint& point) {
    const std::string_view unit = work_unit(analysis.options.operations);
    const Launch& launch = leading_launch(profile, point, analysis);
    FactTable table{.headers = {"Level", fmt::format("AI\n[{}/byte]", unit), "Bandwidth"}};
    for (const auto& level : point.levels) {
        if (!level) continue;
        const TrafficSample* sample = launch.find(level->boundary);
        std::string note = fmt::format("{}: {}", name_of(level->boundary, point.memory),
                                       describe(level->boundary, point.memory));
        if (sample && sample->source != TextId::none)
            note += fmt::format("\nFrom {}", profile.texts.view(sample->source));
        std::string intensity = "–";
        if (point.work == Flops(0) && !point.uncounted.any())
            intensity = fmt::format("no {}", unit);
        else if (level->intensity)
            intensity = marked_intensity(point, level_of(level->boundary),
                                         at_least(point, format_number(level->intensity->value())));
        const MemoryLevel memory = level_of(level->boundary);
        const auto rate = point.bandwidth(memory);
        table.rows.push_back({{{name_of(level->boundary, point.memory), note},
                               {std::move(intensity)},
                               {rate ? marked(point, memory, format(*rate)) : "–"}},
                              point.binding == CeilingTarget(level->boundary)});
    }
    if (table.rows.empty()) return;
    page.add(BlockKind::heading, "Levels");
    page.add(std::move(table));
    page.add(BlockKind::text, directions_words(profile, analysis, point, {{true, true, true, true}}));
    page.add(BlockKind::text, reuse_sentence(point));
}

/// Lowest, middle and highest launch; nothing of one launch.
void add_spread(TextPage& page, const KernelPoint& point, OperationClass operations) {
    const std::string unit(work_unit(operations));
    const std::string memory(label_of(point.memory));
    FactTable table{.headers = {"", "lowest", "median", "highest"}};
    const bool work = has_inexact_work(point);
    const bool bytes = is_inexact(point, MemoryLevel::hbm);
    const auto add = [&](const std::string& name, const std::string& note, bool inexact,
                         const std::optional<Spread>& spread, auto words) {
        if (spread)
            table.rows.push_back({{{name, note},
                                   {marked_if(inexact, at_least(point, words(spread->min)))},
                                   {marked_if(inexact, at_least(point, words(spread->median)))},
                                   {marked_if(inexact, at_least(point, words(spread->max)))}}});
    };
    add("P", "Performance", point.time_doubted || work, point.performance_spread,
        [&](double value) { return format(FlopRate(value), unit + "/s"); });
    add("AI", fmt::format("Arithmetic intensity at {} [{}/byte]", memory, unit), bytes || work,
        point.intensity_spread, [](double value) { return format_number(value); });
    add(memory, memory + " bandwidth", point.time_doubted || bytes, point.bandwidth_spread,
        [](double value) { return format(ByteRate(value)); });
    if (table.rows.empty()) return;
    page.add(BlockKind::fold,
             point.launches_differ ? "Launches differ: figures are a mean" : "Spread over its launches",
             "spread");
    page.add(std::move(table));
}

std::span<const LaunchIndex> launches_of(const Analysis& analysis, const KernelPoint& point) {
    return analysis.grouping.launches_of(analysis.grouping.groups[point.group]);
}

std::string text_of(Dim3 size) {
    return fmt::format("{} × {} × {}", size.x, size.y, size.z);
}

/// Those of the launches of a kernel but for the contradiction that its advice tells, with each hint once,
/// which the advice may have told.
void add_warnings(TextPage& page, const Profile& profile, const Analysis& analysis, const KernelPoint& point,
                  const KernelAdvice& advice) {
    std::vector<LaunchIndex> launches(launches_of(analysis, point).begin(),
                                      launches_of(analysis, point).end());
    std::ranges::sort(launches);
    bool told =
        std::ranges::find(advice.warnings, "contradicting_counters", &Advice::id) != advice.warnings.end();
    std::set<std::string_view> hints;
    std::vector<std::string> lines;
    for (const Warning& warning : profile.warnings) {
        if (!concerns(warning, launches)) continue;
        Error line = message_of(warning);
        if (!hints.insert(warning.message.hint).second) line.hint.clear();
        if (line.code != ErrorCode::contradiction || !std::exchange(told, false))
            lines.push_back(to_line(line));
    }
    page.add_warnings(lines);
}

void add_missing(TextPage& page, const std::vector<MissingQuantity>& missing, const CollectCommand& collect) {
    if (missing.empty()) return;
    if (collect.command.empty()) {
        return page.add(
            BlockKind::note,
            fmt::format("Not measured: {}.{}{}", joined(missing, ", ", &MissingQuantity::quantity),
                        collect.before.empty() ? "" : " ", fmt::join(collect.before, " ")));
    }
    std::vector<std::pair<std::string_view, std::vector<std::string>>> by_section;
    std::vector<std::string> metrics;
    for (const MissingQuantity& quantity : missing) {
        auto of = std::ranges::find(by_section, quantity.section, [](const auto& one) { return one.first; });
        if (of == by_section.end()) of = by_section.insert(of, {quantity.section, {}});
        const std::string other = other_boundaries_words(quantity);
        of->second.push_back(quantity.quantity + (other.empty() ? "" : ", " + other));
        metrics.insert(metrics.end(), quantity.metrics.begin(), quantity.metrics.end());
    }
    std::string words;
    for (const auto& [section, quantities] : by_section)
        words += fmt::format("{}{}{}", words.empty() ? "" : "; ", joined_with_and(quantities),
                             section.empty() ? "" : fmt::format(", by ncu's {}", section));
    page.add(BlockKind::heading, "Not measured");
    page.add(BlockKind::text, short_sentences(words + ".", ClauseStart::name).text(), {},
             fmt::format("{}", fmt::join(metrics, ", ")));
    page.add_command(collect.before, "This command collects what is missing:", collect.command);
}

void add_move(TextPage& page, const MovedKernel& moved, const VerdictThresholds& thresholds) {
    const auto before = time_of_all(moved.model.measured, moved.model);
    const KernelState told = moved.in_program();
    const auto after = time_of_all(told, moved.model);
    const std::string there = verdict_words(told, moved.model, thresholds);
    const auto mark = [&](Seconds time) { return marked_if(moved.model.time_doubted, format(time)); };
    const std::string time = before && after ? mark(*after) + " instead of " + mark(*before) + ", " : "";
    page.add(BlockKind::text,
             fmt::format("The scenario moves this kernel on the chart: {}{}. Here it is as measured.", time,
                         there));
    if (const auto unpromised = time_of_all(moved.state, moved.model);
        unpromised && after && *unpromised < *after)
        page.add(BlockKind::text,
                 fmt::format("No roof promises the {} that it would take with its distance kept.",
                             mark(*unpromised)));
}

/// What became of a kernel since the oldest report that has it.
void add_change(TextPage& page, const KernelContext& context, std::uint32_t point) {
    const Comparison& comparison = *context.comparison;
    const KernelPath* path = path_to(comparison, point);
    if (!path) return page.add(BlockKind::text, "No older report has a kernel that is surely this one.");
    page.add(BlockKind::text,
             fmt::format("Since {}: {}.", context.older[path->first_run], change_text(path->whole)));
    for (const std::string& note :
         change_notes(comparison.first_run_of(*path), comparison.last_run_of(*path), path->whole))
        page.add(BlockKind::note, note);
}

struct FirstStep {
    bool measures = false;  ///< then the command stands there
    KernelGuide guide;
};

/// What to do first, and what it is worth for the program.
FirstStep add_first_step(TextPage& page, const KernelAdvice& advice, const Profile& profile,
                         const KernelPoint& point, const Analysis& analysis, const CollectCommand& collect) {
    FirstStep step;
    const std::string first = first_step(profile, point, analysis, advice);
    StepWorth worth = worth_without_position(first, point, analysis.total_time);
    if (advice.position) {
        step.guide = kernel_guide(advice, point, analysis.options);
        worth = first_step_worth(step.guide, point, analysis.total_time);
    }
    worth = told_worth(std::move(worth), point, analysis.options);
    page.add(BlockKind::question, first, "What first?");
    page.add(BlockKind::text, step.guide.numbers);
    const std::optional<WordedAction> roof = roof_action(profile, point, analysis);
    step.measures = !advice.position && point.verdict.launch_limits.empty() && !roof && !first.empty() &&
                    !collect.command.empty();
    if (step.measures)
        for (const std::string& before : collect.before)
            page.add(BlockKind::text, before);
    if (roof) page.add(BlockKind::action, std::string(roof->words), std::string(roof->action));
    if (step.measures)
        page.add(BlockKind::action, "Copy the command that measures it", std::string(copy_detail_action),
                 collect.command);
    page.add(BlockKind::question, std::move(worth.words), "What is it worth?");
    page.add(BlockKind::question, std::move(worth.recoverable), "Recoverable");
    return step;
}

/// ", launch 7" behind the name of a kernel, where rows are launches.
class LaunchWords {
  public:
    LaunchWords(const Profile& profile, const Analysis& analysis) : analysis_(analysis) {
        if (analysis.options.group_by == GroupBy::launch) numbers_.emplace(profile);
    }
    [[nodiscard]] std::string of(const KernelPoint& point) const {
        const std::span<const LaunchIndex> launches = launches_of(analysis_, point);
        return numbers_ && !launches.empty() ? fmt::format(", launch {}", numbers_->of(launches.front()))
                                             : "";
    }

  private:
    const Analysis& analysis_;
    std::optional<LaunchNumbers> numbers_;
};

/// A click away each.
void add_next(TextPage& page, const Profile& profile, const Analysis& analysis,
              const std::vector<std::uint32_t>& next) {
    if (next.empty()) return;
    page.add(BlockKind::heading, "Next kernels, with their recoverable time");
    const LaunchWords launches(profile, analysis);
    std::vector<std::string_view> names;
    for (const std::uint32_t index : next)
        names.push_back(analysis.points[index].name);
    const SimilarNames similar(names);
    const bool several = analysis.several_reports;
    const std::size_t name_chars = several ? next_name_chars * 3 / 4 : next_name_chars;
    for (const std::uint32_t index : next) {
        const KernelPoint& point = analysis.points[index];
        const std::string report = cut_middle(short_name_of_report(point), next_report_chars);
        const std::string launch = launches.of(point);
        page.add(BlockKind::action,
                 fmt::format("{}{}{}{}: {}", one_line(similar.shortened(point.name, name_chars)), launch,
                             several ? ", " : "", several ? report : "", own_or_shared_cell(point).text),
                 fmt::format("kernel_{}", index), point.name + launch + in_report(analysis, point));
    }
}

/// How far it is below its roof stands in the title; here is what the practical roof adds, unless a unit is
/// nearer to its limit than that roof.
void add_questions(TextPage& page, const KernelPoint& point, const AnalysisOptions& options) {
    const std::string practical = practical_text(point, options);
    const bool measured =
        point.gap && !point.modelled && point.verdict.kernel_class != KernelClass::above_roof;
    for (const Answer& answer : reading_questions(point, options)) {
        const bool roof = answer.id == "below_roof";
        if (roof && unit_beyond_roof(point)) continue;                    // the title tells both distances
        if (answer.id == "left_of_algorithm" && !point.target) continue;  // add_suggestion() asks
        if (answer.id == "side" && point.verdict.kernel_class == KernelClass::not_measured)
            continue;  // the title tells what is missing
        page.add(roof && !measured ? BlockKind::text : BlockKind::question, roof ? practical : answer.answer,
                 std::string(answer.question));
    }
    if (!point.target) return;
    for (const std::string& words : target_sentences(point, options))
        page.add(BlockKind::text, words);
}

/// What numbers say of a kernel without an operation that fits.
void add_suggestion(TextPage& page, const Profile& profile, const Analysis& analysis,
                    const KernelPoint& point) {
    if (point.target && !has_size_mismatch(point)) return;
    const Launch& launch = leading_launch(profile, point, analysis);
    const auto looks = evidence_of(profile, launch);
    if (!point.target)
        page.add(BlockKind::question,
                 looks ? "Not known until its operation is named."
                       : "Not known until its operation is named. Type it with its sizes, and press Enter.",
                 "More bytes than its algorithm needs?");
    if (!looks && !point.target)
        page.blocks.push_back({BlockKind::input, named_operation(profile.kernel_of(launch).name),
                               "Operation and its sizes", "gemm m=4096 n=4096 k=4096 dtype=fp16"});
    if (!looks) return;
    page.add(BlockKind::text,
             fmt::format("It looks like {}. The reason is that {}.{}", shown_operation(looks->operation),
                         looks->why,
                         point.launches > 1 ? " Each launch would get what its own numbers say." : ""));
    if (!point.target)
        page.add(BlockKind::action, "Accept this operation", std::string(accept_operation_action));
}

}  // namespace

FactTable launch_facts(const Profile& profile, const Analysis& analysis, const KernelPoint& point) {
    const Launch& launch = leading_launch(profile, point, analysis);
    const SourceInfo& source = profile.at(launch.source);
    FactTable table{.wide_column = 1};
    const auto add = [&](const char* name, std::string value, std::string note = {}) {
        if (!value.empty()) table.rows.push_back({{{name}, {std::move(value), std::move(note)}}});
    };
    const std::string failed = point.failed > 0 ? fmt::format(", {} not measured", point.failed) : "";
    if (launch.kind != LaunchKind::kernel) add("Kind", std::string(label_of(launch.kind)));
    add("Launches", format_count(point.launches) + failed);
    add(point.known ? "Figures of" : "Judged by", known_launches_words(point),
        point.known
            ? "Every figure is of these, but the time of all, and throughput where none of them has any."
            : "");
    if (point.launches == 1)
        add("Launch number",
            fmt::format("{}", LaunchNumbers(profile).of(launches_of(analysis, point).front())),
            "In the order of its file, from 0.");
    add("Grid", text_of(launch.grid));
    add("Block", text_of(launch.block));
    add("Device", profile.device_of(launch).name);
    if (launch.clocks_locked) add("Clocks", *launch.clocks_locked ? "locked" : "not locked");
    add("NVTX", fmt::format("{}", fmt::join(profile.nvtx_of(launch), " / ")));
    if (launch.stream != 0) add("Stream", fmt::format("{}", launch.stream));
    add("Report", std::string(name_of_report(point)), source.path);
    if (launch.duration_source != TextId::none)
        add("Time from", std::string(profile.texts.view(launch.duration_source)));
    if (point.time && point.time_origin != TimeOrigin::measured)
        add("Time origin", point.time_origin == TimeOrigin::derived ? "from cycles" : "of a like launch",
            "Not by a timer.");
    add("Written by", source.tool);
    return table;
}

std::optional<WordedAction> roof_action(const Profile& profile, const KernelPoint& point,
                                        const Analysis& analysis) {
    if (!lacks_only_a_ceiling(point)) return std::nullopt;
    if (device_of(profile, point, analysis).name.empty())
        return WordedAction{name_device_action, "Choose the GPU"};
    return WordedAction{"dock_ceilings", "Ceilings"};
}

TextPage kernel_page(const Profile& profile, const Analysis& analysis, std::uint32_t index,
                     const KernelContext& context) {
    const KernelPoint& point = analysis.points[index];
    const AnalysisOptions& options = analysis.options;
    const MovedKernel* moved = context.scenario ? context.scenario->moved_kernel(index) : nullptr;
    TextPage page{.subject = point.name};
    const Sentences verdict = verdict_sentences(point);
    const auto [headline, rest] = moved ? short_sentences("Measured: " + verdict.text()) : verdict;
    page.add(BlockKind::title, headline);
    page.add(BlockKind::note,
             shorten_kernel_name(point.name, kernel_title_chars) + LaunchWords(profile, analysis).of(point) +
                 (point.launches > 1 ? fmt::format(", {} launches", format_count(point.launches)) : "") +
                 in_report(analysis, point));
    if (point.mostly_integer && options.operations == OperationClass::floating)
        page.add(BlockKind::action, "Count integer operations", std::string(integer_operations_action));
    if (point.time) page.add(BlockKind::text, untimed_words(analysis));
    if (moved) add_move(page, *moved, options.thresholds);
    if (context.comparison) add_change(page, context, index);
    for (const std::string& cause : above_roof_causes(point, device_of(profile, point, analysis)))
        page.add(BlockKind::text, cause);
    if (const std::string words = unchecked_words(point); !words.empty())
        page.add(BlockKind::text, fmt::format("Of it {}.", words));
    const KernelAdvice advice = advise(profile, analysis, point, context.thresholds);
    const auto missing = missing_quantities(profile, point, analysis);
    const auto further = options_to_collect(advice);
    CollectCommand collect;
    if (!missing.empty() || !further.empty())
        collect = collect_command(profile, &point, analysis, further, Audience::window);
    const FirstStep step = add_first_step(page, advice, profile, point, analysis, collect);
    if (step.measures) collect = {};
    // What a click accepts stands in sight, above what is read later.
    const bool accepts = !point.target && evidence_of(profile, leading_launch(profile, point, analysis));
    if (accepts) add_suggestion(page, profile, analysis, point);
    add_next(page, profile, analysis, context.next);
    page.add(BlockKind::question, rest, "Why?");
    page.add(rest.empty() ? BlockKind::question : BlockKind::text, step.guide.meaning, "Why?");
    page.add(BlockKind::question, step.guide.secondary, "What then?");
    add_questions(page, point, options);
    if (!accepts) add_suggestion(page, profile, analysis, point);
    if (!point.target)
        page.add(BlockKind::text, unsized_words(profile, leading_launch(profile, point, analysis)));
    page.add(BlockKind::action, "Operation of the kernel…", "change_operation");
    add_missing(page, missing, collect);
    add_bounds(page, point, options.operations);
    add_levels(page, profile, analysis, point);
    add_spread(page, point, options.operations);
    add_advice(page, advice, missing.empty() ? collect : CollectCommand(), step.guide.numbers);
    page.add(BlockKind::action, "Thresholds…", std::string(thresholds_action));
    page.add(BlockKind::fold, "Rule of its class", "rule");
    page.add(BlockKind::text, rule_text(point, options.thresholds));
    add_warnings(page, profile, analysis, point, advice);
    page.add(BlockKind::fold, "Launch", "launch");
    page.add(launch_facts(profile, analysis, point));
    if (std::string whole = shorten_kernel_name(point.name, longest_name_told);
        whole != shorten_kernel_name(point.name, kernel_title_chars))
        page.add(BlockKind::note, std::move(whole));
    return page;
}

}  // namespace roofwalk
