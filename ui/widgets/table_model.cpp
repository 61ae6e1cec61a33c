// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/table_model.h"

#include <QCollator>
#include <QHeaderView>
#include <QStringList>
#include <QTableView>
#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>

#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/theme.h"

namespace roofwalk {

namespace {

constexpr std::size_t longest_name_in_tooltip = 200;  // copying gives all of it

QVariant alignment_of(const ReportColumn& column) {
    return QVariant(column.numeric() ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
}

QVariant colour_of(CellTone tone) {
    const WindowColours& colours = window_colours(current_theme());
    switch (tone) {
        case CellTone::faint:
            return colours.faint_text;
        case CellTone::good:
            return colours.accent;
        case CellTone::warning:
            return colours.warning;
        case CellTone::bad:
            return colours.error;
        case CellTone::plain:
            break;
    }
    return {};
}

/// "kernel_9" before "kernel_10", whatever the case of its letters.
QCollator natural_order() {
    QCollator order{QLocale(QLocale::English)};  // that of C knows no numbers
    order.setNumericMode(true);
    order.setCaseSensitivity(Qt::CaseInsensitive);
    return order;
}

/// The rows by their keys; those without one come last in both directions.
template <class Key, class KeyOf>
void sort_by(std::vector<std::uint32_t>& rows, Qt::SortOrder order, KeyOf key_of) {
    std::vector<std::pair<Key, std::uint32_t>> keyed;
    std::vector<std::uint32_t> last;
    keyed.reserve(rows.size());
    for (const std::uint32_t row : rows) {
        if (std::optional<Key> key = key_of(row))
            keyed.emplace_back(*std::move(key), row);
        else
            last.push_back(row);
    }
    std::ranges::stable_sort(keyed, [order](const auto& a, const auto& b) {
        return order == Qt::DescendingOrder ? b.first < a.first : a.first < b.first;
    });
    auto place = rows.begin();
    for (const auto& [key, row] : keyed)
        *place++ = row;
    std::ranges::copy(last, place);
}

/// Of a long name both ends, and what is told beside it.
std::string tip_of(const TableModel::Column& column, std::uint32_t row) {
    std::string note = column.note ? column.note(row) : std::string();
    std::string text = column.cell(row).text;
    if (column.column.kind != ColumnKind::name) return note.empty() ? text : note;
    return cut_middle(text, longest_name_in_tooltip) + (note.empty() ? "" : '\n' + note);
}

}  // namespace

TableModel::TableModel(std::size_t longest_name, QObject* parent)
    : QAbstractTableModel(parent), longest_name_(longest_name) {}

void TableModel::set_names(std::shared_ptr<const Profile> profile) {
    if (profile == profile_) return;
    std::vector<std::string_view> names;
    if (profile)
        for (const Kernel& kernel : profile->kernels)
            names.push_back(kernel.name);
    similar_ = SimilarNames(std::move(names));
    profile_ = std::move(profile);
}

void TableModel::set_points(std::vector<Column> columns, std::vector<std::uint32_t> points) {
    set_rows(std::move(columns), std::move(points), {});
}

void TableModel::set_lines(std::vector<Column> columns, std::vector<std::optional<std::uint32_t>> points) {
    std::vector<std::uint32_t> rows(points.size());
    std::iota(rows.begin(), rows.end(), 0U);
    set_rows(std::move(columns), std::move(rows), std::move(points));
}

void TableModel::set_rows(std::vector<Column> columns, std::vector<std::uint32_t> rows,
                          std::vector<std::optional<std::uint32_t>> points) {
    beginResetModel();
    columns_ = std::move(columns);
    rows_ = std::move(rows);
    points_ = std::move(points);
    sort_rows();
    endResetModel();
}

void TableModel::set_columns(std::vector<Column> columns) {
    columns_ = std::move(columns);
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void TableModel::set_box(std::string_view column, std::function<bool(int row)> is_ticked) {
    box_column_ = column;
    is_ticked_ = std::move(is_ticked);
}

int TableModel::column_of(std::string_view id) const {
    const auto found = std::ranges::find(columns_, id, [](const Column& column) { return column.column.id; });
    return found == columns_.end() ? -1 : static_cast<int>(found - columns_.begin());
}

std::optional<std::uint32_t> TableModel::point_of(int row) const {
    const std::uint32_t number = rows_[static_cast<std::size_t>(row)];
    return points_.empty() ? number : points_[number];
}

std::optional<int> TableModel::row_of(std::uint32_t point) const {
    for (int row = 0; row < rowCount(); ++row)
        if (point_of(row) == point) return row;
    return std::nullopt;
}

std::vector<std::pair<int, int>> TableModel::rows_of(const std::vector<std::uint32_t>& points) const {
    std::vector<bool> wanted(points.empty() ? 0 : std::size_t{std::ranges::max(points)} + 1);
    for (const std::uint32_t point : points)
        wanted[point] = true;
    std::vector<std::pair<int, int>> runs;
    for (int row = 0; row < rowCount(); ++row) {
        const std::optional<std::uint32_t> point = point_of(row);
        if (!point || *point >= wanted.size() || !wanted[*point]) continue;
        if (!runs.empty() && runs.back().second == row - 1)
            runs.back().second = row;
        else
            runs.emplace_back(row, row);
    }
    return runs;
}

QString TableModel::line_text(const std::vector<std::string_view>& without,
                              const std::function<QString(const Column&)>& cell) const {
    QStringList cells;
    for (const Column& column : columns_)
        if (std::ranges::find(without, column.column.id) == without.end()) cells.append(cell(column));
    return cells.join('\t');
}

QString TableModel::row_text(int row, const std::vector<std::string_view>& without) const {
    return line_text(without, [&](const Column& column) {
        return text(column, rows_[static_cast<std::size_t>(row)], std::string::npos);
    });
}

QString TableModel::heading_text(const std::vector<std::string_view>& without) const {
    return line_text(without, [](const Column& column) { return to_qt(column.column.title); });
}

int TableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int TableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

/// Among numbers a dash says that one was not measured.
QString TableModel::text(const Column& column, std::uint32_t row, std::size_t longest_name) const {
    const ReportCell cell = column.cell(row);
    if (column.column.kind == ColumnKind::name)
        return to_qt(similar_.shortened(cell.text, std::min(longest_name, cell.text.size())));
    return column.column.numeric() && !cell.known ? QStringLiteral("–") : to_qt(cell.text);
}

bool TableModel::is_missing(const Column& column, std::uint32_t row) const {
    return column.column.numeric() ? !column.cell(row).number : !column.text_of(row);
}

QVariant TableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Column& column = columns_[static_cast<std::size_t>(index.column())];
    const std::uint32_t row = rows_[static_cast<std::size_t>(index.row())];
    const bool is_name = column.column.kind == ColumnKind::name;
    switch (role) {
        case Qt::DisplayRole:
        case Qt::EditRole:
            return text(column, row, longest_name_);
        case Qt::ToolTipRole:
            return tooltip_text(to_qt(tip_of(column, row)));
        case Qt::AccessibleTextRole:
            return tr("%1: %2").arg(to_qt(column.column.title), is_name ? text(column, row, longest_name_)
                                                                        : to_qt(column.cell(row).text));
        case Qt::TextAlignmentRole:
            return alignment_of(column.column);
        case Qt::ForegroundRole:
            return column.tone ? colour_of(column.tone(row)) : QVariant();
        case Qt::CheckStateRole:
            if (has_box(column)) return is_ticked_(index.row()) ? Qt::Checked : Qt::Unchecked;
            return {};
        case class_role:
            if (column.column.kind == ColumnKind::kernel_class) return column.number_of(row).value_or(0);
            return {};
        case share_role: {
            const std::optional<double> share = column.share ? column.share(row) : std::nullopt;
            return share ? QVariant(std::min(1.0, *share)) : QVariant();
        }
        case missing_role:
            return is_missing(column, row);
        case name_role:
            return is_name ? QVariant(to_qt(column.cell(row).text)) : QVariant();
        case similar_role:
            return is_name ? QVariant(to_qt(similar_.to(column.cell(row).text))) : QVariant();
        case brief_role:
            return column.brief ? QVariant(to_qt(column.brief(row))) : QVariant();
        default:
            return {};
    }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const ReportColumn& column = columns_[static_cast<std::size_t>(section)].column;
    if (role == Qt::DisplayRole) return to_qt(column.short_title.empty() ? column.title : column.short_title);
    if (role == Qt::ToolTipRole && !column.meaning.empty()) return tooltip_text(to_qt(column.meaning));
    if (role == Qt::TextAlignmentRole) return alignment_of(column);
    if (role == Qt::InitialSortOrderRole && column.numeric()) return Qt::DescendingOrder;
    return {};
}

Qt::ItemFlags TableModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid() && has_box(columns_[static_cast<std::size_t>(index.column())]))
        flags |= Qt::ItemIsEditable | Qt::ItemIsUserCheckable;
    return flags;
}

bool TableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role == Qt::CheckStateRole)
        emit switch_wanted(index.row(), value.toInt() == Qt::Checked);
    else if (role == Qt::EditRole && value.toString() != data(index, Qt::EditRole).toString())
        emit name_wanted(index.row(), value.toString());
    else
        return false;
    return true;
}

void TableModel::sort(int column, Qt::SortOrder order) {
    if (column >= columnCount()) return;
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    std::vector<std::uint32_t> rows;
    const QModelIndexList before = persistentIndexList();
    for (const QModelIndex& index : before)
        rows.push_back(rows_[static_cast<std::size_t>(index.row())]);
    sort_column_ = column;
    sort_order_ = order;
    sort_rows();
    std::vector<int> place(rows_.empty() ? 0 : std::size_t{std::ranges::max(rows_)} + 1);
    for (int row = 0; row < rowCount(); ++row)
        place[rows_[static_cast<std::size_t>(row)]] = row;
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i)
        after.append(index(place[rows[static_cast<std::size_t>(i)]], before[i].column()));
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void TableModel::sort_rows() {
    if (sort_column_ < 0 || sort_column_ >= columnCount()) return;
    const Column& column = columns_[static_cast<std::size_t>(sort_column_)];
    const bool is_class = column.column.kind == ColumnKind::kernel_class;
    // Of classes the words: nobody knows the order of their signs.
    if (column.column.numeric() || (column.number && !is_class))
        return sort_by<double>(rows_, sort_order_, [&](std::uint32_t row) { return column.number_of(row); });
    const QCollator natural = natural_order();
    sort_by<QCollatorSortKey>(rows_, sort_order_, [&](std::uint32_t row) -> std::optional<QCollatorSortKey> {
        const auto text = column.text_of(row);
        const bool unknown =
            is_class && column.number_of(row) == static_cast<double>(KernelClass::not_measured);
        if (unknown || !text) return std::nullopt;
        return natural.sortKey(to_qt(*text));
    });
}

void show_rows(QTableView& view, int rows_measured) {
    view.setSelectionBehavior(QAbstractItemView::SelectRows);
    view.setShowGrid(false);
    view.setWordWrap(false);
    view.setTabKeyNavigation(false);
    view.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view.verticalHeader()->hide();
    view.horizontalHeader()->setHighlightSections(false);
    view.horizontalHeader()->setResizeContentsPrecision(rows_measured);
}

}  // namespace roofwalk
