// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/plain_text.h"

namespace roofwalk {

/// Within `width` [px]: loses its end at a word, and its middle where words are longer than that.
[[nodiscard]] QString elided_at_word(const QString& text, const QFontMetrics& metrics, int width);

/// One line of plain text that gives way: too long a text loses its end, or its middle, and stands whole in
/// the tooltip.
class ElidedLabel : public PlainLabel {
    Q_OBJECT

  public:
    explicit ElidedLabel(const QString& text, Qt::TextElideMode mode, QWidget* parent = nullptr);

    void set_full_text(const QString& text);
    /// Shown as tooltip instead of the text.
    void set_note(const QString& note);
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override;

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void fit();

    QString full_text_;
    QString note_;
    Qt::TextElideMode mode_;
};

}  // namespace roofwalk
