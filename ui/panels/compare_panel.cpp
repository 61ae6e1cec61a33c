// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/compare_panel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/document.h"
#include "ui/elided_label.h"
#include "ui/panels/compare_model.h"
#include "ui/panels/text_label.h"
#include "ui/qt_text.h"

namespace roofwalk {

namespace {

constexpr QSize usual_size(1000, 210);

/// "a.ncu-rep → b.ncu-rep → open: c.ncu-rep".
QString names_of(const Compared& compared, const std::vector<OpenFile>& open) {
    QStringList names;
    for (const OpenFile& file : compared.older)
        names.append(name_of(file));
    names.append(open.size() == 1 ? name_of(open.front())
                                  : ComparePanel::tr("%1 open files").arg(open.size()));
    return names.join(QStringLiteral(" → "));
}

}  // namespace

ComparePanel::ComparePanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), model_(new CompareModel(this)) {
    setAccessibleName(tr("Comparison"));
    reports_ = new ElidedLabel({}, Qt::ElideMiddle, this);
    reports_->setObjectName("compared_reports");
    head_ = new QHBoxLayout;
    head_->setContentsMargins(10, 6, 8, 0);
    head_->setSpacing(2);
    head_->addWidget(reports_, 1);
    sentence_ = new TextLabel({}, this);
    sentence_->setObjectName("comparison_sentence");
    auto* words = new QHBoxLayout;
    words->setContentsMargins(10, 2, 10, 4);
    words->addWidget(sentence_);
    table_ = new PointTable(document_, *model_, this);
    table_->setObjectName("comparison_lines");
    table_->setAccessibleName(tr("Kernels of the comparison"));
    table_->horizontalHeader()->setAccessibleName(tr("Columns of the comparison"));

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head_);
    column->addLayout(words);
    auto* lines = new QHBoxLayout;
    lines->setContentsMargins(7, 0, 7, 0);  // so that cells begin where the words above do
    lines->addWidget(table_);
    column->addLayout(lines, 1);

    connect(&document_, &Document::compared_changed, this, &ComparePanel::show_comparison);
    show_comparison();
}

QSize ComparePanel::sizeHint() const {
    return usual_size;
}

void ComparePanel::add_buttons(const QList<QAction*>& actions) {
    for (QAction* action : actions) {
        auto* button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setAccessibleName(action->text());
        head_->addWidget(button);
    }
}

void ComparePanel::show_comparison() {
    const std::shared_ptr<const Compared>& compared = document_.compared();
    model_->show(compared);
    table_->setVisible(compared != nullptr);
    reports_->set_full_text(compared ? names_of(*compared, document_.files()) : QString());
    sentence_->set_text(compared ? to_qt(comparison_sentence(compared->comparison))
                                 : tr("Nothing is compared yet: choose File > Compare with… and an older "
                                      "report of the same program to see what became of its kernels."));
}

}  // namespace roofwalk
