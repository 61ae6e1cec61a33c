// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>
#include <QTextDocument>
#include <QToolTip>
#include <cmath>

#include "tests/support/folder_tests.h"
#include "tests/ui/chart/chart_scenes.h"
#include "tests/ui/chart/shown_chart.h"
#include "tests/ui/shown_tip.h"

namespace tst_roofline_chart {

using namespace roofwalk;
using test::ShownChart;

using Point = std::optional<std::uint32_t>;

namespace {

Point clicked_point(const QSignalSpy& spy) {
    return spy.at(0).at(0).value<Point>();
}

bool close(Range a, Range b) {
    return std::abs(std::log(a.lo / b.lo)) < 1e-9 && std::abs(std::log(a.hi / b.hi)) < 1e-9;
}

}  // namespace

class TestRooflineChart : public QObject {
    Q_OBJECT

  private slots:
    void a_click_on_a_dot_selects_its_kernel_data() {
        QTest::addColumn<std::uint32_t>("dot");
        QTest::addColumn<std::uint32_t>("point");
        QTest::newRow("on the bottom rail") << 0U << 2U;
        QTest::newRow("small") << 1U << 1U;
        QTest::newRow("at HBM") << 2U << 0U;
        QTest::newRow("at L2") << 3U << 0U;
    }

    void a_click_on_a_dot_selects_its_kernel() {
        QFETCH(std::uint32_t, dot);
        QFETCH(std::uint32_t, point);
        ShownChart s(test::small_scene());
        QSignalSpy clicks(&s.chart, &RooflineChart::point_clicked);
        s.click(s.place_of(dot));
        QCOMPARE(clicks.count(), 1);
        QVERIFY(clicked_point(clicks) == Point(point));
    }

    void a_target_tick_tells_its_operation() {
        Scene scene = test::small_scene();
        const Dot dot = scene.dots[1];
        scene.targets.push_back({.point = dot.point,
                                 .y = dot.y,
                                 .from = dot.x,
                                 .to = 8 * dot.x,
                                 .useful_to = 8 * dot.x,
                                 .label = "8.00x left of its algorithm",
                                 .whose = {},
                                 .tick_label = "gemm (rule)",
                                 .note = "algorithmic AI of gemm m=64"});
        ShownChart s(scene);
        const Range x = s.chart.x_range();
        const double decade = s.chart.plot_area().width() / std::log(x.hi / x.lo);
        const QPoint tick = s.place_of(1) + QPoint(qRound(std::log(8.0) * decade), 0);
        s.hover(tick);
        QVERIFY(QToolTip::isVisible());
        for (const char* words : {"8.00x left of its algorithm", "gemm m=64"})
            QVERIFY2(test::tip_words(QToolTip::text()).contains(words), words);
        s.hover(tick + QPoint(0, 30));
        QTRY_VERIFY(QToolTip::text().isEmpty() || !QToolTip::isVisible());
    }

    void a_click_on_the_line_of_a_kernel_selects_it() {
        ShownChart s(test::line_scene());
        const QPoint mark = s.place_of(0);
        QVERIFY(s.chart.plot_area().contains(mark));
        const Range x = s.chart.x_range();
        const Range y = s.chart.y_range();
        const QRectF plot = s.chart.plot_area();
        // Where the line is an eighth of HBM at one FLOP/byte.
        const QPoint on_line(
            qRound(plot.x() + plot.width() * std::log(1 / x.lo) / std::log(x.hi / x.lo)),
            qRound(plot.bottom() - plot.height() * std::log(0.25e12 / y.lo) / std::log(y.hi / y.lo)));
        QSignalSpy clicks(&s.chart, &RooflineChart::point_clicked);
        s.click(on_line);
        s.click(mark);
        s.click(on_line + QPoint(0, 30));
        QCOMPARE(clicks.count(), 3);
        QVERIFY(clicks.at(0).at(0).value<Point>() == Point(0U));
        QVERIFY(clicks.at(1).at(0).value<Point>() == Point(0U));
        QVERIFY(!clicks.at(2).at(0).value<Point>());
    }

    void a_click_on_empty_ground_clears() {
        ShownChart s(test::small_scene());
        QSignalSpy clicks(&s.chart, &RooflineChart::point_clicked);
        s.click(s.empty_place());
        QCOMPARE(clicks.count(), 1);
        QVERIFY(!clicked_point(clicks));
    }

    void the_wheel_zooms_about_the_pointer() {
        ShownChart s(test::small_scene());
        const QPoint before = s.place_of(2);
        const Range x = s.chart.x_range();
        s.wheel(before, 240);
        const QPointF after = s.chart.dot_position(2);
        QVERIFY((after - before).manhattanLength() < 1.5);
        const double nearer = std::log(x.hi / x.lo) / std::log(s.chart.x_range().hi / s.chart.x_range().lo);
        QVERIFY(std::abs(nearer - 1.44) < 1e-6);
        s.wheel(before, -240);
        QVERIFY(close(s.chart.x_range(), x));
    }

    void a_drag_moves_the_chart_with_the_pointer_and_selects_nothing() {
        ShownChart s(test::small_scene());
        QSignalSpy clicks(&s.chart, &RooflineChart::point_clicked);
        const QPointF before = s.chart.dot_position(2);
        s.drag(s.empty_place(), s.empty_place() + QPoint(60, -40));
        const QPointF moved = s.chart.dot_position(2) - before;
        QVERIFY((moved - QPointF(60, -40)).manhattanLength() < 1e-6);
        QCOMPARE(clicks.count(), 0);
    }

    void a_trembling_hand_still_clicks() {
        ShownChart s(test::small_scene());
        QSignalSpy clicks(&s.chart, &RooflineChart::point_clicked);
        const Range x = s.chart.x_range();
        s.drag(s.place_of(2), s.place_of(2) + QPoint(1, 1));
        QCOMPARE(clicks.count(), 1);
        QVERIFY(clicked_point(clicks) == Point(0U));
        QVERIFY(close(s.chart.x_range(), x));
    }

    void a_rectangle_picks_each_kernel_inside_once() {
        ShownChart s(test::small_scene());
        QSignalSpy picks(&s.chart, &RooflineChart::points_picked);
        const Range x = s.chart.x_range();
        const QPoint from = s.place_of(3) - QPoint(20, 20);
        const QPoint to = s.place_of(2) + QPoint(20, 20);
        s.drag(to, from, Qt::ShiftModifier);
        QCOMPARE(picks.count(), 1);
        QCOMPARE(picks.at(0).at(0).value<std::vector<std::uint32_t>>(), std::vector<std::uint32_t>{0});
        QVERIFY(close(s.chart.x_range(), x));
    }

    void a_click_with_a_modifier_toggles_the_kernel_and_draws_no_rectangle_data() {
        QTest::addColumn<int>("modifier");
        QTest::newRow("control") << int{Qt::ControlModifier};
        QTest::newRow("shift") << int{Qt::ShiftModifier};
    }

    void a_click_with_a_modifier_toggles_the_kernel_and_draws_no_rectangle() {
        QFETCH(int, modifier);
        ShownChart s(test::small_scene());
        QSignalSpy clicks(&s.chart, &RooflineChart::point_clicked);
        QSignalSpy toggles(&s.chart, &RooflineChart::point_toggled);
        QSignalSpy picks(&s.chart, &RooflineChart::points_picked);
        s.drag(s.place_of(2), s.place_of(2) + QPoint(1, 1), static_cast<Qt::KeyboardModifier>(modifier));
        QCOMPARE(toggles.count(), 1);
        QCOMPARE(toggles.at(0).at(0).toUInt(), 0U);
        s.drag(s.empty_place(), s.empty_place(), static_cast<Qt::KeyboardModifier>(modifier));
        QCOMPARE(toggles.count(), 1);
        QCOMPARE(clicks.count(), 0);
        QCOMPARE(picks.count(), 0);
    }

    void a_double_click_fits_the_whole_scene() {
        ShownChart s(test::small_scene());
        s.chart.zoom(5);
        s.chart.pan(0.3, 0.3);
        QTest::mouseDClick(&s.chart, Qt::LeftButton, Qt::NoModifier, s.empty_place());
        QVERIFY(close(s.chart.x_range(), s.chart.scene()->x));
        QVERIFY(close(s.chart.y_range(), s.chart.scene()->y));
    }

    void the_pointer_over_a_dot_shows_its_title_as_it_is() {
        ShownChart s(test::small_scene());
        s.chart.set_dot_titles([](std::span<const Dot> dots) {
            return DotTitle{dots.front().point == 0 ? "gemm<float, 128>\n5 TFLOP/s" : "something else", {}};
        });
        s.hover(s.place_of(2));
        QCOMPARE(test::tip_words(QToolTip::text()), QStringLiteral("gemm<float, 128>\n5 TFLOP/s"));
        s.hover(s.empty_place());
        QTRY_VERIFY(QToolTip::text().isEmpty() || !QToolTip::isVisible());
    }

    void kernels_at_one_place_have_a_line_each_and_figures_that_are_the_same_stand_once() {
        Scene scene = test::many_dots(7);
        for (Dot& dot : scene.dots) {
            dot.x = scene.dots.front().x;
            dot.y = scene.dots.front().y;
        }
        ShownChart s(scene);
        const auto told = [&](std::uint32_t alike) {
            s.chart.set_dot_titles([alike](std::span<const Dot> dots) {
                const std::uint32_t point = dots.front().point;
                return DotTitle{"kernel " + std::to_string(point),
                                point >= alike ? "9 ms" : std::to_string(point)};
            });
            QToolTip::hideText();
            s.hover(s.empty_place());
            s.hover(s.place_of(6));
            return test::tip_words(QToolTip::text()).split('\n');
        };
        const QStringList apart = told(6);
        QCOMPARE(apart.size(), 5);  // and how many more
        QVERIFY2(apart.contains("kernel 6: 9 ms"), qPrintable(apart.join(u'|')));
        QVERIFY(apart[4].startsWith("3 more"));
        for (qsizetype i = 0; i < 4; ++i)  // the longest first
            QVERIFY(apart[i].startsWith(
                QString("kernel %1:").arg(scene.dots.at(static_cast<std::size_t>(6 - i)).point)));
        const QStringList together = told(5).filter(": 9 ms");
        QCOMPARE(together.size(), 1);
        QVERIFY(together[0].contains("kernel 5") && together[0].contains("kernel 6"));
    }

    void the_pointer_over_a_caption_that_is_cut_shows_all_of_it() {
        Scene scene = test::small_scene();
        const auto told = [&](const std::string& caption) {
            scene.caption = caption;
            ShownChart s(scene);
            QToolTip::hideText();
            s.hover(QPoint(60, s.chart.height() - 20));
            return QToolTip::isVisible() ? test::tip_words(QToolTip::text()) : QString();
        };
        std::string words = "the first";
        for (int i = 0; i < 200; ++i)
            words += "; and another";
        QVERIFY(told(words).startsWith(QString::fromStdString(words)));
        QTRY_VERIFY(!QToolTip::isVisible());
        const QString of_short = told("short");
        QVERIFY(!of_short.isEmpty() && !of_short.contains("short"));  // what a click does
    }

    void a_click_on_the_caption_asks_for_its_ceilings_and_the_pointer_shows_that() {
        ShownChart s(test::small_scene());
        QSignalSpy captions(&s.chart, &RooflineChart::caption_clicked);
        QSignalSpy clicks(&s.chart, &RooflineChart::point_clicked);
        for (const int x : {20, 200, s.chart.width() - 40}) {
            const QPoint on_caption(x, s.chart.height() - 20);
            s.hover(on_caption);
            QCOMPARE(s.chart.cursor().shape(), Qt::PointingHandCursor);
            s.click(on_caption);
        }
        QCOMPARE(captions.count(), 3);
        QCOMPARE(clicks.count(), 0);
        s.hover(s.empty_place());
        QCOMPARE(s.chart.cursor().shape(), Qt::ArrowCursor);
    }

    void the_pointer_and_its_words_say_which_dot_a_drag_carries_and_why_one_is_not() {
        ShownChart s(test::small_scene());
        s.chart.set_dot_titles([](std::span<const Dot>) { return DotTitle{"a kernel", {}}; });
        const auto told = [&](std::uint32_t dot) {
            s.hover(s.place_of(dot));
            return test::tip_words(QToolTip::text());
        };
        QCOMPARE(told(1), QString("a kernel"));  // it stands alone
        QCOMPARE(s.chart.cursor().shape(), Qt::OpenHandCursor);
        QVERIFY(told(0).contains("cannot be dragged"));  // on the rail
        QCOMPARE(s.chart.cursor().shape(), Qt::PointingHandCursor);
        s.hover(s.empty_place());
        QCOMPARE(s.chart.cursor().shape(), Qt::ArrowCursor);
    }

    void a_rectangle_with_control_is_what_is_seen_then() {
        ShownChart s(test::small_scene());
        QSignalSpy picks(&s.chart, &RooflineChart::points_picked);
        const QRectF plot = s.chart.plot_area();
        const auto place = [&](double right, double up) {
            return QPointF(plot.left() + right * plot.width(), plot.bottom() - up * plot.height()).toPoint();
        };
        const auto at = [](Range range, double share) {
            return range.lo * std::pow(range.hi / range.lo, share);
        };
        const Range x = s.chart.x_range();
        const Range y = s.chart.y_range();
        s.drag(place(0.25, 0.75), place(0.5, 0.5), Qt::ControlModifier);
        for (const auto& [seen, lo, hi] : {std::tuple(s.chart.x_range(), at(x, 0.25), at(x, 0.5)),
                                           std::tuple(s.chart.y_range(), at(y, 0.5), at(y, 0.75))}) {
            QVERIFY(std::abs(std::log10(seen.lo / lo)) < 0.02);  // a pixel or two
            QVERIFY(std::abs(std::log10(seen.hi / hi)) < 0.02);
        }
        QCOMPARE(picks.count(), 0);
        const Range zoomed = s.chart.x_range();
        s.drag(place(0.2, 0.2), place(0.8, 0.2), Qt::ControlModifier);  // a line is no rectangle
        QVERIFY(close(s.chart.x_range(), zoomed));
    }

    void zooms_and_pans_are_taken_back_one_by_one() {
        ShownChart s(test::small_scene());
        QSignalSpy told(&s.chart, &RooflineChart::views_changed);
        std::vector<Range> seen{s.chart.x_range()};
        const auto step = [&](auto change) {
            change();
            seen.push_back(s.chart.x_range());
            QTest::qWait(200);  // what follows sooner is the same step
        };
        const QPoint ground = s.empty_place();
        step([&] { s.drag(ground, ground + QPoint(120, -60), Qt::ControlModifier); });
        step([&] {
            for (int notch = 0; notch < 5; ++notch)
                s.wheel(ground, 120);
        });
        step([&] { s.drag(ground, ground + QPoint(60, 0)); });
        step([&] { s.chart.pan(0.1, 0); });
        step([&] { s.chart.fit(); });
        QCOMPARE(told.count(), 5);
        s.chart.fit();  // which changes nothing
        QCOMPARE(told.count(), 5);
        for (auto before = seen.rbegin() + 1; before != seen.rend(); ++before) {
            QCOMPARE(told.last().at(0).toBool(), true);
            s.chart.go_through_views(false);
            QVERIFY(close(s.chart.x_range(), *before));
        }
        QCOMPARE(told.last().at(0).toBool(), false);
        s.chart.go_through_views(false);
        s.chart.go_through_views(true);
        QVERIFY(close(s.chart.x_range(), seen[1]));
        QCOMPARE(told.last().at(1).toBool(), true);
        s.chart.zoom(2);
        QCOMPARE(told.last().at(1).toBool(), false);  // another way from here
        s.chart.set_scene(ChartScene(s.chart.scene()), false);
        QCOMPARE(told.last().at(0).toBool(), false);
    }

    void the_values_under_the_pointer_are_told() {
        ShownChart s(test::small_scene());
        QSignalSpy moves(&s.chart, &RooflineChart::pointer_moved);
        s.hover(s.place_of(2));
        QCOMPARE(moves.count(), 1);
        QVERIFY(std::abs(moves.at(0).at(0).toDouble() / 30 - 1) < 0.02);
        QVERIFY(std::abs(moves.at(0).at(1).toDouble() / 5e12 - 1) < 0.02);
    }

    void a_new_scene_keeps_the_view_when_asked() {
        ShownChart s(test::small_scene());
        s.chart.zoom(2);
        const Range x = s.chart.x_range();
        s.chart.set_scene(ChartScene(std::make_shared<const Scene>(test::many_dots(10))), true);
        QVERIFY(close(s.chart.x_range(), x));
        s.chart.set_scene(ChartScene(std::make_shared<const Scene>(test::many_dots(10))), false);
        QVERIFY(close(s.chart.x_range(), s.chart.scene()->x));
    }

    void a_scene_of_another_device_is_fitted_unless_the_view_was_chosen_by_hand_data() {
        QTest::addColumn<bool>("by_hand");
        QTest::newRow("never zoomed") << false;
        QTest::newRow("zoomed") << true;
    }

    void a_scene_of_another_device_is_fitted_unless_the_view_was_chosen_by_hand() {
        QFETCH(bool, by_hand);
        ShownChart s(test::small_scene());
        if (by_hand) s.chart.zoom(1.1);
        Scene near = test::small_scene();
        near.y.hi *= 1.1;
        const Range y = s.chart.y_range();
        s.chart.set_scene(ChartScene(std::make_shared<const Scene>(near)), true);
        QVERIFY(close(s.chart.y_range(), y));
        Scene moved = near;
        moved.y.hi *= 10;
        s.chart.set_scene(ChartScene(std::make_shared<const Scene>(moved)), true);
        QVERIFY(close(s.chart.y_range(), y));  // all that stands there is seen
        Scene far = moved;
        far.dots.back().y = near.y.hi * 3;
        s.chart.set_scene(ChartScene(std::make_shared<const Scene>(far)), true);
        QVERIFY(close(s.chart.y_range(), by_hand ? y : far.y));
        s.chart.set_scene(ChartScene(std::make_shared<const Scene>(near)), true);
        QVERIFY(close(s.chart.y_range(), by_hand ? y : far.y));
        Scene other_device = near;
        other_device.roofs.front().rate *= 10;
        s.chart.set_scene(ChartScene(std::make_shared<const Scene>(other_device)), true);
        QVERIFY(close(s.chart.y_range(), by_hand ? y : other_device.y));
        s.chart.zoom(2);
        s.chart.fit();
        s.chart.set_scene(ChartScene(std::make_shared<const Scene>(near)), true);
        QVERIFY(close(s.chart.y_range(), near.y));
    }

    void a_level_that_comes_or_goes_is_fitted() {
        const Scene all = test::small_scene();
        ShownChart s(all);
        const auto slope = std::ranges::find_if(
            all.roofs, [](const Roof& roof) { return std::holds_alternative<Boundary>(roof.target); });
        QVERIFY(slope != all.roofs.end());
        Scene fewer = all;
        fewer.roofs.erase(fewer.roofs.begin() + (slope - all.roofs.begin()));
        fewer.x.hi *= 10;
        s.chart.set_scene(ChartScene(std::make_shared<const Scene>(fewer)), true);
        QVERIFY(close(s.chart.x_range(), fewer.x));
        s.chart.set_scene(ChartScene(std::make_shared<const Scene>(all)), true);
        QVERIFY(close(s.chart.x_range(), all.x));
    }

    void the_first_scene_is_always_fitted() {
        RooflineChart chart;
        const auto scene = std::make_shared<const Scene>(test::small_scene());
        chart.set_scene(ChartScene(scene), true);
        QVERIFY(close(chart.x_range(), scene->x));
    }

    void a_kernel_is_brought_to_the_middle_and_then_everything_is_shown_data() {
        QTest::addColumn<double>("away");
        QTest::newRow("in sight") << 0.2;
        QTest::newRow("out of sight") << 3.0;
    }

    void a_kernel_is_brought_to_the_middle_and_then_everything_is_shown() {
        QFETCH(double, away);
        ShownChart s(test::small_scene());
        s.chart.zoom(2);
        s.chart.pan(away, away);
        s.chart.focus_or_fit(0);
        const QPointF middle = (s.chart.dot_position(2) + s.chart.dot_position(3)) / 2;
        QVERIFY((middle - s.chart.plot_area().center()).manhattanLength() < 1);
        s.chart.focus_or_fit(0);
        QVERIFY(close(s.chart.x_range(), s.chart.scene()->x));
    }

    void without_a_kernel_to_look_at_everything_is_shown_data() {
        QTest::addColumn<Point>("point");
        QTest::newRow("none") << Point();
        QTest::newRow("on a rail") << Point(2U);
        QTest::newRow("not on the chart") << Point(99U);
    }

    void without_a_kernel_to_look_at_everything_is_shown() {
        QFETCH(Point, point);
        ShownChart s(test::small_scene());
        s.chart.zoom(2);
        s.chart.focus_or_fit(point);
        QVERIFY(close(s.chart.x_range(), s.chart.scene()->x));
    }

    void without_a_scene_nothing_breaks() {
        RooflineChart chart;
        chart.resize(400, 300);
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        QTest::mouseClick(&chart, Qt::LeftButton, Qt::NoModifier, {200, 150});
        QTest::mouseMove(&chart, {210, 150});
        QTest::keyClick(&chart, Qt::Key_L);
        chart.focus_or_fit(3U);
        chart.fit();
        QVERIFY(!chart.grab().isNull());
    }
};

}  // namespace tst_roofline_chart

ROOFWALK_TEST(tst_roofline_chart, TestRooflineChart, QApplication)
#include "tst_roofline_chart.moc"
