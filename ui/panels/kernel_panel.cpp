// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/kernel_panel.h"

#include <QEvent>
#include <algorithm>
#include <utility>

#include "core/report/kernel_page.h"
#include "core/report/selection_page.h"
#include "core/roofline/verdict.h"
#include "ui/kernels/class_glyph.h"
#include "ui/widgets/theme.h"
#include "ui/workspace/document.h"

namespace roofwalk {

namespace {
constexpr int sign_side = 14;
constexpr std::size_t most_next = 3;

/// Those to look at besides the selected one.
std::vector<std::uint32_t> next_kernels(const Document& document) {
    std::vector<std::uint32_t> ranked = matching_ranked(document.result());
    std::erase_if(ranked, [&](std::uint32_t point) {
        const auto worth = recoverable_time(document.analysis()->points[point]);
        return point == *document.selection() || !worth || worth->value() <= 0;
    });
    ranked.resize(std::min(ranked.size(), most_next));
    return ranked;
}
}  // namespace

KernelPanel::KernelPanel(Document& document, QWidget* parent)
    : TextPageView(tr("Selected kernel"), parent), document_(document) {
    connect(&document_, &Document::selection_changed, this, &KernelPanel::show_document);
    for (const auto signal : {&Document::matches_changed, &Document::advice_thresholds_changed,
                              &Document::what_if_changed, &Document::comparison_changed})
        connect(&document_, signal, this, &KernelPanel::show_soon);
    connect(this, &TextPageView::action_requested, this, [this](const QString& action) {
        const QString kernel = QStringLiteral("kernel_");
        if (!action.startsWith(kernel)) return emit kernel_action_requested(action);
        const std::uint32_t point = action.mid(kernel.size()).toUInt();
        if (document_.analysis() && point < document_.analysis()->points.size()) document_.select(point);
    });
    show_document();
}

void KernelPanel::changeEvent(QEvent* event) {
    TextPageView::changeEvent(event);
    // Later: whoever changes the palette of all widgets must still find those of this page.
    if (event->type() == QEvent::PaletteChange) show_soon();
}

void KernelPanel::show_soon() {
    if (std::exchange(stale_, true)) return;
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (stale_) show_document();
        },
        Qt::QueuedConnection);
}

void KernelPanel::show_document() {
    stale_ = false;
    const std::vector<std::uint32_t> points = document_.focus().points();
    const std::vector<bool>& matches = document_.result().matches;
    if (points.size() > 1) {
        const auto hidden = std::ranges::count_if(
            points, [&](std::uint32_t point) { return !document_.result().matched(point); });
        show_page(selection_page(*document_.analysis(), points, static_cast<std::size_t>(hidden)));
    } else if (document_.selected_point() &&
               (matches.empty() || std::ranges::find(matches, true) != matches.end())) {
        show_kernel(*document_.selection());
    } else {
        show_page(document_.analysis() ? session_page(*document_.profile(), *document_.analysis(), matches)
                                       : TextPage());
    }
}

void KernelPanel::show_kernel(std::uint32_t point) {
    const WorkspaceResult& result = document_.result();
    KernelContext context{.scenario = &result.what_if->effect,
                          .thresholds = document_.spec().thresholds,
                          .next = next_kernels(document_)};
    if (result.comparison) {
        context.comparison = &result.comparison->comparison;
        for (const OpenFile& older : result.comparison->older)
            context.older.push_back(older.name());
    }
    const Verdict& verdict = document_.analysis()->points[point].verdict;
    show_page(kernel_page(*document_.profile(), *document_.analysis(), point, context),
              class_pixmap(verdict, current_theme(), sign_side, devicePixelRatioF()));
}

}  // namespace roofwalk
