// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/chart/scene/palette.h"
#include "core/model/similar_names.h"
#include "core/roofline/analysis.h"
#include "ui/kernels/kernel_column.h"

namespace roofwalk {

/// The points of an analysis as rows. Keeps the analysis and a vector of indices, nothing else: a million
/// rows cost four bytes each. Sorting and filtering permute that vector, which is why there is no proxy.
class KernelTableModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Role {
        class_role = Qt::UserRole,  ///< int of KernelClass
        share_role,                 ///< 0 to 1: length of a bar behind the cell
        missing_role,               ///< bool: the text says why there is no number
        name_role,                  ///< the whole name
        similar_role,               ///< the name that its short form must not read like; maybe empty
    };

    explicit KernelTableModel(QObject* parent = nullptr);

    /// The names among which those shown are told apart.
    void set_names(std::shared_ptr<const Profile> profile);
    /// Shows `points` of `analysis`, in the sort order of the moment.
    void set_points(std::shared_ptr<const Analysis> analysis, std::vector<std::uint32_t> points);

    [[nodiscard]] std::uint32_t point_of(const QModelIndex& index) const;
    /// Row of a point; absent when it is filtered out.
    [[nodiscard]] std::optional<int> row_of(std::uint32_t point) const;
    /// The rows of some points, as runs of neighbours from first to last; those filtered out have none.
    [[nodiscard]] std::vector<std::pair<int, int>> rows_of(const std::vector<std::uint32_t>& points) const;
    /// One row as text, columns separated by tabs, whole name.
    [[nodiscard]] QString row_text(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

  private:
    [[nodiscard]] const KernelPoint& at(int row) const;
    void sort_rows();

    std::shared_ptr<const Analysis> analysis_;
    std::shared_ptr<const Profile> profile_;
    SimilarNames similar_;  ///< of profile_
    std::vector<std::uint32_t> rows_;
    KernelColumn sort_column_ = KernelColumn::time;
    Qt::SortOrder sort_order_ = Qt::DescendingOrder;
};

}  // namespace roofwalk
