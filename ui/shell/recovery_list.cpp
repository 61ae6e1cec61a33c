// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/recovery_list.h"

#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/widgets/plain_text.h"
#include "ui/widgets/text_label.h"

namespace roofwalk {

RecoveryList::RecoveryList(QWidget* parent) : QWidget(parent), rows_(new QVBoxLayout(this)) {
    rows_->setContentsMargins(0, 14, 0, 0);
    hide();
}

void RecoveryList::show_work(const QList<RecoverableSession>& works) {
    delete content_;
    content_ = new QWidget(this);
    auto* column = new QVBoxLayout(content_);
    column->setContentsMargins(0, 0, 0, 0);
    auto* heading = heading_label(tr("Unsaved work from before"), content_);
    heading->setWordWrap(true);
    column->addWidget(heading);
    for (const RecoverableSession& work : works)
        column->addWidget(make_row(work));
    rows_->addWidget(content_);
    setVisible(!works.isEmpty());
}

QWidget* RecoveryList::make_row(const RecoverableSession& work) {
    auto* row = new QWidget(content_);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    const QString changed = QLocale().toString(work.changed, QLocale::ShortFormat);
    QString words = work.readable ? tr("%1, %2").arg(work.name, changed)
                                  : tr("%1, %2: cannot be read").arg(work.name, changed);
    if (work.elsewhere) words = tr("%1. It is of another machine and may be in use there.").arg(words);
    auto* what = new PlainLabel(words, row);
    what->setWordWrap(true);
    line->addWidget(what, 1);
    const auto add_button = [&](const char* name, const QString& text, const QString& description) {
        auto* button = new QPushButton(text, row);
        name_control(*button, name, description);
        line->addWidget(button);
        return button;
    };
    if (work.readable) {
        auto* recover = add_button("recover", tr("Recover"), tr("Recover %1").arg(work.name));
        connect(recover, &QPushButton::clicked, this, [this, work] { emit recover_requested(work.copy); });
    }
    auto* discard = add_button("discard", tr("Discard…"), tr("Discard %1").arg(work.name));
    connect(discard, &QPushButton::clicked, this,
            [this, work] { emit discard_requested(work.copy, work.name); });
    return row;
}

}  // namespace roofwalk
