// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <limits>

#include "tests/support/folder_tests.h"
#include "ui/chart/view_motion.h"

namespace tst_view_motion {

using namespace roofwalk;

class TestViewMotion : public QObject {
    Q_OBJECT

  private slots:
    void zooming_keeps_the_anchor_in_its_place() {
        const Range before{0.01, 1000};
        const Range after = zoomed(before, 1, 4, intensity_limits);
        const auto share = [](Range r) { return std::log(1 / r.lo) / std::log(r.hi / r.lo); };
        QVERIFY(std::abs(share(after) - share(before)) < 1e-12);
        QVERIFY(std::abs(std::log10(after.hi / after.lo) - 1.25) < 1e-12);
    }

    void zooming_in_and_out_again_changes_nothing() {
        const Range before{0.01, 1000};
        const Range after = zoomed(zoomed(before, 7, 3, intensity_limits), 7, 1.0 / 3, intensity_limits);
        QVERIFY(std::abs(after.lo / before.lo - 1) < 1e-12);
        QVERIFY(std::abs(after.hi / before.hi - 1) < 1e-12);
    }

    void no_zoom_leaves_the_limits() {
        Range range{0.01, 1000};
        for (int i = 0; i < 200; ++i)
            range = zoomed(range, 1, 0.5, intensity_limits);
        QVERIFY(std::abs(range.lo / intensity_limits.lo - 1) < 1e-9);
        QVERIFY(std::abs(range.hi / intensity_limits.hi - 1) < 1e-9);
    }

    void no_zoom_makes_a_range_empty() {
        Range range{0.01, 1000};
        for (int i = 0; i < 500; ++i)
            range = zoomed(range, 3, 2, intensity_limits);
        QVERIFY(range.hi > range.lo * 1.04);
        QVERIFY(range.lo < 3 && range.hi > 3);
    }

    void panning_moves_by_shares_and_stops_at_the_limits() {
        const Range moved = panned({1, 100}, 0.5, intensity_limits);
        QVERIFY(std::abs(moved.lo - 10) < 1e-9);
        QVERIFY(std::abs(moved.hi - 1000) < 1e-6);
        const Range edge = panned({1, 100}, 1e6, intensity_limits);
        QVERIFY(std::abs(edge.hi / intensity_limits.hi - 1) < 1e-9);
        QVERIFY(std::abs(edge.hi / edge.lo - 100) < 1e-6);
    }

    void bad_ranges_are_repaired_data() {
        QTest::addColumn<double>("lo");
        QTest::addColumn<double>("hi");
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const double infinity = std::numeric_limits<double>::infinity();
        QTest::newRow("inverted") << 10.0 << 1.0;
        QTest::newRow("empty") << 1.0 << 1.0;
        QTest::newRow("negative") << -5.0 << 1.0;
        QTest::newRow("zero") << 0.0 << 1.0;
        QTest::newRow("nan") << nan << 1.0;
        QTest::newRow("infinite") << 1.0 << infinity;
        QTest::newRow("far out") << 1e-300 << 1e300;
        QTest::newRow("too narrow") << 1.0 << 1.0000001;
    }

    void bad_ranges_are_repaired() {
        QFETCH(double, lo);
        QFETCH(double, hi);
        const Range range = limited({lo, hi}, intensity_limits);
        QVERIFY(range.lo >= intensity_limits.lo * 0.999999);
        QVERIFY(range.hi <= intensity_limits.hi * 1.000001);
        QVERIFY(range.hi > range.lo * 1.04);
    }

    void what_is_wanted_is_framed_and_no_range_narrowed() {
        const Range moved = framed({1, 100}, {1e4, 2e4}, intensity_limits);
        QVERIFY(std::abs(std::log10(moved.hi / moved.lo) - 2) < 1e-9);
        QVERIFY(std::abs(moved.lo * moved.hi / 2e8 - 1) < 1e-9);
        const Range widened = framed({1, 100}, {1e2, 1e6}, intensity_limits);
        QVERIFY(widened.lo < 1e2 && widened.hi > 1e6);
    }

    void nonsense_moves_nothing() {
        const Range range{1, 100};
        const double nan = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(zoomed(range, nan, 2, intensity_limits) == range);
        QVERIFY(zoomed(range, 10, 0, intensity_limits) == range);
        QVERIFY(zoomed(range, 10, nan, intensity_limits) == range);
        QVERIFY(panned(range, nan, intensity_limits) == range);
        QVERIFY(centred(range, -1, intensity_limits) == range);
    }
};

}  // namespace tst_view_motion

ROOFWALK_TEST(tst_view_motion, TestViewMotion, NoApplication)
#include "tst_view_motion.moc"
