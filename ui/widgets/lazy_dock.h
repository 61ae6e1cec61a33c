// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>
#include <functional>

namespace roofwalk {

/// A dock, hidden at first, whose content is made when it is shown for the first time: a window opens sooner
/// without what most sessions never look at.
class LazyDock : public QDockWidget {
    Q_OBJECT

  public:
    LazyDock(const QString& title, std::function<QWidget*()> make_content, QWidget* parent = nullptr);

    void setVisible(bool visible) override;

  private:
    std::function<QWidget*()> make_content_;
};

}  // namespace roofwalk
