// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/bundled_samples.h"

#include <QCoreApplication>
#include <QDir>

namespace roofwalk {

namespace {

QString samples_folder() {
    const QDir installed(QCoreApplication::applicationDirPath() +
                         QStringLiteral("/" ROOFWALK_SAMPLES_FROM_BIN));
    return installed.exists() ? installed.absolutePath() : QStringLiteral(ROOFWALK_SAMPLES_SOURCE);
}

}  // namespace

QList<Sample> bundled_samples() {
    const QDir folder(samples_folder());
    QList<Sample> samples;
    for (const QFileInfo& file : folder.entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Name))
        samples.append({file.completeBaseName().replace('-', ' '), file.absoluteFilePath()});
    return samples;
}

}  // namespace roofwalk
