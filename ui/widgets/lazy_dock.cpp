// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/lazy_dock.h"

namespace roofwalk {

LazyDock::LazyDock(const QString& title, std::function<QWidget*()> make_content, QWidget* parent)
    : QDockWidget(title, parent), make_content_(std::move(make_content)) {
    hide();
}

/// Not at the show event: the window has laid itself out by then, without the content's size.
void LazyDock::setVisible(bool visible) {
    if (visible && widget() == nullptr) setWidget(make_content_());
    if (visible) widget()->show();  // hidden one by one when a window restores a layout without it
    QDockWidget::setVisible(visible);
}

}  // namespace roofwalk
