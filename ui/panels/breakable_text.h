// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace roofwalk {

/// The text with room to break lines behind underscores, for metric names in a narrow panel. For display
/// only: the marks must not reach the clipboard.
[[nodiscard]] inline QString breakable(QString text) {
    return text.replace('_', QStringLiteral("_\u200b"));
}

}  // namespace roofwalk
