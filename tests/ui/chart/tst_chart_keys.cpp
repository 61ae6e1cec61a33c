// SPDX-License-Identifier: GPL-3.0-or-later
#include <QKeyEvent>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "tests/support/folder_tests.h"
#include "tests/ui/chart/chart_scenes.h"
#include "tests/ui/chart/shown_chart.h"

namespace tst_chart_keys {

using namespace roofwalk;
using test::ShownChart;

namespace {

double decades(Range range) {
    return std::log10(range.hi / range.lo);
}

bool close(Range a, Range b) {
    return std::abs(std::log(a.lo / b.lo)) < 1e-9 && std::abs(std::log(a.hi / b.hi)) < 1e-9;
}

}  // namespace

class TestChartKeys : public QObject {
    Q_OBJECT

  private slots:
    void keys_zoom_data() {
        QTest::addColumn<int>("key");
        QTest::addColumn<bool>("nearer");
        QTest::newRow("plus") << int{Qt::Key_Plus} << true;
        QTest::newRow("equal") << int{Qt::Key_Equal} << true;
        QTest::newRow("minus") << int{Qt::Key_Minus} << false;
    }

    void keys_zoom() {
        QFETCH(int, key);
        QFETCH(bool, nearer);
        ShownChart s(test::small_scene());
        const double before = decades(s.chart.x_range());
        QTest::keyClick(&s.chart, static_cast<Qt::Key>(key));
        QCOMPARE(decades(s.chart.x_range()) < before, nearer);
        QCOMPARE(decades(s.chart.x_range()) > before, !nearer);
    }

    void keys_pan_data() {
        QTest::addColumn<int>("key");
        QTest::addColumn<int>("x");
        QTest::addColumn<int>("y");
        QTest::newRow("left") << int{Qt::Key_Left} << -1 << 0;
        QTest::newRow("right") << int{Qt::Key_Right} << 1 << 0;
        QTest::newRow("up") << int{Qt::Key_Up} << 0 << 1;
        QTest::newRow("down") << int{Qt::Key_Down} << 0 << -1;
    }

    void keys_pan() {
        QFETCH(int, key);
        QFETCH(int, x);
        QFETCH(int, y);
        ShownChart s(test::small_scene());
        const Range x_before = s.chart.x_range();
        const Range y_before = s.chart.y_range();
        QTest::keyClick(&s.chart, static_cast<Qt::Key>(key));
        const auto direction = [](Range before, Range after) {
            return close(before, after) ? 0 : after.lo > before.lo ? 1 : -1;
        };
        QCOMPARE(direction(x_before, s.chart.x_range()), x);
        QCOMPARE(direction(y_before, s.chart.y_range()), y);
    }

    void escape_in_a_rectangle_only_drops_the_rectangle_data() {
        QTest::addColumn<int>("modifier");
        QTest::newRow("to select") << int{Qt::ShiftModifier};
        QTest::newRow("to zoom") << int{Qt::ControlModifier};
    }

    void escape_in_a_rectangle_only_drops_the_rectangle() {
        QFETCH(int, modifier);
        const auto held = static_cast<Qt::KeyboardModifier>(modifier);
        ShownChart s(test::small_scene());
        QSignalSpy clicks(&s.chart, &RooflineChart::point_clicked);
        QSignalSpy picks(&s.chart, &RooflineChart::points_picked);
        const Range x = s.chart.x_range();
        QTest::mousePress(&s.chart, Qt::LeftButton, held, {300, 200});
        QTest::mouseMove(&s.chart, {500, 400});
        QTest::keyClick(&s.chart, Qt::Key_Escape);
        QTest::mouseRelease(&s.chart, Qt::LeftButton, held, {500, 400});
        QVERIFY(close(s.chart.x_range(), x));
        QCOMPARE(clicks.count(), 0);
        QCOMPARE(picks.count(), 0);
    }

    void escape_in_a_drag_takes_the_view_back() {
        ShownChart s(test::small_scene());
        const Range x = s.chart.x_range();
        QTest::mousePress(&s.chart, Qt::LeftButton, Qt::NoModifier, {300, 200});
        QTest::mouseMove(&s.chart, {400, 300});
        QTest::mouseMove(&s.chart, {500, 400});
        QVERIFY(!close(s.chart.x_range(), x));
        QTest::keyClick(&s.chart, Qt::Key_Escape);
        QVERIFY(close(s.chart.x_range(), x));
        QTest::mouseRelease(&s.chart, Qt::LeftButton, Qt::NoModifier, {500, 400});
        QVERIFY(close(s.chart.x_range(), x));
    }

    void keys_it_does_not_know_are_left_to_the_window_data() {
        QTest::addColumn<int>("key");
        QTest::newRow("next") << int{Qt::Key_Period};
        QTest::newRow("previous") << int{Qt::Key_Comma};
        QTest::newRow("help") << int{Qt::Key_Question};
        QTest::newRow("focus") << int{Qt::Key_F};
        QTest::newRow("clear") << int{Qt::Key_Escape};
    }

    void keys_it_does_not_know_are_left_to_the_window() {
        QFETCH(int, key);
        ShownChart s(test::small_scene());
        QKeyEvent event(QEvent::KeyPress, key, Qt::NoModifier);
        event.accept();
        QCoreApplication::sendEvent(&s.chart, &event);
        QVERIFY(!event.isAccepted());
    }

    void no_key_leaves_the_limits() {
        ShownChart s(test::small_scene());
        for (int i = 0; i < 300; ++i)
            QTest::keyClick(&s.chart, Qt::Key_Plus);
        QVERIFY(s.chart.x_range().hi > s.chart.x_range().lo);
        for (int i = 0; i < 300; ++i)
            QTest::keyClick(&s.chart, Qt::Key_Minus);
        QVERIFY(s.chart.x_range().lo >= 0.99e-6);
        QVERIFY(s.chart.x_range().hi <= 1.01e12);
    }
};

}  // namespace tst_chart_keys

ROOFWALK_TEST(tst_chart_keys, TestChartKeys, QApplication)
#include "tst_chart_keys.moc"
