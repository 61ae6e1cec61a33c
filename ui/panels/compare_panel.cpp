// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/compare_panel.h"

#include <QAction>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/report/comparison_table.h"
#include "ui/panels/point_table.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/table_model.h"
#include "ui/widgets/text_label.h"
#include "ui/workspace/document.h"

namespace roofwalk {

namespace {

constexpr QSize compare_usual_size(1000, 170);
constexpr int most_arrows = int{most_drawn};

/// Refers to the reports that are compared, and keeps them.
struct ComparedLines {
    std::shared_ptr<const ReportComparison> compared;
    std::vector<ComparisonLine> lines;
};

void show_lines(const std::shared_ptr<const ReportComparison>& compared, TableModel& model) {
    if (!compared) return model.set_lines({}, {});
    const auto shown = std::make_shared<const ComparedLines>(
        ComparedLines{compared, comparison_lines(compared->comparison)});
    std::vector<std::optional<std::uint32_t>> points;
    for (const ComparisonLine& line : shown->lines) {
        const bool open = line.after && line.after->number == compared->comparison.runs.size();
        points.push_back(open ? std::optional(line.after->point) : std::nullopt);
    }
    model.set_lines(
        window_columns(comparison_columns(compared->comparison),
                       [shown](std::uint32_t row) -> const ComparisonLine& { return shown->lines[row]; }),
        std::move(points));
}

/// "a.ncu-rep → b.ncu-rep → open: c.ncu-rep".
QString names_of(const ReportComparison& compared, const std::vector<OpenFile>& open) {
    QStringList names;
    for (const OpenFile& file : compared.older)
        names.append(to_qt(file.name()));
    names.append(open.size() == 1 ? to_qt(open.front().name())
                                  : ComparePanel::tr("%1 open files").arg(open.size()));
    return names.join(QStringLiteral(" → "));
}

}  // namespace

ComparePanel::ComparePanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), model_(new TableModel(shown_name_length, this)) {
    setAccessibleName(tr("Comparison"));
    reports_ = new ElidedLabel({}, Qt::ElideMiddle, this);
    reports_->setObjectName("compared_reports");
    head_ = new QHBoxLayout;
    head_->setContentsMargins(10, 6, 8, 0);
    head_->setSpacing(2);
    head_->addWidget(reports_, 1);
    make_fields();
    sentence_ = empty_label("comparison_sentence", this);
    auto* words = new QHBoxLayout;
    words->setContentsMargins(10, 2, 10, 4);
    words->addWidget(sentence_);
    table_ = new PointTable(document_, *model_, this);
    name_control(*table_, "comparison_lines", tr("Kernels of the comparison"));
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

    connect(&document_, &Document::comparison_changed, this, &ComparePanel::show_comparison);
    connect(&document_, &Document::options_changed, this, &ComparePanel::show_fields);
    show_comparison();
    show_fields();
}

void ComparePanel::make_fields() {
    const auto add = [this](auto* field, const char* object, const QString& caption, const QString& name,
                            const QString& tip) {
        name_control(*field, object, name);
        set_tooltip(*field, tip);
        field->setKeyboardTracking(false);  // a number counts when it is whole
        auto* label = new PlainLabel(caption, this, field);
        head_->addWidget(label);
        head_->addWidget(field);
        head_->addSpacing(8);
    };
    noise_ = new QDoubleSpinBox(this);
    noise_->setRange(0, 100);
    noise_->setDecimals(2);
    noise_->setSingleStep(0.5);
    noise_->setSuffix(tr(" %"));
    add(noise_, "comparison_noise", tr("&Noise"), tr("Noise of the comparison in per cent"),
        tr("A change of time or bytes up to this is none; the launches of a kernel may call for more"));
    arrows_ = new QSpinBox(this);
    arrows_->setRange(0, most_arrows);
    add(arrows_, "comparison_arrows", tr("A&rrows"), tr("How many kernels have an arrow on the chart"),
        tr("Of the longest kernels that changed; the selected one has its own besides"));
    connect(noise_, &QDoubleSpinBox::valueChanged, this, [this](double percent) {
        document_.change([&](WorkspaceSpec& spec) { spec.view.comparison.noise = percent / 100; });
    });
    connect(arrows_, &QSpinBox::valueChanged, this, [this](int count) {
        document_.change(
            [&](WorkspaceSpec& spec) { spec.view.comparison.arrows = static_cast<std::uint32_t>(count); });
    });
}

void ComparePanel::show_fields() {
    const QSignalBlocker noise_is_shown(noise_);
    const QSignalBlocker arrows_are_shown(arrows_);
    const ComparisonView& view = document_.spec().view.comparison;
    noise_->setValue(view.noise * 100);
    arrows_->setValue(static_cast<int>(std::min<std::uint32_t>(view.arrows, most_arrows)));
}

QSize ComparePanel::sizeHint() const {
    return compare_usual_size;
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
    const std::shared_ptr<const ReportComparison>& compared = document_.result().comparison;
    show_lines(compared, *model_);
    table_->setVisible(compared != nullptr);
    reports_->set_full_text(compared ? names_of(*compared, document_.files()) : QString());
    sentence_->set_text(compared ? to_qt(comparison_sentence(compared->comparison))
                                 : tr("Nothing is compared yet: choose File > Compare with… and an older "
                                      "report of the same program to see what became of its kernels."));
}

}  // namespace roofwalk
