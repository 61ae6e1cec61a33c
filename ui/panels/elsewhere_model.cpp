// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/elsewhere_model.h"

#include <array>
#include <utility>

#include "core/base/text.h"
#include "core/compare/kernel_change.h"
#include "core/model/kernel_name.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/theme.h"

namespace roofwalk {

namespace {

constexpr std::size_t elsewhere_name_chars = 48;

}  // namespace

void ElsewhereModel::show(std::shared_ptr<const DeviceProjection> elsewhere) {
    beginResetModel();
    elsewhere_ = std::move(elsewhere);
    rows_.assign(elsewhere_ ? elsewhere_->analysis->points.size() : 0, -1);
    for (int row = 0; row < rowCount(); ++row)
        rows_[*point_of_row(row)] = row;
    endResetModel();
}

std::optional<std::uint32_t> ElsewhereModel::point_of_row(int row) const {
    return elsewhere_->roofs.changes[static_cast<std::size_t>(row)].point;
}

int ElsewhereModel::row_of_point(std::uint32_t point) const {
    return point < rows_.size() ? rows_[point] : -1;
}

int ElsewhereModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !elsewhere_ ? 0 : static_cast<int>(elsewhere_->roofs.changes.size());
}

int ElsewhereModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : elsewhere_column_count;
}

QString ElsewhereModel::text(const RoofChange& change, ElsewhereColumn column) const {
    const std::string unit = std::string(work_unit(elsewhere_->analysis->options.operations)) + "/byte";
    const auto at_level = [&](const Bound& bound, const std::optional<Intensity>& value) {
        if (!value || !bound.level) return tr("not measured");
        return tr("%1 at %2").arg(to_qt(format(*value, unit)), to_qt(label_of(*bound.level)));
    };
    switch (column) {
        case ElsewhereColumn::kernel:
            return to_qt(
                shorten_kernel_name(elsewhere_->analysis->points[change.point].name, elsewhere_name_chars));
        case ElsewhereColumn::here:
            return to_qt(bound_text(change.here));
        case ElsewhereColumn::there:
            return to_qt(bound_text(change.there));
        case ElsewhereColumn::intensity:
            return at_level(change.here, change.here.intensity);
        case ElsewhereColumn::ridge:
            return at_level(change.here, change.here.ridge);
        case ElsewhereColumn::other_ridge:
            return at_level(change.there, change.there.ridge);
        case ElsewhereColumn::speed_up:
            if (change.speed_up()) return to_qt(ratio_text(*change.speed_up()));
            if (const auto most = change.speed_up_at_most())
                return tr("at most %1").arg(to_qt(ratio_text(*most)));
            return QStringLiteral("–");
    }
    return {};
}

QString ElsewhereModel::tooltip(const RoofChange& change, ElsewhereColumn column) const {
    if (column == ElsewhereColumn::kernel) return to_qt(elsewhere_->analysis->points[change.point].name);
    const std::string least = at_least_text(change.there);
    const bool of_time_there = column == ElsewhereColumn::there || column == ElsewhereColumn::speed_up;
    if (least.empty() || !of_time_there) return text(change, column);
    return tr("%1. Time there: %2").arg(text(change, column), to_qt(least));
}

QVariant ElsewhereModel::data(const QModelIndex& index, int role) const {
    const RoofChange& change = elsewhere_->roofs.changes[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<ElsewhereColumn>(index.column());
    switch (role) {
        case Qt::DisplayRole:
            return text(change, column);
        case Qt::ToolTipRole:
            return tooltip_text(tooltip(change, column));
        case Qt::ForegroundRole:
            if (column == ElsewhereColumn::there && change.crosses_over().value_or(false))
                return window_colours(current_theme()).accent;
            break;
        default:
            break;
    }
    return {};
}

QVariant ElsewhereModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal) return {};
    const std::array<QString, elsewhere_column_count> titles{
        tr("Kernel"),       tr("Bound here by"),           tr("Bound there by"),
        tr("AI"),           tr("Ridge here, boost clock"), tr("Ridge there, boost clock"),
        tr("Roof speed-up")};
    return titles[static_cast<std::size_t>(section)];
}

}  // namespace roofwalk
