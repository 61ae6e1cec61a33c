// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/text_page_view.h"

namespace roofwalk {

class Document;

/// The page of the selected kernel or kernels; without a selection, of all that is open.
class KernelPanel : public TextPageView {
    Q_OBJECT

  public:
    explicit KernelPanel(Document& document, QWidget* parent = nullptr);

  signals:
    /// An action of the page that no page answers.
    void kernel_action_requested(const QString& action);

  protected:
    /// The sign of the class has the colours of the theme.
    void changeEvent(QEvent* event) override;

  private:
    void show_document();
    /// Once for all that changes before the window is painted again: filling the page is most of its cost.
    void show_soon();
    void show_kernel(std::uint32_t point);

    Document& document_;
    bool stale_ = false;  ///< the page does not show what the document holds
};

}  // namespace roofwalk
