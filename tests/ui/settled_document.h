// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

#include "ui/workspace/document.h"

/// A document whose jobs a test waits for.
namespace roofwalk::test {

inline void settle(Document& document) {
    QTRY_VERIFY_WITH_TIMEOUT(!document.loader().job().running() && !document.analysing().running(), 60'000);
}

/// Opens and waits; nothing that was opened anew is selected then.
inline void open(Document& document, const QStringList& paths,
                 ReportLoader::Opening opening = ReportLoader::Opening::replace) {
    document.loader().open(paths, opening);
    settle(document);
    if (opening != ReportLoader::Opening::replace || document.empty()) return;
    document.select(std::nullopt);
    QTRY_VERIFY_WITH_TIMEOUT(
        document.scene()->options.selected == drawn_selection(document.result(), document.focus()), 60'000);
}

}  // namespace roofwalk::test
