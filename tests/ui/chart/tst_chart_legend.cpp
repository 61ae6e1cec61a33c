// SPDX-License-Identifier: GPL-3.0-or-later
#include <QImage>
#include <QPainter>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/chart/layout/label_box.h"
#include "core/chart/layout/layout_paths.h"
#include "core/chart/scene/scene_ghosts.h"
#include "tests/support/folder_tests.h"
#include "tests/ui/chart/chart_scenes.h"
#include "ui/chart/chart_legend.h"
#include "ui/chart/chart_theme.h"
#include "ui/chart/scene_painter.h"
#include "ui/chart/view_motion.h"

namespace tst_chart_legend {

using namespace roofwalk;

namespace {

View view_of(double width, double height) {
    return {.plot = {70, 15, width, height}, .x = {0.01, 1000}, .y = {1e9, 1e14}};
}

/// Large dots of as many kernels at these places of the plot, in shares from its upper left corner.
ChartScene dots_at(const std::vector<PointF>& shares, const View& view) {
    Scene scene = test::small_scene();
    const Dot dot = scene.dots.back();
    scene.dots.clear();
    for (const PointF& share : shares) {
        scene.dots.push_back(dot);
        scene.dots.back().x = view.x.lo * std::pow(view.x.hi / view.x.lo, share.x);
        scene.dots.back().y = view.y.hi / std::pow(view.y.hi / view.y.lo, share.y);
    }
    return ChartScene(std::make_shared<const Scene>(std::move(scene)));
}

ChartLegend settled(const ChartScene& shown, const View& view) {
    ChartLegend legend;
    legend.set_scene(*shown.scene());
    legend.settle(view, shown, lay_out(*shown.scene(), view));
    return legend;
}

bool covers_a_dot(const ChartLegend& legend, const ChartScene& shown, const View& view) {
    const LabelBox plate(to_core(legend.place(view)));
    return std::ranges::any_of(shown.scene()->dots, [&](const Dot& dot) {
        return plate.touches_circle(dot_position(dot, view), static_cast<double>(dot.radius));
    });
}

/// A dot in each of a hundred fields of the plot but that of the upper left corner.
std::vector<PointF> all_but_a_corner() {
    std::vector<PointF> shares;
    for (int i = 1; i < 100; ++i)
        shares.push_back({(i % 10 + 0.5) / 10, (i / 10 + 0.5) / 10});
    return shares;
}

PointF value_at(QPointF at, const View& view) {
    return {x_axis(view).to_value(at.x()), y_axis(view).to_value(at.y())};
}

/// A scene under a painter, and a kernel of it in hand.
struct DraggedScene {
    View view = view_of(800, 600);
    Scene scene = test::small_scene();
    ScenePainter painter;
    QImage image{900, 700, QImage::Format_ARGB32_Premultiplied};

    explicit DraggedScene(ColourBy colour_by = ColourBy::kernel) {
        scene.options.colour_by = colour_by;
        if (colour_by == ColourBy::kernel_class) {
            scene.dot_colours.clear();
            for (const KernelClass kernel_class : enumerators<KernelClass>)
                scene.dot_colours.push_back(colour_of(kernel_class, Theme::light));
            scene.legend.push_back({.shape = std::nullopt,
                                    .colour = scene.dot_colours.front(),
                                    .text = "a class",
                                    .look = std::uint8_t{0}});
        }
        painter.set_scene(ChartScene(std::make_shared<const Scene>(scene)));
        paint();
    }
    void paint() {
        QPainter picture(&image);
        painter.paint_behind_grid(picture, view);
    }
    [[nodiscard]] QRectF legend() const { return painter.legend().place(view); }
    /// Whether the legend was to be drawn anew.
    bool drag_to(QPointF at, KernelClass kernel_class = KernelClass::latency_bound) {
        const PointF to = value_at(at, view);
        DraggedKernel kernel;
        kernel.places = {{MemoryLevel::hbm, 30, 5e12, to.x, to.y}};
        kernel.kernel_class = kernel_class;
        kernel.class_label = "its class";
        const bool anew = painter.set_dragged(kernel, view);
        paint();
        return anew;
    }
};

}  // namespace

class TestChartLegend : public QObject {
    Q_OBJECT

  private slots:
    void it_starts_folded_in_a_small_plot_only() {
        ChartLegend legend;
        legend.set_scene(test::small_scene());
        QVERIFY(!legend.folded(view_of(800, 600)));
        QVERIFY(legend.folded(view_of(160, 120)));
        QVERIFY(legend.place(view_of(160, 120)).height() < legend.place(view_of(800, 600)).height());
    }

    /// Of a plot of a window of 960x540.
    void a_small_plot_keeps_the_key_of_shapes() {
        Scene scene = test::small_scene();
        for (const char* list :
             {"first of a list", "second of a list", "third of a list", "fourth of a list"})
            scene.legend.push_back({std::nullopt, std::nullopt, list});
        const auto shapes = static_cast<std::uint32_t>(
            std::ranges::count_if(scene.legend, [](const LegendRow& row) { return row.shape.has_value(); }));
        QVERIFY(shapes > 0);
        ChartLegend legend;
        legend.set_scene(scene);
        const View small = view_of(400, 240);
        const QRectF place = legend.place(small);
        std::vector<std::uint32_t> rows;
        for (double y = place.top(); y < place.bottom(); ++y)
            if (const auto row = legend.row_at(small, {place.center().x(), y});
                row && (rows.empty() || rows.back() != *row))
                rows.push_back(*row);
        QCOMPARE(rows.size(), std::size_t{shapes});
        for (const std::uint32_t row : rows)
            QVERIFY(scene.legend[row].shape.has_value());
        QVERIFY(legend.folded(small));
        legend.toggle(small);
        QVERIFY(!legend.folded(small) && legend.place(small).height() > place.height());
        legend.toggle(small);
        QCOMPARE(legend.place(small).height(), legend.heading(small).height());
    }

    void whiskers_have_a_row_where_some_are_drawn() {
        Scene scene = test::small_scene();
        LegendRow row{std::nullopt, std::nullopt, "whiskers"};
        row.whiskers = true;
        scene.legend.push_back(row);
        const ChartScene shown(std::make_shared<const Scene>(scene));
        const View view = view_of(800, 600);
        Layout layout = lay_out(scene, view);
        const auto height = [&] {
            ChartLegend legend;
            legend.set_scene(scene);
            legend.settle(view, shown, layout);
            return legend.place(view).height();
        };
        layout.whiskers.clear();
        const double without = height();
        layout.whiskers.push_back({{100, 100}, {120, 100}});
        QVERIFY(height() > without);
    }

    void what_a_person_chose_holds_at_any_size() {
        ChartLegend legend;
        legend.set_scene(test::small_scene());
        legend.toggle(view_of(160, 120));
        QVERIFY(!legend.folded(view_of(160, 120)));
        legend.toggle(view_of(800, 600));
        QVERIFY(legend.folded(view_of(800, 600)));
        QVERIFY(legend.folded(view_of(160, 120)));
    }

    void no_dot_lies_under_it_data() {
        QTest::addColumn<QList<QPointF>>("shares");
        const QPointF top_left(0.08, 0.08);
        const QPointF bottom_right(0.95, 0.95);
        const QPointF top_right(0.95, 0.05);
        const QPointF bottom_left(0.05, 0.95);
        QTest::newRow("a dot in its first corner") << QList{top_left};
        QTest::newRow("one free corner") << QList{top_left, bottom_right, bottom_left};
        QTest::newRow("all corners taken") << QList{top_left, bottom_right, top_right, bottom_left};
    }
    void no_dot_lies_under_it() {
        QFETCH(QList<QPointF>, shares);
        const View view = view_of(800, 600);
        std::vector<PointF> places;
        for (const QPointF& share : shares)
            places.push_back(to_core(share));
        const ChartScene shown = dots_at(places, view);
        ChartLegend unsettled;
        unsettled.set_scene(*shown.scene());
        QVERIFY(covers_a_dot(unsettled, shown, view));
        const ChartLegend legend = settled(shown, view);
        QVERIFY(!legend.folded(view));
        QVERIFY(!covers_a_dot(legend, shown, view));
        QVERIFY(to_qt(view.plot).contains(legend.place(view)));
    }

    void it_is_folded_where_no_place_is_free() {
        const View view = view_of(800, 600);
        std::vector<PointF> everywhere;
        for (int i = 0; i < 100; ++i)
            everywhere.push_back({(i % 10 + 0.5) / 10, (i / 10 + 0.5) / 10});
        const ChartScene shown = dots_at(everywhere, view);
        ChartLegend legend = settled(shown, view);
        QVERIFY(legend.folded(view));
        QVERIFY(!covers_a_dot(legend, shown, view));
        legend.toggle(view);
        legend.settle(view, shown, lay_out(*shown.scene(), view));
        QVERIFY(!legend.folded(view));
    }

    void a_free_place_opens_it_again() {
        const View view = view_of(800, 600);
        std::vector<PointF> everywhere;
        for (int i = 0; i < 100; ++i)
            everywhere.push_back({(i % 10 + 0.5) / 10, (i / 10 + 0.5) / 10});
        ChartLegend legend = settled(dots_at(everywhere, view), view);
        QVERIFY(legend.folded(view));
        const ChartScene one = dots_at({{0.08, 0.08}}, view);
        legend.settle(view, one, lay_out(*one.scene(), view));
        QVERIFY(!legend.folded(view));
        QVERIFY(!covers_a_dot(legend, one, view));
    }

    void the_arrow_of_the_selected_kernel_does_not_end_under_it() {
        const View view = view_of(800, 600);
        Scene scene = *dots_at(all_but_a_corner(), view).scene();
        const ChartScene without(std::make_shared<const Scene>(scene));
        const QPointF in_its_way = settled(without, view).place(view).bottomRight() - QPointF(12, 12);
        const PointF from = value_at(in_its_way + QPointF(40, 30), view);
        const PointF to = value_at(in_its_way, view);
        ScenePath path;
        path.places = {{.x = from.x, .y = from.y, .ghost = true}, {.x = to.x, .y = to.y}};
        scene.paths = {path};
        scene.options.selected = path.point;
        const ChartScene shown(std::make_shared<const Scene>(scene));
        const Layout layout = lay_out(scene, view);
        QCOMPARE(layout.path_legs.size(), std::size_t{1});
        QVERIFY(layout.path_legs.front().has_head);
        const auto head = arrow_head(layout.path_legs.front());
        const auto is_covered = [&](const ChartLegend& legend) {
            return std::ranges::any_of(head,
                                       [&](PointF at) { return legend.place(view).contains(to_qt(at)); });
        };
        QVERIFY(is_covered(settled(without, view)));
        QVERIFY(!is_covered(settled(shown, view)));
        QVERIFY(!covers_a_dot(settled(shown, view), shown, view));
    }

    void it_makes_way_for_a_dragged_dot_and_stays_then() {
        DraggedScene dragged;
        const QRectF before = dragged.legend();
        const QPointF in_its_way = before.center();
        QVERIFY(dragged.drag_to(in_its_way));
        const QRectF place = dragged.legend();
        QVERIFY(!place.intersects(QRectF(in_its_way, QSizeF(1, 1)).marginsAdded({12, 12, 12, 12})));
        for (int step = 1; step <= 10; ++step) {
            QVERIFY(!dragged.drag_to(in_its_way + QPointF(0, step)));
            QCOMPARE(dragged.legend(), place);
        }
    }

    void while_a_kernel_is_dragged_it_has_rows_of_its_class_and_arrow() {
        DraggedScene dragged(ColourBy::kernel_class);
        const double before = dragged.legend().height();
        const QPointF free(500, 300);
        QVERIFY(dragged.drag_to(free));
        const double during = dragged.legend().height();
        QVERIFY(dragged.drag_to(free, enumerators<KernelClass>.front()));  // which has a row
        const double row = during - dragged.legend().height();
        QVERIFY(row > 0);
        QCOMPARE(during, before + 2 * row);
        QVERIFY(dragged.painter.set_dragged(std::nullopt, dragged.view));
        dragged.paint();
        QCOMPARE(dragged.legend().height(), before);
    }

    void the_row_of_a_dragged_class_stands_where_its_colour_does() {
        const Scene scene = DraggedScene(ColourBy::kernel_class).scene;
        const auto colour = class_look(KernelClass::latency_bound, false);
        const std::vector<LegendRow> legend =
            legend_with_dragged(scene, 0, {.colour = colour, .class_label = "its class"});
        QCOMPARE(legend.size(), scene.legend.size() + 1);
        QVERIFY(legend.back().colour == scene.dot_colours[colour]);
        QCOMPARE(legend_with_dragged(scene, 0, {}).size(), scene.legend.size());
    }

    void it_comes_back_where_it_stood_when_a_zoom_is_taken_back() {
        const View whole = view_of(800, 600);
        std::vector<PointF> shares;
        for (const double y : {0.1, 0.3, 0.5, 0.7, 0.9})
            shares.push_back({0.5, y});
        const ChartScene shown = dots_at(shares, whole);
        ChartLegend legend = settled(shown, whole);
        const QRectF before = legend.place(whole);
        View zoomed = whole;  // its dots where the legend stands
        const double to = before.center().x() > 400 ? 0.9 : 0.1;
        const double range = whole.x.hi / whole.x.lo;
        zoomed.x = {whole.x.lo * std::pow(range, 0.5 - to), whole.x.lo * std::pow(range, 1.5 - to)};
        legend.settle(zoomed, shown, lay_out(*shown.scene(), zoomed));
        QVERIFY(legend.place(zoomed) != before);
        legend.settle(whole, shown, lay_out(*shown.scene(), whole));
        QCOMPARE(legend.place(whole), before);
    }

    void without_rows_there_is_none() {
        ChartLegend legend;
        legend.set_scene(Scene());
        QVERIFY(legend.place(view_of(800, 600)).isEmpty());
    }
};

}  // namespace tst_chart_legend

ROOFWALK_TEST(tst_chart_legend, TestChartLegend, QApplication)
#include "tst_chart_legend.moc"
