// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/compare_model.h"

#include <array>

#include "core/base/text.h"
#include "core/model/kernel_name.h"
#include "core/report/report_cells.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/theme.h"

namespace roofwalk {

namespace {

constexpr std::size_t compare_name_chars = 48;

QString nothing() {
    return QStringLiteral("–");
}

/// "9.1 ms → 5.3 ms", or the one side there is.
template <class PointText>
QString both(const ComparisonLine& line, PointText text_of) {
    QStringList sides;
    for (const auto& side : {line.before, line.after})
        if (side) sides.append(to_qt(text_of(side->kernel())));
    return sides.join(QStringLiteral(" → "));
}

std::string time_of(const KernelPoint& point) {
    return point.time ? format(*point.time) : not_measured().text;
}

/// The level that the verdict looks at, else the farthest that a side has.
std::optional<MemoryLevel> level_of(const ComparisonLine& line) {
    if (line.change && line.change->judged_at) return line.change->judged_at;
    for (const MemoryLevel level : all_levels)
        for (const auto& side : {line.before, line.after})
            if (side && side->kernel().at(level)) return level;
    return std::nullopt;
}

QString at_level(const ComparisonLine& line, CompareColumn column, const std::string& unit) {
    const std::optional<MemoryLevel> level = level_of(line);
    if (!level) return to_qt(not_measured().text);
    const QString values = both(line, [&](const KernelPoint& point) {
        const auto& there = point.at(*level);
        if (column == CompareColumn::intensity) return intensity_cell(point, *level, unit).text;
        return there ? format(there->bytes) : not_measured().text;
    });
    return QStringLiteral("%1: %2").arg(to_qt(std::string(label_of(*level))), values);
}

QString notes_of(const ComparisonLine& line) {
    QStringList notes;
    if (line.change)
        for (const std::string& note : change_notes(*line.before->run, *line.after->run, *line.change))
            notes.append(to_qt(note));
    return notes.join(' ');
}

QColor colour_of(const KernelChange& change) {
    const WindowColours& colours = window_colours(current_theme());
    switch (change.verdict) {
        case ChangeVerdict::right:
        case ChangeVerdict::up:
        case ChangeVerdict::faster:
        case ChangeVerdict::both:
            return colours.accent;
        case ChangeVerdict::wrong_way:
            return colours.error;
        case ChangeVerdict::mixed:
            return colours.warning;
        default:
            return colours.faint_text;
    }
}

}  // namespace

void CompareModel::show(std::shared_ptr<const ReportComparison> compared) {
    beginResetModel();
    compared_ = std::move(compared);
    lines_ = compared_ ? comparison_lines(compared_->comparison) : std::vector<ComparisonLine>();
    rows_.assign(compared_ ? compared_->analyses.back()->points.size() : 0, -1);
    for (int row = static_cast<int>(lines_.size()) - 1; row >= 0; --row)
        if (const auto point = point_of_row(row))
            rows_[*point] = row;  // the whole way stands before its steps
    endResetModel();
}

std::optional<std::uint32_t> CompareModel::point_of_row(int row) const {
    const ComparisonLine& line = lines_[static_cast<std::size_t>(row)];
    const bool open = line.after && line.after->number == compared_->comparison.runs.size();
    return open ? std::optional(line.after->point) : std::nullopt;
}

int CompareModel::row_of_point(std::uint32_t point) const {
    return point < rows_.size() ? rows_[point] : -1;
}

int CompareModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(lines_.size());
}

int CompareModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : compare_column_count;
}

QString CompareModel::text(const ComparisonLine& line, CompareColumn column) const {
    const std::string unit(work_unit(compared_->analyses.back()->options.operations));
    switch (column) {
        case CompareColumn::kernel:
            if (line.step) return tr("    report %1 → %2").arg(line.before->number).arg(line.after->number);
            return to_qt(shorten_kernel_name((line.after ? line.after : line.before)->kernel().name,
                                             compare_name_chars));
        case CompareColumn::verdict:
            return to_qt(std::string(line.verdict));
        case CompareColumn::speed_up:
            if (!line.change || line.change->contradicts()) return nothing();
            return to_qt(line.change->time ? time_text(*line.change->time) : not_measured().text);
        case CompareColumn::time:
            return both(line, time_of);
        case CompareColumn::bytes:
        case CompareColumn::intensity:
            return at_level(line, column, unit);
        case CompareColumn::roof_share:
            return both(line, [](const KernelPoint& point) { return roof_share_cell(point).text; });
        case CompareColumn::notes:
            return notes_of(line);
    }
    return {};
}

QString CompareModel::note(const ComparisonLine& line, CompareColumn column) const {
    if (column == CompareColumn::kernel) {
        QStringList names;
        for (const auto& side : {line.before, line.after})
            if (side && !names.contains(to_qt(side->kernel().name))) names.append(to_qt(side->kernel().name));
        return names.join(QStringLiteral(" → "));
    }
    if (column == CompareColumn::verdict && line.change)
        return tr("%1. Matched by: %2.")
            .arg(to_qt(change_text(*line.change)), to_qt(std::string(label_of(line.change->match.basis))));
    return text(line, column);
}

QVariant CompareModel::data(const QModelIndex& index, int role) const {
    const ComparisonLine& line = lines_[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<CompareColumn>(index.column());
    switch (role) {
        case Qt::DisplayRole:
            return text(line, column);
        case Qt::ToolTipRole:
            return tooltip_text(note(line, column));
        case Qt::ForegroundRole:
            if (!line.change) return window_colours(current_theme()).faint_text;
            if (column == CompareColumn::verdict) return colour_of(*line.change);
            break;
        default:
            break;
    }
    return {};
}

QVariant CompareModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal) return {};
    const std::array<QString, compare_column_count> titles{tr("Kernel"),  tr("Verdict"), tr("Speed-up"),
                                                           tr("Time"),    tr("Bytes"),   tr("AI"),
                                                           tr("Of roof"), tr("Notes")};
    return titles[static_cast<std::size_t>(section)];
}

}  // namespace roofwalk
