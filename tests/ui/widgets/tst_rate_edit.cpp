// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/support/folder_tests.h"
#include "ui/widgets/rate_edit.h"

namespace tst_rate_edit {

using namespace roofwalk;

class TestRateEdit : public QObject {
    Q_OBJECT

  private slots:
    void rates_are_read_as_people_write_them_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("base");
        QTest::addColumn<double>("rate");
        QTest::newRow("with unit") << "1.94 TB/s"
                                   << "B/s" << 1.94e12;
        QTest::newRow("without a blank") << "312TFLOP/s"
                                         << "FLOP/s" << 312e12;
        QTest::newRow("prefix alone") << "19.5 T"
                                      << "FLOP/s" << 19.5e12;
        QTest::newRow("thousands") << "1,940 GB/s"
                                   << "B/s" << 1.94e12;
        QTest::newRow("no prefix") << "5e"
                                   << "B/s" << -1.0;
        QTest::newRow("base unit") << "900000 B/s"
                                   << "B/s" << 9e5;
        QTest::newRow("other case of the unit") << "2 Tflop/s"
                                                << "FLOP/s" << 2e12;
        QTest::newRow("thousands and a fraction") << "1,940.5 GB/s"
                                                  << "B/s" << 1.9405e12;
    }

    void rates_are_read_as_people_write_them() {
        QFETCH(QString, text);
        QFETCH(QString, base);
        QFETCH(double, rate);
        QCOMPARE(parse_rate(text, base.toStdString()).value_or(-1), rate);
    }

    void what_is_no_positive_rate_is_refused_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"", "fast", "-3 T", "0 T", "1.2.3 T", "12 TW", "1.94", "1 T B/s", "inf T",
                                 "1,5 TB/s", "2 Tb/s", "1,94,0 GB/s"})
            QTest::newRow(text) << text;
    }

    void what_is_no_positive_rate_is_refused() {
        QFETCH(QString, text);
        QVERIFY(!parse_rate(text, "B/s").has_value());
    }
};

}  // namespace tst_rate_edit

ROOFWALK_TEST(tst_rate_edit, TestRateEdit, NoApplication)
#include "tst_rate_edit.moc"
