// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/model/kernel_name.h"
#include "core/model/profile.h"
#include "core/report/report_cells.h"

class QTableView;

namespace roofwalk {

/// Rows under columns of core/report, whatever they tell of: kernels, a comparison, the moves of a scenario.
/// Cells are made when they are looked at. Of a row the model keeps the number by which the columns know it,
/// and no more: a million rows cost four bytes each. Sorting and filtering permute these, which is why there
/// is no proxy.
class TableModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    using Column = ColumnRule<std::uint32_t>;

    enum Role {
        class_role = Qt::UserRole,  ///< number of a KernelClass, and a half of low use by a unit; in the
                                    ///< column of classes
        share_role,                 ///< 0 to 1: length of a bar behind the cell
        missing_role,               ///< bool: the text says why there is no number
        name_role,                  ///< the whole name, in columns of names only
        similar_role,               ///< the name that its short form must not read like; maybe empty
        brief_role,                 ///< the text where it has no room, in columns that have a shorter one
    };

    /// Names are shortened to `longest_name` characters.
    explicit TableModel(std::size_t longest_name, QObject* parent = nullptr);

    /// The names among which those shown are told apart.
    void set_names(std::shared_ptr<const Profile> profile);
    /// Shows other rows, in the sort order of the moment: kernel points, by which the columns know them.
    void set_points(std::vector<Column> columns, std::vector<std::uint32_t> points);
    /// Rows that the columns know by their place from 0 on, and the kernel point that each tells of, if any.
    void set_lines(std::vector<Column> columns, std::vector<std::optional<std::uint32_t>> points);
    /// The rows tell something else now, under columns of the same kind.
    void set_columns(std::vector<Column> columns);
    /// The cells of this column have a box before their words, and their words can be edited: what a person
    /// does is told, not done.
    void set_box(std::string_view column, std::function<bool(int row)> is_ticked);

    /// The place of a column; -1 when there is none.
    [[nodiscard]] int column_of(std::string_view id) const;
    /// Absent where a row tells of no kernel that is open.
    [[nodiscard]] std::optional<std::uint32_t> point_of(int row) const;
    /// The first row of a point; absent when there is none, as when it is filtered out.
    [[nodiscard]] std::optional<int> row_of(std::uint32_t point) const;
    /// The rows of some points, as runs of neighbours from first to last.
    [[nodiscard]] std::vector<std::pair<int, int>> rows_of(const std::vector<std::uint32_t>& points) const;
    /// One row as text: columns separated by tabs, uncut names; without the columns of some ids.
    [[nodiscard]] QString row_text(int row, const std::vector<std::string_view>& without = {}) const;
    /// The headings above such rows.
    [[nodiscard]] QString heading_text(const std::vector<std::string_view>& without = {}) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    /// By -1 rows stay in the order in which they come.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

  signals:
    void switch_wanted(int row, bool on);
    void name_wanted(int row, const QString& name);

  private:
    [[nodiscard]] QString text(const Column& column, std::uint32_t row, std::size_t longest_name) const;
    [[nodiscard]] QString line_text(const std::vector<std::string_view>& without,
                                    const std::function<QString(const Column&)>& cell) const;
    [[nodiscard]] bool is_missing(const Column& column, std::uint32_t row) const;
    [[nodiscard]] bool has_box(const Column& column) const { return column.column.id == box_column_; }
    void set_rows(std::vector<Column> columns, std::vector<std::uint32_t> rows,
                  std::vector<std::optional<std::uint32_t>> points);
    void sort_rows();

    std::size_t longest_name_;
    std::shared_ptr<const Profile> profile_;
    SimilarNames similar_;  ///< of profile_
    std::vector<Column> columns_;
    std::vector<std::uint32_t> rows_;
    std::vector<std::optional<std::uint32_t>> points_;  ///< of lines, by their place; else empty
    std::string box_column_;
    std::function<bool(int row)> is_ticked_;
    int sort_column_ = -1;
    Qt::SortOrder sort_order_ = Qt::DescendingOrder;
};

/// Makes a table show whole rows without lines between them. Columns are as wide as their first rows ask for,
/// `rows_measured` at most.
void show_rows(QTableView& view, int rows_measured);

}  // namespace roofwalk
