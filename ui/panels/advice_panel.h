// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/panel_page.h"

namespace roofwalk {

struct Advice;
struct KernelAdvice;
struct KernelPoint;
class Document;

/// What to do about the selected kernel and why: its position, where to begin, what the counters indicate and
/// rule out, and how to collect what would decide the rest.
class AdvicePanel : public PanelPage {
    Q_OBJECT

  public:
    explicit AdvicePanel(Document& document, QWidget* parent = nullptr);

    /// Brings the panel up to date if it can be seen: behind another tab it stays as it is.
    void show_document();

  signals:
    void thresholds_requested();

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void show_kernel(const KernelPoint& point);
    void show_position(const KernelPoint& point, const KernelAdvice& advice);
    void show_list(const QString& heading, const std::vector<Advice>& list);
    void show_not_measured(const KernelPoint& point, const KernelAdvice& advice);
    void show_ruled_out(const KernelAdvice& advice);

    Document& document_;
};

}  // namespace roofwalk
