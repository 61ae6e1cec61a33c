// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels moved with the keys.
#include <QStatusBar>
#include <cmath>

#include "tests/support/folder_tests.h"
#include "tests/ui/chart_hand.h"
#include "ui/workspace/kernel_drag.h"

namespace tst_kernel_steps {

using namespace roofwalk;
using test::Hand;
using test::near;

class TestKernelSteps : public QObject {
    Q_OBJECT

  private slots:
    void shift_and_arrows_move_by_one_per_cent_in_one_step_of_undo() {
        Hand hand;
        QVERIFY(hand.ready());
        hand.s.document().select(0);
        QVERIFY(hand.s.settle());
        const double x = hand.intensity();
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(&hand.s.chart(), Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(hand.s.settle());
        QVERIFY(std::abs(hand.intensity() / (x * 1.01 * 1.01 * 1.01) - 1) < 1e-9);
        QVERIFY(hand.s.window.statusBar()->currentMessage().contains("HBM"));
        QTRY_VERIFY2(
            hand.panel_says("The scenario moves this kernel on the chart: 5.82 ms instead of 6.00 ms"),
            qPrintable(hand.panel()));
        const auto* moves = hand.s.window.findChild<QTableView*>("scenario_moves");
        QCOMPARE(moves->model()->index(0, test::column_of(*moves, "kernel_time")).data().toString(),
                 QString("6.00 ms → 5.82 ms"));
        QCOMPARE(hand.scenario().moves.size(), 1U);
        hand.s.action("undo").trigger();
        QVERIFY(hand.s.settle());
        QVERIFY(hand.scenario().moves.empty());
    }
    void keys_back_to_the_start_leave_no_step_to_undo() {
        Hand hand;
        QVERIFY(hand.ready());
        hand.s.document().select(0);
        QVERIFY(hand.s.settle());
        QTest::keyClick(&hand.s.chart(), Qt::Key_Right, Qt::ShiftModifier);
        QTest::keyClick(&hand.s.chart(), Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(hand.s.settle());
        QVERIFY(hand.scenario().moves.empty());
        QVERIFY(!hand.s.action("undo").isEnabled());
    }
    void steps_right_and_steps_up_are_two_steps_of_undo() {
        Hand hand;
        QVERIFY(hand.ready());
        hand.s.document().select(0);
        QVERIFY(hand.s.settle());
        const double x = hand.intensity();
        QTest::keyClick(&hand.s.chart(), Qt::Key_Right, Qt::ShiftModifier);
        QTest::keyClick(&hand.s.chart(), Qt::Key_Up, Qt::ShiftModifier);
        QTest::keyClick(&hand.s.chart(), Qt::Key_Up, Qt::ShiftModifier);
        hand.s.action("undo").trigger();
        QVERIFY(hand.s.settle());
        QVERIFY(std::abs(hand.intensity() / (x * 1.01) - 1) < 1e-9);
        QCOMPARE(hand.scenario().moves.size(), 1U);
        hand.s.action("undo").trigger();
        QVERIFY(hand.s.settle());
        QVERIFY(hand.scenario().moves.empty());
    }
    void keys_do_not_move_what_the_filter_hides() {
        Hand hand;
        QVERIFY(hand.ready());
        hand.s.document().select(0);
        hand.s.document().set_filter("nothing of the kind");
        QTRY_VERIFY(!drawn_selection(hand.s.document().result(), hand.s.document().focus()));
        QTest::keyClick(&hand.s.chart(), Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(hand.s.window.statusBar()->currentMessage().contains("filter hides"));
        QVERIFY(hand.scenario().moves.empty());
    }
    void keys_without_a_selection_say_what_to_do() {
        Hand hand;
        QVERIFY(hand.ready());
        QTest::keyClick(&hand.s.chart(), Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(hand.s.window.statusBar()->currentMessage().contains("Select a kernel"));
        QVERIFY(hand.scenario().moves.empty());
    }
    void keys_move_the_dot_of_the_level_that_binds() {
        Hand hand;
        QVERIFY(hand.s.shown && hand.s.open({test::write_kernel_bound_by_l1(hand.s.folder, "l1.json")}));
        QVERIFY(hand.s.settle());
        hand.s.document().select(0);
        QTest::keyClick(&hand.s.chart(), Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY2(!hand.scenario().moves.empty(), qPrintable(hand.s.window.statusBar()->currentMessage()));
        QVERIFY2(hand.s.window.statusBar()->currentMessage().contains("L1 "),
                 qPrintable(hand.s.window.statusBar()->currentMessage()));
    }
};

}  // namespace tst_kernel_steps

ROOFWALK_TEST(tst_kernel_steps, TestKernelSteps, QApplication)
#include "tst_kernel_steps.moc"
