// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "core/base/error.h"
#include "ui/widgets/message_bar.h"

namespace roofwalk {

/// One message: what happened, where, what to do; copied or dismissed by a button each. A button named
/// `offer` does something about it.
class MessageRow : public QFrame {
    Q_OBJECT

  public:
    MessageRow(MessageBar::Severity severity, const Error& error, int times, const QString& offer,
               QWidget* parent = nullptr);

  signals:
    void dismissed();
    void accepted();

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    MessageBar::Severity severity_;
};

}  // namespace roofwalk
