// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/compare/comparison_lines.h"
#include "core/workspace/workspace_result.h"
#include "ui/panels/point_table.h"

namespace roofwalk {

enum class CompareColumn : std::uint8_t {
    kernel,
    verdict,
    speed_up,
    time,
    bytes,
    intensity,
    roof_share,
    notes,
};

inline constexpr int compare_column_count = 8;

/// The lines of a comparison, for a table.
class CompareModel : public PointTableModel {
    Q_OBJECT

  public:
    using PointTableModel::PointTableModel;

    void show(std::shared_ptr<const ReportComparison> compared);

    /// The kernel of a row in what is open; absent where only older reports have it.
    [[nodiscard]] std::optional<std::uint32_t> point_of_row(int row) const override;
    /// The row that tells of a kernel of what is open from the oldest report to now; -1 without one.
    [[nodiscard]] int row_of_point(std::uint32_t point) const override;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    [[nodiscard]] QString text(const ComparisonLine& line, CompareColumn column) const;
    [[nodiscard]] QString note(const ComparisonLine& line, CompareColumn column) const;

    std::shared_ptr<const ReportComparison> compared_;
    std::vector<ComparisonLine> lines_;
    std::vector<int> rows_;  ///< by point of what is open
};

}  // namespace roofwalk
