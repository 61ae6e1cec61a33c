// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/workspace/workspace_result.h"
#include "ui/panels/point_table.h"

namespace roofwalk {

enum class ElsewhereColumn : std::uint8_t { kernel, here, there, intensity, ridge, other_ridge, speed_up };

inline constexpr int elsewhere_column_count = 7;

/// What would bind each kernel on another GPU, longest first, for a table.
class ElsewhereModel : public PointTableModel {
    Q_OBJECT

  public:
    using PointTableModel::PointTableModel;

    void show(std::shared_ptr<const DeviceProjection> elsewhere);

    [[nodiscard]] std::optional<std::uint32_t> point_of_row(int row) const override;
    [[nodiscard]] int row_of_point(std::uint32_t point) const override;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    [[nodiscard]] QString text(const RoofChange& change, ElsewhereColumn column) const;
    [[nodiscard]] QString tooltip(const RoofChange& change, ElsewhereColumn column) const;

    std::shared_ptr<const DeviceProjection> elsewhere_;
    std::vector<int> rows_;  ///< by point
};

}  // namespace roofwalk
