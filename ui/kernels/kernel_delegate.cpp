// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kernels/kernel_delegate.h"

#include <QPainter>
#include <algorithm>

#include "core/model/kernel_name.h"
#include "ui/kernels/class_glyph.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/table_model.h"
#include "ui/widgets/theme.h"

namespace roofwalk {

namespace {

constexpr int padding = 8;
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

}  // namespace

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

/// A class, which has its sign, loses its cause where there is no room, then its word; why there is no number
/// becomes a dash; other texts lose their end.
QString KernelDelegate::fitted(const QModelIndex& index, const QFont& font, int width) const {
    QString text = index.data().toString();
    const QFontMetrics metrics(font);
    if (metrics.horizontalAdvance(text) <= width) return text;
    const QString brief = index.data(TableModel::brief_role).toString();
    if (index.data(TableModel::class_role).isValid())
        return metrics.horizontalAdvance(brief) <= width ? brief : QString();
    if (index.data(TableModel::name_role).isValid()) return fitted_name(index, font, width);
    if (index.data(TableModel::missing_role).toBool()) return QStringLiteral("–");
    if (!brief.isEmpty()) return metrics.elidedText(brief, Qt::ElideMiddle, width);
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
        draw_class_glyph(*painter, static_cast<KernelClass>(kernel_class.toInt()), theme, sign);
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

}  // namespace roofwalk
