// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/text_page_view.h"

namespace roofwalk {

class Document;

/// What to do about the selected kernel and why.
class AdvicePanel : public TextPageView {
    Q_OBJECT

  public:
    explicit AdvicePanel(Document& document, QWidget* parent = nullptr);

    /// Brings the panel up to date if it can be seen: behind another tab it stays as it is.
    void show_document();

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    Document& document_;
};

}  // namespace roofwalk
