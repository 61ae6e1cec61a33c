// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QMap>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableView>
#include <QTimer>
#include <QWidgetAction>
#include <functional>
#include <numeric>

#include "tests/support/folder_tests.h"
#include "tests/support/samples.h"
#include "tests/ui/shown_tip.h"
#include "tests/ui/shown_window.h"
#include "ui/dialogs/move_dialog.h"
#include "ui/dialogs/preset_dialog.h"
#include "ui/widgets/number_box.h"

namespace tst_preset_dialog {

using namespace roofwalk;
using test::ShownWindow;

namespace {

/// The entry of a preset, as a person finds it when they open the menu.
QAction* entry(ShownWindow& s, const char* preset) {
    auto* menu = s.window.findChild<QMenu*>("what_if_menu");
    emit menu->aboutToShow();
    return menu->findChild<QAction*>(QString("preset_%1").arg(preset));
}

/// Lets `act` answer the dialog that `ask` opens.
template <class Dialog>
void in_dialog(ShownWindow& s, const std::function<void()>& ask, const std::function<void(Dialog&)>& act) {
    bool opened = false;
    QTimer::singleShot(0, &s.window, [&] {
        auto* dialog = qobject_cast<Dialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog != nullptr);
        opened = true;
        act(*dialog);
        if (dialog->isVisible()) dialog->reject();
    });
    ask();
    QVERIFY(opened);
}

/// Chooses a preset in the menu that asks for its number.
void in_preset(ShownWindow& s, const char* preset, const std::function<void(PresetDialog&)>& act) {
    in_dialog(
        s, [&] { entry(s, preset)->trigger(); }, act);
}

/// Edits a move, as a person does in the panel.
void in_edit(ShownWindow& s, int move, const std::function<void(MoveDialog&)>& act) {
    s.window.findChild<QTableView*>("scenario_moves")->selectRow(move);
    in_dialog(
        s, [&] { s.action("scenario_edit").trigger(); }, act);
}

QPushButton* ok(const QDialog& dialog) {
    return dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
}

QString words(const QDialog& dialog) {
    QStringList texts;
    for (const QLabel* label : dialog.findChildren<QLabel*>())
        texts.append(label->accessibleName().isEmpty() ? label->text() : label->accessibleName());
    return texts.join('\n');
}

QString gains(const QDialog& dialog) {
    return dialog.findChildren<QLabel*>(QRegularExpression("_gains$")).first()->accessibleName();
}

NumberBox& number_of(const QDialog& dialog) {
    return *dialog.findChild<NumberBox*>("preset_number");
}

/// Opens the three kernels and selects the one whose name begins so.
bool open_and_select(ShownWindow& s, std::string_view name) {
    if (!s.open({test::write_three_kernels(s.folder, "a.json")})) return false;
    const std::vector<KernelPoint>& points = s.document().analysis()->points;
    for (std::uint32_t i = 0; i < points.size(); ++i)
        if (points[i].name.find(name) != std::string::npos) s.document().select(i);
    return s.settle() && s.document().selection().has_value();
}

double hbm_dot_x(ShownWindow& s, std::uint32_t point) {
    for (const Dot& dot : s.chart().scene()->dots)
        if (dot.point == point && dot.level == MemoryLevel::hbm) return dot.x;
    return 0;
}

}  // namespace

class TestPresetDialog : public QObject {
    Q_OBJECT

  private slots:
    void without_a_selection_the_menu_is_of_the_first_kernel() {
        ShownWindow s;
        QVERIFY(entry(s, "tile") == nullptr);
        const QList<QAction*> actions = s.window.findChild<QMenu*>("what_if_menu")->actions();
        QCOMPARE(actions.size(), 1);
        QVERIFY(!actions.first()->isEnabled());
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        s.document().select(std::nullopt);
        QAction* to_roof = entry(s, "to_roof");
        QVERIFY(to_roof != nullptr && !s.document().selection());  // to pass over a menu selects nothing
        to_roof->trigger();
        QCOMPARE(s.document().selection(), std::optional(matching_ranked(s.document().result()).front()));
    }

    void the_tooltip_of_a_preset_covers_no_entry() {
        ShownWindow s;
        QVERIFY(open_and_select(s, "sgemm"));
        QMenu& menu = *s.window.findChild<QMenu*>("what_if_menu");
        for (const QPoint at : {QPoint(0, 0), QPoint(menu.screen()->geometry().width(), 0)}) {
            menu.popup(at);
            auto* preset = menu.findChild<QAction*>("preset_to_roof");
            QVERIFY(!test::shown_tip(menu, menu.actionGeometry(preset).center()).isEmpty());
            for (const QWidget* tip : QApplication::topLevelWidgets())
                QVERIFY(!tip->inherits("QTipLabel") || !tip->geometry().intersects(menu.geometry()));
            menu.close();
        }
    }

    void the_menu_names_the_axis_and_why_a_preset_cannot_be_applied() {
        ShownWindow s;
        QVERIFY(open_and_select(s, "stream_add"));
        QVERIFY(entry(s, "tile")->isEnabled());
        QCOMPARE(entry(s, "tile")->text(), QString("Tile, reuse 4 assumed (right)"));
        QCOMPARE(test::tip_words(entry(s, "tile")->toolTip()), entry(s, "tile")->statusTip());
        QVERIFY(entry(s, "overlap") != nullptr);
        QCOMPARE(entry(s, "overlap")->text(),
                 QString("Overlap copies with work, share 0.85 (up, memory side)"));
        QVERIFY(open_and_select(s, "sgemm"));
        QCOMPARE(entry(s, "to_roof")->text(), QString("To the roof (up)"));
        QVERIFY(s.window.findChild<QMenu*>("what_if_menu")->toolTipsVisible());
        for (const QAction* preset : s.window.findChild<QMenu*>("what_if_menu")->actions())
            QVERIFY(!preset->text().contains('\t'));  // there stand keys
        QVERIFY(entry(s, "coalesce") == nullptr);
        QVERIFY(entry(s, "fuse") == nullptr);  // one kernel alone
        QStringList reasons;
        QMap<QString, int> reasons_told;
        for (const QAction* reason : s.window.findChild<QMenu*>("what_if_not")->actions()) {
            QVERIFY(!reason->isEnabled());
            reasons.append(reason->statusTip());
            const auto* shown = qobject_cast<const QWidgetAction*>(reason);
            QVERIFY(shown != nullptr);
            const auto* label = qobject_cast<const QLabel*>(shown->defaultWidget());
            QVERIFY(label != nullptr && label->wordWrap());
            QVERIFY(label->text() == reasons.last() && label->text().endsWith('.'));  // whole
            ++reasons_told[reasons.last().section(": ", 1)];
            QVERIFY(label->sizeHint().height() >= label->heightForWidth(label->width()));
        }
        for (const int times : std::as_const(reasons_told))
            QCOMPARE(times, 1);  // what presets have in common is told once
        QVERIFY(s.window.findChild<QMenu*>("what_if_not")->sizeHint().width() < 640);
        QCOMPARE(reasons.filter("sector").size(), 1);
        QCOMPARE(reasons.filter("Kernels > Operation of the kernel").size(), 1);
        QCOMPARE(reasons.filter("--").size(), 0);
    }

    void what_promises_nothing_is_no_choice() {
        ShownWindow s;
        const QString sample = QString::fromStdString(
            (test::data_folder() / ".." / ".." / "resources" / "samples" / "llm-decode-h100.json").string());
        QVERIFY(s.open({sample}));
        const std::vector<KernelPoint>& points = s.document().analysis()->points;
        for (std::uint32_t i = 0; i < points.size(); ++i)
            if (points[i].name.find("silu") != std::string::npos) s.document().select(i);
        QVERIFY(s.settle());
        QVERIFY(entry(s, "tile") == nullptr && entry(s, "fp16") == nullptr && entry(s, "int8") == nullptr);
        QStringList reasons;
        for (const QAction* reason : s.window.findChild<QMenu*>("what_if_not")->actions())
            reasons.append(reason->text());
        QCOMPARE(reasons.filter(QRegularExpression("^Tile\\b[^:]*: It promises nothing")).size(), 1);
    }

    void how_little_saved_launches_bring_is_told() {
        ShownWindow s;
        QFile file(s.folder.filePath("long.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"device": "A100 SXM4 40GB", "kernels": [
            {"name": "idle", "flops": 1e6, "bytes": 1e6, "duration_ns": 437500}]})");
        file.close();
        QVERIFY(s.open({file.fileName()}));
        QVERIFY(entry(s, "batch") == nullptr);  // 7 of 8 launches of 2 us
        QStringList reasons;
        for (const QAction* reason : s.window.findChild<QMenu*>("what_if_not")->actions())
            reasons.append(reason->statusTip());
        const QStringList told = reasons.filter("Beside the launches that it saves");
        QCOMPARE(told.size(), 1);
        QVERIFY2(told.front().endsWith(" Its launches save 0.400 % of its time."), qPrintable(told.front()));
    }

    void a_preset_becomes_a_move_at_once_that_can_be_undone() {
        ShownWindow s;
        QVERIFY(open_and_select(s, "stream_add"));
        const std::uint32_t point = *s.document().selection();
        const double x = hbm_dot_x(s, point);
        entry(s, "tile")->trigger();
        QVERIFY(QApplication::activeModalWidget() == nullptr);
        QVERIFY(s.settle());
        QCOMPARE(s.document().spec().scenario.moves.size(), std::size_t{1});
        QCOMPARE(s.document().spec().scenario.moves[0].name, std::string("Tile, reuse 4 assumed"));
        QCOMPARE(s.document().spec().scenario.moves[0].number, std::optional(4.0));
        QCOMPARE(hbm_dot_x(s, point), 4 * x);
        QVERIFY(s.window.findChild<QWidget*>("dock_scenario")->isVisible());
        QCOMPARE(s.action("undo").text(), QString("&Undo: Tile, stream_add"));
        s.action("undo").trigger();
        QVERIFY(s.settle());
        QVERIFY(s.document().spec().scenario.moves.empty());
        QCOMPARE(hbm_dot_x(s, point), x);
    }

    void its_number_is_changed_where_moves_are_edited() {
        ShownWindow s;
        QVERIFY(open_and_select(s, "stream_add"));
        const double x = hbm_dot_x(s, *s.document().selection());
        entry(s, "tile")->trigger();
        QVERIFY(s.settle());
        const Scenario chosen = s.document().spec().scenario;
        in_edit(s, 0, [](MoveDialog& dialog) {
            for (const char* part : {"stream_add", "how many uses", "1 to 4096"})
                QVERIFY2(words(dialog).contains(part), qPrintable(words(dialog)));
            QCOMPARE(number_of(dialog).text(), QString("4"));
            number_of(dialog).setValue(2);
            QVERIFY2(gains(dialog).contains("time 6.00 ms → 3.00 ms (2.00x faster)"),
                     qPrintable(gains(dialog)));
            QTest::mouseClick(ok(dialog), Qt::LeftButton);
        });
        QVERIFY(s.settle());
        const Move& move = s.document().spec().scenario.moves.at(0);
        QCOMPARE(move.name, std::string("Tile, reuse 2 assumed"));
        QCOMPARE(move.preset, std::string("tile"));
        QCOMPARE(move.bytes[MemoryLevel::hbm], 0.5);
        QVERIFY(move.kernel == chosen.moves[0].kernel);
        QCOMPARE(hbm_dot_x(s, *s.document().selection()), 2 * x);
        s.action("undo").trigger();
        QVERIFY(s.document().spec().scenario == chosen);
    }

    void a_name_that_was_given_stays_and_factors_end_the_preset() {
        ShownWindow s;
        QVERIFY(open_and_select(s, "stream_add"));
        entry(s, "tile")->trigger();
        QVERIFY(s.settle());
        Scenario scenario = s.document().spec().scenario;
        scenario.moves[0].name = "mine";
        test::set_scenario(s.document(), scenario);
        QVERIFY(s.settle());
        in_edit(s, 0, [](MoveDialog& dialog) {
            number_of(dialog).setValue(2);
            QCOMPARE(dialog.move().name, std::string("mine"));
            QVERIFY(dialog.move().number == 2.0);
            for (NumberBox* box : dialog.findChildren<NumberBox*>())
                if (box->accessibleName() == "HBM bytes") box->setValue(0.3);
            QVERIFY(dialog.move().preset.empty() && !dialog.move().number);
        });
    }

    void a_number_that_cannot_be_is_refused_with_the_reason() {
        ShownWindow s;
        QVERIFY(open_and_select(s, "stream_add"));
        entry(s, "tile")->trigger();
        QVERIFY(s.settle());
        in_edit(s, 0, [](MoveDialog& dialog) {
            number_of(dialog).setValue(4096);
            QVERIFY2(gains(dialog).contains("shared memory"), qPrintable(gains(dialog)));
            QVERIFY(!ok(dialog)->isEnabled());
            number_of(dialog).setValue(2);
            QVERIFY(ok(dialog)->isEnabled());
        });
    }

    void the_next_preset_begins_where_the_last_one_ended() {
        ShownWindow s;
        QVERIFY(open_and_select(s, "stream_add"));
        for (int i = 0; i < 2; ++i) {
            entry(s, "tile")->trigger();
            QVERIFY(s.settle());
        }
        QCOMPARE(s.document().spec().scenario.moves.size(), std::size_t{2});
        in_edit(s, 1, [](MoveDialog& dialog) {
            number_of(dialog).setValue(2);
            QVERIFY2(gains(dialog).contains("HBM 2.40 GB → 1.20 GB (0.500x)"), qPrintable(gains(dialog)));
        });
    }

    void a_preset_without_a_number_is_made_at_once_and_says_what_it_assumes() {
        ShownWindow s;
        QVERIFY(open_and_select(s, "sgemm"));
        QVERIFY(!entry(s, "to_roof")->statusTip().isEmpty());
        entry(s, "to_roof")->trigger();
        QVERIFY(s.settle());
        QCOMPARE(s.document().spec().scenario.moves.size(), std::size_t{1});
        QVERIFY(!s.document().spec().scenario.moves[0].assumption.empty());
        s.action("undo").trigger();
        QVERIFY(s.document().spec().scenario.moves.empty());
    }

    void fusion_takes_every_selected_kernel() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        s.document().select_points({0, 1});
        QVERIFY(s.settle());
        QVERIFY2(entry(s, "fuse")->isEnabled(), qPrintable(entry(s, "fuse")->statusTip()));
        QVERIFY(entry(s, "fuse")->text().endsWith("…"));
        in_preset(s, "fuse", [](PresetDialog& dialog) {
            QVERIFY(!ok(dialog)->isEnabled());  // the profile does not tell reads from writes
            QVERIFY2(gains(dialog).contains("Say how many bytes"), qPrintable(gains(dialog)));
            QCOMPARE(number_of(dialog).text(), QString("as the profile suggests"));
            number_of(dialog).setValue(100);
            QCOMPARE(number_of(dialog).text(), QString("100 MB"));
            QVERIFY2(gains(dialog).contains("sgemm_tiled"), qPrintable(gains(dialog)));
            QVERIFY(gains(dialog).contains("stream_add"));
            dialog.accept();
        });
        QVERIFY(s.settle());
        QCOMPARE(s.document().spec().scenario.moves.size(), std::size_t{2});
        s.action("undo").trigger();
        QVERIFY(s.document().spec().scenario.moves.empty());
    }

    void of_many_kernels_the_first_are_told() {
        ShownWindow s;
        QVERIFY(s.open({test::write_many_kernels(s.folder, "a.json", 100)}));
        std::vector<std::uint32_t> all(100);
        std::iota(all.begin(), all.end(), 0U);
        s.document().select_points(all);
        QVERIFY(s.settle());
        in_preset(s, "fuse", [](PresetDialog& dialog) {
            number_of(dialog).setValue(5000);
            QVERIFY2(gains(dialog).contains("and of 92 more kernels"), qPrintable(gains(dialog)));
            QVERIFY(gains(dialog).contains("kernel_7:") && !gains(dialog).contains("kernel_8:"));
            // FP32 binds, so that bytes gain nothing: 99 launches of 2 us are saved.
            const QString program = gains(dialog).section('\n', -1);
            QVERIFY2(program.contains(QRegularExpression("program 10\\.1 ms → 9\\.[89]\\d ms")),
                     qPrintable(program));
            QVERIFY(gains(dialog).contains("the launches that it saves"));
            dialog.accept();
        });
        QVERIFY(s.settle());
        QCOMPARE(s.document().spec().scenario.moves.size(), std::size_t{100});
    }
};

}  // namespace tst_preset_dialog

ROOFWALK_TEST(tst_preset_dialog, TestPresetDialog, QApplication)
#include "tst_preset_dialog.moc"
