// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/panel_page.h"

namespace roofwalk {

class Document;
struct KernelPoint;

/// What is known of the selected kernel: one sentence first, then the questions a roofline answers, then the
/// numbers behind the answers. Without a selection, the session as a whole.
class KernelPanel : public PanelPage {
    Q_OBJECT

  public:
    explicit KernelPanel(Document& document, QWidget* parent = nullptr);

  signals:
    /// A person wants to say which operation the selected kernel carries out.
    void operation_requested();

  protected:
    /// The sign of the class has the colours of the theme.
    void changeEvent(QEvent* event) override;

  private:
    void show_document();
    /// Once for all that changes before the window is painted again: filling the page is most of its cost.
    void show_soon();
    void show_kernel(const KernelPoint& point);
    void show_selection(const std::vector<std::uint32_t>& points);
    void show_move();
    /// What became of the kernel since an older report.
    void show_change();
    void show_missing(const KernelPoint& point);
    void show_what_measures_the_rest();
    void show_command(const KernelPoint* point, const QString& heading);
    void show_session();

    Document& document_;
    bool stale_ = false;  ///< the page does not show what the document holds
};

}  // namespace roofwalk
