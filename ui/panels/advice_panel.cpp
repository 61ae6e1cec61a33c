// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/advice_panel.h"

#include "core/report/advice_report.h"
#include "ui/workspace/document.h"

namespace roofwalk {

AdvicePanel::AdvicePanel(Document& document, QWidget* parent)
    : TextPageView(tr("Advice on the selected kernel"), parent), document_(document) {
    connect(&document_, &Document::selection_changed, this, &AdvicePanel::show_document);
    connect(&document_, &Document::matches_changed, this, &AdvicePanel::show_document);
    connect(&document_, &Document::advice_thresholds_changed, this, &AdvicePanel::show_document);
    connect(&document_, &Document::what_if_changed, this, &AdvicePanel::show_document);
}

void AdvicePanel::showEvent(QShowEvent* event) {
    show_document();
    TextPageView::showEvent(event);
}

void AdvicePanel::show_document() {
    if (!is_seen(*this)) return;
    TextPage page;
    if (document_.selected_point()) {
        const std::uint32_t point = *document_.selection();
        page = advice_page(*document_.profile(), *document_.analysis(), point, document_.spec().thresholds,
                           document_.result().what_if->effect.moved_kernel(point) != nullptr);
        page.add(BlockKind::action, "Thresholds…", "thresholds");
    } else {
        page.add(BlockKind::note, "Select a kernel to see what limits it and what to try first.");
    }
    show_page(page);
}

}  // namespace roofwalk
