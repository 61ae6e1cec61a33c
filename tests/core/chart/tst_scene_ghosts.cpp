// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <limits>
#include <set>

#include "core/chart/layout/layout.h"
#include "core/chart/layout/page.h"
#include "core/chart/layout/roof_clip.h"
#include "core/chart/scene/scene_ghosts.h"
#include "core/scenario/scenario_effect.h"
#include "tests/core/chart/chart_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_scene_ghosts {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr MemoryLevel hbm = MemoryLevel::hbm;
constexpr Boundary hbm_bytes = Boundary::hbm_dram_rw;

/// Two kernels; the first may be moved by a factor of its HBM bytes.
struct MovedScene {
    explicit MovedScene(double factor, const SceneOptions& options = {}, std::vector<bool> shown = {})
        : fixture({named("moved"), named("stays")}) {
        Move move;
        move.kernel = key_of(fixture.profile, fixture.analysis, fixture.analysis.points[0]);
        move.bytes[hbm] = factor;
        moved =
            moved_analysis(fixture.analysis, effect_of({{}, {move}, {}}, fixture.profile, fixture.analysis));
        scene = build_scene(fixture.profile, moved, options, std::move(shown));
        before = scene;
        add_ghosts(scene, fixture.analysis, moved, "What if.");
    }
    static KernelFacts named(const std::string& name) {
        KernelFacts kernel = three_levels();
        kernel.name = name;
        kernel.time = 0.625e-3;  // 80 % of the DRAM roof, so that fewer bytes are worth something
        return kernel;
    }

    ChartFixture fixture;
    Analysis moved;
    Scene before;  ///< without ghosts
    Scene scene;
};

}  // namespace

class TestSceneGhosts : public QObject {
    Q_OBJECT

  private slots:
    void the_sentence_of_a_scenario_is_on_a_page_and_in_no_caption_of_a_window() {
        const MovedScene shown(0.5);
        QCOMPARE(shown.scene.caption, shown.before.caption);
        const auto& lines = lay_out_page(shown.scene, PageSpec{}).page.caption;
        QVERIFY(!lines.empty() && lines.front().text.starts_with("What if; "));
    }
    void no_zone_lies_under_a_ghost_of_the_other_side() {
        SceneOptions options;
        options.selected = 1;
        MovedScene shown(0.5, options);
        QVERIFY(shown.scene.zones.has_value());
        Scene scene = shown.before;
        const double ridge = scene.zones->peak / scene.zones->bandwidth;
        Analysis& measured = shown.fixture.analysis;
        measured.points[0].verdict.kernel_class = KernelClass::memory_bound;
        measured.points[0].levels[hbm]->intensity = Intensity(ridge * 2);
        add_ghosts(scene, measured, shown.moved, {});
        QVERIFY(!scene.zones.has_value());
    }
    void every_dot_that_went_leaves_a_ghost() {
        const MovedScene shown(0.5);
        QCOMPARE(shown.scene.paths.size(), std::size_t{3});  // HBM right; all levels up
        for (const ScenePath& path : shown.scene.paths) {
            QCOMPARE(path.point, 0U);
            QCOMPARE(path.places.size(), std::size_t{2});
            QVERIFY(path.places[0].ghost && !path.places[1].ghost);
            QCOMPARE(path.places[0].y, 1.6e12);
            QCOMPARE(path.places[1].y, shown.moved.points[0].performance->value());
            QCOMPARE(path.places[0].line, PathLine::solid);
        }
        const auto at_hbm = std::ranges::find(shown.scene.paths, MemoryLevel::hbm, &ScenePath::level);
        QCOMPARE(at_hbm->places[0].x, 1.0);
        QCOMPARE(at_hbm->places[1].x, 2.0);
        for (const char* figure : {"as measured: moved: ", "80.0 % of DRAM; ", "DRAM 1.00 FLOP/byte",
                                   "1.60 TFLOP/s; DRAM 1.00 GB at 1.60 TB/s (80.0 %)"})
            QVERIFY2(at_hbm->title.find(figure) != std::string::npos, at_hbm->title.c_str());
    }
    void a_line_that_went_leaves_the_ghost_of_its_mark() {
        const auto moved_by = [](double time) {
            const ChartFixture fixture({{"line", 1e-3, {}, {{hbm_bytes, 0.25e9}}}});
            Move move;
            move.kernel = key_of(fixture.profile, fixture.analysis, fixture.analysis.points[0]);
            move.time_rule = MoveTime::factor;
            move.time = time;
            const Analysis moved = moved_analysis(
                fixture.analysis, effect_of({{}, {move}, {}}, fixture.profile, fixture.analysis));
            Scene scene = build_scene(fixture.profile, moved, {});
            add_ghosts(scene, fixture.analysis, moved, "What if.");
            return scene;
        };
        QVERIFY(moved_by(1).paths.empty());
        const Scene scene = moved_by(0.5);
        QCOMPARE(scene.paths.size(), std::size_t{1});
        const ScenePath& path = scene.paths.front();
        QCOMPARE(path.places[0].y, 0.25e12);
        QCOMPARE(path.places[1].y, 0.5e12);
        QCOMPARE(path.places[0].line, PathLine::solid);
        QVERIFY2(path.title.starts_with("as measured: line: ") &&
                     path.title.find("DRAM 250 MB at 250 GB/s") != std::string::npos,
                 path.title.c_str());
        const View view{{0, 0, 800, 600}, scene.x, scene.y};
        const Layout layout = lay_out(scene, view);
        QCOMPARE(layout.ghosts.size(), std::size_t{1});
        QCOMPARE(layout.path_legs.size(), std::size_t{1});
        QVERIFY(layout.path_legs[0].has_head);
        // Each on its own line, whose heights differ by the factor.
        const PointF now = dot_position(scene.dots.front(), view);
        const PointF was = layout.ghosts[0].at;
        const auto rate_at = [&](PointF at) {
            return LogAxis(view.y, view.plot.bottom(), view.plot.y).to_value(at.y) /
                   LogAxis(view.x, view.plot.x, view.plot.right()).to_value(at.x);
        };
        QVERIFY(std::abs(rate_at(now) / rate_at(was) - 2) < 1e-6);
        const View elsewhere{view.plot, {1e3, 1e4}, {1e9, 1e10}};  // neither line
        QVERIFY(lay_out(scene, elsewhere).path_legs.empty());
    }
    void ghosts_of_lines_are_named() {
        const ChartFixture fixture({{"first", 1e-3, {}, {{hbm_bytes, 1e9}}},
                                    {"second", 1e-3, {}, {{hbm_bytes, 1e8}}},
                                    {"third", 1e-3, {}, {{hbm_bytes, 1e7}}}});
        Scenario scenario;
        for (const KernelPoint& point : fixture.analysis.points) {
            Move& move = scenario.moves.emplace_back();
            move.kernel = key_of(fixture.profile, fixture.analysis, point);
            move.time_rule = MoveTime::factor;
            move.time = 0.6;
        }
        const Analysis moved =
            moved_analysis(fixture.analysis, effect_of(scenario, fixture.profile, fixture.analysis));
        for (const std::optional<std::uint32_t> selected :
             {std::optional<std::uint32_t>(), std::optional(0U)}) {
            SceneOptions options;
            options.selected = selected;
            Scene scene = build_scene(fixture.profile, moved, options);
            add_ghosts(scene, fixture.analysis, moved, "What if.",
                       [](std::uint32_t) { return std::pair<std::string, std::string>("faster", ""); });
            const Layout layout = lay_out(scene, {{0, 0, 800, 600}, scene.x, scene.y});
            std::set<std::uint32_t> named;
            for (const PlacedText& label : layout.path_labels)
                if (label.step == 0U) named.insert(scene.paths[label.index].point);
            QCOMPARE(named.size(), std::size_t{3});
        }
    }
    void of_thousands_that_moved_the_500_longest_have_arrows() {
        ChartFixture fixture(spread_kernels(600));
        Analysis moved = fixture.analysis;
        for (KernelPoint& point : moved.points)
            point.performance = FlopRate(point.performance->value() / 2);
        SceneOptions options;
        options.selected = 599;  // the shortest
        Scene scene = build_scene(fixture.profile, moved, options);
        add_ghosts(scene, fixture.analysis, moved, {});
        std::set<std::uint32_t> points;
        for (const ScenePath& path : scene.paths)
            points.insert(path.point);
        QCOMPARE(points.size(), std::size_t{501});
        QVERIFY(points.contains(499) && !points.contains(500) && points.contains(599));
        QVERIFY(scene.caption.find("501 longest of 600 kernels") != std::string::npos);
    }
    void a_scenario_of_nothing_leaves_none() {
        const MovedScene shown(1);
        QVERIFY(shown.scene.paths.empty());
        QCOMPARE(shown.scene.legend.size(), shown.before.legend.size());
    }
    void ghosts_of_hidden_kernels_and_levels_are_hidden() {
        QVERIFY(MovedScene(0.5, {}, {false, true}).scene.paths.empty());
        SceneOptions options;
        options.levels = {true, false, false, false};
        QCOMPARE(MovedScene(0.5, options).scene.paths.size(), std::size_t{1});
    }
    void there_is_room_for_ghosts() {
        const MovedScene shown(1e-5);
        for (const ScenePath& path : shown.scene.paths) {
            QVERIFY(path.places[0].x > shown.scene.x.lo && path.places[0].x < shown.scene.x.hi);
            QVERIFY(path.places[0].y > shown.scene.y.lo && path.places[0].y < shown.scene.y.hi);
        }
        QVERIFY(shown.scene.x.lo <= shown.before.x.lo && shown.scene.x.hi >= shown.before.x.hi);
    }
    void colours_are_those_of_the_measured_class() {
        const MovedScene shown(1e-5);
        for (const ScenePath& path : shown.scene.paths)
            QCOMPARE(path.places[0].colour.value(),
                     static_cast<std::uint8_t>(shown.fixture.analysis.points[0].verdict.kernel_class));
    }
    void a_class_that_was_left_is_named() {
        const auto rows = [](const Scene& scene) {
            return std::ranges::count_if(scene.legend,
                                         [](const LegendRow& row) { return row.colour.has_value(); });
        };
        const MovedScene shown(0.5);
        QCOMPARE(rows(shown.scene), rows(shown.before));
        Analysis measured = shown.fixture.analysis;
        measured.points[0].verdict.kernel_class = KernelClass::latency_bound;
        Scene scene = shown.before;
        add_ghosts(scene, measured, shown.moved, {});
        QCOMPARE(rows(scene), rows(shown.before) + 1);
        QVERIFY(std::ranges::find(scene.legend, "latency-bound, as measured", &LegendRow::text) !=
                scene.legend.end());
    }
    void a_roof_that_was_not_known_is_no_kernel_that_was_not_measured() {
        const MovedScene shown(0.5);
        Analysis measured = shown.fixture.analysis;
        measured.points[0].verdict.kernel_class = KernelClass::not_measured;
        Scene scene = shown.before;
        add_ghosts(scene, measured, shown.moved, {});
        QVERIFY(std::ranges::find(scene.legend, "roof not known, as measured", &LegendRow::text) !=
                scene.legend.end());
    }
    void the_wrong_way_is_dashed() {
        const MovedScene shown(4);
        QCOMPARE(shown.scene.paths.front().places[0].line, PathLine::dashed);
        QCOMPARE(shown.scene.legend.back().text,
                 std::string("arrow: measured to moved; dashed: the wrong way"));
    }
    void the_line_is_that_of_time_and_bytes_where_the_work_changes_too() {
        MovedScene shown(1);
        Move move;
        move.kernel = key_of(shown.fixture.profile, shown.fixture.analysis, shown.fixture.analysis.points[0]);
        move.work = 0.1;
        move.bytes[hbm] = 0.5;
        move.time_rule = MoveTime::factor;
        move.time = 0.9;
        shown.moved =
            moved_analysis(shown.fixture.analysis,
                           effect_of({{}, {move}, {}}, shown.fixture.profile, shown.fixture.analysis));
        Scene scene = build_scene(shown.fixture.profile, shown.moved, {});
        add_ghosts(scene, shown.fixture.analysis, shown.moved, {});
        QVERIFY(!scene.paths.empty());
        for (const ScenePath& path : scene.paths)  // down and left, yet faster and with no more bytes
            QCOMPARE(path.places[0].line, PathLine::solid);
    }
    void the_legend_says_so() {
        const MovedScene shown(0.5);
        QCOMPARE(shown.scene.legend.back().text, std::string("arrow: measured to moved"));
    }
    void steps_at_one_place_share_a_label() {
        Scene scene = ChartFixture({three_levels()}).scene();
        const Dot& dot = scene.dots.back();
        ScenePath path;
        path.point = dot.point;
        path.level = dot.level;
        path.places.resize(3);
        for (PathPlace& place : path.places)
            place = {.x = dot.x, .y = dot.y, .ghost = true};
        path.places.back().ghost = false;
        for (const std::size_t step : {0U, 1U}) {
            path.places[step].x *= 4;
            path.places[step].name = step == 0 ? "1-naive" : "2-tiled";
        }
        scene.paths = {path};
        const Layout layout = lay_out(scene, whole(scene));
        QCOMPARE(layout.ghosts.size(), std::size_t(2));
        const auto both = std::ranges::find(layout.path_labels, "1-naive, 2-tiled", &PlacedText::text);
        QVERIFY(both != layout.path_labels.end());
        QCOMPARE(both->step, std::optional(0U));
    }
    void each_ghost_in_view_is_laid_out() {
        const MovedScene shown(0.5);
        const View view{{0, 0, 800, 600}, shown.scene.x, shown.scene.y};
        const Layout layout = lay_out(shown.scene, view);
        QCOMPARE(layout.ghosts.size(), std::size_t{3});
        for (const PlacedLeg& leg : layout.path_legs) {
            const auto ghost = std::ranges::find(layout.ghosts, leg.index, &PlacedGhost::index);
            QVERIFY(std::abs(leg.from.x - ghost->at.x) < 1e-9 && std::abs(leg.from.y - ghost->at.y) < 1e-9);
        }
        QVERIFY(!layout.path_legs.empty());
    }
    void arrows_say_what_moved_their_kernels_and_the_ghost_of_the_selection_what_it_is() {
        SceneOptions options;
        options.selected = 0;
        const MovedScene shown(0.5, options);
        Scene scene = shown.before;
        add_ghosts(scene, shown.fixture.analysis, shown.moved, {}, [](std::uint32_t point) {
            return std::pair(point == 0 ? "tile by 64: 2.00x faster" : "", "");
        });
        QCOMPARE(std::ranges::count(scene.paths, std::string("tile by 64: 2.00x faster"), &ScenePath::label),
                 1);
        const Layout layout = lay_out(scene, View{{0, 0, 800, 600}, scene.x, scene.y});
        std::set<std::string> texts;
        for (const PlacedText& label : layout.path_labels)
            texts.insert(label.text);
        QCOMPARE(texts, (std::set<std::string>{"as measured", "tile by 64: 2.00x faster"}));
        QCOMPARE(layout.labelled_paths, std::size_t{2});
    }
    void the_class_of_a_dragged_kernel_has_a_row_in_the_order_of_colours() {
        Scene scene;
        scene.dot_colours.assign(6, Colour{0x80, 0x80, 0x80});  // some classes share one
        const auto row = [&](std::uint8_t look, const char* text) {
            return LegendRow{
                .shape = std::nullopt, .colour = scene.dot_colours[look], .text = text, .look = look};
        };
        scene.legend = {row(1, "first"), row(4, "last")};
        scene.legend.emplace_back().text = "area: share of time";
        const auto texts = [&](std::uint8_t look) {
            std::vector<std::string> list;
            for (const LegendRow& one : legend_with_dragged(scene, 0, {.colour = look, .class_label = "own"}))
                list.push_back(one.text);
            return list;
        };
        QCOMPARE(texts(0), (std::vector<std::string>{"own", "first", "last", "area: share of time"}));
        QCOMPARE(texts(2), (std::vector<std::string>{"first", "own", "last", "area: share of time"}));
        QCOMPARE(texts(4), (std::vector<std::string>{"first", "last", "area: share of time"}));
        QCOMPARE(texts(5), (std::vector<std::string>{"first", "last", "own", "area: share of time"}));
    }
    void a_dragged_kernel_has_one_row_of_arrows_with_those_that_stay() {
        Scene scene;
        for (const std::uint32_t point : {1U, 2U}) {
            ScenePath& path = scene.paths.emplace_back();
            path.point = point;
            path.by_scenario = true;
            path.places = {{.line = point == 1 ? PathLine::dashed : PathLine::dotted}, {}};
        }
        const auto rows = [&](std::uint32_t point, const DraggedLook& look) {
            std::vector<std::string> list;
            for (const LegendRow& row : legend_with_dragged(scene, point, look))
                list.push_back(row.text);
            return list;
        };
        const auto has = [](const std::string& text, const char* word) {
            return text.find(word) != std::string::npos;
        };
        const auto both = rows(3, {.moved = true});
        QCOMPARE(both.size(), std::size_t{1});
        QVERIFY(has(both[0], "dashed") && has(both[0], "dotted"));
        const auto own = rows(1, {.moved = true});  // its own arrow is another one now
        QVERIFY(own.size() == 1 && !has(own[0], "dashed") && has(own[0], "dotted"));
        scene.paths.clear();
        QVERIFY(rows(1, {}).empty());
        QCOMPARE(rows(1, {.moved = true, .dashed = true}).size(), std::size_t{1});
    }
    void lines_are_cut_at_the_edges() {
        const RectF plot{0, 0, 100, 100};
        const auto inside = clip_line({0, 100}, {100, 0}, plot);
        QVERIFY(inside && std::abs(inside->from.y - 100) < 1e-9 && std::abs(inside->to.x - 100) < 1e-9);
        const auto through = clip_line({-50, 150}, {150, -50}, plot);
        QVERIFY(through && std::abs(through->from.x) < 1e-9 && std::abs(through->to.y) < 1e-9);
        QVERIFY(!clip_line({-50, 85}, {-15, 85}, plot));
        QVERIFY(!clip_line({-50, 15}, {35, -50}, plot));
        QVERIFY(!clip_line({50, 50}, {50, 50}, plot));
        QVERIFY(!clip_line({-15, 85}, {-15, 76}, plot));
        constexpr double infinite = std::numeric_limits<double>::infinity();
        QVERIFY(!clip_line({-infinite, 50}, {-infinite, 60}, plot) &&
                !clip_line({-infinite, 50}, {50, 50}, plot));
        const auto upright = clip_line({50, 150}, {50, -50}, plot);
        QVERIFY(upright && std::abs(upright->from.y - 100) < 1e-9 && std::abs(upright->to.y) < 1e-9);
    }
};

}  // namespace tst_scene_ghosts

ROOFWALK_TEST(tst_scene_ghosts, TestSceneGhosts, NoApplication)
#include "tst_scene_ghosts.moc"
