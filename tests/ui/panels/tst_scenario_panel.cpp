// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDockWidget>
#include <QLineEdit>
#include <QScrollBar>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <functional>

#include "tests/support/contrast.h"
#include "tests/support/folder_tests.h"
#include "tests/ui/shown_tip.h"
#include "tests/ui/shown_window.h"
#include "ui/dialogs/move_dialog.h"
#include "ui/panels/scenario_panel.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/waterfall_view.h"

namespace tst_scenario_panel {

using namespace roofwalk;
using test::ShownWindow;

namespace {

constexpr const char* markup = "<b>bold</b> & more";

/// A window with a scenario of two moves: the bytes of stream_add halved, and sgemm brought to its roof.
struct WithMoves : ShownWindow {
    WithMoves() {
        opened = open({test::write_three_kernels(folder, "a.json")});
        Scenario scenario;
        scenario.name = "Fewer bytes";
        Move& bytes = scenario.moves.emplace_back();
        bytes.kernel.name = "stream_add(float const*, float*)";
        bytes.bytes[MemoryLevel::hbm] = 0.5;
        Move& roof = scenario.moves.emplace_back();
        roof.kernel.name = "void sgemm_tiled<128, 8>(float const*, float const*, float*)";
        roof.name = markup;
        roof.time_rule = MoveTime::to_roof;
        test::set_scenario(document(), scenario);
        opened = opened && settle();
    }

    [[nodiscard]] QDockWidget& dock() { return *window.findChild<QDockWidget*>("dock_scenario"); }
    [[nodiscard]] QTableView& moves() { return *window.findChild<QTableView*>("scenario_moves"); }
    [[nodiscard]] QString cell_of(int row, const char* column) {
        return moves().model()->index(row, test::column_of(moves(), column)).data().toString();
    }
    [[nodiscard]] QString sentence() {
        return window.findChild<QLabel*>("scenario_sentence")->accessibleName();
    }
    [[nodiscard]] WaterfallView& waterfall() { return *window.findChild<WaterfallView*>("waterfall"); }
    [[nodiscard]] const Scenario& scenario() { return document().spec().scenario; }
    /// The box before the name of a move.
    void click_box(int row) {
        const QRect cell = moves().visualRect(moves().model()->index(row, 0));
        QTest::mouseClick(moves().viewport(), Qt::LeftButton, {}, {cell.left() + 10, cell.center().y()});
    }

    bool opened = false;
};

}  // namespace

class TestScenarioPanel : public QObject {
    Q_OBJECT

  private slots:
    void the_start_of_a_long_name_is_seen() {
        WithMoves s;
        Scenario scenario = s.scenario();
        scenario.name = "A name of a scenario that is far too long for the field that it stands in";
        test::set_scenario(s.document(), scenario);
        QVERIFY(s.settle());
        QCOMPARE(s.window.findChild<QLineEdit*>("scenario_name")->cursorPosition(), 0);
    }
    void a_name_and_the_reason_of_a_move_get_the_room_there_is() {
        WithMoves s;
        s.window.resize(1600, 900);
        Scenario scenario = s.scenario();
        scenario.name = "INT4 weights, fused SiLU, INT8 cache";
        scenario.moves[1].kernel.name = "gone";
        test::set_scenario(s.document(), scenario);
        QVERIFY(s.settle());
        const auto* name = s.window.findChild<QLineEdit*>("scenario_name");
        const int words = name->fontMetrics().horizontalAdvance(name->text());
        QTRY_VERIFY(name->width() > words);
        QVERIFY(name->width() < words + 60);
        const int state = test::column_of(s.moves(), "state");
        QTRY_VERIFY(s.moves().columnWidth(state) >=
                    s.moves().fontMetrics().horizontalAdvance(s.cell_of(1, "state")));
        QVERIFY(s.moves().horizontalScrollBar()->maximum() == 0);
        QVERIFY(s.waterfall().width() >= s.waterfall().sizeHint().width());
    }

    void on_a_small_screen_words_are_cut_and_columns_do_not_scroll() {
        WithMoves s;
        s.window.resize(1366, 768);
        Scenario scenario = s.scenario();
        scenario.moves[0].name = "Read every row of the first operand once and share it among the blocks";
        scenario.moves[0].bytes[MemoryLevel::l2] = 0.25;
        scenario.moves[0].inputs = 8;
        scenario.moves[1].kernel.name = "gone";
        test::set_scenario(s.document(), scenario);
        QVERIFY(s.settle());
        QTRY_COMPARE(s.moves().horizontalScrollBar()->maximum(), 0);
        const int state = s.moves().columnWidth(test::column_of(s.moves(), "state"));
        QVERIFY(state >= s.moves().columnWidth(test::column_of(s.moves(), "move")));
    }

    void the_panel_comes_with_the_first_move_and_says_how_to_begin_before() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        auto* dock = s.window.findChild<QDockWidget*>("dock_scenario");
        QVERIFY(dock->isHidden());
        dock->toggleViewAction()->trigger();
        const QString words = s.window.findChild<QLabel*>("scenario_sentence")->accessibleName();
        QVERIFY2(words.contains("drag a dot"), qPrintable(words));
        dock->close();
        QVERIFY(!s.action("save_scenario").isEnabled());

        Scenario scenario;
        scenario.moves.emplace_back().kernel.name = "gone";
        test::set_scenario(s.document(), scenario);
        QVERIFY(s.settle());
        QVERIFY(dock->isVisible());
        QVERIFY(s.action("save_scenario").isEnabled());
        dock->close();
        scenario.moves.emplace_back().kernel.name = "gone too";
        test::set_scenario(s.document(), scenario);
        QVERIFY(s.settle());
        QVERIFY(dock->isHidden());  // a person closed it
    }

    void each_move_tells_what_it_changes_and_what_it_gains() {
        WithMoves s;
        QVERIFY(s.opened);
        QVERIFY(s.dock().isVisible());
        QCOMPARE(s.cell_of(0, "move"), QString("by hand"));
        QCOMPARE(s.cell_of(0, "kernel"), QString("stream_add"));
        QCOMPARE(s.cell_of(0, "change"), QString("HBM 0.500x bytes, keeps its efficiency"));
        QCOMPARE(s.cell_of(0, "kernel_time"), QString("6.00 ms → 3.00 ms"));
        QCOMPARE(s.cell_of(0, "program_time"), QString("7.00 ms"));
        QCOMPARE(s.cell_of(0, "program_pace"), QString("1.43x faster"));
        QCOMPARE(s.cell_of(0, "state"), QString("made"));
        QVERIFY2(s.sentence().startsWith("Scenario \"Fewer bytes\": 2 moves made. The program takes"),
                 qPrintable(s.sentence()));
        QCOMPARE(s.waterfall().bars().size(), std::size_t{4});
        QVERIFY(s.waterfall().accessibleDescription().contains("−3.00 ms → 7.00 ms"));
    }

    void names_are_never_read_as_markup() {
        WithMoves s;
        QVERIFY(s.opened);
        QCOMPARE(s.cell_of(1, "move"), QString(markup));
        const QModelIndex kernel = s.moves().model()->index(1, test::column_of(s.moves(), "kernel"));
        QVERIFY(test::tip_words(kernel.data(Qt::ToolTipRole).toString()).contains("sgemm_tiled<128, 8>"));
        s.moves().selectRow(1);
        s.action("scenario_remove").trigger();
        QCOMPARE(s.action("undo").text(), QString("&Undo: remove <b>bold</b> && more"));
    }

    void the_box_of_a_move_is_seen_on_every_ground() {
        WithMoves s;
        const auto luminance = [](QColor c) { return test::luminance(c.redF(), c.greenF(), c.blueF()); };
        for (const Theme theme : {Theme::dark, Theme::light}) {
            apply_theme(*qApp, theme);
            s.moves().clearSelection();
            const QRect cell = s.moves().visualRect(s.moves().model()->index(0, 0));
            const QImage picture = s.moves().viewport()->grab(cell).toImage();
            double most = 1;
            for (int x = 1; x < 5; ++x)  // its edge; the tick begins farther right
                most = std::max(most, test::contrast(luminance(picture.pixelColor(x, cell.height() / 2)),
                                                     luminance(picture.pixelColor(0, 0))));
            QVERIFY2(most >= 3, qPrintable(QString::number(most)));
        }
    }

    void a_move_is_switched_off_and_undo_brings_it_back() {
        WithMoves s;
        QVERIFY(s.opened);
        const Scenario before = s.scenario();
        s.click_box(0);
        QVERIFY(s.settle());
        QVERIFY(!s.scenario().moves[0].on);
        QCOMPARE(s.cell_of(0, "state"), QString("off"));
        QCOMPARE(s.cell_of(0, "kernel_time"), QString("–"));
        QCOMPARE(s.waterfall().bars().size(), std::size_t{3});
        s.action("undo").trigger();
        QVERIFY(s.settle());
        QCOMPARE(s.scenario(), before);
        QCOMPARE(s.cell_of(0, "state"), QString("made"));
        s.action("redo").trigger();
        QVERIFY(s.settle());
        QVERIFY(!s.scenario().moves[0].on);
    }

    void move_and_scenario_are_renamed() {
        WithMoves s;
        QVERIFY(s.opened);
        const QModelIndex name = s.moves().model()->index(0, 0);
        s.moves().setCurrentIndex(name);
        s.moves().edit(name);
        auto* field = s.moves().viewport()->findChild<QLineEdit*>();
        QVERIFY(field != nullptr);
        field->selectAll();
        QTest::keyClicks(field, "Tile it");
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_COMPARE(s.scenario().moves[0].name, std::string("Tile it"));

        auto* whole = s.window.findChild<QLineEdit*>("scenario_name");
        whole->setFocus();
        whole->selectAll();
        QTest::keyClicks(whole, "Walk");
        QTest::keyClick(whole, Qt::Key_Return);
        QVERIFY(s.settle());
        QCOMPARE(s.scenario().name, std::string("Walk"));
        QVERIFY(s.sentence().startsWith("Scenario \"Walk\""));
        s.action("undo").trigger();
        QCOMPARE(whole->text(), QString("Fewer bytes"));
        s.action("undo").trigger();
        QVERIFY(s.scenario().moves[0].name.empty());
    }

    void moves_change_their_order_and_go() {
        WithMoves s;
        QVERIFY(s.opened);
        const Scenario before = s.scenario();
        QVERIFY(!s.action("scenario_remove").isEnabled());
        s.moves().selectRow(0);
        QVERIFY(!s.action("scenario_up").isEnabled());
        s.action("scenario_down").trigger();
        QVERIFY(s.settle());
        QCOMPARE(s.scenario().moves[1], before.moves[0]);
        QCOMPARE(s.moves().currentIndex().row(), 1);
        QVERIFY(!s.action("scenario_down").isEnabled());
        s.action("scenario_remove").trigger();
        QVERIFY(s.settle());
        QCOMPARE(s.scenario().moves.size(), std::size_t{1});
        QCOMPARE(s.moves().currentIndex().row(), 0);
        s.action("scenario_clear").trigger();
        QVERIFY(s.settle());
        QVERIFY(s.scenario().moves.empty());
        QVERIFY(s.sentence().contains("drag a dot"));
        QVERIFY(s.waterfall().bars().empty());
        for (int i = 0; i < 3; ++i)
            s.action("undo").trigger();
        QVERIFY(s.settle());
        QCOMPARE(s.scenario(), before);
        QCOMPARE(s.waterfall().bars().size(), std::size_t{4});
    }

    void factors_are_edited_and_those_left_alone_keep_every_digit() {
        WithMoves s;
        QVERIFY(s.opened);
        Scenario scenario = s.scenario();
        scenario.moves[0].bytes[MemoryLevel::l2] = 0.123456789012;
        scenario.moves[0].preset = "tile";
        test::set_scenario(s.document(), scenario);
        QVERIFY(s.settle());
        s.moves().selectRow(0);
        QString gains;
        QTimer::singleShot(0, &s.window, [&] {
            auto* dialog = qobject_cast<MoveDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog != nullptr);
            for (NumberBox* box : dialog->findChildren<NumberBox*>())
                if (box->accessibleName() == "HBM bytes") box->setValue(0.25);
            gains = dialog->findChild<QLabel*>("move_gains")->accessibleName();
            dialog->accept();
        });
        s.action("scenario_edit").trigger();
        QVERIFY(s.settle());
        QVERIFY2(gains.contains("6.00 ms → 1.50 ms (4.00x faster)"), qPrintable(gains));
        QCOMPARE(s.scenario().moves[0].bytes[MemoryLevel::hbm], 0.25);
        QCOMPARE(s.scenario().moves[0].bytes[MemoryLevel::l2], 0.123456789012);
        QCOMPARE(s.scenario().moves[0].name, std::string("Tile, edited"));
        QVERIFY(s.scenario().moves[0].preset.empty());
        QCOMPARE(s.cell_of(0, "kernel_time"), QString("6.00 ms → 1.50 ms"));
        s.action("undo").trigger();
        QCOMPARE(s.scenario(), scenario);
    }

    void a_move_beyond_the_model_and_one_without_a_kernel_say_so() {
        WithMoves s;
        QVERIFY(s.opened);
        Scenario scenario = s.scenario();
        scenario.moves[0].beyond_model = true;
        scenario.moves[1].kernel.name = "gone";
        test::set_scenario(s.document(), scenario);
        QVERIFY(s.settle());
        QCOMPARE(s.cell_of(0, "state"), QString("made, beyond the model"));
        QCOMPARE(s.cell_of(1, "state"), QString("not made: the report has no kernel of this name"));
    }

    void a_move_that_the_roof_stops_says_so() {
        WithMoves s;
        QVERIFY(s.opened);
        Scenario scenario = s.scenario();
        scenario.moves[0].time_rule = MoveTime::factor;
        scenario.moves[0].time = 1e-6;
        test::set_scenario(s.document(), scenario);
        QVERIFY(s.settle());
        const QString state = s.cell_of(0, "state");
        QVERIFY2(state.startsWith("made, stopped at the ") && state.endsWith(" roof"), qPrintable(state));
    }
};

}  // namespace tst_scenario_panel

ROOFWALK_TEST(tst_scenario_panel, TestScenarioPanel, QApplication)
#include "tst_scenario_panel.moc"
