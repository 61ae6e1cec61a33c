// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/scene/scene_comparison.h"

#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/chart/layout/layout_paths.h"
#include "core/chart/svg/svg_writer.h"
#include "tests/core/chart/comparison_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_scene_comparison {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

LaunchFacts facts(std::string name, double time, double hbm_bytes = 1e9) {
    LaunchFacts launch;
    launch.name = std::move(name);
    launch.time = time;
    launch.bytes = {{Boundary::hbm_dram_rw, hbm_bytes}};
    return launch;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

class TestSceneComparison : public QObject {
    Q_OBJECT

  private slots:
    void an_arrow_leads_from_the_older_place_to_the_dot() {
        const Reports reports({{facts("a", 2e-3)}, {facts("a", 1e-3, 0.5e9)}});
        const Scene scene = reports.scene();
        QCOMPARE(scene.paths.size(), std::size_t(1));
        const ScenePath& path = scene.paths.front();
        QCOMPARE(path.places.size(), std::size_t(2));
        QCOMPARE(path.places[0].x, 1.0);
        QCOMPARE(path.places[0].y, 0.5e12);
        QVERIFY(path.places[0].ghost);
        QCOMPARE(path.places[1].x, scene.dots.front().x);
        QCOMPARE(path.places[1].y, scene.dots.front().y);
        QCOMPARE(path.places[1].radius, scene.dots.front().radius);
        QVERIFY(!path.places[1].ghost);
        QCOMPARE(path.places[0].line, PathLine::solid);
        QCOMPARE(path.label, std::string("2.00x faster"));
        QCOMPARE(path.title, std::string("a: right and up: 2.00x faster, 2.00x fewer bytes at DRAM"));
    }
    void the_way_over_several_reports_is_one_path() {
        const Reports reports({{facts("a", 4e-3)}, {facts("a", 2e-3)}, {facts("a", 1e-3)}});
        const Scene scene = reports.scene();
        QCOMPARE(scene.paths.size(), std::size_t(1));
        QCOMPARE(scene.paths.front().places.size(), std::size_t(3));
        QCOMPARE(scene.paths.front().label, std::string("4.00x faster in 2 steps"));
    }
    void each_older_place_of_a_way_has_the_name_of_its_report() {
        const Reports reports({{facts("a", 4e-3)}, {facts("a", 2e-3)}, {facts("a", 1e-3)}});
        Scene scene = build_scene(reports.runs.back()->profile, reports.runs.back()->analysis, {});
        add_comparison(scene, reports.comparison, {.older = {"walk-1-naive.json", "walk-2-tiled.json"}});
        const std::vector<PathPlace>& places = scene.paths.front().places;
        QCOMPARE(places[0].name, std::string("1-naive"));
        QCOMPARE(places[1].name, std::string("2-tiled"));
        QVERIFY(places[2].name.empty());
    }
    void the_wrong_way_is_dashed_and_what_cannot_be_said_dotted() {
        const Reports worse({{facts("a", 1e-3)}, {facts("a", 2e-3)}});
        QCOMPARE(worse.scene().paths.front().places[0].line, PathLine::dashed);
        const Reports mixed({{facts("a", 1e-3)}, {facts("a", 0.5e-3, 3e9)}});
        QCOMPARE(mixed.scene().paths.front().places[0].line, PathLine::dotted);
    }
    void each_step_of_a_way_has_its_own_line() {
        const Reports reports({{facts("a", 2e-3)}, {facts("a", 1e-3, 0.5e9)}, {facts("a", 4e-3, 0.5e9)}});
        const ScenePath path = reports.scene().paths.front();
        QCOMPARE(path.places.size(), std::size_t(3));
        QCOMPARE(path.places[0].line, PathLine::solid);
        QCOMPARE(path.places[1].line, PathLine::dashed);
        QVERIFY(contains(reports.scene().legend.back().text, "dashed: the wrong way"));
    }
    void fewer_bytes_in_the_same_time_are_labelled_by_bytes() {
        const Reports reports({{facts("a", 1e-3)}, {facts("a", 1e-3, 0.25e9)}});
        QCOMPARE(reports.scene().paths.front().label, std::string("4.00x fewer bytes at DRAM"));
    }
    void a_change_too_small_for_an_arrow_is_said_beside_the_dot() {
        const Reports reports({{facts("a", 1e-3)}, {facts("a", 0.97e-3)}});
        const Scene scene = reports.scene();
        const Layout layout = lay_out(scene, View{{0, 0, 800, 600}, scene.x, scene.y});
        QVERIFY(layout.path_legs.empty());
        QCOMPARE(layout.path_labels.size(), std::size_t(1));
        QCOMPARE(layout.path_labels.front().text, std::string("1.03x faster"));
    }
    void mixed_up_counters_have_no_pace() {
        Reports reports({{facts("a", 2e-3)}, {facts("a", 1e-3)}});
        withdraw_verdict(reports.comparison.paths.front().whole, true, false);
        const ScenePath path = reports.scene().paths.front();
        QCOMPARE(path.label, std::string("counters contradict: no verdict"));
        QCOMPARE(path.places[0].line, PathLine::dotted);
    }
    void kernels_of_another_device_are_shown_and_not_judged() {
        Device other = test_gpu();
        other.name = "Other GPU";
        const Run before({facts("a", 2e-3), facts("b", 1e-3)}, GroupBy::kernel, {other});
        const Run after({facts("a", 1e-3), facts("b", 1e-3)});
        Scene scene = build_scene(after.profile, after.analysis, {});
        add_comparison(scene, compare({&before, &after}), {.older = {"old.json"}});
        QCOMPARE(scene.paths.size(), std::size_t(2));
        for (const ScenePath& path : scene.paths) {
            QCOMPARE(path.places[0].line, PathLine::dotted);
            QVERIFY(path.label.empty());
        }
        QCOMPARE(scene.paths[0].title,
                 std::string("a: not compared: another device. Other device: Other GPU → Test GPU."));
        QVERIFY(scene.caption.starts_with(
            "arrows from old.json: 2 of 2 kernels of another device (Other GPU), not compared; "));
        Scene without = build_scene(after.profile, after.analysis, {});
        add_comparison(without, compare({&before, &after}), {.arrows = 0, .older = {"old.json"}});
        QVERIFY(without.caption.starts_with(
            "arrows from old.json: 2 kernels of another device (Other GPU), not compared"));
        QVERIFY(contains(scene.legend.back().text, "dotted: neither, or not compared"));
        QVERIFY(contains(scene.summary, "Comparison: 0 kernels compared; 2 not compared; all kernels"));
    }
    void a_change_that_the_clock_explains_is_said_to_be_its() {
        LaunchFacts slow = facts("a", 1e-3);
        slow.memory_clock = 1e9;
        LaunchFacts fast = facts("a", 0.8e-3);
        fast.memory_clock = 1.25e9;
        const Reports reports({{slow}, {fast}});
        QCOMPARE(reports.scene().paths.front().label, std::string("1.25x faster by the clock"));
    }
    void unchanged_kernels_have_no_arrow() {
        const Reports reports(
            {{facts("a", 1e-3), facts("b", 1e-3)}, {facts("a", 1.01e-3), facts("b", 2e-3)}});
        const Scene scene = reports.scene();
        QCOMPARE(scene.paths.size(), std::size_t(1));
        QVERIFY(contains(scene.caption, "arrows from old.json: 1 of 1 changed kernel"));
    }
    void only_the_longest_kernels_have_arrows_and_the_selected_one() {
        std::vector<LaunchFacts> before;
        std::vector<LaunchFacts> after;
        for (int i = 0; i < 10; ++i) {
            before.push_back(facts("k" + std::to_string(i), 2e-3));
            after.push_back(facts("k" + std::to_string(i), 1e-3 / (i + 1)));
        }
        const Reports reports({before, after});
        SceneOptions options;
        options.selected = 9;
        const Scene scene = reports.scene(options, 3);
        QCOMPARE(scene.paths.size(), std::size_t(4));
        QCOMPARE(std::ranges::count_if(scene.paths, &ScenePath::selected), 1);
        QVERIFY(contains(scene.caption, "4 of 10 changed kernels"));
    }
    void kernels_without_a_place_are_counted() {
        LaunchFacts copy = facts("copy", 1e-3);
        copy.flops = 0;
        LaunchFacts faster = copy;
        faster.time = 0.5e-3;
        const Reports reports({{copy, facts("gone", 1e-3)}, {faster, facts("new", 1e-3)}});
        const Scene scene = reports.scene();
        QVERIFY(scene.paths.empty());
        QVERIFY(contains(scene.caption, "0 of 1 changed kernel, 1 without a place, 1 added, 1 removed"));
    }
    // 1 GB in 2 ms, then in 1 ms.
    void the_arrow_of_lines_runs_across_them_at_one_intensity() {
        LaunchFacts before = facts("copy", 2e-3);
        before.flops.reset();
        LaunchFacts after = before;
        after.time = 1e-3;
        const Scene scene = Reports({{before}, {after}}).scene();
        QCOMPARE(scene.paths.size(), std::size_t(1));
        const auto& places = scene.paths.front().places;
        QVERIFY(places[0].ghost && !places[1].ghost);
        QCOMPARE(places[0].x, places[1].x);
        QCOMPARE(places[0].y, places[0].x * 0.5e12);
        QCOMPARE(places[1].y, places[1].x * scene.dots.front().y);
        QVERIFY(places[1].x <= scene.dots.front().x && scene.x.lo < places[1].x);
        QVERIFY(scene.y.lo <= places[0].y && places[1].y <= scene.y.hi);
        QCOMPARE(places[0].line, PathLine::solid);
        QVERIFY(!contains(scene.caption, "without a place"));
        // From a line to a dot there is no way.
        QVERIFY(Reports({{before}, {facts("copy", 1e-3)}}).scene().paths.empty());
    }
    void hidden_kernels_have_no_arrow() {
        const Reports reports({{facts("a", 2e-3)}, {facts("a", 1e-3)}});
        Scene scene = build_scene(reports.runs.back()->profile, reports.runs.back()->analysis, {}, {false});
        add_comparison(scene, reports.comparison);
        QVERIFY(scene.paths.empty());
    }
    void a_level_that_is_not_shown_gives_way_to_one_that_is() {
        LaunchFacts before = facts("a", 2e-3, 1e8);
        before.bytes.push_back({Boundary::l2_sm_sectors, 8e9});
        LaunchFacts after = facts("a", 1e-3, 1e8);
        after.bytes.push_back({Boundary::l2_sm_sectors, 1e9});
        const Reports reports({{before}, {after}});
        QCOMPARE(reports.scene().paths.front().level, MemoryLevel::l2);
        SceneOptions options;
        options.levels = {true, false, false, false};
        QCOMPARE(reports.scene(options).paths.front().level, MemoryLevel::hbm);
    }
    void the_axes_hold_the_older_places() {
        const Reports reports({{facts("a", 100, 1e16)}, {facts("a", 1e-3)}});
        const Scene scene = reports.scene();
        const PathPlace& old_place = scene.paths.front().places.front();
        QVERIFY(scene.x.lo < old_place.x && scene.y.lo < old_place.y);
    }
    void a_figure_stands_nearer_to_its_own_arrow_than_to_another() {
        Scene scene;
        scene.x = {1, 100};
        scene.y = {1, 100};
        const auto add = [&](std::uint32_t point, double x, double from, double to) {
            ScenePath path;
            path.point = point;
            path.places = {{x, from, 5, true}, {x * 1.5, to, 6, false}};
            path.label = std::to_string(point) + ".00x faster";
            scene.paths.push_back(path);
            Dot dot;
            dot.point = point;
            dot.x = x * 1.5;
            dot.y = to;
            dot.radius = 6;
            scene.dots.push_back(dot);
        };
        for (std::uint32_t i = 0; i < 6; ++i)
            add(i, 2 + i * 1.2, 3 + i % 2, 30 - 3 * i);
        for (const RectF& plot : {RectF{0, 0, 800, 500}, RectF{0, 0, 300, 200}}) {
            const Layout layout = lay_out(scene, View{plot, scene.x, scene.y});
            QVERIFY(!layout.path_labels.empty());
            for (const PlacedText& label : layout.path_labels) {
                if (label.leader) continue;
                const LabelBox box(label);
                double own = 1e9;
                double others = 1e9;
                for (const PlacedLeg& leg : layout.path_legs) {
                    double& least = leg.index == label.index ? own : others;
                    least = std::min(least, box.distance(leg.from, leg.to));
                }
                for (const Dot& dot : scene.dots) {
                    double& least = dot.point == label.index ? own : others;
                    least = std::min(least,
                                     box.distance_to_circle(dot_position(dot, {plot, scene.x, scene.y}), 6));
                }
                QVERIFY2(own < others, label.text.c_str());
            }
        }
    }
    void figures_that_find_no_room_are_counted() {
        Scene scene;
        scene.x = {1, 100};
        scene.y = {1, 100};
        const auto add = [&](std::uint32_t point, double x, double y) {
            ScenePath path;
            path.point = point;
            path.places = {{x, y, 5, true}, {x * 1.1, y * 1.1, 6, false}};
            path.label = "1.10x faster";
            scene.paths.push_back(path);
        };
        const View view{{0, 0, 800, 500}, scene.x, scene.y};
        add(0, 10, 10);
        QCOMPARE(figures_left_out(lay_out(scene, view)), std::string());
        for (std::uint32_t i = 1; i < 600; ++i)
            add(i, 2 + i % 30, 2 + i / 30.0);
        add(600, 500, 50);  // not in view
        add(601, 80, 2);
        scene.paths.back().selected = true;
        const Layout layout = lay_out(scene, view);
        QVERIFY(!layout.path_labels.empty());
        QCOMPARE(figures_left_out(layout),
                 std::to_string(601 - layout.path_labels.size()) + " of 601 arrow labels: no room");
        QCOMPARE(layout.path_labels.back().index, 601U);  // however many stand before the selected one
    }
    void an_arrow_that_has_no_room_for_all_its_words_is_told_whole_elsewhere() {
        Scene scene;
        scene.x = {1, 100};
        scene.y = {1, 100};
        for (std::uint32_t i = 0; i < 5; ++i) {
            ScenePath path;
            path.point = i;
            path.places = {{2 + i * 2.0, 4, 5, true}, {4 + i * 2.0, 30 - 3.0 * i, 6, false}};
            path.label = "tile by 64 and keep the sums in registers: " + std::to_string(i) + ".00x faster";
            path.brief = std::to_string(i) + ".00x";
            scene.paths.push_back(path);
        }
        bool any_brief = false;
        for (double width = 900; width >= 150; width *= 0.8) {
            const Layout layout = lay_out(scene, View{{0, 0, width, 0.6 * width}, scene.x, scene.y});
            std::set<std::string> told;
            std::size_t brief = 0;
            for (const PlacedText& label : layout.path_labels)
                if (label.text == scene.paths[label.index].label)
                    told.insert(label.text);
                else
                    ++brief;
            QCOMPARE(layout.brief_paths.size(), brief);
            told.insert(layout.brief_paths.begin(), layout.brief_paths.end());
            QCOMPARE(told.size(), layout.path_labels.size());
            any_brief = any_brief || brief > 0;
        }
        QVERIFY(any_brief);
    }
    void legs_run_from_the_older_place_to_the_rim_or_the_edge() {
        Scene scene;
        scene.x = {1, 100};
        scene.y = {1, 100};
        ScenePath path;
        path.places = {{1, 10, 4, true}, {10, 10, 6, false}};
        scene.paths.push_back(path);
        const View view{{0, 0, 200, 200}, scene.x, scene.y};
        const Layout whole = lay_out(scene, view);
        QCOMPARE(whole.path_legs.size(), std::size_t(1));
        QVERIFY(whole.path_legs[0].has_head);
        QVERIFY(std::abs(whole.path_legs[0].from.x) < 1e-9);
        QVERIFY(std::abs(whole.path_legs[0].to.x - 92) < 1e-9);
        QVERIFY(std::abs(whole.path_legs[0].to.y - 100) < 1e-9);
        // Zoomed in on the start: the leg reaches the edge and has no head there.
        const Layout start = lay_out(scene, {{0, 0, 200, 200}, {1, 2}, {5, 20}});
        QCOMPARE(start.path_legs.size(), std::size_t(1));
        QVERIFY(!start.path_legs[0].has_head);
        QVERIFY(std::abs(start.path_legs[0].to.x - 200) < 1e-9);
        QVERIFY(lay_out(scene, {{0, 0, 200, 200}, {50, 60}, {50, 60}}).path_legs.empty());
    }
    void an_arrow_to_a_place_that_the_dot_hides_ends_at_the_dot() {
        Scene scene;
        ScenePath path;
        path.places = {{1, 10, 4, true}, {9.8, 10, 4, true}, {10, 10, 12, false}};
        scene.paths.push_back(path);
        const Layout layout = lay_out(scene, {{0, 0, 200, 200}, {1, 100}, {1, 100}});
        QCOMPARE(layout.path_legs.size(), std::size_t(1));
        QVERIFY(std::abs(layout.path_legs[0].to.x - 88) < 1e-9);
    }
    void a_label_is_led_to_the_selected_dot_out_of_a_crowd() {
        Scene scene;
        ScenePath path;
        path.places = {{10, 10, 8, true}, {10.1, 10, 8, false}};
        path.label = "1.01x faster";
        scene.paths.push_back(path);
        for (std::uint32_t i = 1; i <= 8; ++i)
            scene.dots.push_back({.x = 10 * std::pow(1.3, std::cos(i * 0.785)),
                                  .y = 10 * std::pow(1.3, std::sin(i * 0.785)),
                                  .radius = 6,
                                  .point = i});
        const View view{{0, 0, 400, 400}, {1, 100}, {1, 100}};
        QVERIFY(lay_out(scene, view).path_labels.empty());
        scene.paths[0].selected = true;
        const Layout layout = lay_out(scene, view);
        QVERIFY(layout.path_legs.empty());
        QCOMPARE(layout.path_labels.size(), std::size_t(1));
        QVERIFY(layout.path_labels[0].leader);
    }
    void places_too_near_have_no_arrow_between_them() {
        Scene scene;
        ScenePath path;
        path.places = {{2, 5, 8, true}, {2.1, 5, 8, false}};
        scene.paths.push_back(path);
        QVERIFY(lay_out(scene, {{0, 0, 200, 200}, {1, 10}, {1, 10}}).path_legs.empty());
    }
    void the_svg_tells_what_became_of_a_kernel() {
        const Reports reports({{facts("a", 2e-3)}, {facts("a", 1e-3)}});
        const std::string svg = to_svg(reports.scene(), reports.runs.back()->analysis);
        QVERIFY(contains(svg, "id=\"path-k0-hbm-0\""));
        QVERIFY(contains(svg, "<title>a: up: 2.00x faster</title>"));
        QVERIFY(contains(svg, "class=\"ghost\""));
        QVERIFY(contains(svg, ">2.00x faster</text>"));
    }
};

}  // namespace tst_scene_comparison

ROOFWALK_TEST(tst_scene_comparison, TestSceneComparison, NoApplication)
#include "tst_scene_comparison.moc"
