// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QHash>
#include <QStyledItemDelegate>

namespace roofwalk {

/// Paints a cell of the kernel table: a bar behind shares, the sign of the class before the verdict, and
/// missing numbers faint.
class KernelDelegate : public QStyledItemDelegate {
    Q_OBJECT

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

}  // namespace roofwalk
