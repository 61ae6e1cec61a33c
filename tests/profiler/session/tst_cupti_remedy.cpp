// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/session/cupti_remedy.h"

#include <QTest>

using namespace roofwalk;

class TestCuptiRemedy : public QObject {
    Q_OBJECT

  private slots:
    void whatever_keeps_a_device_from_being_counted_has_a_remedy() {
        for (const std::int32_t code : {2, 14, 15, 26, 27, 33, 35, 39, 40, 41, 42, 43, 44, 45, 46, 999})
            QVERIFY2(remedy_for_cupti(code).ends_with('.'), qPrintable(QString::number(code)));
    }
    void other_codes_have_none() {
        for (const std::int32_t code : {0, 1, 8, 1000, -1})
            QVERIFY(remedy_for_cupti(code).empty());
    }
};

QTEST_APPLESS_MAIN(TestCuptiRemedy)
#include "tst_cupti_remedy.moc"
