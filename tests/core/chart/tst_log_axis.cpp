// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "core/chart/layout/log_axis.h"
#include "core/chart/layout/text_metrics.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_log_axis {

using namespace roofwalk;

namespace {

std::string labels_of(const std::vector<Tick>& ticks) {
    std::string all;
    for (const Tick& tick : ticks)
        if (!tick.label.empty()) all += (all.empty() ? "" : "|") + tick.label;
    return all;
}

}  // namespace

class TestLogAxis : public QObject {
    Q_OBJECT

  private slots:
    void every_decade_has_the_same_length() {
        const LogAxis axis({0.1, 1000}, 50, 450);
        QCOMPARE(axis.pixels_per_decade(), 100.0);
        QCOMPARE(axis.to_pixel(0.1), 50.0);
        QCOMPARE(axis.to_pixel(10), 250.0);
        QCOMPARE(axis.to_value(350), 100.0);
    }
    void a_y_axis_runs_upwards() {
        const LogAxis axis({1e9, 1e13}, 400, 0);
        QCOMPARE(axis.to_pixel(1e9), 400.0);
        QCOMPARE(axis.to_pixel(1e13), 0.0);
        QCOMPARE(axis.to_pixel(1e11), 200.0);
        QCOMPARE(axis.to_value(100), 1e12);
    }
    void two_decades_of_x_are_two_decades_of_a_bandwidth_roof() {
        const LogAxis x({0.01, 100}, 0, 400);
        const LogAxis y({1e9, 1e13}, 400, 0);
        const double bandwidth = 1.555e12;
        QCOMPARE(x.to_pixel(1) - x.to_pixel(0.01), y.to_pixel(bandwidth * 0.01) - y.to_pixel(bandwidth));
    }
    void decades_carry_si_prefixes() {
        QCOMPARE(labels_of(log_ticks({1e9, 1e13}, 400, TickLabels::si)),
                 std::string("1 G|10 G|100 G|1 T|10 T"));
    }
    void intensities_are_plain_up_to_a_thousand() {
        QCOMPARE(labels_of(log_ticks({0.01, 10000}, 600, TickLabels::plain)),
                 std::string("0.01|0.1|1|10|100|1 k|10 k"));
    }
    void an_axis_with_millionths_has_prefixes_throughout() {
        QCOMPARE(labels_of(log_ticks({1e-6, 1e3}, 1000, TickLabels::plain)),
                 std::string("1 µ|10 µ|100 µ|1 m|10 m|100 m|1|10|100|1 k"));
    }
    void minor_ticks_stand_at_2_to_9() {
        const auto ticks = log_ticks({1, 100}, 400, TickLabels::plain);
        QCOMPARE(std::ranges::count_if(ticks, [](const Tick& tick) { return !tick.major; }), 16);
        QVERIFY(
            std::ranges::all_of(ticks, [](const Tick& tick) { return tick.major != tick.label.empty(); }));
    }
    void below_two_decades_1_2_5_are_labelled() {
        QCOMPARE(labels_of(log_ticks({1, 50}, 600, TickLabels::plain)), std::string("1|2|5|10|20|50"));
    }
    void below_a_third_of_a_decade_steps_are_even() {
        QCOMPARE(labels_of(log_ticks({1.0e12, 1.5e12}, 500, TickLabels::si)),
                 std::string("1.0 T|1.1 T|1.2 T|1.3 T|1.4 T|1.5 T"));
        QCOMPARE(labels_of(log_ticks({12.31, 12.36}, 400, TickLabels::plain)),
                 std::string("12.31|12.32|12.33|12.34|12.35|12.36"));
    }
    void crowded_decades_are_thinned_to_every_nth() {
        QCOMPARE(labels_of(log_ticks({1e-3, 1e9}, 240, TickLabels::si)),
                 std::string("10 m|1|100|10 k|1 M|100 M"));
        QCOMPARE(labels_of(log_ticks({1e-3, 1e9}, 140, TickLabels::si)), std::string("1 m|1|1 k|1 M|1 G"));
    }
    void labels_never_touch_and_never_show_an_exponent_data() {
        QTest::addColumn<double>("decades");
        for (const double decades : {0.001, 0.05, 0.29, 0.31, 0.6, 0.95, 1.05, 1.9, 2.1, 4.7, 9.0, 25.0})
            QTest::addRow("%g decades", decades) << decades;
    }
    void labels_never_touch_and_never_show_an_exponent() {
        QFETCH(double, decades);
        for (const double lo : {3.3e-7, 0.0123, 1.0, 87.5, 2.2e9, 1.7e14})
            for (const double pixels : {60.0, 200.0, 500.0, 1500.0})
                for (const TickLabels style : {TickLabels::plain, TickLabels::si}) {
                    const Range range{lo, lo * std::pow(10.0, decades)};
                    const LogAxis axis(range, 0, pixels);
                    double taken = -1e9;
                    for (const Tick& tick : log_ticks(range, pixels, style)) {
                        QVERIFY(tick.value >= range.lo * 0.999999 && tick.value <= range.hi * 1.000001);
                        if (tick.label.empty()) continue;
                        const double half = text_width(tick.label, 11) / 2;
                        QVERIFY2(axis.to_pixel(tick.value) - half > taken, tick.label.c_str());
                        taken = axis.to_pixel(tick.value) + half;
                        QVERIFY2(tick.label.find('e') == std::string::npos, tick.label.c_str());
                    }
                }
    }
    void there_is_always_a_label_on_a_page_wide_axis() {
        for (double decades = 0.01; decades < 12; decades *= 1.1)
            for (const double lo : {0.0131, 2.7, 6.6e10}) {
                const Range range{lo, lo * std::pow(10.0, decades)};
                const auto ticks = log_ticks(range, 500, TickLabels::si);
                QVERIFY2(std::ranges::count_if(ticks, &Tick::major) >= 2,
                         qPrintable(QString::number(decades)));
            }
    }
    void impossible_ranges_have_no_ticks() {
        QVERIFY(log_ticks({0, 10}, 400, TickLabels::si).empty());
        QVERIFY(log_ticks({10, 1}, 400, TickLabels::si).empty());
        QVERIFY(log_ticks({1, 10}, 0, TickLabels::si).empty());
        QVERIFY(log_ticks({1, std::numeric_limits<double>::infinity()}, 400, TickLabels::si).empty());
    }
    void padding_leaves_room_at_both_ends() {
        const Range range = padded({1, 1e6}, 4);
        QVERIFY(range.lo < 0.64 && range.hi > 1.5e6);
        const Range narrow = padded({10, 10}, 4);
        QVERIFY(std::abs(std::log10(narrow.hi / narrow.lo) - 4) < 1e-9);
        QVERIFY(std::abs(narrow.lo * narrow.hi - 100) < 1e-6);
    }
};

}  // namespace tst_log_axis

ROOFWALK_TEST(tst_log_axis, TestLogAxis, NoApplication)
#include "tst_log_axis.moc"
