// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/scene/scene_projected_roofs.h"

#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/chart/svg/svg_writer.h"
#include "tests/core/chart/chart_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_scene_projected_roofs {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

/// HBM 4 TB/s, FP32 80 TFLOP/s.
ProjectedDevice other_gpu() {
    ProjectedDevice device{.name = "Other GPU", .ceilings = {}};
    device.ceilings.compute.push_back({fp32, FlopRate(80e12), {}});
    device.ceilings.bandwidth.push_back({Boundary::hbm_dram_rw, ByteRate(4e12), {}});
    return device;
}

Scene scene_with(const ChartFixture& fixture, const std::vector<ProjectedDevice>& devices) {
    Scene scene = fixture.scene();
    add_projected_roofs(scene, fixture.analysis, devices);
    return scene;
}

}  // namespace

class TestSceneOtherRoofs : public QObject {
    Q_OBJECT

  private slots:
    void every_roof_has_its_label_or_the_caption_names_it() {
        const ChartFixture fixture({three_levels()});
        ProjectedDevice same{.name = "Same GPU", .ceilings = fixture.profile.devices.front().ceilings};
        const Scene scene = scene_with(fixture, {same});
        bool also = false;
        bool left_out = false;
        for (double width = 60; width < 700; width += 40) {
            const Layout layout = lay_out(scene, whole(scene, {50, 40, width, 200}));
            const std::string told = names_left_out(scene, layout);
            for (const PlacedText& label : layout.roof_labels)
                also |= label.text.ends_with("also of Same GPU");
            for (const PlacedLine& line : layout.roofs) {
                const Roof& one = scene.roofs[line.index];
                if (one.is_beside()) continue;
                const bool labelled = std::ranges::find(layout.roof_labels, line.index, &PlacedText::index) !=
                                      layout.roof_labels.end();
                left_out |= !labelled;
                QVERIFY2(labelled || told.find(one.name + " " + one.value) != std::string::npos,
                         one.name.c_str());
            }
        }
        QVERIFY(also && left_out);
    }
    void the_other_device_gets_a_slope_and_the_compute_roofs() {
        const ChartFixture fixture({three_levels()});
        const Scene scene = scene_with(fixture, {other_gpu()});
        QCOMPARE(scene.roofs.size(), fixture.scene().roofs.size() + 2);
        const Roof* hbm = roof(scene, "other1-roof-hbm");
        const Roof* compute = roof(scene, "other1-roof-fp32");
        QVERIFY(hbm && compute && hbm->line == RoofLine::other_device && compute->line == hbm->line);
        QCOMPARE(hbm->name + " " + hbm->value, std::string("DRAM of Other GPU 4.00 TB/s"));
        QCOMPARE(compute->name + " " + compute->value, std::string("FP32 of Other GPU 80.0 TFLOP/s"));
        QCOMPARE(hbm->ends_at, 20.0);
        QCOMPARE(compute->ends_at, 20.0);
        QVERIFY(scene.y.hi > 80e12);
    }
    void a_roof_that_is_not_known_of_it_is_named_in_the_caption() {
        KernelFacts bound_by_l2 = three_levels();
        bound_by_l2.traffic[1].second *= 4;
        const std::string caption = scene_with(ChartFixture({bound_by_l2}), {other_gpu()}).caption;
        QVERIFY2(caption.starts_with("dash-dotted: roofs of Other GPU (DRAM 4.00 TB/s, "), caption.c_str());
        QVERIFY2(caption.find("L2 not known") != std::string::npos, caption.c_str());
    }
    void its_ridge_is_of_the_same_two_roofs() {
        const ChartFixture fixture({three_levels()});
        const Scene scene = scene_with(fixture, {other_gpu()});
        QCOMPARE(scene.ridges.front().number + scene.ridges.front().whose, std::string("10.0, boost clock"));
        QCOMPARE(scene.ridges.back().number + scene.ridges.back().whose, std::string("20.0 of Other GPU"));
        QCOMPARE(scene.ridges.back().x, 20.0);
    }
    void the_own_roofs_stay_as_they_are() {
        const ChartFixture fixture({three_levels()});
        const Scene before = fixture.scene();
        const Scene after = scene_with(fixture, {other_gpu(), other_gpu()});
        QCOMPARE(after.roofs.size(), before.roofs.size() + 4);
        for (std::size_t i = 0; i < before.roofs.size(); ++i) {
            QCOMPARE(after.roofs[i].id, before.roofs[i].id);
            QCOMPARE(after.roofs[i].ends_at, before.roofs[i].ends_at);
            QVERIFY(!after.roofs[i].is_beside());
        }
        QVERIFY(roof(after, "other2-roof-hbm"));
    }
    void a_ceiling_that_is_not_known_is_left_out() {
        const ChartFixture fixture({three_levels()});
        ProjectedDevice without_pipe = other_gpu();
        without_pipe.ceilings.compute.clear();
        const Scene scene = scene_with(fixture, {without_pipe});
        QVERIFY(roof(scene, "other1-roof-hbm") && !roof(scene, "other1-roof-fp32"));
        QVERIFY(std::isinf(roof(scene, "other1-roof-hbm")->ends_at));
        QCOMPARE(scene.ridges.size(), fixture.scene().ridges.size());
    }
    void the_caption_and_the_svg_tell_whose_roofs_they_are() {
        const ChartFixture fixture({three_levels()});
        const Scene scene = scene_with(fixture, {other_gpu()});
        QVERIFY(scene.caption.starts_with(
            "dash-dotted: roofs of Other GPU (DRAM 4.00 TB/s, FP32 80.0 TFLOP/s); "));
        QCOMPARE(scene_with(fixture, {}).caption, fixture.scene().caption);
        ProjectedDevice clocked = other_gpu();
        clocked.ceilings.compute.front().provenance.clock = Hertz(1.98e9);
        QVERIFY(scene_with(fixture, {clocked})
                    .caption.starts_with("dash-dotted: roofs of Other GPU at the boost clock 1.980 GHz ("));
        const std::string svg = to_svg(scene, fixture.analysis);
        QVERIFY(svg.find("id=\"other1-roof-hbm\"") != std::string::npos);
        QVERIFY(svg.find("stroke-dasharray=\"9 3 2 3\"") != std::string::npos);
    }
};

}  // namespace tst_scene_projected_roofs

ROOFWALK_TEST(tst_scene_projected_roofs, TestSceneOtherRoofs, NoApplication)
#include "tst_scene_projected_roofs.moc"
