// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/advice_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/advice/level_words.h"
#include "core/advice/questions.h"
#include "core/base/json_writer.h"
#include "core/base/sentences.h"
#include "core/base/text.h"
#include "core/model/kernel_name.h"
#include "core/model/source_names.h"
#include "core/operations/pytorch/pytorch_executions.h"
#include "core/report/report_columns.h"
#include "core/roofline/missing.h"
#include "core/roofline/summary.h"
#include "core/roofline/verdict_words.h"

namespace roofwalk {

namespace {

constexpr std::size_t name_length = 80;

void add_command(AdviceReport& report, const Profile& profile, const Analysis& analysis) {
    std::vector<NcuOption> options;
    for (const AdvisedKernel& kernel : report.kernels)
        for (NcuOption& option : options_to_collect(kernel.advice))
            if (std::ranges::find(options, option) == options.end()) options.push_back(std::move(option));
    const bool lacks = std::ranges::any_of(analysis.points, [&](const KernelPoint& point) {
        return !missing_quantities(profile, point, analysis).empty();
    });
    if (!options.empty() || lacks) report.collect = collect_command(profile, nullptr, analysis, options);
}

/// The figures of a report that are no exact counts, and of which kernels, by number; empty without any.
std::string inexact_words(const AdviceReport& report, const Analysis& analysis) {
    std::vector<std::string> figures;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < report.kernels.size(); ++i) {
        const auto found = inexact_figures(analysis.points[report.kernels[i].point]);
        if (!found.empty()) numbers.push_back(i + 1);
        for (const std::string& figure : found)
            if (std::ranges::find(figures, figure) == figures.end()) figures.push_back(figure);
    }
    if (numbers.empty()) return {};
    const std::string where = numbers.size() == report.kernels.size()
                                  ? std::string("of every kernel above")
                                  : fmt::format("of kernel {}", fmt::join(numbers, ", "));
    return fmt::format(
        "Figures {} that are no exact counts: {}. They may be off, and with them the place of the "
        "kernel.",
        where, fmt::join(figures, ", "));
}

/// "61.0 % of the time, 195 µs, 3 launches"
std::string time_words(const KernelPoint& point) {
    const std::string launches =
        fmt::format("{} {}", format_count(point.launches), point.launches == 1 ? "launch" : "launches");
    if (!point.time) return "time not measured, " + launches;
    return fmt::format("{} of the time, {}, {}",
                       marked_if(point.share_doubted, format_percent(point.time_share)),
                       marked_if(point.time_doubted, format(*point.time)), launches);
}

/// "right; up to 1.41x fewer sectors"; empty where the rule moves nothing.
std::string worth_words(const Advice& advice) {
    std::string words;
    if (advice.axis == AdviceAxis::both)
        words = "right and up";
    else if (advice.axis != AdviceAxis::none)
        words = id_of(advice.axis);
    if (advice.worth)
        words += fmt::format("{}up to {} {}", words.empty() ? "" : "; ",
                             marked_if(advice.worth->approximate, format_factor(advice.worth->factor)),
                             advice.worth->of);
    return words;
}

/// Why a kernel has no position.
std::string no_position_words(const KernelPoint& point, const VerdictThresholds& limits) {
    if (point.verdict.kernel_class == KernelClass::above_roof)
        return "Above its roof: no change of the kernel is advised before the figures are explained.";
    const std::string rule = rule_text(point, limits);
    return (point.verdict.launch_limits.empty() ? "Not known (" : "Known launch by launch (") + rule + ").";
}

/// `then` follows, where something does.
void add_steps(TextPage& page, const std::string& first, StepWorth worth, const std::string& then,
               const KernelPoint& point, const AnalysisOptions& options) {
    worth = told_worth(std::move(worth), point, options);
    page.add(BlockKind::step, first, "First");
    page.add(BlockKind::step, std::move(worth.words), "Worth");
    page.add(BlockKind::step, std::move(worth.recoverable), "Recoverable");
    page.add(BlockKind::step, then, "Then");
}

/// Without the figures that `told` holds.
void add_findings(TextPage& page, std::string title, const std::vector<Advice>& list, std::string_view told) {
    if (list.empty()) return;
    page.add(BlockKind::section, std::move(title));
    for (const Advice& advice : list) {
        page.add(BlockKind::finding, advice.text, advice.title, worth_words(advice));
        for (const AdviceEvidence& evidence : advice.evidence)
            if (const std::string figure = to_text(evidence);
                told.find(capitalised(figure)) == std::string_view::npos)
                page.add(BlockKind::figure, figure, {}, evidence.metric);
        page.add(BlockKind::source, advice.source, std::string(advice.id));
    }
}

void add_not_measured(TextPage& page, const KernelAdvice& advice) {
    if (!advice.not_measured.empty())
        page.add(BlockKind::fold, "May also be, but was not measured", "not_measured");
    for (const Advice& rule : advice.not_measured) {
        page.add(BlockKind::item, "needs " + joined(rule.missing, "; ", &MissingEvidence::label), rule.title);
    }
}

void add_ruled_out(TextPage& page, const KernelAdvice& advice) {
    if (!advice.ruled_out.empty()) page.add(BlockKind::fold, "Ruled out", "ruled_out");
    for (const Advice& rule : advice.ruled_out) {
        const auto text_of = [](const AdviceEvidence& evidence) { return to_text(evidence); };
        page.add(BlockKind::minor_item, joined(rule.evidence, "; ", text_of), rule.title);
    }
}

void add_kernel(TextPage& page, std::size_t number, const AdvisedKernel& kernel, const Analysis& analysis) {
    const KernelPoint& point = analysis.points[kernel.point];
    KernelAdvice advice = kernel.advice;
    page.add(BlockKind::title,
             shorten_kernel_name(one_line(point.name), name_length) + in_report(analysis, point),
             std::to_string(number));
    page.add(BlockKind::text, time_words(point));
    page.add(BlockKind::text, verdict_sentences(point).text());
    for (const Answer& answer : reading_questions(point, analysis.options))
        page.add(BlockKind::question, answer.answer, std::string(answer.question));
    page.add(BlockKind::text, kernel.unsized);
    if (point.target) page.add(BlockKind::entry, operation_sentence(*point.target), "Operation");
    const std::string reuse = reuse_sentence(point);
    const std::string binding = binding_sentence(point);
    page.add(BlockKind::entry, reuse + (reuse.empty() || binding.empty() ? "" : " ") + binding, "Levels");
    if (advice.position) {
        const KernelGuide guide = kernel_guide(advice, point, analysis.options);
        page.add(BlockKind::entry,
                 fmt::format("{}. {} {}", place_words(*advice.position, point), guide.symptom, guide.meaning),
                 "Position");
        add_steps(page, guide.primary, first_step_worth(guide, point, analysis.total_time), guide.secondary,
                  point, analysis.options);
    } else {
        page.add(BlockKind::entry, no_position_words(point, analysis.options.thresholds), "Position");
        for (const std::string& cause : kernel.above_roof)
            page.add(BlockKind::item, cause);
        add_steps(page, kernel.first, worth_without_position(kernel.first, point, analysis.total_time), {},
                  point, analysis.options);
    }
    // Of figures that are no exact counts the report speaks once.
    std::erase_if(advice.warnings, [](const Advice& warning) { return warning.id == "not_exact"; });
    add_advice(page, advice);
}

/// What the session could gain comes first.
TextPage kernels_page(const AdviceReport& report, const Analysis& analysis) {
    TextPage page;
    page.add(BlockKind::text, report.partial);
    page.add(BlockKind::text, whole_session_sentence(analysis));
    page.add(BlockKind::text, report.clock);
    std::size_t number = 0;
    for (const AdvisedKernel& kernel : report.kernels)
        add_kernel(page, ++number, kernel, analysis);
    return page;
}

TextPage collecting_page(const AdviceReport& report, const Analysis& analysis) {
    TextPage page;
    page.add(BlockKind::text, inexact_words(report, analysis));
    page.add_command(report.collect.before, "To collect what was not measured:", report.collect.command);
    return page;
}

void write_worth(JsonWriter& json, std::string_view key, const std::optional<StepSaving>& saving) {
    json.object_or_null(key, saving && saving->time ? saving : std::nullopt, [&](const StepSaving& worth) {
        json.member("time_s", worth.time);
        json.member("at_stake", worth.at_stake);
        json.member("sentence", worth.words);
    });
}

void write_position(JsonWriter& json, const KernelAdvice& advice, const KernelPoint& point,
                    const Analysis& analysis) {
    json.object_or_null("position", advice.position, [&](RoofPosition position) {
        const KernelGuide guide = kernel_guide(advice, point, analysis.options);
        const auto saves = [&](const StepEffect& step) {
            return saving_of(step, point, analysis.total_time);
        };
        json.member("id", position);
        json.member("title", guide.title);
        json.member("symptom", guide.symptom);
        json.member("meaning", guide.meaning);
        json.member("primary", guide.primary);
        StepSaving first = saves(guide.first);
        first.words = first_step_worth(guide, point, analysis.total_time).words;
        write_worth(json, "primary_worth", first);
        json.member("secondary", guide.secondary);
        write_worth(json, "secondary_worth", guide.then ? std::optional(saves(*guide.then)) : std::nullopt);
    });
}

void write_answers(JsonWriter& json, std::span<const Answer> answers) {
    json.objects("questions", answers, [&](const Answer& answer) {
        json.member("id", answer.id);
        json.member("question", answer.question);
        json.member("answer", answer.answer);
        json.objects("figures", answer.figures, [&](const AnswerFigure& figure) {
            json.member("id", figure.id);
            json.member("value", figure.value);
            json.member("unit", figure.unit);
        });
    });
}

void write_level_reuse(JsonWriter& json, const KernelPoint& point) {
    json.object("levels", [&] {
        json.member("reuse_sentence", reuse_sentence(point));
        json.member("binding_sentence", binding_sentence(point));
        json.objects("reuse", level_reuse(point), [&](const LevelReuse& level) {
            json.member("from", level.from);
            json.member("level", level.level);
            json.member("factor", level.factor);
        });
    });
}

void write_list(JsonWriter& json, std::string_view key, std::span<const Advice> list) {
    json.next_line();
    json.objects(key, list, [&](const Advice& advice) {
        json.member("rule", advice.id);
        json.member("list", advice.list);
        json.member("axis", advice.axis);
        json.member("title", advice.title);
        json.member("text", advice.text);
        json.member("source", advice.source);
        json.objects("evidence", advice.evidence, [&](const AdviceEvidence& evidence) {
            json.member("label", evidence.label);
            json.member("metric", evidence.metric);
            json.member("value", evidence.value);
            json.member("unit", evidence.unit);
            json.member("threshold", evidence.threshold);
        });
        json.object_or_null("worth", advice.worth, [&](const auto& worth) {
            json.member("factor", worth.factor);
            json.member("of", worth.of);
        });
        json.objects("missing", advice.missing, [&](const MissingEvidence& missing) {
            json.member("label", missing.label);
            json.member("metric", missing.metric);
            json.member("option", to_text(missing.option));
        });
    });
}

void write_kernel(JsonWriter& json, const AdvisedKernel& kernel, const Profile& profile,
                  const Analysis& analysis) {
    const KernelPoint& point = analysis.points[kernel.point];
    json.member("name", point.name);
    json.member("source", name_of_report(point));
    json.member("device", device_of(profile, point, analysis).name);
    json.member("launches", point.launches);
    json.member("time_s", point.time);
    json.member("time_doubted", point.time_doubted);
    json.member("time_share", point.time ? std::optional(point.time_share) : std::nullopt);
    json.member("recoverable_time_s", recoverable_time(point));
    json.member("recoverable", recoverable_words(point, analysis.total_time));
    json.member("class", point.verdict.kernel_class);
    json.member("sentence", verdict_sentences(point).text());
    json.member("rule", rule_text(point, analysis.options.thresholds));
    json.member("operation", point.target ? std::optional(operation_sentence(*point.target)) : std::nullopt);
    write_answers(json, reading_questions(point, analysis.options));
    write_level_reuse(json, point);
    write_position(json, kernel.advice, point, analysis);
    json.member("first", kernel.first);
    json.member("above_roof", kernel.above_roof);
    write_list(json, "warnings", kernel.advice.warnings);
    write_list(json, "indicated", kernel.advice.indicated);
    write_list(json, "not_measured", kernel.advice.not_measured);
    write_list(json, "ruled_out", kernel.advice.ruled_out);
    json.member("collect", joined(options_to_collect(kernel.advice), " ",
                                  [](const NcuOption& option) { return to_text(option); }));
}

}  // namespace

StepWorth told_worth(StepWorth worth, const KernelPoint& point, const AnalysisOptions& options) {
    std::string& room = worth.recoverable.empty() ? worth.words : worth.recoverable;
    if (!room.empty()) room += practical_part_words(point, options);
    const std::optional<Gain> gain = gain_of(point);
    const bool told = worth.most && gain && !Gain{*worth.most, gain->most}.is_range();
    if (!gain || !gain->is_range() || (told && worth.recoverable.empty())) return worth;
    room = fmt::format("{}. {}", recoverable_cell(point).text, room);
    if (!told) room += fmt::format(" Up to the second figure {}.", by_less_words(point));
    return worth;
}

AdviceReport advise_ranked(const Profile& profile, const Analysis& analysis,
                           const AdviceThresholds& thresholds, std::size_t most) {
    AdviceReport report{thresholds, {}, {}, partial_sentence(profile), clock_sentences(profile, analysis)};
    std::vector<std::uint32_t> order = ranked_points(analysis);
    if (most > 0 && order.size() > most) order.resize(most);
    for (const std::uint32_t index : order) {
        const KernelPoint& point = analysis.points[index];
        KernelAdvice advice = advise(profile, analysis, point, thresholds);
        std::string first = first_step(profile, point, analysis, advice);
        std::string unsized =
            point.target ? "" : unsized_words(profile, leading_launch(profile, point, analysis));
        report.kernels.push_back({index, std::move(advice), std::move(first), std::move(unsized),
                                  above_roof_causes(point, device_of(profile, point, analysis))});
    }
    add_command(report, profile, analysis);
    return report;
}

std::string place_words(RoofPosition position, const KernelPoint& point) {
    const std::string roof = roof_beside(point);
    const auto limit = tightest_limit(point);
    if (position == RoofPosition::below_both || !limit || !std::holds_alternative<HardwareUnit>(limit->of))
        return fmt::format("{} ({}{}{})", position_guide(position).title, limit_label(point),
                           roof.empty() ? "" : "; ", roof);
    const bool at = position == RoofPosition::at_memory_roof || position == RoofPosition::at_compute_roof;
    return fmt::format("{} the peak throughput of {}{}", at ? "At" : "Below", limit_label(point),
                       roof.empty() ? "" : " (" + roof + ")");
}

void add_advice(TextPage& page, const KernelAdvice& advice, const CollectCommand& collect,
                std::string_view told) {
    add_findings(page, "Read the figures with care", advice.warnings, told);
    add_findings(page, "What the counters indicate", advice.indicated, told);
    add_not_measured(page, advice);
    page.add_command(collect.before, "This command collects it:", collect.command);
    add_ruled_out(page, advice);
}

std::string to_text(const AdviceReport& report, const Analysis& analysis, std::size_t width) {
    return to_text(kernels_page(report, analysis), width) + to_text(collecting_page(report, analysis), width);
}

std::string to_markdown(const AdviceReport& report, const Analysis& analysis) {
    TextPage page = kernels_page(report, analysis);
    page.add(collecting_page(report, analysis));
    return "# Advice\n\n" + to_markdown(page);
}

std::string to_json(const AdviceReport& report, const Profile& profile, const Analysis& analysis) {
    return json_document([&](JsonWriter& json) {
        json.line("format", "roofwalk-advice");
        json.member("version", 1);
        json.line("summary", session_sentence(analysis));
        json.member("recoverable", recoverable_sentences(analysis).text());
        json.member("clock", report.clock);
        json.member("partial", report.partial.empty() ? std::nullopt : std::optional(report.partial));
        json.next_line();
        json.object("thresholds", [&] {
            for (const ThresholdSpec& spec : advice_threshold_specs())
                json.member(spec.id, report.thresholds.*(spec.member));
        });
        json.next_line();
        json.object_lines("kernels", report.kernels, [&](const AdvisedKernel& kernel) {
            write_kernel(json, kernel, profile, analysis);
        });
        json.line("before_collecting", report.collect.before);
        json.line("command", report.collect.command);
        json.next_line();
    });
}

}  // namespace roofwalk
