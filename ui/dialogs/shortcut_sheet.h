// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

namespace roofwalk {

struct ActionSection;

/// Every key of the window, taken from its actions, and the gestures of the chart.
class ShortcutSheet : public QDialog {
    Q_OBJECT

  public:
    explicit ShortcutSheet(const QList<ActionSection>& sections, QWidget* parent = nullptr);
};

}  // namespace roofwalk
