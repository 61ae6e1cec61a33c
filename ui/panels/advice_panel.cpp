// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/advice_panel.h"

#include <QPushButton>

#include "core/advice/guide.h"
#include "core/model/kernel_name.h"
#include "core/report/advice_words.h"
#include "core/roofline/missing.h"
#include "ui/widgets/qt_text.h"
#include "ui/workspace/document.h"

namespace roofwalk {

namespace {
constexpr std::size_t title_chars = 64;
}

AdvicePanel::AdvicePanel(Document& document, QWidget* parent)
    : PanelPage(tr("Advice on the selected kernel"), parent), document_(document) {
    connect(&document_, &Document::selection_changed, this, &AdvicePanel::show_document);
    connect(&document_, &Document::matches_changed, this, &AdvicePanel::show_document);
    connect(&document_, &Document::advice_thresholds_changed, this, &AdvicePanel::show_document);
    connect(&document_, &Document::what_if_changed, this, &AdvicePanel::show_document);
}

void AdvicePanel::showEvent(QShowEvent* event) {
    show_document();
    PanelPage::showEvent(event);
}

void AdvicePanel::show_document() {
    if (!is_seen(*this)) return;
    clear();
    if (const KernelPoint* point = document_.selected_point())
        show_kernel(*point);
    else
        add_faint_text(tr("Select a kernel to see what limits it and what to try first."));
    finish();
}

void AdvicePanel::show_kernel(const KernelPoint& point) {
    const KernelAdvice advice =
        advise(*document_.profile(), *document_.analysis(), point, document_.spec().thresholds);
    show_position(point, advice);
    if (document_.result().what_if->effect.moved_kernel(*document_.selection()))
        add_text(tr("The scenario moves this kernel on the chart. Here it is as measured."));
    show_list(tr("Read the figures with care"), advice.warnings);
    show_list(tr("What the counters indicate"), advice.indicated);
    show_not_measured(point, advice);
    show_ruled_out(advice);
    connect(add_button("thresholds", tr("Thresholds…")), &QPushButton::clicked, this,
            &AdvicePanel::thresholds_requested);
}

void AdvicePanel::show_position(const KernelPoint& point, const KernelAdvice& advice) {
    const QString name = to_qt(shorten_kernel_name(point.name, title_chars));
    if (!advice.position) {
        add_title(tr("No position"));
        add_faint_text(name);
        add_text(to_qt(no_position_words(point, document_.analysis()->options.thresholds)));
        for (const std::string& cause : above_roof_causes(point))
            add_text(to_qt(cause));
        return;
    }
    const KernelGuide guide = guide_of(advice, point, document_.analysis()->options);
    add_title(to_qt(guide.title));
    add_faint_text(name);
    add_text(tr("%1 %2").arg(to_qt(guide.symptom), to_qt(guide.meaning)));
    add_heading(tr("First"));
    add_text(to_qt(guide.primary));
    add_heading(tr("Then"));
    add_text(to_qt(guide.secondary));
}

void AdvicePanel::show_list(const QString& heading, const std::vector<Advice>& list) {
    if (list.empty()) return;
    add_section(heading);
    for (const Advice& advice : list) {
        add_heading(to_qt(advice.title));
        if (const std::string worth = worth_words(advice); !worth.empty()) add_faint_text(to_qt(worth));
        add_text(to_qt(advice.text));
        for (const AdviceEvidence& evidence : advice.evidence) {
            add_text(to_qt(to_text(evidence)));
            add_faint_text(to_qt(evidence.metric));
        }
    }
}

void AdvicePanel::show_not_measured(const KernelPoint& point, const KernelAdvice& advice) {
    if (advice.not_measured.empty()) return;
    add_section(tr("May also be, but was not measured"));
    for (const Advice& rule : advice.not_measured)
        add_text(tr("%1: needs %2").arg(to_qt(rule.title), to_qt(missing_words(rule))));
    const std::vector<std::string> options = options_to_collect(advice);
    if (options.empty()) return;
    if (const std::string why = why_not_collectable(*document_.profile(), &point, *document_.analysis());
        !why.empty())
        return add_text(to_qt(why));
    add_text(tr("This command collects it:"));
    add_command(to_qt(ncu_command(*document_.profile(), &point, document_.analysis()->options,
                                  *document_.analysis(), options)));
}

void AdvicePanel::show_ruled_out(const KernelAdvice& advice) {
    if (advice.ruled_out.empty()) return;
    add_section(tr("Ruled out"));
    for (const Advice& rule : advice.ruled_out)
        add_faint_text(tr("%1: %2").arg(to_qt(rule.title), to_qt(evidence_words(rule))));
}

}  // namespace roofwalk
