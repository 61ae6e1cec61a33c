// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/advice_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/advice/guide.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/model/kernel_name.h"
#include "core/model/partial_words.h"
#include "core/report/advice_words.h"
#include "core/report/markdown_text.h"
#include "core/report/text_width.h"
#include "core/roofline/missing.h"
#include "core/roofline/summary.h"

namespace roofwalk {

namespace {

std::string joined(const std::vector<std::string>& parts) {
    return fmt::format("{}", fmt::join(parts, "; "));
}

void add_command(AdviceReport& report, const Profile& profile, const Analysis& analysis) {
    std::vector<std::string> options;
    for (const AdvisedKernel& kernel : report.kernels)
        for (std::string& option : options_to_collect(kernel.advice))
            if (std::ranges::find(options, option) == options.end()) options.push_back(std::move(option));
    const bool lacks = std::ranges::any_of(analysis.points, [&](const KernelPoint& point) {
        return !missing_quantities(profile, point, analysis).empty();
    });
    if (options.empty() && !lacks) return;
    if (std::string why = why_not_collectable(profile, nullptr, analysis); !why.empty()) {
        report.before_collecting.push_back(std::move(why));
        return;
    }
    if (std::string why = why_nothing_was_counted(profile, analysis); !why.empty())
        report.before_collecting.push_back(std::move(why));
    report.command = one_line(ncu_command(profile, nullptr, analysis.options, analysis, options));
}

}  // namespace

AdviceReport advise_longest(const Profile& profile, const Analysis& analysis,
                            const AdviceThresholds& thresholds, std::size_t most) {
    AdviceReport report{thresholds, {}, {}, {}, partial_sentence(profile)};
    std::vector<std::uint32_t> order = points_by_time(analysis);
    if (most > 0 && order.size() > most) order.resize(most);
    for (const std::uint32_t index : order) {
        const KernelPoint& point = analysis.points[index];
        report.kernels.push_back({index, advise(profile, analysis, point, thresholds),
                                  reading_questions(point, analysis.options), level_reuse(point)});
    }
    add_command(report, profile, analysis);
    return report;
}

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

std::vector<Advice> warnings_of_one_kernel(const KernelAdvice& advice) {
    std::vector<Advice> warnings = advice.warnings;
    std::erase_if(warnings, [](const Advice& warning) { return warning.id == "not_exact"; });
    return warnings;
}

std::string time_words(const KernelPoint& point) {
    const std::string launches =
        fmt::format("{} {}", format_count(point.launches), point.launches == 1 ? "launch" : "launches");
    if (!point.time) return "time not measured, " + launches;
    return fmt::format("{} of the time, {}, {}", format_percent(point.time_share), format(*point.time),
                       launches);
}

std::string worth_words(const Advice& advice) {
    std::string words;
    if (advice.axis == AdviceAxis::both)
        words = "right and up";
    else if (advice.axis != AdviceAxis::none)
        words = id_of(advice.axis);
    if (advice.worth)
        words += fmt::format("{}up to {} {}", words.empty() ? "" : "; ", format_factor(advice.worth->factor),
                             advice.worth->of);
    return words;
}

std::string evidence_words(const Advice& advice) {
    std::vector<std::string> parts;
    for (const AdviceEvidence& evidence : advice.evidence)
        parts.push_back(to_text(evidence));
    return joined(parts);
}

std::string missing_words(const Advice& advice) {
    std::vector<std::string> parts;
    for (const MissingEvidence& missing : advice.missing)
        parts.push_back(missing.label);
    return joined(parts);
}

std::string place_words(Position position, const KernelPoint& point) {
    const auto& busy = point.verdict.busy;
    return fmt::format("{} ({}{})", guide_of(position).title, label_of(*point.binding),
                       busy ? fmt::format("; {} busy", label_of(busy->unit)) : "");
}

std::string no_position_words(const KernelPoint& point, const Thresholds& limits) {
    if (point.verdict.kernel_class == KernelClass::above_roof)
        return "Above its roof: no change of the kernel is advised before the figures are explained.";
    return "Not known (" + rule_text(point, limits) + ").";
}

std::string level_words(const KernelPoint& point) {
    const std::string reuse = reuse_sentence(point);
    const std::string binding = binding_sentence(point);
    return reuse + (reuse.empty() || binding.empty() ? "" : " ") + binding;
}

namespace {

constexpr std::size_t widest = 100;
constexpr std::size_t narrowest = 40;
constexpr std::size_t name_length = 80;

/// Paragraphs broken at the width of the page.
class Page {
  public:
    explicit Page(std::size_t width) : width_(width == 0 ? widest : std::clamp(width, narrowest, widest)) {}

    /// `head` stands in the first line before `text`; further lines begin below the text.
    void add(std::size_t indent, std::string_view head, std::string_view text) {
        if (text.empty()) return;
        std::string line = std::string(indent, ' ').append(head);
        const std::size_t hanging = display_width(line);
        std::size_t used = hanging;
        bool first = true;
        const std::string clean = one_line(text);
        for (std::string_view rest = clean; !rest.empty();) {
            const std::string_view word = rest.substr(0, rest.find(' '));
            rest.remove_prefix(std::min(rest.size(), word.size() + 1));
            const std::size_t wide = display_width(word);
            if (!first && used + 1 + wide > width_) {
                end(line);
                line.assign(hanging, ' ');
                used = hanging;
                first = true;
            }
            if (!first) line += ' ';
            line += word;
            used += wide + (first ? 0 : 1);
            first = false;
        }
        end(line);
    }
    /// A line to be copied, however long it is.
    void add_whole(std::string_view line) { text_.append(line).append(1, '\n'); }
    void gap() { text_ += '\n'; }

    [[nodiscard]] std::string take() { return std::move(text_); }

  private:
    void end(std::string& line) {
        line.erase(line.find_last_not_of(' ') + 1);
        text_ += line + '\n';
    }

    std::size_t width_;
    std::string text_;
};

void add_advice(Page& page, const Advice& advice) {
    const std::string worth = worth_words(advice);
    page.add(4, "* ", advice.title + (worth.empty() ? "" : " [" + worth + "]"));
    page.add(6, "", advice.text);
    for (const AdviceEvidence& evidence : advice.evidence)
        page.add(6, "= ", to_text(evidence) + ", " + evidence.metric);
    page.add(6, "", fmt::format("Rule {}: {}.", advice.id, advice.source));
}

void add_list(Page& page, std::string_view title, const std::vector<Advice>& list) {
    if (list.empty()) return;
    page.add(2, "", title);
    for (const Advice& advice : list)
        add_advice(page, advice);
}

void add_open(Page& page, const KernelAdvice& advice) {
    if (!advice.not_measured.empty()) {
        page.add(2, "", "May also be, but was not measured");
        for (const Advice& rule : advice.not_measured)
            page.add(4, "- ", rule.title + ": needs " + missing_words(rule));
    }
    if (!advice.ruled_out.empty()) {
        page.add(2, "", "Ruled out");
        for (const Advice& rule : advice.ruled_out)
            page.add(4, "- ", rule.title + ": " + evidence_words(rule));
    }
}

void add_position(Page& page, const KernelAdvice& advice, const KernelPoint& point,
                  const AnalysisOptions& options) {
    if (!advice.position) {
        page.add(2, "Position: ", no_position_words(point, options.thresholds));
        for (const std::string& cause : above_roof_causes(point))
            page.add(4, "- ", cause);
        return;
    }
    const KernelGuide guide = guide_of(advice, point, options);
    page.add(2, "Position: ",
             fmt::format("{}. {} {}", place_words(*advice.position, point), guide.symptom, guide.meaning));
    page.add(4, "First: ", guide.primary);
    page.add(4, "Then:  ", guide.secondary);
}

void add_kernel(Page& page, std::size_t number, const AdvisedKernel& kernel, const Analysis& analysis) {
    const KernelPoint& point = analysis.points[kernel.point];
    page.add(0, fmt::format("{}. ", number), shorten_kernel_name(one_line(point.name), name_length));
    page.add(2, "", time_words(point));
    page.add(2, "", sentence(point));
    for (const Answer& answer : kernel.answers)
        page.add(2, "", fmt::format("{} {}", answer.question, answer.answer));
    if (const std::string levels = level_words(point); !levels.empty()) page.add(2, "Levels: ", levels);
    add_position(page, kernel.advice, point, analysis.options);
    add_list(page, "Read the figures with care", warnings_of_one_kernel(kernel.advice));
    add_list(page, "What the counters indicate", kernel.advice.indicated);
    add_open(page, kernel.advice);
    page.gap();
}

}  // namespace

std::string to_text(const AdviceReport& report, const Analysis& analysis, std::size_t width) {
    Page page(width);
    std::size_t number = 0;
    for (const AdvisedKernel& kernel : report.kernels)
        add_kernel(page, ++number, kernel, analysis);
    page.add(0, "", report.partial);
    page.add(0, "", session_sentence(analysis));
    page.add(0, "", inexact_words(report, analysis));
    for (const std::string& sentence : report.before_collecting)
        page.add(0, "", sentence);
    if (!report.command.empty()) {
        page.add(0, "", "To collect what was not measured:");
        page.add_whole("  " + report.command);
    }
    return page.take();
}

namespace {

constexpr std::size_t longest_kernel_name = 80;

std::string paragraph(std::string_view text) {
    return escape_markdown(text) + "\n\n";
}

std::string item(std::string_view title, std::string_view text) {
    return fmt::format("- **{}**: {}\n", escape_markdown(title), escape_markdown(text));
}

std::string list(std::string_view title, const std::vector<Advice>& rules) {
    if (rules.empty()) return {};
    std::string text = fmt::format("### {}\n\n", title);
    for (const Advice& rule : rules) {
        const std::string worth = worth_words(rule);
        text += item(rule.title + (worth.empty() ? "" : " (" + worth + ")"), rule.text);
        for (const AdviceEvidence& evidence : rule.evidence)
            text += fmt::format("  - {}, `{}`\n", escape_markdown(to_text(evidence)), evidence.metric);
        text += fmt::format("  - rule `{}`: {}\n", rule.id, rule.source);
    }
    return text + "\n";
}

std::string open(const KernelAdvice& advice) {
    std::string text;
    if (!advice.not_measured.empty()) {
        text += "### Not measured\n\n";
        for (const Advice& rule : advice.not_measured)
            text += item(rule.title, "needs " + missing_words(rule));
        text += '\n';
    }
    if (!advice.ruled_out.empty()) {
        text += "### Ruled out\n\n";
        for (const Advice& rule : advice.ruled_out)
            text += item(rule.title, evidence_words(rule));
        text += '\n';
    }
    return text;
}

std::string position(const KernelAdvice& advice, const KernelPoint& point, const AnalysisOptions& options) {
    if (!advice.position) {
        std::string text = paragraph("Position: " + no_position_words(point, options.thresholds));
        for (const std::string& cause : above_roof_causes(point))
            text += "- " + escape_markdown(cause) + "\n";
        return text + (text.ends_with("\n\n") ? "" : "\n");
    }
    const KernelGuide guide = guide_of(advice, point, options);
    return fmt::format("**{}.** {}", place_words(*advice.position, point),
                       paragraph(fmt::format("{} {}", guide.symptom, guide.meaning))) +
           item("First", guide.primary) + item("Then", guide.secondary) + "\n";
}

std::string section(const AdvisedKernel& kernel, const Analysis& analysis) {
    const KernelPoint& point = analysis.points[kernel.point];
    std::string text =
        fmt::format("## {}\n\n", escape_markdown(shorten_kernel_name(point.name, longest_kernel_name)));
    text += paragraph(time_words(point)) + paragraph(sentence(point));
    for (const Answer& answer : kernel.answers)
        text += item(answer.question, answer.answer);
    text += '\n';
    if (const std::string levels = level_words(point); !levels.empty()) text += paragraph(levels);
    return text + position(kernel.advice, point, analysis.options) +
           list("Read the figures with care", warnings_of_one_kernel(kernel.advice)) +
           list("What the counters indicate", kernel.advice.indicated) + open(kernel.advice);
}

std::string of_the_whole(const AdviceReport& report, const Analysis& analysis) {
    std::string text;
    if (const std::string inexact = inexact_words(report, analysis); !inexact.empty())
        text += paragraph(inexact);
    for (const std::string& sentence : report.before_collecting)
        text += paragraph(sentence);
    if (!report.command.empty())
        text += fmt::format("To collect what was not measured:\n\n    {}\n\n", report.command);
    return text;
}

}  // namespace

std::string to_markdown(const AdviceReport& report, const Analysis& analysis) {
    std::string text = "# Advice\n\n";
    if (!report.partial.empty()) text += paragraph(report.partial);
    text += paragraph(session_sentence(analysis));
    for (const AdvisedKernel& kernel : report.kernels)
        text += section(kernel, analysis);
    text += of_the_whole(report, analysis);
    text.pop_back();
    return text;
}

namespace {

void write_position(JsonWriter& json, const KernelAdvice& advice, const KernelPoint& point,
                    const AnalysisOptions& options) {
    json.object_or_null("position", advice.position, [&](Position position) {
        const KernelGuide guide = guide_of(advice, point, options);
        json.member("id", position);
        json.member("title", guide.title);
        json.member("symptom", guide.symptom);
        json.member("meaning", guide.meaning);
        json.member("primary", guide.primary);
        json.member("secondary", guide.secondary);
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

void write_levels(JsonWriter& json, const KernelPoint& point, std::span<const LevelReuse> reuse) {
    json.object("levels", [&] {
        json.member("reuse_sentence", reuse_sentence(point));
        json.member("binding_sentence", binding_sentence(point));
        json.objects("reuse", reuse, [&](const LevelReuse& level) {
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
            json.member("option", missing.option);
        });
    });
}

void write_kernel(JsonWriter& json, const AdvisedKernel& kernel, const Profile& profile,
                  const Analysis& analysis) {
    const KernelPoint& point = analysis.points[kernel.point];
    json.member("name", point.name);
    json.member("device", device_of(profile, point, analysis).name);
    json.member("launches", point.launches);
    json.member("time_s", point.time);
    json.member("time_share", point.time ? std::optional(point.time_share) : std::nullopt);
    json.member("class", point.verdict.kernel_class);
    json.member("sentence", sentence(point));
    json.member("rule", rule_text(point, analysis.options.thresholds));
    write_answers(json, kernel.answers);
    write_levels(json, point, kernel.reuse);
    write_position(json, kernel.advice, point, analysis.options);
    json.member("above_roof", above_roof_causes(point));
    write_list(json, "warnings", kernel.advice.warnings);
    write_list(json, "indicated", kernel.advice.indicated);
    write_list(json, "not_measured", kernel.advice.not_measured);
    write_list(json, "ruled_out", kernel.advice.ruled_out);
    json.member("collect", fmt::format("{}", fmt::join(options_to_collect(kernel.advice), " ")));
}

}  // namespace

std::string to_json(const AdviceReport& report, const Profile& profile, const Analysis& analysis) {
    JsonWriter json;
    json.begin_object();
    json.line("format", "roofwalk-advice");
    json.member("version", 1);
    json.line("summary", session_sentence(analysis));
    json.member("partial", report.partial.empty() ? std::nullopt : std::optional(report.partial));
    json.next_line();
    json.object("thresholds", [&] {
        for (const ThresholdSpec& spec : advice_threshold_specs())
            json.member(spec.id, report.thresholds.*(spec.member));
    });
    json.next_line();
    json.object_lines("kernels", report.kernels,
                      [&](const AdvisedKernel& kernel) { write_kernel(json, kernel, profile, analysis); });
    json.line("before_collecting", report.before_collecting);
    json.line("command", report.command);
    json.next_line();
    json.end_object();
    json.end_line();
    return json.take();
}

}  // namespace roofwalk
