// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/roofline/gap.h"
#include "tests/support/folder_tests.h"

namespace tst_gap {

using namespace roofwalk;

class TestGap : public QObject {
    Q_OBJECT

  private slots:
    void ten_times_the_bound_is_one_decade() {
        const VerticalGap gap = vertical_gap(Seconds(1e-1), Seconds(1e-2));
        QCOMPARE(gap.factor, 10.0);
        QCOMPARE(gap.decades(), 1.0);
        QCOMPARE(gap.efficiency(), 0.1);
    }
    void on_the_roof_is_no_gap() {
        const VerticalGap gap = vertical_gap(Seconds(2e-3), Seconds(2e-3));
        QCOMPARE(gap.factor, 1.0);
        QCOMPARE(gap.decades(), 0.0);
    }
    void above_the_roof_is_kept() {
        const VerticalGap gap = vertical_gap(Seconds(1e-3), Seconds(2e-3));
        QCOMPARE(gap.factor, 0.5);
        QCOMPARE(gap.efficiency(), 2.0);
        QVERIFY(gap.decades() < 0);
    }
};

}  // namespace tst_gap

ROOFWALK_TEST(tst_gap, TestGap, NoApplication)
#include "tst_gap.moc"
