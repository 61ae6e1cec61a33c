// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/ui/chart/chart_scenes.h"
#include "ui/chart/chart_legend.h"

using namespace roofwalk;

namespace {

View view_of(double width, double height) {
    return {.plot = {70, 15, width, height}, .x = {0.01, 1000}, .y = {1e9, 1e14}};
}

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

    void what_a_person_chose_holds_at_any_size() {
        ChartLegend legend;
        legend.set_scene(test::small_scene());
        legend.toggle(view_of(160, 120));
        QVERIFY(!legend.folded(view_of(160, 120)));
        legend.toggle(view_of(800, 600));
        QVERIFY(legend.folded(view_of(800, 600)));
        QVERIFY(legend.folded(view_of(160, 120)));
    }

    void without_rows_there_is_none() {
        ChartLegend legend;
        legend.set_scene(Scene());
        QVERIFY(legend.place(view_of(800, 600)).isEmpty());
    }
};

QTEST_MAIN(TestChartLegend)
#include "tst_chart_legend.moc"
