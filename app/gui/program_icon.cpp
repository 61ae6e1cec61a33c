// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/program_icon.h"

#include <QDir>

namespace roofwalk {

QIcon program_icon() {
    QIcon icon;
    const QDir sizes(QStringLiteral(":/icons"));
    for (const QString& file : sizes.entryList({QStringLiteral("*.png")}))
        icon.addFile(sizes.filePath(file));
    return icon;
}

}  // namespace roofwalk
