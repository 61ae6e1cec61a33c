// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

#include "tests/ui/shown_window.h"

namespace roofwalk::test {

/// Everything that the message bar says.
[[nodiscard]] inline QString told(ShownWindow& s) {
    QCoreApplication::processEvents();
    QStringList texts;
    for (const QLabel* label : s.messages().findChildren<QLabel*>())
        texts.append(label->text());
    return texts.join('\n').remove(QChar(0x200b));  // where long words may break
}

}  // namespace roofwalk::test
