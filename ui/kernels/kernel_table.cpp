// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kernels/kernel_table.h"

#include <QAction>
#include <QFont>
#include <QHash>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QStyle>
#include <QStyleOptionHeader>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <memory>
#include <utility>

#include "core/model/kernel_name.h"
#include "core/report/kernel_filter.h"
#include "core/roofline/summary.h"
#include "core/roofline/verdict_words.h"
#include "ui/kernels/class_glyph.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/table_model.h"
#include "ui/widgets/theme.h"
#include "ui/workspace/document.h"

namespace roofwalk {

/// Remembers whether the last change of the selection replaced it or only added and took away.
class RowSelection : public QItemSelectionModel {
  public:
    using QItemSelectionModel::QItemSelectionModel;
    using QItemSelectionModel::select;

    void select(const QItemSelection& rows, SelectionFlags command) override {
        replaced_ = command.testFlag(Clear);
        QItemSelectionModel::select(rows, command);
    }
    [[nodiscard]] bool replaced() const { return replaced_; }

  private:
    bool replaced_ = false;
};

namespace {

/// With the largest at the top its arrow points down, as in other programs: Qt's points up.
class SortHeader : public QHeaderView {
  public:
    explicit SortHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) { setSectionsClickable(true); }

  protected:
    void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override {
        QHeaderView::initStyleOptionForIndex(option, section);
        using Arrow = QStyleOptionHeader;
        if (option->sortIndicator == Arrow::SortUp)
            option->sortIndicator = Arrow::SortDown;
        else if (option->sortIndicator == Arrow::SortDown)
            option->sortIndicator = Arrow::SortUp;
    }
};

/// Paints a cell of the kernel table: a bar behind shares, the sign of the class before the verdict, and
/// missing numbers faint.
class KernelDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  private:
    /// A kernel's name that was fitted into a width: to look for it takes longer than to paint a row.
    struct FittedName {
        int width = 0;
        QFont font;
        QString similar;
        QString text;
    };
    [[nodiscard]] QString fitted_name(const QModelIndex& index, const QFont& font, int width) const;
    [[nodiscard]] QString fitted(const QModelIndex& index, const QFont& font, int width) const;

    mutable QHash<QString, FittedName> fitted_names_;
};

constexpr int padding = 8;  // beside the text of a cell
constexpr int glyph_side = 10;
constexpr int bar_height = 3;

void draw_bar(QPainter& painter, const QRect& cell, double share, const QColor& colour) {
    const QRectF track(cell.left() + padding, cell.bottom() - bar_height - 1, cell.width() - 2 * padding,
                       bar_height);
    QColor faint = colour;
    faint.setAlphaF(0.18F);
    painter.fillRect(track, faint);
    painter.fillRect(QRectF(track.left(), track.top(), track.width() * share, track.height()), colour);
}

/// A kernel name that does not fit loses its template arguments before its letters, but not what tells it
/// from one that is similar.
QString KernelDelegate::fitted_name(const QModelIndex& index, const QFont& font, int width) const {
    constexpr qsizetype most_kept = 4096;
    const QString name = index.data(TableModel::name_role).toString();
    const QString similar = index.data(TableModel::similar_role).toString();
    if (fitted_names_.size() > most_kept) fitted_names_.clear();
    FittedName& kept = fitted_names_[name];
    if (kept.width == width && kept.similar == similar && kept.font == font) return kept.text;

    const QFontMetrics metrics(font);
    const std::string whole = name.toStdString();
    const std::string like = similar.toStdString();
    constexpr qsizetype most_elided = 4096;  // Qt measures every letter of what it elides
    const QString ends =
        name.size() > most_elided ? name.left(most_elided / 2) + name.right(most_elided / 2) : name;
    QString text = metrics.elidedText(ends, Qt::ElideMiddle, width);
    // Letters differ in width: the longest form that fits is looked for.
    const int narrow = std::max(1, metrics.averageCharWidth() * 2 / 3);
    const int wide = std::max(1, metrics.averageCharWidth() * 2);
    for (int room = std::min(static_cast<int>(name.size()), width / narrow); room > 4;) {
        const QString shorter = to_qt(shorten_kernel_name(whole, static_cast<std::size_t>(room), like));
        const int beyond = metrics.horizontalAdvance(shorter) - width;
        if (beyond <= 0) {
            text = shorter;
            break;
        }
        room -= std::max(1, beyond / wide);
    }
    kept = {width, font, similar, text};
    return text;
}

/// "memory" of "memory-bound", "near roof", "launch": the same words, where there is no room for all.
QString begin_of_class(const QString& label) {
    return label.section(u'-', 0, 0).remove(QLatin1String("bound by the ")).remove(QLatin1String("the "));
}

/// A class, which has its sign, loses its cause where there is no room, then the end of its word; why there
/// is no number becomes a dash; other texts lose their end.
QString KernelDelegate::fitted(const QModelIndex& index, const QFont& font, int width) const {
    QString text = index.data().toString();
    const QFontMetrics metrics(font);
    if (metrics.horizontalAdvance(text) <= width) return text;
    QString brief = index.data(TableModel::brief_role).toString();
    if (index.data(TableModel::class_role).isValid()) {
        if (metrics.horizontalAdvance(brief) <= width) return brief;
        const QString begin = begin_of_class(brief);
        return metrics.horizontalAdvance(begin) <= width ? begin : QString();
    }
    if (index.data(TableModel::name_role).isValid()) return fitted_name(index, font, width);
    if (index.data(TableModel::missing_role).toBool()) return QStringLiteral("–");
    if (metrics.horizontalAdvance(brief) > width) brief = metrics.elidedText(brief, Qt::ElideMiddle, width);
    if (!brief.isEmpty()) return brief;
    return metrics.elidedText(text, Qt::ElideRight, width);
}

void KernelDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const {
    const Theme theme = current_theme();
    const WindowColours& colours = window_colours(theme);
    const QVariant kernel_class = index.data(TableModel::class_role);
    const bool selected = option.state.testFlag(QStyle::State_Selected);

    painter->save();
    if (selected)
        painter->fillRect(option.rect, option.palette.highlight());
    else if ((index.row() & 1) != 0)
        painter->fillRect(option.rect, option.palette.alternateBase());

    const QVariant share = index.data(TableModel::share_role);
    if (share.isValid()) draw_bar(*painter, option.rect, share.toDouble(), colours.accent);

    QRect text_area = option.rect.adjusted(padding, 0, -padding, share.isValid() ? -bar_height : 0);
    if (kernel_class.isValid()) {
        const QRectF sign(text_area.left(), text_area.center().y() - glyph_side / 2.0 + 0.5, glyph_side,
                          glyph_side);
        const double place = kernel_class.toDouble();
        const auto number = static_cast<std::size_t>(place);
        draw_class_glyph(*painter, enumerators<KernelClass>[number], place > static_cast<double>(number),
                         theme, sign);
        text_area.setLeft(text_area.left() + glyph_side + 7);
    }
    const bool missing = index.data(TableModel::missing_role).toBool();
    painter->setFont(option.font);
    painter->setPen(selected  ? option.palette.color(QPalette::HighlightedText)
                    : missing ? colours.faint_text
                              : option.palette.color(QPalette::Text));
    const auto alignment = static_cast<Qt::Alignment>(index.data(Qt::TextAlignmentRole).toInt());
    painter->drawText(text_area, static_cast<int>(alignment), fitted(index, option.font, text_area.width()));
    if (option.state.testFlag(QStyle::State_HasFocus)) {
        painter->setPen(colours.accent);
        painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
    }
    painter->restore();
}

/// Why there is no number makes no column wider, nor what has a shorter text.
QSize KernelDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const int glyph = index.data(TableModel::class_role).isValid() ? glyph_side + padding : 0;
    const bool missing = index.data(TableModel::missing_role).toBool();
    const QVariant brief = index.data(TableModel::brief_role);
    const QString words = brief.isValid() ? brief.toString() : index.data().toString();
    const int text = missing ? 0 : option.fontMetrics.horizontalAdvance(words);
    return {text + 2 * padding + glyph, option.fontMetrics.height() + 12};
}

constexpr std::size_t longest_shown_name = 60;
constexpr int rows_measured = 50;
constexpr int typing_pause_ms = 150;
constexpr int least_name_width = 100;
constexpr int name_width_beside_share = 52;  // a few letters: it tells more than theirs
constexpr int name_width_beside_report = 84;
constexpr int name_width_before_words = 116;   // of the classes, which have their signs
constexpr int name_width_before_limits = 150;  // which shares are of: the details name them too
constexpr int good_name_width = 240;           // before columns come that matter less
constexpr int longest_fault = 160;             // letters that stand below the field: two lines
constexpr int cut_fault = 120;                 // of a longer one, the rest of it in a tooltip
constexpr int cell_air = 16;                   // around the words of a cell
constexpr std::size_t longest_tag = 8;
constexpr int heading_air = 18;        // around the word of a heading, with its arrow
constexpr QSize usual_size(424, 500);  // name to the share of the roof

/// The columns with a short name; a filter may name the others too.
QString filter_help() {
    QString rows;
    for (const KernelColumn& column : filter_columns()) {
        if (column.column.word.empty()) continue;
        const QString example = to_qt(filter_example(column));
        rows += QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2</td></tr>")
                    .arg(to_qt(column.column.word),
                         to_qt(column.column.meaning) +
                             (example.isEmpty() ? QString() : KernelTable::tr(", as in %1").arg(example)));
    }
    return KernelTable::
        tr("<p>Text finds kernels by name. <b>/pattern/</b> is a regular expression on the name as shown or the "
           "whole one. Comparisons look like <b>gap &gt; 2 and time &gt; 5%</b>, with and, or, not, parentheses and "
           "~ for \"contains\", of what stands below. Other columns go "
           "by their headings, as in <b>of_limit</b>, or by their names in a CSV.</p>"
           "<table>%1</table>")
            .arg(rows);
}

/// What tells several reports apart where there is little room, by their names; empty of one.
KernelTable::ReportTags report_tags(const Analysis& analysis) {
    if (!analysis.several_reports) return {};
    const std::vector<ReportShare> reports = report_shares(analysis);
    std::vector<std::string_view> names;
    for (const ReportShare& report : reports)
        names.emplace_back(report.source);
    const std::vector<DifferingPart> parts = differing_parts(names, longest_tag);
    KernelTable::ReportTags tags;
    for (std::size_t i = 0; i < names.size(); ++i)
        tags.emplace(names[i], parts[i].marked());
    return tags;
}

/// The columns of the table over the points of an analysis; null stands for one without points.
std::vector<TableModel::Column> columns_over(std::shared_ptr<const Profile> profile,
                                             std::shared_ptr<const Analysis> analysis,
                                             const KernelTable::ReportTags& tags) {
    if (!analysis) analysis = std::make_shared<const Analysis>();
    std::vector<KernelColumn> columns = point_columns(analysis->options);
    if (profile) number_launches(*profile, *analysis, columns);
    const auto column = [&](std::string_view id) -> KernelColumn& {
        return *std::ranges::find(columns, id, [](const KernelColumn& rule) { return rule.column.id; });
    };
    if (analysis->several_reports) {  // their column may have little room, or none
        column("kernel").note = [](const KernelPoint& p) { return std::string(name_of_report(p)); };
        column("source").brief = [tags](const KernelPoint& p) {
            const auto tag = tags.find(name_of_report(p));
            return tag == tags.end() ? std::string() : tag->second;
        };
    }
    // By the larger end of a range, as they come.
    column("recoverable_time").number = [](const KernelPoint& p) {
        const std::optional<Gain> gain = gain_of(p);
        return gain ? std::optional(gain->most.value()) : std::nullopt;
    };
    return window_columns(columns,
                          [profile = std::move(profile), analysis = std::move(analysis)](
                              std::uint32_t point) -> const KernelPoint& { return analysis->points[point]; });
}

/// Whether no kernel has words in a column, or a number other than 0.
bool is_empty(const KernelColumn& rule, const Analysis& analysis) {
    if (rule.column.id == "source") return !analysis.several_reports;
    return std::ranges::none_of(analysis.points, [&](const KernelPoint& point) {
        return rule.column.numeric() ? rule.number_of(point).value_or(0) != 0
                                     : rule.text_of(point).has_value();
    });
}

/// The empty columns that give way.
std::vector<std::string> empty_columns(const Analysis& analysis) {
    std::vector<std::string> empty;
    for (const KernelColumn& rule : point_columns(analysis.options)) {
        const bool stays = rule.column.kind == ColumnKind::name || rule.column.id == "time" ||
                           rule.column.id == "recoverable_time" || rule.column.id == "class" ||
                           (rule.column.id == "launch" && analysis.options.group_by == GroupBy::launch);
        if (rule.column.window > 0 && !stays && is_empty(rule, analysis)) empty.push_back(rule.column.id);
    }
    return empty;
}

TableModel* make_model(QObject* parent) {
    auto* model = new TableModel(longest_shown_name, parent);
    model->set_points(columns_over(nullptr, nullptr, {}), {});
    return model;
}

QTableView* make_view(TableModel* model, RowSelection* rows, QWidget* parent) {
    auto* view = new QTableView(parent);
    view->setHorizontalHeader(new SortHeader(view));
    view->setModel(model);
    delete view->selectionModel();
    view->setSelectionModel(rows);
    view->setItemDelegate(new KernelDelegate(view));
    name_control(*view, "kernel_view", KernelTable::tr("Kernels"));
    view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view->setSortingEnabled(true);
    view->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);  // as ranked_points() has them
    view->horizontalHeader()->setSortIndicatorClearable(true);
    view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);  // a million rows are never measured
    view->verticalHeader()->setDefaultSectionSize(view->fontMetrics().height() + 12);
    show_rows(*view, rows_measured);
    view->horizontalHeader()->setAccessibleName(KernelTable::tr("Columns of the kernel table"));
    return view;
}

}  // namespace

KernelTable::KernelTable(Document& document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      model_(make_model(this)),
      rows_(new RowSelection(model_, this)),
      view_(make_view(model_, rows_, this)) {
    filter_ = new QLineEdit(this);
    name_control(*filter_, "kernel_filter", tr("Filter the kernels"));
    filter_->setPlaceholderText(tr("Filter: text, /regex/, or gap > 2 and time > 5%"));
    set_tooltip(*filter_, filter_help());
    filter_->setClearButtonEnabled(true);
    fault_ = new PlainLabel(this);
    fault_->setObjectName("filter_fault");
    fault_->setWordWrap(true);
    count_ = new PlainLabel(this);
    count_->setObjectName("kernel_count");

    auto* head = new QVBoxLayout;
    head->setContentsMargins(8, 8, 8, 6);
    head->setSpacing(4);
    head->addWidget(filter_);
    head->addWidget(fault_);
    head->addWidget(count_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(view_, 1);
    view_->setMinimumHeight(1);  // a low panel gives its rows away before words of a fault

    typing_.setSingleShot(true);
    typing_.setInterval(typing_pause_ms);
    connect(filter_, &QLineEdit::textChanged, &typing_, qOverload<>(&QTimer::start));
    connect(&typing_, &QTimer::timeout, this, [this] { document_.set_filter(filter_->text()); });
    connect(filter_, &QLineEdit::returnPressed, this, [this] {
        typing_.stop();
        document_.set_filter(filter_->text());
        // What is typed to mend a fault is for the field.
        if (document_.filter_fault().isEmpty()) view_->setFocus();
    });
    view_->installEventFilter(this);
    view_->viewport()->installEventFilter(this);
    connect(view_->horizontalHeader(), &QHeaderView::sectionResized, this, [this] {
        if (!fitting_) own_widths_ = true;
    });
    connect(view_->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, [this](int column) {
        if (column < 0) show_points();
    });
    all_columns_ = new QAction(tr("All columns"), this);
    all_columns_->setObjectName("all_columns");
    all_columns_->setCheckable(true);
    connect(all_columns_, &QAction::toggled, this, &KernelTable::fit_columns);
    view_->horizontalHeader()->addAction(all_columns_);
    view_->horizontalHeader()->setContextMenuPolicy(Qt::ActionsContextMenu);
    view_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(view_, &QWidget::customContextMenuRequested, this, [this](QPoint at) {
        const QModelIndex row = view_->indexAt(at);
        if (!row.isValid()) return;
        emit menu_asked(*model_->point_of(row.row()), view_->viewport()->mapToGlobal(at), {all_columns_});
    });
    connect(rows_, &QItemSelectionModel::selectionChanged, this, &KernelTable::choose_selected_rows);
    connect_document();
    show_filter_state();
}

void KernelTable::connect_document() {
    connect(&document_, &Document::files_changed, this, [this] {
        model_->set_names(document_.profile());
        measured_ = false;
    });
    connect(&document_, &Document::analysis_changed, this, [this] {
        if (const auto analysis = document_.analysis()) {
            empty_ = empty_columns(*analysis);
            report_tags_ = report_tags(*analysis);
            whole_reports_ = 0;
            for (const auto& [report, tag] : report_tags_)
                whole_reports_ =
                    std::max(whole_reports_, fontMetrics().horizontalAdvance(to_qt(report)) + cell_air);
        }
        show_points();
    });
    connect(&document_, &Document::matches_changed, this, &KernelTable::show_points);
    connect(&document_, &Document::filter_changed, this, &KernelTable::show_filter_state);
    connect(&document_, &Document::selection_changed, this, &KernelTable::show_selection);
}

void KernelTable::show_points() {
    const bool was_empty = model_->rowCount() == 0;
    {
        const QScopedValueRollback following(following_, true);  // a reset is no choice of the person's
        const QScopedValueRollback fitting(fitting_, true);
        model_->set_points(columns_over(document_.profile(), document_.analysis(), report_tags_),
                           matching_ranked(document_.result()));
    }
    if ((was_empty || !measured_) && model_->rowCount() > 0) {
        measured_ = true;
        contents_.clear();
        for (int column = 0; column < model_->columnCount(); ++column)
            contents_.push_back(static_cast<QAbstractItemView*>(view_)->sizeHintForColumn(column));
        brief_classes_ = whole_shares_ = 0;
        const int verdict = model_->column_of("class");
        const int share = model_->column_of("share_of_limit");
        for (int row = 0; row < std::min(model_->rowCount(), rows_measured); ++row) {
            const QString whole = model_->index(row, share).data().toString();
            if (!model_->index(row, share).data(TableModel::missing_role).toBool())
                whole_shares_ = std::max(whole_shares_, fontMetrics().horizontalAdvance(whole) + 2 * padding);
            brief_classes_ = std::max(
                brief_classes_, fontMetrics().horizontalAdvance(begin_of_class(
                                    model_->index(row, verdict).data(TableModel::brief_role).toString())) +
                                    2 * padding + glyph_side + padding);
        }
        own_widths_ = own_widths_ && !was_empty;
    }
    fit_columns();
    const std::size_t all = document_.analysis() ? document_.analysis()->points.size() : 0;
    count_->setText(to_qt(rows_among(static_cast<std::size_t>(model_->rowCount()), all,
                                     document_.analysis_options().group_by)));
    count_->setVisible(!document_.filter_text().isEmpty() && document_.filter_fault().isEmpty());
    show_selection();
}

int KernelTable::heading_width(int column) const {
    const QString word = model_->headerData(column, Qt::Horizontal).toString();
    return view_->horizontalHeader()->fontMetrics().horizontalAdvance(word) + heading_air;
}

int KernelTable::needed_width(int column) const {
    return std::max(contents_[static_cast<std::size_t>(column)], heading_width(column));
}

bool KernelTable::is_empty(int column) const {
    return std::ranges::any_of(empty_, [&](const auto& id) { return model_->column_of(id) == column; });
}

/// From the name to the share of the roof all columns have their place, but for the names, which keep some
/// letters, and the share where these would not; then come the words of the classes, beside a report where
/// names keep more, the report of several, and from the left what else fits.
void KernelTable::fit_columns() {
    if (contents_.empty()) return;
    const QScopedValueRollback fitting(fitting_, true);
    const int name = model_->column_of("kernel");
    const int verdict = model_->column_of("class");
    const int share = model_->column_of("share_of_limit");
    const int sign = heading_width(verdict);
    const int longest_name = needed_width(name);
    const int good_name = std::min(longest_name, good_name_width);
    int room = view_->viewport()->width() - sign;
    for (int column = 0; column <= share; ++column)
        if (column != name && column != verdict && !is_empty(column)) room -= needed_width(column);
    const bool without_share = room < std::min(name_width_beside_share, longest_name) && !is_empty(share) &&
                               !all_columns_->isChecked();
    if (without_share) room += needed_width(share);
    const int source = model_->column_of("source");
    const int tags = needed_width(source);
    const int before_words =
        is_empty(source) ? least_name_width : std::min(longest_name, name_width_before_words) + tags;
    int words = sign;  // as many of them as there is room for
    for (const int wanted : {needed_width(verdict), brief_classes_})
        if (words == sign && wanted > sign && room - (wanted - sign) >= before_words) words = wanted;
    room -= words - sign;
    int shares = needed_width(share);
    const int before_limits =
        std::min(longest_name, name_width_before_limits) + (is_empty(source) ? 0 : tags);
    if (!without_share && room - (whole_shares_ - shares) >= before_limits) {
        room -= std::max(0, whole_shares_ - shares);
        shares = std::max(shares, whole_shares_);
    }
    const bool reports = !is_empty(source) && room - tags >= name_width_beside_report;
    const int report = reports ? std::clamp(room - good_name, tags, std::max(tags, whole_reports_)) : tags;
    bool fits = true;
    for (int column = 0; column < model_->columnCount(); ++column) {
        const int width = column == source ? report : column > share ? needed_width(column) : 0;
        const bool empty = is_empty(column);
        if (column > share && !empty) fits = fits && (column == source ? reports : room - width >= good_name);
        if (fits && !empty) room -= width;
        const bool beyond = column > share && !fits && !all_columns_->isChecked();
        view_->setColumnHidden(column, empty || beyond || (column == share && without_share));
    }
    if (own_widths_) return;
    for (int column = 0; column < model_->columnCount(); ++column)
        view_->setColumnWidth(column, needed_width(column));
    view_->setColumnWidth(verdict, words);
    view_->setColumnWidth(source, report);
    view_->setColumnWidth(share, shares);
    const int least_name = reports ? name_width_beside_report : name_width_beside_share;
    view_->setColumnWidth(name, std::max(std::min(least_name, longest_name), room));
}

bool KernelTable::eventFilter(QObject* watched, QEvent* event) {
    if (watched == view_->viewport() && event->type() == QEvent::Resize) {
        fit_columns();
    }
    if (watched == view_ && event->type() == QEvent::KeyPress)
        return nudge(*static_cast<QKeyEvent*>(event)) || QWidget::eventFilter(watched, event);
    return QWidget::eventFilter(watched, event);
}

/// Up and down extend the selection, as in any table.
bool KernelTable::nudge(const QKeyEvent& event) {
    const bool right = event.key() == Qt::Key_Right;
    if (!event.modifiers().testFlag(Qt::ShiftModifier) || (!right && event.key() != Qt::Key_Left))
        return false;
    emit nudged(right ? 1 : -1, event.modifiers().testFlag(Qt::ControlModifier));
    return true;
}

void KernelTable::show_selection() {
    if (choosing_) return;  // the view shows it, and must not scroll under the pointer
    const QScopedValueRollback following(following_, true);
    QItemSelection rows;
    for (const auto& [first, last] : model_->rows_of(document_.focus().points()))
        rows.select(model_->index(first, 0), model_->index(last, 0));
    if (rows.isEmpty()) return rows_->clear();
    rows_->select(rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    const std::optional<std::uint32_t> point = drawn_selection(document_.result(), document_.focus());
    if (!point) return;
    if (const std::optional<int> row = model_->row_of(*point)) {
        rows_->setCurrentIndex(model_->index(*row, 0), QItemSelectionModel::NoUpdate);
        view_->scrollTo(model_->index(*row, 0));
    }
}

void KernelTable::choose_selected_rows() {
    if (following_) return;
    const QScopedValueRollback choosing(choosing_, true);
    std::vector<std::uint32_t> points;
    if (!rows_->replaced())  // then what the filter hides was not meant
        for (const std::uint32_t point : document_.focus().points())
            if (!document_.result().matched(point)) points.push_back(point);
    for (const QItemSelectionRange& range : rows_->selection())
        for (int row = range.top(); row <= range.bottom(); ++row)
            points.push_back(*model_->point_of(row));
    const QModelIndex current = view_->currentIndex();
    const bool chosen = current.isValid() && rows_->isRowSelected(current.row());
    document_.select_points(points, chosen ? model_->point_of(current.row()) : document_.selection());
}

void KernelTable::show_filter_state() {
    const QString& fault = document_.filter_fault();
    const auto with_rest = [&](const QString& words) {
        return words.isEmpty() ? QString() : tr("%1 The filter before it still holds.").arg(words);
    };
    fault_->setText(with_rest(
        fault.size() <= longest_fault ? fault : fault.left(fault.lastIndexOf(u' ', cut_fault)) + u'…'));
    fault_->setVisible(!fault.isEmpty());
    set_tooltip(*fault_, with_rest(fault));
    filter_->setAccessibleDescription(with_rest(fault));
    mark_invalid(*filter_, !fault.isEmpty());
    count_->setVisible(!document_.filter_text().isEmpty() && document_.filter_fault().isEmpty());
    if (!typing_.isActive() && filter_->text() != document_.filter_text()) {
        const QSignalBlocker quiet(filter_);
        filter_->setText(document_.filter_text());
        filter_->setCursorPosition(0);  // a long one begins with what it looks for
    }
}

QSize KernelTable::sizeHint() const {
    constexpr std::size_t least_rows = 3;  // of a report that another one with more may follow
    constexpr std::size_t most_rows = 100;
    constexpr int air = 6;  // below the last one [px]
    const std::size_t kernels = document_.analysis()  ? document_.analysis()->points.size()
                                : document_.profile() ? document_.profile()->kernels.size()
                                                      : most_rows;
    const int rows = static_cast<int>(std::clamp(kernels, least_rows, most_rows)) *
                     view_->verticalHeader()->defaultSectionSize();
    const int above = layout()->sizeHint().height() - view_->sizeHint().height();
    const int heading = view_->horizontalHeader()->sizeHint().height();
    return {usual_size.width(), std::min(usual_size.height(), above + heading + rows + air)};
}

QString KernelTable::selected_rows_text() const {
    QStringList lines;
    std::vector<std::string_view> without;  // what tells nothing of these rows
    if (!document_.analysis() || !document_.analysis()->several_reports) without.emplace_back("source");
    if (document_.analysis_options().group_by != GroupBy::launch) without.emplace_back("launch");
    for (const auto& [first, last] : model_->rows_of(document_.focus().points())) {
        if (lines.isEmpty()) lines.append(model_->heading_text(without));
        for (int row = first; row <= last; ++row)
            lines.append(model_->row_text(row, without));
    }
    return lines.join('\n');
}

bool KernelTable::clear_faulty_filter() {
    const auto apply = [this] {
        typing_.stop();  // what was typed last counts, and Esc again is for the selection
        document_.set_filter(filter_->text());
    };
    if (typing_.isActive()) apply();
    if (document_.filter_fault().isEmpty()) return false;
    filter_->clear();
    apply();
    return true;
}

bool KernelTable::clear_filter() {
    if (!filter_->hasFocus() || filter_->text().isEmpty()) return false;
    filter_->clear();
    return true;
}

void KernelTable::focus_filter() {
    filter_->setFocus(Qt::ShortcutFocusReason);
    filter_->selectAll();
}

}  // namespace roofwalk
