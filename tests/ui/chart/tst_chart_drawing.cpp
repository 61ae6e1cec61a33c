// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "tests/support/folder_tests.h"
#include "tests/ui/chart/chart_scenes.h"
#include "tests/ui/chart/shown_chart.h"

namespace tst_chart_drawing {

using namespace roofwalk;
using test::ShownChart;

namespace {

QColor colour_at(ShownChart& s, QPointF place) {
    QCoreApplication::processEvents();
    return s.chart.grab().toImage().pixelColor(static_cast<int>(place.x()), static_cast<int>(place.y()));
}

int distance(const QColor& a, Colour b) {
    return std::abs(a.red() - b.r) + std::abs(a.green() - b.g) + std::abs(a.blue() - b.b);
}

/// Kernels on one spot, and one larger than all elsewhere.
Scene crowd(std::uint32_t count) {
    Scene scene = test::many_dots(count);
    scene.legend.clear();
    for (Dot& dot : scene.dots) {
        dot.x = 0.1;
        dot.y = 1.3e10;  // not where two cells of the shading meet
        dot.colour = 0;
    }
    Dot& largest = scene.dots.back();
    largest.x = 100;
    largest.y = 1e11;
    largest.radius = 15;
    largest.colour = 1;
    return scene;
}

}  // namespace

class TestChartDrawing : public QObject {
    Q_OBJECT

  private slots:
    void every_dot_is_painted_in_its_colour() {
        Scene scene = test::small_scene();
        ShownChart s(scene);
        for (std::uint32_t dot = 0; dot < scene.dots.size(); ++dot)
            QVERIFY(distance(colour_at(s, s.chart.dot_position(dot)),
                             scene.dot_colours[scene.dots[dot].colour]) < 150);
    }

    void the_mark_of_a_line_is_hollow_and_whole() {
        for (const double rate : {0.25e12, 2e8}) {  // enters at the left, and at the foot
            Scene scene = test::line_scene();
            scene.dots[0].radius = scene.lines[0].radius = 12;
            scene.dots[0].y = scene.lines[0].rate = rate;
            scene.dots[0].x = scene.lines[0].ends_at = 1e4;
            scene.options.selected = 0;
            ShownChart s(scene);
            const QPointF at = s.chart.dot_position(0);
            const Colour ink = scene.dot_colours[0];
            const Palette& palette = palette_of(Theme::light);
            const auto found = [&](QPointF way, double radius, Colour colour) {
                int least = 1000;
                for (const double aside : {-1.0, 0.0, 1.0})
                    least = std::min(least, distance(colour_at(s, at + (radius + aside) * way), colour));
                return least;
            };
            QVERIFY(distance(colour_at(s, at), ink) > 150);
            for (const QPointF way : {QPointF(-1, 0), QPointF(0, 1)}) {
                QVERIFY(found(way, 12, ink) < 150);
                QVERIFY(found(way, 15, palette.highlight) < 150);
            }
        }
    }

    void the_line_of_a_selected_kernel_is_dashed_in_the_colour_of_its_dot() {
        Scene scene = test::line_scene();
        scene.options.selected = 0;
        ShownChart s(scene);
        QCoreApplication::processEvents();
        const QImage image = s.chart.grab().toImage();
        const QRect plot = s.chart.plot_area().toAlignedRect().adjusted(30, 2, -2, -2);  // without its mark
        std::vector<int> rows;
        for (int y = plot.top(); y < plot.bottom(); ++y) {
            bool inked = false;
            for (int x = plot.left(); x < plot.right(); ++x) {
                const QColor colour = image.pixelColor(x, y);
                QVERIFY(distance(colour, palette_of(Theme::light).highlight) > 100);
                inked = inked || distance(colour, line_colour(scene.dot_colours[0], Theme::light)) < 120;
            }
            if (inked) rows.push_back(y);
        }
        QVERIFY(rows.size() > 30);
        const double share = static_cast<double>(rows.size()) / (rows.back() - rows.front() + 1);
        QVERIFY2(share > 0.3 && share < 0.9, qPrintable(QString::number(share)));
    }

    void dots_without_work_stand_in_a_band_below_the_plot() {
        ShownChart s(test::small_scene());
        const QRectF plot = s.chart.plot_area();
        const QPointF dot = s.chart.dot_position(0);
        const double half_band = view_in({}, *s.chart.scene()).below / 2;
        QCOMPARE(dot.y(), plot.bottom() + half_band);
        QVERIFY(dot.x() > plot.left() && dot.x() < plot.right());
        const Palette& palette = palette_of(Theme::light);
        const auto beside = [&](double down) { return colour_at(s, dot + QPointF(40, down)); };
        QVERIFY(distance(beside(0), palette.background) < 10);
        QVERIFY(distance(beside(-half_band), palette.axis) < 150);
    }

    void no_dot_of_the_plot_reaches_into_the_band() {
        Scene scene = test::small_scene();
        Dot& low = scene.dots.back();
        low.y = scene.y.lo;
        ShownChart s(scene);
        const QPointF at = s.chart.dot_position(3);
        QVERIFY(distance(colour_at(s, at - QPointF(0, 5)), scene.dot_colours[low.colour]) < 150);
        QVERIFY(distance(colour_at(s, at + QPointF(0, 5)), palette_of(Theme::light).background) < 10);
        QSignalSpy clicks(&s.chart, &RooflineChart::point_clicked);
        s.click((at + QPointF(0, 5)).toPoint());
        QVERIFY(!clicks.at(0).at(0).value<std::optional<std::uint32_t>>());
    }

    void shading_never_hides_the_largest_kernel() {
        ShownChart s(crowd(100'000));
        const auto largest = static_cast<std::uint32_t>(s.chart.scene()->dots.size() - 1);
        QVERIFY(distance(colour_at(s, s.chart.dot_position(largest)), s.chart.scene()->dot_colours[1]) < 150);
        QSignalSpy clicks(&s.chart, &RooflineChart::point_clicked);
        s.click(s.place_of(largest));
        QVERIFY(clicks.at(0).at(0).value<std::optional<std::uint32_t>>() == largest);
    }

    void shading_marks_where_the_others_are() {
        Scene scene = crowd(100'000);
        // The always painted ones leave the spot, so that only shading can mark it.
        for (std::size_t i = scene.dots.size() - 600; i + 1 < scene.dots.size(); ++i)
            scene.dots[i].x = 1;
        ShownChart s(scene);
        const QColor marked = colour_at(s, s.chart.dot_position(0));
        QVERIFY(distance(marked, palette_of(Theme::light).plot) > 150);
    }

    void a_selected_kernel_is_drawn_over_shading() {
        Scene scene = crowd(100'000);
        Dot& small = scene.dots.front();
        small.x = 1;
        small.y = 1e11;
        small.radius = 6;
        small.colour = 1;
        scene.options.selected = 0;
        ShownChart s(scene);
        // Beside its centre, where shading would mark a single cell.
        QVERIFY(distance(colour_at(s, s.chart.dot_position(0) + QPointF(3, 0)), scene.dot_colours[1]) < 150);
    }

    void roofs_are_drawn_over_a_crowd_of_dots() {
        Scene scene = test::many_dots(2000);
        scene.legend.clear();
        for (Dot& dot : scene.dots) {  // all on the HBM slope of 2 TB/s
            dot.x = 1;
            dot.y = 2e12;
        }
        ShownChart s(scene);
        QVERIFY(distance(colour_at(s, s.chart.dot_position(0)), palette_of(Theme::light).roof) < 150);
    }

    void only_the_largest_of_a_large_selection_are_ringed() {
        Scene scene = test::many_dots(2000);
        scene.legend.clear();
        const auto at = [&](std::uint32_t dot, double x) {
            scene.dots[dot].x = x;
            scene.dots[dot].y = 5e9;
        };
        at(0, 10);
        at(1999, 100);
        scene.options.selected = 1000;
        for (std::uint32_t point = 0; point < 2000; ++point)
            if (point != 1000) scene.options.also_selected.push_back(point);
        ShownChart s(scene);
        const auto ringed = [&](std::uint32_t dot) {
            const double ring = static_cast<double>(scene.dots[dot].radius) + 4;  // over a crowd
            const QColor there = colour_at(s, s.chart.dot_position(dot) + QPointF(ring, 0));
            return distance(there, palette_of(Theme::light).highlight) < 150;
        };
        QVERIFY(ringed(1999));
        QVERIFY(!ringed(0));
    }

    void of_a_crowd_on_a_rail_the_largest_of_each_pixel_is_painted() {
        Scene scene = test::many_rail_dots(50'000);
        scene.legend.clear();
        for (Dot& dot : scene.dots)
            dot.colour = 0;
        const std::vector<std::uint32_t> largest{49'998, 49'999};  // one on each rail
        for (const std::uint32_t i : largest) {
            scene.dots[i].radius = 12;
            scene.dots[i].colour = 1;
        }
        scene.dots[largest[0]].x = 0.3;
        ShownChart s(scene);
        for (const std::uint32_t i : largest)
            QVERIFY(distance(colour_at(s, s.chart.dot_position(i)), scene.dot_colours[1]) < 150);
        for (const std::uint32_t i : {25'000U, 25'001U})
            QVERIFY(distance(colour_at(s, s.chart.dot_position(i)), scene.dot_colours[0]) < 150);
    }

    void the_others_stand_back_when_a_kernel_is_selected() {
        Scene scene = test::small_scene();
        ShownChart plain(scene);
        const int before =
            distance(colour_at(plain, plain.chart.dot_position(2)), palette_of(Theme::light).plot);
        scene.options.selected = 1;
        ShownChart selected(scene);
        const int after =
            distance(colour_at(selected, selected.chart.dot_position(2)), palette_of(Theme::light).plot);
        QVERIFY(after < before);
    }

    void the_theme_colours_the_whole_chart() {
        Scene scene = test::small_scene();
        scene.options.theme = Theme::dark;
        ShownChart s(scene);
        QVERIFY(distance(colour_at(s, {3, 3}), palette_of(Theme::dark).background) < 3);
    }

    void a_click_on_the_legend_folds_it_and_selects_nothing() {
        Scene scene = test::small_scene();
        ShownChart s(scene);
        QSignalSpy clicks(&s.chart, &RooflineChart::point_clicked);
        const QImage open = s.chart.grab().toImage();
        s.click((s.chart.plot_area().topLeft() + QPointF(25, 18)).toPoint());
        QCoreApplication::processEvents();
        QCOMPARE(clicks.count(), 0);
        QVERIFY(s.chart.grab().toImage() != open);
    }

    void the_focus_is_framed_and_only_the_focus() {
        ShownChart s(test::small_scene());
        const auto from_frame_colour = [&] {
            const QRectF plot = s.chart.plot_area();
            const QColor accent = s.chart.palette().color(QPalette::Link);
            return distance(
                colour_at(s, {plot.center().x(), plot.top()}),
                {static_cast<std::uint8_t>(accent.red()), static_cast<std::uint8_t>(accent.green()),
                 static_cast<std::uint8_t>(accent.blue())});
        };
        const auto send = [&](QEvent::Type type) {
            QFocusEvent event(type, Qt::TabFocusReason);
            QCoreApplication::sendEvent(&s.chart, &event);
        };
        send(QEvent::FocusOut);
        const int without = from_frame_colour();
        send(QEvent::FocusIn);
        QVERIFY(from_frame_colour() < without / 2);
        send(QEvent::FocusOut);
        QCOMPARE(from_frame_colour(), without);
    }

    void hovering_draws_over_the_chart_and_leaves_no_trace() {
        ShownChart s(test::small_scene());
        const QImage before = s.chart.grab().toImage();
        s.hover(s.place_of(2));
        QVERIFY(s.chart.grab().toImage() != before);
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&s.chart, &leave);
        QVERIFY(s.chart.grab().toImage() == before);
    }

    void a_chart_too_small_to_draw_is_survived() {
        ShownChart s(test::small_scene());
        s.chart.setMinimumSize(0, 0);
        s.chart.resize(40, 30);
        QCoreApplication::processEvents();
        QVERIFY(!s.chart.grab().isNull());
    }
};

}  // namespace tst_chart_drawing

ROOFWALK_TEST(tst_chart_drawing, TestChartDrawing, QApplication)
#include "tst_chart_drawing.moc"
