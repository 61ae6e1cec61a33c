// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "core/base/text.h"
#include "core/chart/layout/label_box.h"
#include "core/chart/layout/layout.h"
#include "tests/core/chart/chart_fixture.h"
#include "tests/support/folder_tests.h"

namespace tst_scene_theory_roofs {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

Analysis analysis_of(const ChartFixture& fixture, ClockBasis clock) {
    AnalysisOptions options = fixture.analysis.options;
    options.clock = clock;
    return analyse(fixture.profile, options);
}

struct MeasuredFixture : ChartFixture {
    explicit MeasuredFixture(double share = 0.9) : ChartFixture({three_levels()}) {
        measure_device(*this, share);
    }
};

const Roof* find(const Scene& scene, std::string_view id) {
    const auto roof = std::ranges::find(scene.roofs, id, &Roof::id);
    return roof == scene.roofs.end() ? nullptr : &*roof;
}

bool says(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

std::vector<std::string> line_rows(const Scene& scene) {
    std::vector<std::string> rows;
    for (const LegendRow& row : scene.legend)
        if (row.line) rows.push_back(row.text);
    return rows;
}

}  // namespace

class TestSceneTheoryRoofs : public QObject {
    Q_OBJECT

  private slots:
    void theory_stands_beside_each_measured_roof() {
        const MeasuredFixture fixture;
        const Scene scene = fixture.scene();
        const Roof* theory = find(scene, "roof-hbm-theory");
        QVERIFY(theory != nullptr && theory->is_beside() && !theory->highlighted);
        QCOMPARE(theory->rate, 2e12);
        QCOMPARE(find(scene, "roof-hbm")->of_theory, std::string("90.0 % of theory"));
        QVERIFY(find(scene, "roof-hbm")->measured);
        QVERIFY(says(find(scene, "roof-hbm")->note, "90.0 % of theory, DRAM theory 2.00 TB/s"));
        QVERIFY(says(scene.caption, "solid: measured roofs; dotted: theoretical roofs at the same clock"));
        QCOMPARE(line_rows(scene), (std::vector<std::string>{"measured roofs", "theoretical roofs"}));
    }
    void theory_ends_at_what_theory_says_of_the_others() {
        const MeasuredFixture fixture;
        const Scene scene = fixture.scene();
        const Roof* hbm = find(scene, "roof-hbm-theory");
        const Roof* peak = find(scene, "roof-fp32-theory");
        QCOMPARE(hbm->ends_at, peak->rate / hbm->rate);
        QCOMPARE(peak->ends_at, peak->rate / find(scene, "roof-smem-theory")->rate);
    }
    void a_person_can_switch_it_off() {
        const MeasuredFixture fixture;
        SceneOptions options;
        options.theory_roofs = false;
        const Scene scene = fixture.scene(options);
        QVERIFY(std::ranges::none_of(scene.roofs, &Roof::is_beside));
        QVERIFY(find(scene, "roof-hbm")->of_theory.empty());
        QVERIFY(says(scene.caption, "solid: measured roofs") && !says(scene.caption, "dotted"));
    }
    void roofs_that_were_not_measured_have_none() {
        const ChartFixture fixture({three_levels()});
        const Scene scene = fixture.scene();
        QVERIFY(std::ranges::none_of(scene.roofs, &Roof::is_beside));
        QVERIFY(!says(scene.caption, "solid") && line_rows(scene).empty());
    }
    void no_line_is_drawn_on_top_of_an_equal_one() {
        const MeasuredFixture fixture(1.0);
        SceneOptions options;
        options.practical_roofs = true;
        const Scene scene = fixture.scene(options);
        QVERIFY(find(scene, "roof-hbm-theory") == nullptr);
        QVERIFY(find(scene, "roof-hbm-practical") == nullptr);
        QCOMPARE(find(scene, "roof-hbm")->of_theory, std::string("100.0 % of theory"));
    }
    void practical_roofs_are_those_of_what_was_not_measured() {
        MeasuredFixture fixture;
        SceneOptions options;
        options.practical_roofs = true;
        const Scene all = fixture.scene(options);
        QVERIFY(std::ranges::find(all.roofs, RoofLine::practical, &Roof::line) == all.roofs.end());
        QVERIFY(says(all.caption, "no practical roofs beside measured ones"));
        QVERIFY(!says(all.caption, "dashed"));
        fixture.profile.devices.front().ceilings.compute.front().provenance.source = CeilingSource::counters;
        fixture.analysis = analysis_of(fixture, ClockBasis::measured);
        const Scene some = fixture.scene(options);
        QVERIFY(find(some, "roof-fp32-practical") != nullptr);
        QVERIFY(find(some, "roof-hbm-practical") == nullptr);
        QVERIFY(find(some, "roof-fp32-theory") == nullptr);
        QVERIFY(says(some.caption, "solid: roofs, measured but for FP32"));
        QVERIFY(says(some.caption, "dashed: practical roofs of those not measured"));
        // It starts where the practical roofs would meet, though one of them is not drawn.
        QCOMPARE(find(some, "roof-fp32-practical")->ends_at,
                 find(some, "roof-fp32-practical")->rate / find(some, "roof-smem")->rate);
    }
    void at_the_boost_clock_theory_stands_there_and_the_caption_says_so() {
        MeasuredFixture fixture;
        const double before = find(fixture.scene(), "roof-smem-theory")->rate;
        fixture.analysis = analysis_of(fixture, ClockBasis::boost);
        const Scene scene = fixture.scene();
        QCOMPARE(find(scene, "roof-smem-theory")->rate, 2 * before);
        QVERIFY(says(scene.caption, "dotted: theoretical roofs at the boost clock"));
    }
    void ridges_and_the_binding_roof_are_those_of_measured_roofs() {
        const MeasuredFixture fixture;
        SceneOptions options;
        options.selected = 0;
        const Scene scene = fixture.scene(options);
        QCOMPARE(std::ranges::count_if(scene.roofs, &Roof::highlighted), 1);
        for (const RidgeMark& ridge : scene.ridges)
            QVERIFY(!says(ridge.name, "theory"));
        QCOMPARE(scene.ridges.front().x, find(scene, "roof-fp32")->rate / find(scene, "roof-hbm")->rate);
    }
    void one_label_speaks_for_both_where_they_are_near() {
        const MeasuredFixture fixture;
        const Scene scene = fixture.scene();
        const Layout layout = lay_out(scene, whole(scene));
        for (const PlacedText& label : layout.roof_labels)
            QVERIFY2(label.text.ends_with(" of theory"), label.text.c_str());
        QCOMPARE(layout.roof_labels.size(), std::size_t{3});
    }
    void far_from_its_measured_roof_theory_has_its_own_label() {
        const MeasuredFixture fixture(0.3);
        const Scene scene = fixture.scene();
        const Layout layout = lay_out(scene, whole(scene));
        const auto own = std::ranges::find_if(
            layout.roof_labels, [](const PlacedText& label) { return says(label.text, "FP32 theory"); });
        QVERIFY(own != layout.roof_labels.end());
        QVERIFY(scene.roofs[own->index].line == RoofLine::theory);
    }
    void labels_stand_over_no_line_of_theory() {
        for (const double share : {0.5, 0.7, 0.8, 0.9, 0.95, 0.99}) {
            const MeasuredFixture fixture(share);
            const Scene scene = fixture.scene();
            const Layout layout = lay_out(scene, whole(scene));
            for (const PlacedText& label : layout.roof_labels)
                for (const PlacedLine& line : layout.roofs) {
                    const LabelBox box(label);
                    QVERIFY2(!box.crosses(line.from, line.to) || !box.runs_along(line.from, line.to),
                             (label.text + " over " + scene.roofs[line.index].id).c_str());
                }
        }
    }
};

}  // namespace tst_scene_theory_roofs

ROOFWALK_TEST(tst_scene_theory_roofs, TestSceneTheoryRoofs, NoApplication)
#include "tst_scene_theory_roofs.moc"
