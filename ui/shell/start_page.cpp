// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/start_page.h"

#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/import/open_profile.h"
#include "ui/shell/recent_files.h"
#include "ui/shell/recovery_list.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/text_label.h"
#include "ui/widgets/theme.h"

namespace roofwalk {

namespace {

constexpr int column_width = 580;
constexpr int most_recent_shown = 6;

/// A bandwidth slope, a plateau and three dots below: the sign of the program, as a faint backdrop.
void draw_backdrop(QPainter& painter, const QRectF& area, const QColor& ink) {
    const QPointF foot(area.left(), area.bottom());
    const QPointF ridge(area.left() + area.width() * 0.55, area.top() + area.height() * 0.18);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(ink, 2.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(QPolygonF({foot, ridge, QPointF(area.right(), ridge.y())}));
    painter.setPen(QPen(ink, 1.5));
    painter.drawPolyline(QPolygonF(
        {foot + QPointF(area.width() * 0.22, 0), QPointF(ridge.x() + area.width() * 0.19, ridge.y())}));
}

}  // namespace

StartPage::StartPage(RecentFiles& recent, const QList<Sample>& samples, QWidget* parent)
    : QWidget(parent), recent_(recent) {
    column_ = new QWidget(this);
    column_->setMaximumWidth(column_width);
    column_->setObjectName("start_card");
    column_->setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(column_);
    column->setContentsMargins(36, 30, 36, 32);
    column->setSpacing(10);

    column->addWidget(heading_label(tr("Roofwalk"), column_, 2.4));
    auto* purpose = new PlainLabel(
        tr("See how far your CUDA kernels are below the roof, and which roof it is."), column_);
    purpose->setWordWrap(true);
    column->addWidget(purpose);
    column->addSpacing(10);

    auto* open = new QPushButton(tr("Open a profile…"), column_);
    name_control(*open, "start_open", tr("Open a profile"));
    open->setDefault(true);
    connect(open, &QPushButton::clicked, this, &StartPage::open_requested);
    record_ = new QPushButton(tr("Record a program…"), column_);
    name_control(*record_, "start_record", tr("Record a program"));
    connect(record_, &QPushButton::clicked, this, &StartPage::record_requested);
    auto* ways = new QHBoxLayout;
    ways->addWidget(open);
    ways->addWidget(record_);
    ways->addStretch(1);
    column->addLayout(ways);
    auto* hint = new PlainLabel(
        tr("Or drop a profile anywhere in this window. %2 lists all keys.\nFormats: %1; sessions (.roofwalk).")
            .arg(to_qt(list_of_formats()), QStringLiteral("?")),
        column_);
    hint->setWordWrap(true);
    hint->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(hint);

    recovery_list_ = new RecoveryList(column_);
    column->addWidget(recovery_list_);

    column->addWidget(make_recent());

    if (!samples.isEmpty()) column->addWidget(make_samples(samples));

    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(32, 32, 32, 32);
    outer->addStretch(2);
    auto* centred = new QHBoxLayout;
    centred->addStretch(1);
    centred->addWidget(column_, 4);
    centred->addStretch(1);
    outer->addLayout(centred);
    outer->addStretch(3);
}

QWidget* StartPage::make_recent() {
    recent_section_ = new QWidget(column_);
    auto* recent_layout = new QVBoxLayout(recent_section_);
    recent_layout->setContentsMargins(0, 14, 0, 0);
    recent_layout->addWidget(heading_label(tr("Recent"), recent_section_, 1.1));
    recent_list_ = new QListWidget(recent_section_);
    name_control(*recent_list_, "recent_list", tr("Recent files"));
    recent_list_->setFrameShape(QFrame::NoFrame);
    recent_list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    recent_list_->setTextElideMode(Qt::ElideMiddle);
    connect(recent_list_, &QListWidget::itemActivated, this, [this](const QListWidgetItem* item) {
        emit file_requested(item->data(Qt::UserRole).toString());
    });
    connect(recent_list_, &QListWidget::itemClicked, recent_list_, &QListWidget::itemActivated);
    recent_layout->addWidget(recent_list_);
    connect(&recent_, &RecentFiles::changed, this, &StartPage::list_recent);
    list_recent();
    return recent_section_;
}

QWidget* StartPage::make_samples(const QList<Sample>& samples) {
    auto* section = new QWidget(column_);
    auto* layout = new QVBoxLayout(section);
    layout->setContentsMargins(0, 14, 0, 0);
    layout->addWidget(heading_label(tr("Samples"), section, 1.1));
    for (const Sample& sample : samples) {
        auto* button = new QPushButton(sample.title, section);
        button->setAccessibleName(tr("Open the sample %1").arg(sample.title));
        connect(button, &QPushButton::clicked, this,
                [this, path = sample.path] { emit file_requested(path); });
        layout->addWidget(button, 0, Qt::AlignLeft);
    }
    return section;
}

void StartPage::list_recent() {
    recent_list_->clear();
    for (const QString& path : recent_.paths().mid(0, most_recent_shown)) {
        const QFileInfo file(path);
        auto* item =
            new QListWidgetItem(tr("%1   in %2").arg(file.fileName(), file.absolutePath()), recent_list_);
        item->setData(Qt::UserRole, path);
        set_tooltip(*item, path);
    }
    recent_section_->setVisible(recent_list_->count() > 0);
    if (recent_list_->count() > 0)
        recent_list_->setFixedHeight(recent_list_->sizeHintForRow(0) * recent_list_->count() + 4);
}

void StartPage::set_record_obstacle(const QString& why) {
    record_->setEnabled(why.isEmpty());
    set_tooltip(*record_, why);
}

void StartPage::set_drop_target(bool active) {
    drop_target_ = active;
    update();
}

void StartPage::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const WindowColours& colours = window_colours(current_theme());
    QColor ink = colours.accent;
    ink.setAlphaF(0.13F);
    draw_backdrop(painter, QRectF(rect()).adjusted(0, 20, 0, 0), ink);
    if (!drop_target_) return;
    painter.setPen(QPen(colours.accent, 2, Qt::DashLine));
    painter.drawRoundedRect(QRectF(rect()).adjusted(12, 12, -12, -12), 10, 10);
}

}  // namespace roofwalk
