// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/plain_text.h"

class QLabel;

namespace roofwalk {

/// Plain text that a person can select and copy. It wraps inside long words too: names of kernels, metrics
/// and files would otherwise decide how wide a panel is.
class TextLabel : public PlainLabel {
    Q_OBJECT

  public:
    explicit TextLabel(const QString& text = {}, QWidget* parent = nullptr);

    void set_text(const QString& text);
    /// The same, hidden while there is nothing to say.
    void show_text(const QString& text);

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

  private:
    void copy() const;
};

/// A label that is filled later. `object` is for style and tests.
[[nodiscard]] TextLabel* empty_label(const char* object, QWidget* parent);

/// Makes a label a heading: bold, and `scale` times as large as it was.
void make_heading(QLabel& label, double scale = 1);

[[nodiscard]] PlainLabel* heading_label(const QString& text, QWidget* parent, double scale = 1);

}  // namespace roofwalk
