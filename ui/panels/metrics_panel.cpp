// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/metrics_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/import/ncu/former_metrics.h"
#include "core/model/profile.h"
#include "core/report/metric_report.h"
#include "core/report/report_cells.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/table_model.h"
#include "ui/widgets/text_label.h"
#include "ui/workspace/document.h"

namespace roofwalk {

namespace {

constexpr std::size_t most_launches = 64;  // a column each
constexpr int narrowest_names = 180;       // [px]; a person may draw columns wider
constexpr int widest_values = 170;         // [px]; an address of 64 bits is whole
constexpr int rows_fitted = 200;

/// The launches of the selected kernels, in the order of the file.
std::vector<LaunchIndex> selected_launches(const Document& document) {
    std::vector<LaunchIndex> launches;
    if (!document.analysis()) return launches;
    const Analysis& analysis = *document.analysis();
    for (const std::uint32_t point : document.focus().points()) {
        const auto of_point =
            analysis.grouping.launches_of(analysis.grouping.groups[analysis.points[point].group]);
        launches.insert(launches.end(), of_point.begin(), of_point.end());
    }
    std::ranges::sort(launches);
    return launches;
}

bool holds_words(const MetricRow& row, const QStringList& words) {
    const QString name = to_qt(row.name);
    return std::ranges::all_of(words,
                               [&](const QString& word) { return name.contains(word, Qt::CaseInsensitive); });
}

/// By launch and row: the value, or null where a launch has none.
using ValueTable = std::vector<std::vector<const StoredValue*>>;

ValueTable values_of(const StoredMetrics& metrics) {
    ValueTable values;
    for (const LaunchMetrics& launch : metrics.launches) {
        std::vector<const StoredValue*>& column = values.emplace_back(metrics.rows.size());
        for (const StoredValue& value : launch.values)
            column[value.row] = &value;
    }
    return values;
}

/// A column of names, one of units and one for each launch, of the rows that are shown.
std::vector<TableModel::Column> columns_of(const Profile& profile,
                                           const std::shared_ptr<const StoredMetrics>& metrics,
                                           std::vector<std::uint32_t> shown) {
    const auto rows = std::make_shared<const std::vector<std::uint32_t>>(std::move(shown));
    const auto values = std::make_shared<const ValueTable>(values_of(*metrics));
    const auto row_of = [=](std::uint32_t line) -> const MetricRow& { return metrics->rows[(*rows)[line]]; };
    std::vector<TableModel::Column> columns;
    const auto add = [&](ReportColumn column, auto cell) { columns.push_back({std::move(column), cell}); };
    const auto add_unit = [&] {
        add({.id = "unit", .title = "Unit", .kind = ColumnKind::words},
            [=](std::uint32_t line) { return word_cell(row_of(line).unit); });
    };
    add({.id = "metric", .title = "Metric", .kind = ColumnKind::words},
        [=](std::uint32_t line) { return word_cell(one_line(row_of(line).name)); });
    const bool one = values->size() == 1;
    if (!one) add_unit();
    const LaunchNumbers numbers(profile);
    const MetricFiles files(profile);
    for (std::size_t launch = 0; launch < values->size(); ++launch) {
        const LaunchMetrics& of = metrics->launches[launch];
        std::string title = "Launch " + std::to_string(numbers.of(of.launch));
        if (!profile.at(of.launch).joined.empty()) title += ", " + files.of(of);
        add({.id = "launch_" + std::to_string(launch), .title = one ? "Value" : std::move(title)},
            [=](std::uint32_t line) {
                const StoredValue* value = (*values)[launch][(*rows)[line]];
                return value ? metric_cell(*value) : not_measured();
            });
    }
    if (one) add_unit();
    return columns;
}

}  // namespace

MetricsPanel::MetricsPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), model_(new TableModel(0, this)) {
    setAccessibleName(tr("Metrics"));
    search_ = new QLineEdit(this);
    name_control(*search_, "metric_search", tr("Search metrics"));
    search_->setPlaceholderText(tr("Words in the name: dram read"));
    search_->setClearButtonEnabled(true);
    sentence_ = empty_label("metrics_sentence", this);
    table_ = new QTableView(this);
    name_control(*table_, "metrics", tr("Metrics of the selected launches"));
    table_->setModel(model_);
    table_->setTextElideMode(Qt::ElideMiddle);  // begin and end tell names apart, and a number is no other
    table_->setSortingEnabled(true);
    table_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);  // a width that stays
    table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    table_->horizontalHeader()->setAccessibleName(tr("Columns of the metrics"));
    table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);  // as the file has them
    table_->horizontalHeader()->setSortIndicatorClearable(true);
    show_rows(*table_, rows_fitted);
    table_->installEventFilter(this);
    table_->viewport()->installEventFilter(this);
    connect(table_->horizontalHeader(), &QHeaderView::sectionResized, this, [this] {
        if (!fitting_) own_widths_ = true;
    });

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 0);
    column->addWidget(search_);
    column->addWidget(sentence_);
    column->addWidget(table_, 1);

    connect(search_, &QLineEdit::textChanged, this, &MetricsPanel::show_metrics);
    connect(&document_, &Document::selection_changed, this, &MetricsPanel::show_document);
    connect(&document_, &Document::files_changed, this, &MetricsPanel::show_document);
    connect(&document_, &Document::options_changed, this, &MetricsPanel::show_document);
    connect(&job_, &Job::failed, this, [this](const Error& error) {
        profile_.reset();
        sentence_->set_text(to_qt(to_line(error)));
    });
}

void MetricsPanel::show_document() {
    if (!isVisible()) return;
    std::vector<LaunchIndex> launches = selected_launches(document_);
    left_out_ = launches.size() - std::min(launches.size(), most_launches);
    launches.resize(launches.size() - left_out_);
    if (document_.profile() == profile_ && launches == launches_) return;
    profile_ = document_.profile();
    launches_ = launches;
    metrics_.reset();
    show_metrics();
    if (launches.empty()) return job_.drop();
    read(std::move(launches));
}

void MetricsPanel::read(std::vector<LaunchIndex> launches) {
    job_.start(
        [profile = profile_, launches = std::move(launches)](const Progress& progress) {
            return read_stored_metrics(*profile, launches, {[](std::string_view) { return true; }}, progress);
        },
        [this](StoredMetrics metrics) {
            metrics_ = std::make_shared<const StoredMetrics>(std::move(metrics));
            show_metrics();
        });
}

void MetricsPanel::show_metrics() {
    table_->setVisible(metrics_ && !metrics_->launches.empty());
    if (!metrics_) {
        sentence_->set_text(launches_.empty()
                                ? tr("Select a kernel to see every metric that its report holds.")
                                : tr("Reading the report …"));
        return;
    }
    const QStringList words = search_->text().split(' ', Qt::SkipEmptyParts);
    std::vector<std::uint32_t> shown;
    for (std::uint32_t row = 0; row < metrics_->rows.size(); ++row)
        if (holds_words(metrics_->rows[row], words)) shown.push_back(row);
    const std::size_t count = shown.size();
    const int columns = model_->columnCount();
    {
        const QScopedValueRollback fitting(fitting_, true);
        model_->set_lines(columns_of(*profile_, metrics_, std::move(shown)),
                          std::vector<std::optional<std::uint32_t>>(count));
    }
    if (model_->columnCount() != columns) own_widths_ = false;
    fit_columns();
    QString sentence = words.isEmpty() ? to_qt(metrics_sentence(*metrics_))
                                       : tr("%1 of %2 metrics.").arg(count).arg(metrics_->rows.size());
    if (const std::string today = count > 0 ? "" : today_sentence(search_->text().toStdString());
        !today.empty())
        sentence += ' ' + to_qt(today);
    if (left_out_ > 0)
        sentence += ' ' + tr("The first %1 launches of %2: select fewer to see the others.")
                              .arg(launches_.size())
                              .arg(launches_.size() + left_out_);
    for (const Error& failure : metrics_->failures)
        sentence += ' ' + to_qt(to_line(failure));
    sentence_->set_text(sentence);
}

void MetricsPanel::fit_columns() {
    if (own_widths_) return;
    const QScopedValueRollback fitting(fitting_, true);
    table_->resizeColumnsToContents();
    for (int column = 1; column < model_->columnCount(); ++column)
        table_->setColumnWidth(column, std::min(table_->columnWidth(column), widest_values));
    name_width_ = table_->columnWidth(0);
    fit_names();
}

/// Names give way, so that the first values are in sight.
void MetricsPanel::fit_names() {
    if (own_widths_ || model_->columnCount() == 0) return;
    const QScopedValueRollback fitting(fitting_, true);
    const int others = table_->columnWidth(1) + table_->columnWidth(2);
    table_->setColumnWidth(0, std::clamp(table_->viewport()->width() - others, narrowest_names,
                                         std::max(narrowest_names, name_width_)));
}

bool MetricsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == table_->viewport() && event->type() == QEvent::Resize) fit_names();
    if (watched == table_ && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        copy_rows();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void MetricsPanel::copy_rows() const {
    QStringList lines{model_->heading_text()};
    for (const QModelIndex& row : table_->selectionModel()->selectedRows())
        lines.append(model_->row_text(row.row()));
    if (lines.size() > 1) QApplication::clipboard()->setText(lines.join('\n') + '\n');
}

}  // namespace roofwalk
