// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>

#include "tests/support/folder_tests.h"
#include "tests/ui/shown_window.h"
#include "ui/panels/kernel_panel.h"
#include "ui/panels/selection_facts.h"

namespace tst_selection_facts {

using namespace roofwalk;
using test::ShownWindow;

namespace {

KernelPoint point_of(double time, double work, double bytes) {
    KernelPoint point;
    point.launches = 1;
    point.time = Seconds(time);
    point.time_share = time / 4;
    point.work = Flops(work);
    LevelPoint hbm;
    hbm.bytes = Bytes(bytes);
    point.levels[MemoryLevel::hbm] = hbm;
    return point;
}

}  // namespace

class TestSelectionFacts : public QObject {
    Q_OBJECT

  private slots:
    void time_work_and_bytes_are_summed() {
        Analysis analysis;
        analysis.points = {point_of(1, 1e12, 2e12), point_of(2, 3e12, 2e12), point_of(1, 9e12, 9e12)};
        const SelectionSum sum = sum_points(analysis, {0, 1});
        QCOMPARE(sum.time->value(), 3.0);
        QCOMPARE(sum.time_share, 0.75);
        QCOMPARE(sum.work->value(), 4e12);
        QCOMPARE(sum.bytes[MemoryLevel::hbm]->value(), 4e12);
        QCOMPARE(selection_headline(sum), QString("2 kernels selected: 3.00 s, 75.0 % of the time."));
        const FactTable table = sum_table(sum, analysis);
        QCOMPARE(table.rows.size(), 4);
        QCOMPARE(table.rows[2].cells[2].text, QString("1.33 TFLOP/s"));
        QCOMPARE(table.rows[3].cells[2].text, QString("1.00 FLOP/byte"));
    }

    void a_sum_that_lacks_a_part_is_not_shown() {
        Analysis analysis;
        analysis.points = {point_of(1, 1e12, 2e12), point_of(2, 3e12, 2e12)};
        analysis.points[1].work.reset();
        analysis.points[1].levels = {};
        const SelectionSum sum = sum_points(analysis, {0, 1});
        QVERIFY(sum.time && !sum.work);
        QVERIFY(!sum.bytes[MemoryLevel::hbm]);
        const FactTable table = sum_table(sum, analysis);
        QCOMPARE(table.rows.size(), 3);
        QCOMPARE(table.rows[2].cells[1].text, QString("–"));
    }

    void what_has_no_time_has_no_share_of_it() {
        Analysis analysis;
        analysis.points = {point_of(1, 0, 2e12), point_of(2, 0, 2e12)};
        analysis.points[1].time.reset();
        analysis.points[1].time_share = 0;
        const FactTable sum = sum_table(sum_points(analysis, {0, 1}), analysis);
        QCOMPARE(sum.rows[1].cells[2].text, QString::fromUtf8("–"));
        QCOMPARE(sum.rows[3].cells[2].text, QString("no FLOP"));
        const FactTable each = selection_table(analysis, {0, 1});
        QCOMPARE(each.rows[0].cells[2].text, QString("25.0 %"));
        QCOMPARE(each.rows[1].cells[2].text, QString::fromUtf8("–"));
    }

    void work_that_was_not_wholly_counted_stays_a_lower_bound() {
        Analysis analysis;
        analysis.points = {point_of(1, 1e12, 2e12), point_of(2, 3e12, 2e12)};
        analysis.points[0].uncounted.packed_fp32 = true;
        const FactTable table = sum_table(sum_points(analysis, {0, 1}), analysis);
        QCOMPARE(table.rows[2].cells[1].text, QString("≥ 4.00 TFLOP"));
        QCOMPARE(table.rows[2].cells[2].text, QString("≥ 1.33 TFLOP/s"));
        QCOMPARE(table.rows[3].cells[2].text, QString("≥ 1.00 FLOP/byte"));
    }

    void the_panel_tells_of_all_selected_kernels() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        s.document().select_points({0, 1, 2});
        QString text;
        for (const QLabel* label : s.window.findChild<KernelPanel*>()->findChildren<QLabel*>())
            text += label->accessibleName() + '\n';
        QVERIFY2(text.contains("3 kernels selected: 10.0 ms"), qPrintable(text));
        s.document().set_filter("stream");
        QTRY_COMPARE(s.table().model()->rowCount(), 1);
        QVERIFY(s.settle());
        text.clear();
        for (const QLabel* label : s.window.findChild<KernelPanel*>()->findChildren<QLabel*>())
            text += label->accessibleName() + '\n';
        QVERIFY2(text.contains("The filter hides"), qPrintable(text));
    }
};

}  // namespace tst_selection_facts

ROOFWALK_TEST(tst_selection_facts, TestSelectionFacts, QApplication)
#include "tst_selection_facts.moc"
