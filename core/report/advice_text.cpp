// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "core/advice/guide.h"
#include "core/base/text.h"
#include "core/model/kernel_name.h"
#include "core/report/advice_words.h"
#include "core/report/text_width.h"
#include "core/roofline/summary.h"

namespace roofwalk {

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
    const KernelGuide guide = guide_of(advice, point, options.practical_limits);
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

}  // namespace roofwalk
