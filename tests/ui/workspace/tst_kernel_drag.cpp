// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/folder_tests.h"
#include "ui/workspace/kernel_drag.h"

#include <QDialogButtonBox>
#include <QImage>
#include <QPushButton>
#include <QRegularExpression>
#include <QTimer>
#include <algorithm>
#include <cmath>

#include "tests/support/samples.h"
#include "tests/ui/chart_hand.h"
#include "ui/chart/chart_theme.h"
#include "ui/dialogs/operation_dialog.h"

namespace tst_kernel_drag {

using namespace roofwalk;
using test::Hand;
using test::near;
using test::ShownWindow;

namespace {

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
        QVERIFY(hand.panel_says(" ms instead of 6.00 ms, memory-bound"));
    }
    void a_label_beside_the_pointer_follows_the_mouse() {
        Hand hand;
        QVERIFY(hand.ready());
        hand.press();
        QVERIFY(hand.label().isEmpty());
        hand.move({hand.right(1.5) / 2, 0});
        hand.move({hand.right(1.5) / 2, 0});
        const QRegularExpression first(
            R"(^stream_add\S*\nHBM 9\.60 GB → 6\.[34]\d GB \(0\.6\d+x\)\nAI 0\.12\d FLOP/byte\n)"
            R"(time 6\.00 ms → (3\.9|4\.0)\d ms \(1\.[45]\dx faster\)\n)"
            R"(memory-bound.*, 1\.2\dx below HBM \(78\.\d %\)\nprogram 10\.0 ms → (7\.9|8\.0)\d ms \(1\.2\dx faster\)$)");
        QVERIFY2(first.match(hand.label()).hasMatch(), qPrintable(hand.label()));
        hand.move({hand.right(2), 0});
        const QRegularExpression second(
            R"(HBM 9\.60 GB → 3\.[12]\d GB.*\nAI 0\.2[45]\d FLOP/byte\ntime 6\.00 ms → (1\.9|2\.0)\d ms.*\n.*\nprogram 10\.0 ms → (5\.9|6\.0)\d ms)");
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
        QVERIFY(!hand.s.chart().dragged_kernel());
        hand.press();
        hand.move({hand.right(2), 0});
        QVERIFY(hand.s.chart().dragged_kernel().has_value());
        const DraggedKernel carried = *hand.s.chart().dragged_kernel();
        QCOMPARE(carried.point, 0U);
        QCOMPARE(carried.words.front(), std::string("stream_add"));
        QVERIFY(carried.words.size() > 1);
        const auto held = std::ranges::find(carried.places, carried.held, &DraggedKernel::Position::level);
        QVERIFY(held != carried.places.end() && held->x > held->from_x);
        hand.release();
        QVERIFY(hand.s.settle());
        QVERIFY(!hand.s.chart().dragged_kernel());
    }
    void the_card_of_a_drag_and_the_arrow_after_it_tell_one_limit() {
        if (test::sample_reports().empty()) QSKIP("samples are not beside this checkout");
        Hand hand;
        QVERIFY(hand.s.shown &&
                hand.s.open({QString::fromStdString(test::sample("2023.1.1_a10g_sgemm").string())}));
        RooflineChart& chart = hand.s.chart();
        const auto& dots = chart.scene()->dots;
        const auto dot = std::ranges::find_if(
            dots, [](const Dot& one) { return one.point == 0 && one.level == MemoryLevel::l1; });
        hand.at = chart.dot_position(static_cast<std::uint32_t>(dot - dots.begin()));
        QTest::mousePress(&chart, Qt::LeftButton, {}, hand.at.toPoint());
        for (int half = 0; half < 2; ++half)
            hand.move({hand.right(3.3) / 2, 0});
        const QString card = hand.label();
        hand.release();
        QVERIFY(hand.s.settle());
        const auto& gaps = chart.scene()->gaps;
        const auto gap = std::ranges::find(gaps, 0U, &GapMark::point);
        QVERIFY(gap != gaps.end() && gap->label.find("below SM (") != std::string::npos);
        QVERIFY2(card.contains(QString::fromStdString(gap->label)), qPrintable(card));
    }
    void the_legend_names_the_same_during_a_drag_and_after_it() {
        Hand hand;
        QVERIFY(hand.ready());
        const auto texts = [](const std::vector<LegendRow>& rows) {
            std::vector<std::string> list;
            for (const LegendRow& row : rows)
                list.push_back(row.text);
            return list;
        };
        const Scene scene = *hand.s.chart().scene();
        const ChartScene shown(std::make_shared<const Scene>(scene));
        hand.press();
        for (int half = 0; half < 2; ++half)
            hand.move({hand.right(2) / 2, 0});
        const auto during = texts(legend_with_dragged(scene, hand.s.chart().dragged_kernel()->point,
                                                      dragged_look(*hand.s.chart().dragged_kernel(), shown)));
        QVERIFY(during.size() > scene.legend.size());
        hand.release();
        QVERIFY(hand.s.settle());
        QVERIFY(during == texts(hand.s.chart().scene()->legend));
    }
    void a_kernel_that_was_moved_keeps_the_ghost_where_it_was_measured() {
        Hand hand;
        QVERIFY(hand.ready());
        const double x = hand.intensity();
        hand.drag({hand.right(2), 0});
        QVERIFY(hand.s.settle());
        QVERIFY(near(hand.intensity(), 2 * x));
        hand.press();
        hand.move({hand.right(1.5), 0});
        const DraggedKernel& dragged = *hand.s.chart().dragged_kernel();
        const auto held = std::ranges::find(dragged.places, dragged.held, &DraggedKernel::Position::level);
        QVERIFY(held != dragged.places.end() && near(held->from_x, x));
        QVERIFY(near(held->x, 3 * x));
        hand.release();
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
        const auto& point = hand.s.document().result().drawn()->points[0];
        QVERIFY(near(point.gap->factor, 1));
        QVERIFY(!hand.scenario().moves.front().beyond_model);
        hand.drag({0, hand.up(3)}, Qt::ControlModifier);
        QVERIFY(hand.s.settle());
        QVERIFY(hand.scenario().moves.front().beyond_model);
        QVERIFY(near(hand.s.document().result().drawn()->points[0].gap->factor, 1.0 / 3));
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
        QVERIFY(near(hand.s.document().result().drawn()->points[0].gap->factor, 1));
    }
    void above_the_slide_the_dot_rises_with_the_pointer() {
        Hand hand;
        QVERIFY(hand.ready());
        const double x = hand.intensity();
        const double y = hand.performance();
        hand.drag({hand.right(2), hand.up(2.4)});
        QVERIFY(hand.s.settle());
        QVERIFY(near(hand.intensity(), 2 * x));
        QVERIFY(hand.performance() > 2.05 * y && hand.performance() <= 2.4 * y);  // but for a tremble
    }
    void along_the_roof_past_the_algorithm_it_takes_no_time_of_its_own() {
        Hand hand;
        QVERIFY(hand.ready());
        hand.s.document().select(0);
        bind_operation(hand.s, "custom flops=4e8 read=1.6e9 write=0.8e9");
        QVERIFY(hand.s.settle());
        const double x = hand.intensity();
        const double y = hand.performance();
        hand.drag({hand.right(3), hand.up(3)});
        QVERIFY(hand.s.settle());
        QVERIFY(std::abs(hand.intensity() / (2 * x) - 1) < 1e-9);
        QVERIFY(std::abs(hand.performance() / (2 * y) - 1) < 1e-9);
    }
    void under_the_slide_the_efficiency_is_kept() {
        Hand hand;
        QVERIFY(hand.ready());
        const double gap = hand.s.document().result().drawn()->points[0].gap->factor;
        hand.drag({hand.right(2), hand.up(1.5)});
        QVERIFY(hand.s.settle());
        QVERIFY(near(hand.s.document().result().drawn()->points[0].gap->factor, gap));
    }
    void a_hand_that_trembles_on_its_way_up_moves_no_bytes() {
        Hand hand;
        QVERIFY(hand.ready());
        const double x = hand.intensity();
        hand.press();
        hand.move({4, -20});
        hand.move({-9, -10});
        hand.release();
        QVERIFY(hand.s.settle());
        QCOMPARE(hand.intensity(), x);
    }
    void both_gaps_go_with_the_hand() {
        Hand hand;
        QVERIFY(hand.ready());
        hand.s.document().select(0);
        bind_operation(hand.s, "custom flops=4e8 read=1.6e9 write=0.8e9");
        QVERIFY(hand.s.settle());
        const double roof = hand.performance() * hand.s.document().result().drawn()->points[0].gap->factor;
        const double algorithm = hand.s.chart().scene()->targets.front().to;
        hand.press();
        hand.move({hand.right(1.5) / 2, 0});
        hand.move({hand.right(1.5) / 2, 0});
        const DraggedKernel& dragged = *hand.s.chart().dragged_kernel();
        QCOMPARE(dragged.binding, std::optional(MemoryLevel::hbm));
        QVERIFY(near(*dragged.roof, 1.5 * roof));
        QVERIFY(near(*dragged.algorithmic, algorithm));
        QVERIFY2(QRegularExpression(R"(\n1\.3\dx left of its algorithm\n)").match(hand.label()).hasMatch(),
                 qPrintable(hand.label()));
        hand.release();
    }
    void the_sides_of_the_ridge_are_shaded_while_no_kernel_is_dragged_across_it() {
        Hand hand;
        QVERIFY(hand.ready());
        hand.s.document().select(0);
        QVERIFY(hand.s.settle() && hand.s.chart().scene()->zones);
        const auto shaded = [&] {
            const QImage picture = hand.s.chart().grab().toImage();
            const Palette& palette = palette_of(hand.s.chart().scene()->options.theme);
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x)
                    if (picture.pixelColor(x, y) == to_qt(palette.memory_zone)) return true;
            return false;
        };
        QVERIFY(shaded());
        hand.press();
        const Zones zones = *hand.s.chart().scene()->zones;
        hand.move({hand.right(2 * zones.peak / zones.bandwidth / hand.intensity()), 0});
        QVERIFY(!hand.s.chart().dragged_kernel()->binding);  // a pipe
        QVERIFY(!shaded());
        QTest::keyClick(&hand.s.chart(), Qt::Key_Escape);
        QVERIFY(!hand.s.chart().dragged_kernel());
        QVERIFY(shaded());
        hand.release();
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
    void moves_stay_when_the_report_is_read_again() {
        Hand hand;
        QVERIFY(hand.ready());
        hand.drag({hand.right(2), 0});
        QVERIFY(hand.s.settle());
        const double x = hand.intensity();
        hand.s.action("reload").trigger();
        QVERIFY(hand.s.settle());
        QCOMPARE(hand.intensity(), x);
        QCOMPARE(hand.s.document().result().what_if->effect.kernels.size(), 1U);
    }
};

}  // namespace tst_kernel_drag

ROOFWALK_TEST(tst_kernel_drag, TestKernelDrag, QApplication)
#include "tst_kernel_drag.moc"
