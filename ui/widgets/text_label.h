// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/plain_text.h"

namespace roofwalk {

/// Plain text that a person can select and copy. It wraps inside long words too: names of kernels, metrics
/// and files would otherwise decide how wide a panel is.
class TextLabel : public PlainLabel {
    Q_OBJECT

  public:
    explicit TextLabel(const QString& text = {}, QWidget* parent = nullptr);

    void set_text(const QString& text);

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

  private:
    void copy() const;
};

}  // namespace roofwalk
