// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QTest>

#include "tests/support/folder_tests.h"
#include "tests/ui/chart/chart_scenes.h"
#include "tests/ui/chart/shown_chart.h"

namespace tst_chart_hidpi {

using namespace roofwalk;
using test::ShownChart;

/// On a screen with two device pixels to a pixel.
class TestChartHidpi : public QObject {
    Q_OBJECT

  private slots:
    void the_picture_has_twice_as_many_pixels() {
        ShownChart s(test::small_scene());
        const QPixmap picture = s.chart.grab();
        QCOMPARE(picture.devicePixelRatio(), 2.0);
        QCOMPARE(picture.size(), QSize(1800, 1200));
    }

    void dots_are_where_the_chart_says() {
        const Scene scene = test::small_scene();
        ShownChart s(scene);
        const QImage picture = s.chart.grab().toImage();
        for (std::uint32_t dot = 0; dot < scene.dots.size(); ++dot) {
            const QPointF middle = s.chart.dot_position(dot) * 2;
            const auto radius = static_cast<double>(scene.dots[dot].radius) * 2;
            const QColor inside = picture.pixelColor(middle.toPoint());
            const QColor colour(scene.dot_colours[scene.dots[dot].colour].r,
                                scene.dot_colours[scene.dots[dot].colour].g,
                                scene.dot_colours[scene.dots[dot].colour].b);
            QVERIFY(std::abs(inside.hue() - colour.hue()) < 12);
            // Near the rim, to tell a dot of the right size from one half as large.
            const auto unlike_inside = [&](double below) {
                const QColor there = picture.pixelColor((middle + QPointF(0, below)).toPoint());
                return std::abs(there.red() - inside.red()) + std::abs(there.green() - inside.green()) +
                       std::abs(there.blue() - inside.blue());
            };
            QVERIFY(unlike_inside(radius * 0.35) < 20);  // a line of the grid shines through
            QVERIFY(unlike_inside(radius * 1.7 + 4) > 100);
        }
    }

    void a_click_lands_on_the_dot_under_it() {
        ShownChart s(test::small_scene());
        std::optional<std::uint32_t> clicked;
        QObject::connect(&s.chart, &RooflineChart::point_clicked, &s.chart,
                         [&](std::optional<std::uint32_t> point) { clicked = point; });
        s.click(s.place_of(1));
        QVERIFY(clicked == 1U);
    }
};

int run_tests(int argc, char** argv) {
    qputenv("QT_SCALE_FACTOR", "2");
    QApplication app(argc, argv);
    TestChartHidpi test;
    return QTest::qExec(&test, argc, argv);
}

}  // namespace tst_chart_hidpi

ROOFWALK_TEST_RUN_BY(tst_chart_hidpi, run_tests)
#include "tst_chart_hidpi.moc"
