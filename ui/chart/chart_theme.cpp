// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/chart_theme.h"

#include <cmath>

namespace roofwalk {

QFont chart_font(double size) {
    QFont font;
    font.setFamilies(
        {QStringLiteral("Liberation Sans"), QStringLiteral("Arial"), QStringLiteral("Helvetica")});
    font.setStyleHint(QFont::SansSerif);
    font.setPixelSize(static_cast<int>(std::lround(size)));
    return font;
}

}  // namespace roofwalk
