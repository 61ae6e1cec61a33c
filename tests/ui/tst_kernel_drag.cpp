// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kernel_drag.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QStatusBar>
#include <QTimer>
#include <algorithm>
#include <cmath>

#include "tests/ui/shown_window.h"
#include "ui/panels/kernel_panel.h"
#include "ui/panels/operation_dialog.h"
#include "ui/panels/scenario_model.h"
#include "ui/qt_text.h"

using namespace roofwalk;
using test::ShownWindow;

namespace {

bool near(double a, double b) {
    return std::abs(a / b - 1) < 0.02;  // a pixel of the chart
}

/// The HBM dot of the longest kernel, "stream_add".
std::uint32_t hbm_dot(const Scene& scene) {
    for (std::uint32_t i = 0; i < scene.dots.size(); ++i)
        if (scene.dots[i].point == 0 && scene.dots[i].level == MemoryLevel::hbm) return i;
    return 0;
}

/// A window with three kernels and the mouse over its chart.
struct Hand {
    ShownWindow s;
    QPointF at;

    [[nodiscard]] bool ready() { return s.shown && s.open({test::write_three_kernels(s.folder, "a.json")}); }
    [[nodiscard]] QPointF dot() { return s.chart().dot_position(hbm_dot(*s.chart().scene())); }
    [[nodiscard]] double intensity() { return s.chart().scene()->dots[hbm_dot(*s.chart().scene())].x; }
    [[nodiscard]] double performance() { return s.chart().scene()->dots[hbm_dot(*s.chart().scene())].y; }

    void press() {
        at = dot();
        QTest::mousePress(&s.chart(), Qt::LeftButton, {}, at.toPoint());
    }
    void move(QPointF by, Qt::KeyboardModifiers modifiers = {}) {
        at += by;
        // QTest::mouseMove() takes no modifiers.
        QMouseEvent event(QEvent::MouseMove, at, s.chart().mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                          modifiers);
        QCoreApplication::sendEvent(&s.chart(), &event);
    }
    void release() { QTest::mouseRelease(&s.chart(), Qt::LeftButton, {}, at.toPoint()); }
    void drag(QPointF by, Qt::KeyboardModifiers modifiers = {}) {
        press();
        move(by / 2, modifiers);
        move(by / 2, modifiers);
        release();
    }
    /// Pixels of the chart for a factor of the intensity.
    [[nodiscard]] double right(double factor) {
        const Range x = s.chart().x_range();
        return std::log(factor) / std::log(x.hi / x.lo) * s.chart().plot_area().width();
    }
    [[nodiscard]] double up(double factor) {
        const Range y = s.chart().y_range();
        return -std::log(factor) / std::log(y.hi / y.lo) * s.chart().plot_area().height();
    }
    [[nodiscard]] const Scenario& scenario() { return s.document().scenario(); }
    /// What stands beside the pointer, empty without a dot in hand.
    [[nodiscard]] QString label() {
        QStringList lines;
        if (s.chart().carried())
            for (const std::string& line : s.chart().carried()->words)
                lines.append(to_qt(line));
        return lines.join('\n');
    }
    /// The lines of the kernel panel.
    [[nodiscard]] QString panel() {
        QStringList lines;
        for (const QLabel* label : s.window.findChild<KernelPanel*>()->widget()->findChildren<QLabel*>())
            lines.append(label->accessibleName());
        return lines.join('\n');
    }
    [[nodiscard]] bool panel_says(const QString& words) { return panel().contains(words); }
};

/// Types an operation into the dialog that asks for that of the selected kernel.
void bind_operation(ShownWindow& s, const char* operation) {
    QTimer::singleShot(0, &s.window, [operation] {
        auto* dialog = qobject_cast<OperationDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog != nullptr);
        auto* field = dialog->findChild<QLineEdit*>("operation");
        field->selectAll();
        QTest::keyClicks(field, operation);
        QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok),
                          Qt::LeftButton);
    });
    s.action("bind_operation").trigger();
}

}  // namespace

class TestKernelDrag : public QObject {
    Q_OBJECT

  private slots:
    void a_dot_follows_the_mouse_along_its_roof_and_leaves_a_ghost() {
        Hand hand;
        QVERIFY(hand.ready());
        const double x = hand.intensity();
        const double y = hand.performance();
        const Range view = hand.s.chart().x_range();
        hand.drag({hand.right(2), 0});
        QVERIFY(hand.s.settle());
        QCOMPARE(hand.scenario().moves.size(), 1U);
        QVERIFY(near(hand.intensity(), 2 * x));
        QVERIFY(near(hand.performance(), 2 * y));
        const std::vector<ScenePath>& paths = hand.s.chart().scene()->paths;
        const auto at_hbm = std::ranges::find(paths, MemoryLevel::hbm, &ScenePath::level);
        QVERIFY(at_hbm != paths.end());
        QCOMPARE(at_hbm->places.front().x, x);
        QCOMPARE(hand.s.chart().x_range().lo, view.lo);
        QCOMPARE(hand.s.document().selection(), std::optional<std::uint32_t>(0));
        QCOMPARE(hand.s.document().analysis()->points[0].performance->value(), y);
        QVERIFY(hand.panel_says("The scenario moves this kernel on the chart: 3.0"));
    }
    void a_label_beside_the_pointer_follows_the_mouse() {
        Hand hand;
        QVERIFY(hand.ready());
        hand.press();
        QVERIFY(hand.label().isEmpty());
        hand.move({hand.right(1.5) / 2, 0});
        hand.move({hand.right(1.5) / 2, 0});
        const QRegularExpression first(
            R"(^stream_add\S*\nHBM 9\.60 GB → 6\.[34]\d GB \(0\.6\d+x\)\n)"
            R"(time 6\.00 ms → (3\.9|4\.0)\d ms \(1\.[45]\dx faster\)\n)"
            R"(memory-bound.*, 78\.\d % of HBM\nprogram 10\.0 ms → (7\.9|8\.0)\d ms \(1\.2\dx faster\)$)");
        QVERIFY2(first.match(hand.label()).hasMatch(), qPrintable(hand.label()));
        hand.move({hand.right(2), 0});
        const QRegularExpression second(
            R"(HBM 9\.60 GB → 3\.[12]\d GB.*\ntime 6\.00 ms → (1\.9|2\.0)\d ms.*\n.*\nprogram 10\.0 ms → (5\.9|6\.0)\d ms)");
        QVERIFY2(second.match(hand.label()).hasMatch(), qPrintable(hand.label()));
        hand.release();
        QVERIFY(hand.s.settle());
        QVERIFY(hand.label().isEmpty());
    }
    void a_drag_stops_at_the_algorithm_of_a_kernel_that_a_person_bound() {
        Hand hand;
        QVERIFY(hand.ready());
        hand.s.document().select(0);
        bind_operation(hand.s, "custom flops=4e8 read=1.6e9 write=0.8e9");
        QVERIFY(hand.s.settle());
        QVERIFY(hand.s.document().selected_point()->target.has_value());
        const double x = hand.intensity();
        hand.press();
        hand.move({hand.right(3), 0});
        hand.move({hand.right(3), 0});
        QVERIFY2(hand.label().endsWith("stopped at what the algorithm needs"), qPrintable(hand.label()));
        hand.release();
        QVERIFY(hand.s.settle());
        QVERIFY(std::abs(hand.intensity() / (2 * x) - 1) < 1e-9);
        QVERIFY(!hand.scenario().moves.front().beyond_model);
        hand.drag({hand.right(2), 0}, Qt::ControlModifier);
        QVERIFY(hand.s.settle());
        QVERIFY(near(hand.intensity(), 4 * x));
        QVERIFY(hand.scenario().moves.front().beyond_model);
    }
    void where_dots_overlap_the_selected_kernel_is_taken() {
        Hand hand;
        QVERIFY(hand.s.shown && hand.s.open({test::write_three_kernels(hand.s.folder, "a.json"),
                                             test::write_three_kernels(hand.s.folder, "b.json")}));
        const std::vector<KernelPoint>& points = hand.s.document().analysis()->points;
        QCOMPARE(points[3].name, points[0].name);
        for (const std::uint32_t wanted : {0U, 3U}) {
            hand.s.document().select(wanted);
            QVERIFY(hand.s.settle());
            hand.drag({hand.right(2), 0});
            QVERIFY(hand.s.settle());
            QCOMPARE(hand.scenario().moves.size(), 1U);
            QCOMPARE(hand.scenario().moves.front().kernel.occurrence, wanted / 3);
            hand.s.action("undo").trigger();
            QVERIFY(hand.s.settle());
        }
    }
    void undo_restores_exactly() {
        Hand hand;
        QVERIFY(hand.ready());
        const double x = hand.intensity();
        hand.drag({hand.right(2), 0});
        QVERIFY(hand.s.settle());
        const Scenario made = hand.scenario();
        QVERIFY(hand.s.action("undo").text().contains("stream_add"));
        hand.s.action("undo").trigger();
        QVERIFY(hand.s.settle());
        QVERIFY(hand.scenario() == Scenario());
        QCOMPARE(hand.intensity(), x);
        QVERIFY(hand.s.chart().scene()->paths.empty());
        hand.s.action("redo").trigger();
        QVERIFY(hand.s.settle());
        QVERIFY(hand.scenario() == made);
    }
    void the_words_beside_a_carried_dot_begin_with_its_kernel() {
        Hand hand;
        QVERIFY(hand.ready());
        QVERIFY(!hand.s.chart().carried());
        hand.press();
        hand.move({hand.right(2), 0});
        QVERIFY(hand.s.chart().carried().has_value());
        const CarriedKernel carried = *hand.s.chart().carried();
        QCOMPARE(carried.point, 0U);
        QCOMPARE(carried.words.front(), std::string("stream_add"));
        QVERIFY(carried.words.size() > 1 && carried.words[1].find("HBM") != std::string::npos);
        hand.release();
        QVERIFY(hand.s.settle());
        QVERIFY(!hand.s.chart().carried());
    }
    void escape_puts_the_dot_back() {
        Hand hand;
        QVERIFY(hand.ready());
        hand.press();
        hand.move({hand.right(2), 0});
        QTest::keyClick(&hand.s.chart(), Qt::Key_Escape);
        hand.release();
        QVERIFY(hand.s.settle());
        QVERIFY(hand.scenario().moves.empty());
        QVERIFY(!hand.s.action("undo").isEnabled());
    }
    void it_stops_at_the_roof_unless_control_is_held() {
        Hand hand;
        QVERIFY(hand.ready());
        hand.s.action("drag_time").trigger();
        hand.drag({0, hand.up(1000)});
        QVERIFY(hand.s.settle());
        const auto& point = hand.s.document().drawn_analysis()->points[0];
        QVERIFY(near(point.gap->factor, 1));
        QVERIFY(!hand.scenario().moves.front().beyond_model);
        hand.drag({0, hand.up(3)}, Qt::ControlModifier);
        QVERIFY(hand.s.settle());
        QVERIFY(hand.scenario().moves.front().beyond_model);
        QVERIFY(near(hand.s.document().drawn_analysis()->points[0].gap->factor, 1.0 / 3));
    }
    void straight_up_is_less_time_though_the_efficiency_is_kept_else() {
        Hand hand;
        QVERIFY(hand.ready());
        const double y = hand.performance();
        const double x = hand.intensity();
        hand.drag({1, hand.up(1.3)});
        QVERIFY(hand.s.settle());
        QVERIFY(near(hand.intensity(), x));
        QVERIFY(near(hand.performance(), 1.3 * y));
    }
    void what_was_moved_sideways_stays_when_the_pointer_goes_up() {
        Hand hand;
        QVERIFY(hand.ready());
        const double x = hand.intensity();
        hand.press();
        hand.move({hand.right(1.5), 0});
        hand.move({0, hand.up(20)});
        hand.release();
        QVERIFY(hand.s.settle());
        QVERIFY(near(hand.intensity(), 1.5 * x));
    }
    void shift_locks_the_axis() {
        Hand hand;
        QVERIFY(hand.ready());
        const double y = hand.performance();
        const double x = hand.intensity();
        hand.drag({hand.right(1.5), hand.up(1.05)}, Qt::ShiftModifier);
        QVERIFY(hand.s.settle());
        QVERIFY(near(hand.intensity(), 1.5 * x));
        QVERIFY(near(hand.performance(), y));
    }
    void a_drag_on_empty_ground_still_pans() {
        Hand hand;
        QVERIFY(hand.ready());
        const Range view = hand.s.chart().x_range();
        hand.at = hand.s.chart().plot_area().bottomRight() - QPointF(30, 60);
        QTest::mousePress(&hand.s.chart(), Qt::LeftButton, {}, hand.at.toPoint());
        hand.move({-40, 0});
        hand.release();
        QVERIFY(hand.s.chart().x_range().lo > view.lo);
        QVERIFY(hand.scenario().moves.empty());
    }
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
        QCOMPARE(moves->model()->index(0, static_cast<int>(ScenarioColumn::kernel_time)).data().toString(),
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
        hand.s.document().set_filter("sgemm");
        QTRY_VERIFY(!hand.s.document().drawn_selection());
        QTest::keyClick(&hand.s.chart(), Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(hand.s.window.statusBar()->currentMessage().contains("filter hides"));
        QVERIFY(hand.scenario().moves.empty());
    }
    void what_is_undone_during_a_drag_stays_undone() {
        Hand hand;
        QVERIFY(hand.ready());
        hand.drag({hand.right(2), 0});
        QVERIFY(hand.s.settle());
        hand.press();
        hand.move({hand.right(1.5), 0});
        hand.s.action("undo").trigger();
        hand.release();
        QVERIFY(hand.s.settle());
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
    void moves_stay_when_the_report_is_read_again() {
        Hand hand;
        QVERIFY(hand.ready());
        hand.drag({hand.right(2), 0});
        QVERIFY(hand.s.settle());
        const double x = hand.intensity();
        hand.s.action("reload").trigger();
        QVERIFY(hand.s.settle());
        QCOMPARE(hand.intensity(), x);
        QCOMPARE(hand.s.document().what_if()->effect.kernels.size(), 1U);
    }
};

QTEST_MAIN(TestKernelDrag)
#include "tst_kernel_drag.moc"
