// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/devices/measured_roof.h"
#include "tests/support/folder_tests.h"

namespace tst_measured_roof {

using namespace roofwalk;

namespace {

std::vector<SweepPoint> points_of(const MeasuredRoof& roof, double noise = 0) {
    std::vector<SweepPoint> points;
    for (const double intensity :
         {0.5, 1.0, 2.0, 4.0, 8.0, 12.0, 16.0, 20.0, 24.0, 32.0, 64.0, 128.0, 256.0}) {
        const double wobble = 1 + noise * (points.size() % 2 == 0 ? 1 : -1);
        points.push_back({Intensity(intensity), roof.at(Intensity(intensity)) * wobble, {}, 0});
    }
    return points;
}

bool near(double value, double expected, double share) {
    return std::abs(value - expected) <= share * expected;
}

}  // namespace

class TestMeasuredRoof : public QObject {
    Q_OBJECT

  private slots:
    void the_fit_finds_the_roof_that_made_the_points() {
        for (const double sharpness : {2.0, 5.0, 12.0}) {
            const MeasuredRoof made{ByteRate(3.2e12), FlopRate(58e12), sharpness, 0};
            const auto fitted = fit_roof(points_of(made));
            QVERIFY(fitted.has_value());
            QVERIFY(near(fitted->slope.value(), 3.2e12, 0.01));
            QVERIFY(near(fitted->peak.value(), 58e12, 0.01));
            QVERIFY(near(fitted->sharpness, sharpness, 0.05));
            QVERIFY(fitted->error < 0.005);
        }
    }
    void noise_moves_it_little() {
        const auto fitted = fit_roof(points_of({ByteRate(3.2e12), FlopRate(58e12), 5, 0}, 0.01));
        QVERIFY(near(fitted->slope.value(), 3.2e12, 0.02));
        QVERIFY(near(fitted->peak.value(), 58e12, 0.02));
    }
    void the_curve_lies_below_both_lines_and_touches_them_far_away() {
        const MeasuredRoof roof{ByteRate(1e12), FlopRate(1e13), 4, 0};
        QVERIFY(near(roof.at(Intensity(0.01)).value(), 1e10, 1e-6));
        QVERIFY(near(roof.at(Intensity(1e4)).value(), 1e13, 1e-6));
        QVERIFY(near(roof.at(Intensity(10)).value(), 1e13 * (1 - roof.loss_at_ridge()), 1e-9));
        for (double intensity = 0.1; intensity < 1e3; intensity *= 1.3)
            QVERIFY(roof.at(Intensity(intensity)).value() <= std::min(1e12 * intensity, 1e13));
    }
    void too_little_to_fit_gives_nothing() {
        std::vector<SweepPoint> points = points_of({ByteRate(3.2e12), FlopRate(58e12), 5, 0});
        QVERIFY(!fit_roof(std::span(points).first(3)));
        QVERIFY(!fit_roof(std::span(points).first(4)));  // the slope alone
        QVERIFY(!fit_roof({}));
        points[2].rate = FlopRate(0);
        QVERIFY(!fit_roof(points));
    }
};

}  // namespace tst_measured_roof

ROOFWALK_TEST(tst_measured_roof, TestMeasuredRoof, NoApplication)
#include "tst_measured_roof.moc"
