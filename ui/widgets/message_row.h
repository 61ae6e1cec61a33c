// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "core/base/notice.h"

namespace roofwalk {

/// One message: what happened, where, what to do; copied or dismissed by a button each. A button does
/// its action.
class MessageRow : public QFrame {
    Q_OBJECT

  public:
    MessageRow(const Notice& notice, int times, QWidget* parent = nullptr);

  signals:
    void dismissed();
    void accepted();

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    Severity severity_;
};

}  // namespace roofwalk
