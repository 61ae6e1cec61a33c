// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

#include "tests/support/folder_tests.h"
#include "tests/support/samples.h"
#include "tests/ui/shown_window.h"
#include "ui/dialogs/shortcut_sheet.h"
#include "ui/panels/kernel_panel.h"

namespace tst_keyboard {

using namespace roofwalk;
using test::ShownWindow;

namespace {

void press(ShownWindow& s, const char* keys) {
    QTest::keySequence(&s.window, QKeySequence(keys));
}

QString selected_name(ShownWindow& s) {
    const KernelPoint* point = s.document().selected_point();
    return point != nullptr ? QString::fromStdString(point->name) : QString();
}

/// Presses the keys of a command on the chart.
void press_on_chart(ShownWindow& s, const char* command) {
    const QKeyCombination keys = s.action(command).shortcut()[0];
    QTest::keyClick(&s.chart(), keys.key(), keys.keyboardModifiers());
}

}  // namespace

class TestKeyboard : public QObject {
    Q_OBJECT

  private slots:
    void a_report_opens_at_the_kernel_from_which_most_can_be_recovered() {
        ShownWindow s;
        s.window.open({test::write_three_kernels(s.folder, "a.json")});
        QVERIFY(s.settle());
        QVERIFY(selected_name(s).contains("sgemm_tiled"));
        QCOMPARE(s.document().selection(), std::optional(s.document().result().ranking.front()));
        QCOMPARE(s.chart().scene()->gaps.size(), std::size_t{1});
        press(s, "Esc");
        QVERIFY(!s.document().selection().has_value());
        s.document().loader().reload();
        QVERIFY(s.settle());
        QVERIFY(!s.document().selection().has_value());
    }

    void a_report_that_tells_only_times_opens_at_the_longest_kernel_and_says_what_to_measure() {
        const auto report = test::sample("2020.3.1_a100_6kernels_default");
        if (report.empty()) QSKIP("samples are not beside this checkout");
        ShownWindow s;
        s.window.open({QString::fromStdString(report.string())});
        QVERIFY(s.settle());
        const auto& points = s.document().analysis()->points;
        const auto longest = std::ranges::max_element(points, {}, &KernelPoint::time);
        QCOMPARE(s.document().selection(),
                 std::optional(static_cast<std::uint32_t>(longest - points.begin())));
        auto* details = s.window.findChild<KernelPanel*>();
        QVERIFY(details->findChild<QPushButton*>("copy_command") != nullptr);
        for (const QLabel* label : details->findChildren<QLabel*>())
            QVERIFY2(!label->accessibleName().contains("--"), qPrintable(label->accessibleName()));
    }

    void stops_and_commas_walk_the_kernels() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        press(s, ".");
        QVERIFY(selected_name(s).contains("sgemm_tiled"));  // most recoverable time
        press(s, ".");
        QVERIFY(selected_name(s).contains("stream_add"));
        press(s, ",");
        QVERIFY(selected_name(s).contains("sgemm_tiled"));
        press(s, "Esc");
        QVERIFY(!s.document().selection().has_value());
    }

    void shift_and_arrows_in_the_table_move_the_kernel_or_extend_the_selection() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        press(s, ".");
        s.table().setFocus();
        QTest::keyClick(&s.table(), Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(s.document().spec().scenario.moves.size(), std::size_t{1});
        QVERIFY(s.settle());
        QTest::keyClick(&s.table(), Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(s.document().spec().scenario.moves.size(), std::size_t{1});
        QCOMPARE(s.document().focus().points().size(), std::size_t{2});
    }

    void control_f_filters_and_return_leads_to_the_rows() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        press(s, "Ctrl+F");
        QVERIFY(s.filter().hasFocus());
        QTest::keyClicks(&s.filter(), "time > 50%");
        QTest::keyClick(&s.filter(), Qt::Key_Return);
        QTRY_COMPARE(s.table().model()->rowCount(), 1);
        QVERIFY(s.table().hasFocus());
    }

    void keys_typed_into_the_filter_are_text_not_commands() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        press(s, "Ctrl+F");
        QTest::keyClicks(&s.filter(), "fwasd.,?");
        QCOMPARE(s.filter().text(), QString("fwasd.,?"));
        QVERIFY(!s.document().selection().has_value());
    }

    void control_e_exports_while_a_field_has_the_focus() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        press(s, "Ctrl+F");
        QVERIFY(s.filter().hasFocus());
        QKeyEvent taken(QEvent::ShortcutOverride, Qt::Key_E, Qt::ControlModifier);
        taken.ignore();
        QCoreApplication::sendEvent(&s.filter(), &taken);
        QVERIFY(!taken.isAccepted());
        QKeyEvent kept(QEvent::ShortcutOverride, Qt::Key_A, Qt::ControlModifier);
        kept.ignore();
        QCoreApplication::sendEvent(&s.filter(), &kept);
        QVERIFY(kept.isAccepted());       // the field's own keys stay its own
        s.action("export").disconnect();  // no dialog
        QSignalSpy asked(&s.action("export"), &QAction::triggered);
        QTest::keyClick(&s.filter(), Qt::Key_E, Qt::ControlModifier);
        QCOMPARE(asked.count(), 1);
    }

    void keys_zoom_and_fit_the_chart() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        const Range whole = s.chart().x_range();
        press(s, "W");
        QVERIFY(s.chart().x_range().hi / s.chart().x_range().lo < whole.hi / whole.lo);
        press(s, "Ctrl+0");
        QVERIFY(std::abs(s.chart().x_range().lo / whole.lo - 1) < 1e-6);
        QVERIFY(std::abs(s.chart().x_range().hi / whole.hi - 1) < 1e-6);
    }

    void s_looks_from_farther_away_and_d_to_the_right() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        const Range whole = s.chart().x_range();
        QTest::keyClick(&s.chart(), Qt::Key_W);
        const Range near = s.chart().x_range();
        QTest::keyClick(&s.chart(), Qt::Key_S);
        QVERIFY(s.chart().x_range().hi / s.chart().x_range().lo > 1.1 * near.hi / near.lo);
        QVERIFY(std::abs(s.chart().x_range().hi / whole.hi - 1) < 1e-6);
        QTest::keyClick(&s.chart(), Qt::Key_D);
        QVERIFY(s.chart().x_range().lo > 1.1 * whole.lo);
        QVERIFY(s.chart().x_range().hi > 1.1 * whole.hi);
    }

    void keys_take_a_move_back_and_make_it_again() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        QTest::keyClick(&s.window, Qt::Key_Period);
        QVERIFY(s.settle());
        QTest::keyClick(&s.chart(), Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(s.settle());
        const Scenario made = s.document().spec().scenario;
        QCOMPARE(made.moves.size(), std::size_t{1});
        QVERIFY(!s.chart().scene()->paths.empty());
        QTest::keyClick(&s.chart(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(s.settle());
        QVERIFY(s.document().spec().scenario.moves.empty());
        QVERIFY(s.chart().scene()->paths.empty());
        press_on_chart(s, "redo");
        QVERIFY(s.settle());
        QVERIFY(s.document().spec().scenario == made);
    }

    void a_move_of_the_view_is_the_same_by_letter_and_by_arrow() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        s.chart().setFocus();
        const Range whole = s.chart().x_range();
        press(s, "A");
        QVERIFY(s.chart().x_range().lo < 0.9 * whole.lo);
        QTest::keyClick(&s.chart(), Qt::Key_Right);
        QVERIFY(std::abs(s.chart().x_range().lo / whole.lo - 1) < 1e-6);
    }

    void f_looks_at_the_selected_kernel_and_then_at_everything() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        const Range whole = s.chart().x_range();
        press(s, ".");
        QVERIFY(s.settle());
        s.chart().zoom(4);
        press(s, "F");
        QVERIFY(s.chart().x_range().hi / s.chart().x_range().lo < 0.9 * whole.hi / whole.lo);
        press(s, "F");
        QVERIFY(std::abs(s.chart().x_range().lo / whole.lo - 1) < 1e-6);
    }

    void escape_drops_a_rectangle_before_the_selection() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        press(s, ".");
        const QPoint middle = s.chart().plot_area().center().toPoint();
        const QPoint corner = middle + QPoint(60, 60);
        QTest::mousePress(&s.chart(), Qt::LeftButton, Qt::ShiftModifier, middle);
        QTest::mouseMove(&s.chart(), corner);
        QVERIFY(s.chart().hasFocus());
        QTest::keyClick(&s.chart(), Qt::Key_Escape);
        QVERIFY(s.document().selection().has_value());
        QTest::mouseRelease(&s.chart(), Qt::LeftButton, Qt::ShiftModifier, corner);
        QVERIFY(s.document().selection().has_value());
        QTest::keyClick(&s.chart(), Qt::Key_Escape);
        QVERIFY(!s.document().selection().has_value());
    }

    void a_zoom_into_a_rectangle_is_taken_back_by_keys() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        const QAction& back = s.action("zoom_back");
        const QAction& forward = s.action("zoom_forward");
        QVERIFY(!back.isEnabled() && !forward.isEnabled());
        const Range whole = s.chart().x_range();
        const QPoint middle = s.chart().plot_area().center().toPoint();
        QTest::mousePress(&s.chart(), Qt::LeftButton, Qt::ControlModifier, middle);
        QTest::mouseMove(&s.chart(), middle + QPoint(30, 30));
        QTest::mouseMove(&s.chart(), middle + QPoint(120, 90));
        QTest::mouseRelease(&s.chart(), Qt::LeftButton, Qt::ControlModifier, middle + QPoint(120, 90));
        const Range part = s.chart().x_range();
        QVERIFY(part.lo > whole.lo * 2 && part.hi < whole.hi / 2);
        QVERIFY(back.isEnabled() && !forward.isEnabled());
        for (const char* keys : {"Alt+Left", "Backspace"}) {
            press(s, keys);
            QCOMPARE(s.chart().x_range(), whole);
            QVERIFY(!back.isEnabled() && forward.isEnabled());
            press(s, "Alt+Right");
            QCOMPARE(s.chart().x_range(), part);
        }
        s.document().loader().close_all();
        QVERIFY(!back.isEnabled());
    }

    void digits_switch_the_memory_levels() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        press(s, "2");
        QVERIFY(!s.document().analysis_options().levels[MemoryLevel::l2]);
        press(s, "2");
        QVERIFY(s.document().analysis_options().levels[MemoryLevel::l2]);
    }

    void the_question_mark_lists_every_key() {
        ShownWindow s;
        QTest::keyClick(&s.window, '?');
        auto* sheet = s.window.findChild<ShortcutSheet*>();
        QVERIFY(sheet != nullptr && sheet->isVisible());
        QString text;
        for (const QLabel* label : sheet->findChildren<QLabel*>())
            text += label->text() + '\n';
        for (const ActionSection& section : s.window.actions().sections())
            for (const QAction* action : section.actions)
                for (const QKeySequence& keys : action->shortcuts())
                    QVERIFY2(text.contains(keys.toString(QKeySequence::NativeText)),
                             qPrintable(action->text()));
    }

    void no_two_commands_share_a_key() {
        ShownWindow s;
        // With what is made when a dock is shown for the first time.
        for (auto* dock : s.window.findChildren<QDockWidget*>())
            dock->show();
        QHash<QString, QString> taken;
        for (const QAction* action : s.window.findChildren<QAction*>()) {
            for (const QKeySequence& keys : action->shortcuts()) {
                QVERIFY2(!taken.contains(keys.toString()),
                         qPrintable(action->text() + taken[keys.toString()]));
                taken.insert(keys.toString(), action->text());
            }
        }
    }
};

}  // namespace tst_keyboard

ROOFWALK_TEST(tst_keyboard, TestKeyboard, QApplication)
#include "tst_keyboard.moc"
