// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/ui/chart/chart_scenes.h"
#include "ui/chart/hover_ruler.h"

namespace tst_hover_ruler {

using namespace roofwalk;

class TestHoverRuler : public QObject {
    Q_OBJECT

  private slots:
    void a_dot_meets_the_slope_of_its_own_level_only() {
        const Scene scene = test::empty_scene();
        const auto met = crossings(scene, 1, MemoryLevel::hbm);
        QCOMPARE(met.size(), std::size_t{1});
        QCOMPARE(scene.roofs[met[0].roof].id, std::string("roof-hbm"));
        QCOMPARE(met[0].performance, 2e12);
    }

    void without_a_level_every_slope_is_met_highest_first() {
        const Scene scene = test::empty_scene();
        const auto met = crossings(scene, 1, std::nullopt);
        QCOMPARE(met.size(), std::size_t{2});
        QCOMPARE(met[0].performance, 6e12);
        QCOMPARE(met[1].performance, 2e12);
    }

    void right_of_the_ridge_the_compute_roof_is_met() {
        const Scene scene = test::empty_scene();
        const auto met = crossings(scene, 100, MemoryLevel::hbm);
        QCOMPARE(met.size(), std::size_t{1});
        QCOMPARE(met[0].performance, 20e12);
    }

    void at_the_ridge_both_meet() {
        const Scene scene = test::empty_scene();
        const auto met = crossings(scene, 10, MemoryLevel::hbm);
        QCOMPARE(met.size(), std::size_t{2});
        QCOMPARE(met[0].performance, met[1].performance);
    }

    void what_is_read_out_lies_over_no_label() {
        const RectF plot{0, 0, 400, 300};
        const PointF at{200, 150};
        const auto over = [](PointF middle) { return LabelBox(RectF{middle.x - 40, middle.y - 6, 80, 12}); };
        std::vector<LabelBox> taken;
        std::vector<std::pair<double, double>> places;
        for (int i = 0; i < 6; ++i) {
            const PointF place = read_out_place(plot, at, 50, taken);
            QVERIFY(std::ranges::find(places, std::pair(place.x, place.y)) == places.end());
            places.emplace_back(place.x, place.y);
            taken.push_back(over(place));
        }
        QVERIFY(places[0].first > at.x && places[0].second == at.y);
        QVERIFY(places[1].first < at.x && places[1].second == at.y);
        const PointF near_the_edge = read_out_place(plot, {380, 150}, 50, {});
        QVERIFY(near_the_edge.x < 380);
    }
};

}  // namespace tst_hover_ruler

ROOFWALK_TEST(tst_hover_ruler, TestHoverRuler, NoApplication)
#include "tst_hover_ruler.moc"
