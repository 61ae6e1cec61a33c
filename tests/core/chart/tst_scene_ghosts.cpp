// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "core/chart/layout.h"
#include "core/chart/roof_clip.h"
#include "core/scenario/moved_analysis.h"
#include "tests/core/chart/chart_fixture.h"
#include "tests/support/qt_strings.h"

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr std::size_t hbm = index_of(MemoryLevel::hbm);

/// Two kernels; the first may be moved by a factor of its HBM bytes.
struct Walked {
    explicit Walked(double factor, const SceneOptions& options = {}, std::vector<bool> shown = {})
        : fixture({named("moved"), named("stays")}) {
        Move move;
        move.kernel = key_of(fixture.profile, fixture.analysis, fixture.analysis.points[0]);
        move.bytes[hbm] = factor;
        moved =
            moved_analysis(fixture.analysis, effect_of({{}, {move}, {}}, fixture.profile, fixture.analysis));
        scene = build_scene(fixture.profile, moved, options, std::move(shown));
        before = scene;
        add_ghosts(scene, fixture.analysis, "What if.");
    }
    static KernelFacts named(const std::string& name) {
        KernelFacts kernel = three_levels();
        kernel.name = name;
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
    void every_dot_that_went_leaves_a_ghost() {
        const Walked walked(0.5);
        QCOMPARE(walked.scene.ghosts.size(), std::size_t{3});  // HBM right; all levels up
        for (const Ghost& ghost : walked.scene.ghosts) {
            QCOMPARE(ghost.dot.point, 0U);
            QCOMPARE(ghost.dot.y, 1e12);
            QCOMPARE(ghost.to_y, walked.moved.points[0].performance->value());
        }
        const auto at_hbm = std::ranges::find_if(
            walked.scene.ghosts, [](const Ghost& ghost) { return ghost.dot.level == MemoryLevel::hbm; });
        QCOMPARE(at_hbm->dot.x, 1.0);
        QCOMPARE(at_hbm->to_x, 2.0);
        QCOMPARE(at_hbm->note,
                 std::string("as measured: moved, HBM 1.00 FLOP/byte, 1.00 TFLOP/s, 50.0 % of HBM"));
    }
    void a_scenario_of_nothing_leaves_none() {
        const Walked walked(1);
        QVERIFY(walked.scene.ghosts.empty());
        QCOMPARE(walked.scene.legend.size(), walked.before.legend.size());
    }
    void ghosts_of_hidden_kernels_and_levels_are_hidden() {
        QVERIFY(Walked(0.5, {}, {false, true}).scene.ghosts.empty());
        SceneOptions options;
        options.levels = {true, false, false, false};
        QCOMPARE(Walked(0.5, options).scene.ghosts.size(), std::size_t{1});
    }
    void there_is_room_for_ghosts() {
        const Walked walked(1e-5);
        for (const Ghost& ghost : walked.scene.ghosts) {
            QVERIFY(ghost.dot.x > walked.scene.x.lo && ghost.dot.x < walked.scene.x.hi);
            QVERIFY(ghost.dot.y > walked.scene.y.lo && ghost.dot.y < walked.scene.y.hi);
        }
        QVERIFY(walked.scene.x.lo <= walked.before.x.lo && walked.scene.x.hi >= walked.before.x.hi);
    }
    void colours_are_those_of_the_measured_class() {
        const Walked walked(1e-5);
        for (const Ghost& ghost : walked.scene.ghosts)
            QCOMPARE(ghost.dot.colour,
                     static_cast<std::uint8_t>(walked.fixture.analysis.points[0].verdict.kernel_class));
    }
    void the_caption_and_the_legend_say_so() {
        const Walked walked(0.5);
        QVERIFY(walked.scene.caption.starts_with("What if; "));
        QCOMPARE(walked.scene.legend.back().text, std::string("dashed: as measured"));
    }
    void each_ghost_in_view_has_a_path() {
        const Walked walked(0.5);
        const View view{{0, 0, 800, 600}, walked.scene.x, walked.scene.y};
        const Layout layout = lay_out(walked.scene, view);
        QCOMPARE(layout.ghost_paths.size(), std::size_t{3});
        for (const LaidLine& path : layout.ghost_paths) {
            const PointF from = dot_position(walked.scene.ghosts[path.index].dot, view);
            QVERIFY(std::abs(path.from.x - from.x) < 1e-9 && std::abs(path.from.y - from.y) < 1e-9);
        }
    }
    void paths_are_cut_at_the_edges() {
        const View view{{0, 0, 100, 100}, {1, 100}, {1, 100}};  // 50 px a decade
        const auto inside = clip_path({1, 1}, {100, 100}, view);
        QVERIFY(inside && std::abs(inside->from.y - 100) < 1e-9 && std::abs(inside->to.x - 100) < 1e-9);
        const auto through = clip_path({0.1, 0.1}, {1000, 1000}, view);
        QVERIFY(through && std::abs(through->from.x) < 1e-9 && std::abs(through->to.y) < 1e-9);
        QVERIFY(!clip_path({0.1, 2}, {0.5, 2}, view));
        QVERIFY(!clip_path({0.1, 50}, {5, 1000}, view));
        QVERIFY(!clip_path({10, 10}, {10, 10}, view));
        QVERIFY(!clip_path({0.5, 2}, {0.5, 3}, view));
        const auto upright = clip_path({10, 0.1}, {10, 1000}, view);
        QVERIFY(upright && std::abs(upright->from.y - 100) < 1e-9 && std::abs(upright->to.y) < 1e-9);
    }
};

QTEST_APPLESS_MAIN(TestSceneGhosts)
#include "tst_scene_ghosts.moc"
