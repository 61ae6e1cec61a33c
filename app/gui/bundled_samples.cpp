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
    const QList<Sample> known{
        {QStringLiteral("GEMM from naive to tensor cores on A100 (modelled)"),
         QStringLiteral("gemm-walk-a100.roofwalk")},
        {QStringLiteral("GEMV on H100: straight up below the HBM roof (modelled)"),
         QStringLiteral("gemv-walk-h100.roofwalk")},
        {QStringLiteral("Llama-2 7B decode on H100 (modelled)"), QStringLiteral("llm-decode-h100.roofwalk")},
    };
    const QDir folder(samples_folder());
    QList<Sample> samples;
    for (const Sample& sample : known)
        if (folder.exists(sample.path)) samples.append({sample.title, folder.absoluteFilePath(sample.path)});
    return samples;
}

QString lessons_folder() {
    return QDir::cleanPath(samples_folder() + QStringLiteral("/../lessons"));
}

}  // namespace roofwalk
