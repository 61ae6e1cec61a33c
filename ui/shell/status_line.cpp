// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/status_line.h"

#include <QDockWidget>
#include <QPainter>
#include <QProgressBar>
#include <QStyleOption>
#include <QToolButton>
#include <algorithm>

#include "core/base/text.h"
#include "core/roofline/summary.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/text_page_view.h"
#include "ui/workspace/document.h"

namespace roofwalk {

namespace {
constexpr int progress_steps = 1000;
}

StatusLine::StatusLine(Document& document, const QDockWidget& details, QWidget* parent)
    : QStatusBar(parent), document_(document), details_(details) {
    setSizeGripEnabled(false);
    summary_ = new ElidedLabel({}, Qt::ElideRight, this);
    summary_->setObjectName("session_sentence");
    addWidget(summary_, 1);

    work_ = new PlainLabel(this);
    progress_ = new QProgressBar(this);
    progress_->setAccessibleName(tr("Progress"));
    progress_->setFixedWidth(140);
    progress_->setTextVisible(false);
    cancel_ = new QToolButton(this);
    name_control(*cancel_, "cancel_work", tr("Stop the work under way"));
    cancel_->setText(tr("Stop"));
    connect(cancel_, &QToolButton::clicked, this, [this] {
        for (Job* job : jobs_)
            job->cancel();
    });
    pointer_ = new PlainLabel(this);
    pointer_->setObjectName("pointer_readout");
    pointer_->setContentsMargins(0, 0, fontMetrics().averageCharWidth(), 0);
    warnings_ = new QToolButton(this);
    warnings_->setObjectName("warnings_button");
    warnings_->setIcon(glyph_icon(Glyph::warning));
    warnings_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(warnings_, &QToolButton::clicked, this, &StatusLine::warnings_requested);
    for (QWidget* widget : std::initializer_list<QWidget*>{work_, progress_, cancel_, pointer_, warnings_})
        addPermanentWidget(widget);

    watch(document_.loader().job());
    watch(document_.analysing());
    connect(&document_, &Document::analysis_changed, this, &StatusLine::show_document);
    connect(&document_, &Document::selection_changed, this, &StatusLine::show_summary);
    for (const auto cause : {&Document::selection_changed, &Document::filter_changed})
        connect(&document_, cause, this, &StatusLine::end_telling);
    connect(&document_, &Document::matches_changed, this, &StatusLine::show_summary);
    connect(&details, &QDockWidget::visibilityChanged, this, [this] {
        if (!document_.selected_point()) show_summary();  // else it says the same, wherever the details are
    });
    show_document();
    show_summary();
    show_work();
}

void StatusLine::tell(const QString& words) {
    constexpr int long_enough = 10000;  // [ms]
    told_ = {words, document_.focus().points(), document_.filter_text()};
    showMessage(words, long_enough);
}

void StatusLine::end_telling() {
    const bool same = told_.selected == document_.focus().points() && told_.filter == document_.filter_text();
    if (!same && currentMessage() == told_.words) clearMessage();
}

void StatusLine::watch(Job& job) {
    jobs_.append(&job);
    connect(&job, &Job::running_changed, this, &StatusLine::show_work);
    connect(&job, &Job::progressed, this, &StatusLine::show_share);
}

/// But for the summary: each new analysis brings its selection.
void StatusLine::show_document() {
    const std::size_t warnings = document_.profile() ? document_.profile()->warnings.size() : 0;
    const bool partial =
        document_.profile() && std::ranges::any_of(document_.profile()->sources, &SourceInfo::partial);
    warnings_->setText(partial ? tr("Partial, warnings: %1").arg(warnings)
                               : tr("Warnings: %1").arg(warnings));
    warnings_->setAccessibleName(tr("Show the warnings of the profile: %1").arg(warnings));
    warnings_->setVisible(warnings > 0);
    clear_pointer();
}

/// Of all kernels that the filter shows, unless the details say it.
void StatusLine::show_summary() {
    const bool untold = document_.analysis() && (document_.selected_point() || !is_seen(details_));
    const auto told = [&](const auto& sentence) {
        return untold ? to_qt(sentence(*document_.analysis(), document_.result().matches)) : QString();
    };
    summary_->set_full_text(told(session_line));
    summary_->set_note(told([](const Analysis& analysis, const std::vector<bool>& matches) {
        return whole_session_sentence(analysis, matches);
    }));
}

/// Qt cuts a message that is too long within a letter.
void StatusLine::paintEvent(QPaintEvent* event) {
    constexpr int air = 6;
    QRect room = rect().adjusted(air, 0, -2 * air, 0);
    for (const QWidget* widget :
         std::initializer_list<QWidget*>{work_, progress_, cancel_, pointer_, warnings_})
        if (widget->isVisible()) room.setRight(std::min(room.right(), widget->x() - air));
    const QString shown = elided_at_word(currentMessage(), fontMetrics(), room.width());
    if (shown == currentMessage()) return QStatusBar::paintEvent(event);
    QPainter painter(this);
    QStyleOption option;
    option.initFrom(this);
    style()->drawPrimitive(QStyle::PE_PanelStatusBar, &option, &painter, this);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, shown);
}

void StatusLine::show_work() {
    const bool working = std::ranges::any_of(jobs_, &Job::running);
    if (working && !progress_->isVisible()) progress_->setRange(0, 0);  // busy until the first number comes
    const bool closing = document_.loader().job().running() && !document_.loader().reading();
    work_->setText(document_.analysing().running() || closing ? tr("Analysing…") : tr("Reading…"));
    work_->setVisible(working);
    progress_->setVisible(working);
    cancel_->setVisible(working);
}

void StatusLine::show_share(double share) {
    progress_->setRange(0, progress_steps);
    progress_->setValue(static_cast<int>(share * progress_steps));
}

void StatusLine::show_pointer(double intensity, double performance) {
    if (!document_.analysis()) return;
    const std::string unit(work_unit(document_.analysis()->options.operations));
    pointer_->setText(QStringLiteral("%1   %2").arg(to_qt(format(Intensity(intensity), unit + "/byte")),
                                                    to_qt(format(FlopRate(performance), unit + "/s"))));
}

void StatusLine::clear_pointer() {
    pointer_->clear();
}

}  // namespace roofwalk
