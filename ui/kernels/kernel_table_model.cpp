// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kernels/kernel_table_model.h"

#include <QStringList>
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/text.h"
#include "core/model/profile.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

namespace {

KernelColumn column_at(int section) {
    return static_cast<KernelColumn>(section);
}

bool is_number(KernelColumn column) {
    return !sorts_by_text(column) && column != KernelColumn::verdict;
}

QVariant bar_share(const KernelPoint& point, KernelColumn column) {
    if (column == KernelColumn::time && point.time) return point.time_share;
    if (column == KernelColumn::efficiency && point.gap) return std::min(1.0, point.gap->efficiency());
    return {};
}

std::string text_key(const KernelPoint& point, KernelColumn column) {
    if (column == KernelColumn::name) return point.name;
    return point.binding ? label_of(*point.binding) : std::string();
}

}  // namespace

KernelTableModel::KernelTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void KernelTableModel::set_names(std::shared_ptr<const Profile> profile) {
    std::vector<std::string_view> names;
    if (profile)
        for (const Kernel& kernel : profile->kernels)
            names.push_back(kernel.name);
    similar_ = SimilarNames(std::move(names));
    profile_ = std::move(profile);
}

void KernelTableModel::set_points(std::shared_ptr<const Analysis> analysis,
                                  std::vector<std::uint32_t> points) {
    beginResetModel();
    analysis_ = std::move(analysis);
    rows_ = std::move(points);
    sort_rows();
    endResetModel();
}

const KernelPoint& KernelTableModel::at(int row) const {
    return analysis_->points[rows_[static_cast<std::size_t>(row)]];
}

std::uint32_t KernelTableModel::point_of(const QModelIndex& index) const {
    return rows_[static_cast<std::size_t>(index.row())];
}

std::optional<int> KernelTableModel::row_of(std::uint32_t point) const {
    const auto found = std::ranges::find(rows_, point);
    if (found == rows_.end()) return std::nullopt;
    return static_cast<int>(found - rows_.begin());
}

std::vector<std::pair<int, int>> KernelTableModel::rows_of(const std::vector<std::uint32_t>& points) const {
    std::vector<bool> wanted(analysis_ ? analysis_->points.size() : 0);
    for (const std::uint32_t point : points)
        wanted[point] = true;
    std::vector<std::pair<int, int>> runs;
    for (int row = 0; row < rowCount(); ++row) {
        if (!wanted[rows_[static_cast<std::size_t>(row)]]) continue;
        if (!runs.empty() && runs.back().second == row - 1)
            runs.back().second = row;
        else
            runs.emplace_back(row, row);
    }
    return runs;
}

QString KernelTableModel::row_text(int row) const {
    QStringList cells{to_qt(at(row).name)};
    for (int column = 1; column < kernel_column_count; ++column)
        cells.append(cell_text(at(row), column_at(column), analysis_->options));
    return cells.join('\t');
}

int KernelTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int KernelTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kernel_column_count;
}

QVariant KernelTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const KernelPoint& point = at(index.row());
    const KernelColumn column = column_at(index.column());
    constexpr std::size_t longest_name_shown = 60;
    switch (role) {
        case Qt::DisplayRole:
            if (column == KernelColumn::name)
                return to_qt(similar_.shortened(point.name, longest_name_shown));
            return cell_text(point, column, analysis_->options);
        case Qt::ToolTipRole:
            if (column == KernelColumn::name) return tooltip_text(to_qt(point.name));
            if (column == KernelColumn::verdict)
                return tooltip_text(to_qt(rule_text(point, analysis_->options.thresholds)));
            if (column == KernelColumn::time && point.time)
                return tooltip_text(tr("%1 of all time").arg(to_qt(format_percent(point.time_share))));
            return {};
        case Qt::AccessibleTextRole:
            return tr("%1: %2").arg(title_of(column), spoken_text(point, column, analysis_->options));
        case Qt::TextAlignmentRole:
            return QVariant(is_number(column) ? Qt::AlignRight | Qt::AlignVCenter
                                              : Qt::AlignLeft | Qt::AlignVCenter);
        case class_role:
            return static_cast<int>(point.verdict.kernel_class);
        case share_role:
            return bar_share(point, column);
        case missing_role:
            return is_missing(point, column, analysis_->options);
        case name_role:
            return to_qt(point.name);
        case similar_role:
            return to_qt(similar_.to(point.name));
        default:
            return {};
    }
}

QVariant KernelTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kernel_column_count) return {};
    const KernelColumn column = column_at(section);
    if (role == Qt::DisplayRole) return title_of(column);
    if (role == Qt::ToolTipRole) return tooltip_text(meaning_of(column));
    if (role == Qt::TextAlignmentRole)
        return QVariant(is_number(column) ? Qt::AlignRight | Qt::AlignVCenter
                                          : Qt::AlignLeft | Qt::AlignVCenter);
    return {};
}

void KernelTableModel::sort(int column, Qt::SortOrder order) {
    if (column < 0 || column >= kernel_column_count) return;
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    std::vector<std::uint32_t> points;
    const QModelIndexList before = persistentIndexList();
    for (const QModelIndex& index : before)
        points.push_back(point_of(index));
    sort_column_ = column_at(column);
    sort_order_ = order;
    sort_rows();
    std::vector<int> row_of_point(analysis_ ? analysis_->points.size() : 0);
    for (int row = 0; row < rowCount(); ++row)
        row_of_point[rows_[static_cast<std::size_t>(row)]] = row;
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i)
        after.append(index(row_of_point[points[static_cast<std::size_t>(i)]], before[i].column()));
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void KernelTableModel::sort_rows() {
    const bool descending = sort_order_ == Qt::DescendingOrder;
    if (sorts_by_text(sort_column_)) {
        std::ranges::stable_sort(rows_, [&](std::uint32_t a, std::uint32_t b) {
            const std::string left = text_key(analysis_->points[a], sort_column_);
            const std::string right = text_key(analysis_->points[b], sort_column_);
            return descending ? right < left : left < right;
        });
        return;
    }
    std::ranges::stable_sort(rows_, [&](std::uint32_t a, std::uint32_t b) {
        const std::optional<double> left =
            sort_number(analysis_->points[a], sort_column_, analysis_->options);
        const std::optional<double> right =
            sort_number(analysis_->points[b], sort_column_, analysis_->options);
        if (!left || !right) return left.has_value() && !right;
        return descending ? *right < *left : *left < *right;
    });
}

}  // namespace roofwalk
