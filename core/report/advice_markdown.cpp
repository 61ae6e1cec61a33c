// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/advice/guide.h"
#include "core/model/kernel_name.h"
#include "core/report/advice_words.h"
#include "core/report/markdown_text.h"
#include "core/roofline/summary.h"

namespace roofwalk {

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
    const KernelGuide guide = guide_of(advice, point, options.practical_limits);
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

}  // namespace roofwalk
