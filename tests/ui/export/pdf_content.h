// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QSizeF>
#include <QStringList>

namespace roofwalk::test {

/// What stands on the only page of a PDF, read from its streams: as much of the format as QPdfWriter writes.
struct PdfContent {
    int pages = 0;
    QSizeF size;        ///< [pt]
    QStringList fonts;  ///< names without the tag of the subset, sorted
    QStringList texts;  ///< one for each text drawn, letters by the font's ToUnicode map
    int strokes = 0;    ///< paths that are stroked
    int fills = 0;      ///< paths that are filled
    int pictures = 0;
};

[[nodiscard]] PdfContent read_pdf(const QByteArray& pdf);

}  // namespace roofwalk::test
