// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/heading.h"

#include <QLabel>

namespace roofwalk {

void make_heading(QLabel& label, double scale) {
    QFont font = label.font();
    font.setPointSizeF(font.pointSizeF() * scale);
    font.setWeight(QFont::DemiBold);
    label.setFont(font);
}

}  // namespace roofwalk
