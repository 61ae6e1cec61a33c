// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDialogButtonBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QTimer>
#include <QWidgetAction>
#include <functional>
#include <numeric>

#include "tests/support/folder_tests.h"
#include "tests/support/samples.h"
#include "tests/ui/shown_tip.h"
#include "tests/ui/shown_window.h"
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

/// Chooses a preset in the menu, and lets `act` answer the dialog.
void in_dialog(ShownWindow& s, const char* preset, const std::function<void(PresetDialog&)>& act) {
    QTimer::singleShot(0, &s.window, [&act] {
        auto* dialog = qobject_cast<PresetDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog != nullptr);
        act(*dialog);
        if (dialog->isVisible()) dialog->reject();
    });
    entry(s, preset)->trigger();
}

QPushButton* ok(const PresetDialog& dialog) {
    return dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
}

QString words(const PresetDialog& dialog) {
    QStringList texts;
    for (const QLabel* label : dialog.findChildren<QLabel*>())
        texts.append(label->accessibleName().isEmpty() ? label->text() : label->accessibleName());
    return texts.join('\n');
}

QString gains(const PresetDialog& dialog) {
    return dialog.findChild<QLabel*>("preset_gains")->accessibleName();
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
    void without_a_selection_the_menu_asks_for_one() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        QVERIFY(entry(s, "tile") == nullptr);
        const QList<QAction*> actions = s.window.findChild<QMenu*>("what_if_menu")->actions();
        QCOMPARE(actions.size(), 1);
        QVERIFY(!actions.first()->isEnabled());
    }

    void the_menu_names_the_axis_and_why_a_preset_cannot_be_applied() {
        ShownWindow s;
        QVERIFY(open_and_select(s, "stream_add"));
        QVERIFY(entry(s, "tile")->isEnabled());
        QCOMPARE(entry(s, "tile")->text(), QString("Tile (right)…"));
        QCOMPARE(test::tip_words(entry(s, "tile")->toolTip()), entry(s, "tile")->statusTip());
        QVERIFY(entry(s, "overlap") != nullptr);
        QCOMPARE(entry(s, "overlap")->text(), QString("Overlap copies with work (up, memory side)…"));
        QVERIFY(open_and_select(s, "sgemm"));
        QCOMPARE(entry(s, "to_roof")->text(), QString("To the roof (up)"));
        QVERIFY(s.window.findChild<QMenu*>("what_if_menu")->toolTipsVisible());
        for (const QAction* preset : s.window.findChild<QMenu*>("what_if_menu")->actions())
            QVERIFY(!preset->text().contains('\t'));  // there stand keys
        QVERIFY(entry(s, "coalesce") == nullptr);
        QVERIFY(entry(s, "fuse") == nullptr);  // one kernel alone
        QStringList reasons;
        for (const QAction* reason : s.window.findChild<QMenu*>("what_if_not")->actions()) {
            QVERIFY(!reason->isEnabled());
            reasons.append(reason->statusTip());
            const auto* shown = qobject_cast<const QWidgetAction*>(reason)->defaultWidget();
            QVERIFY(shown->accessibleName().endsWith(reasons.last()));
            QVERIFY(shown->sizeHint().height() >= shown->heightForWidth(shown->sizeHint().width()));
        }
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
        QCOMPARE(reasons.filter("Tile: It promises nothing").size(), 1);
    }

    void a_preset_becomes_a_move_that_can_be_undone() {
        ShownWindow s;
        QVERIFY(open_and_select(s, "stream_add"));
        const std::uint32_t point = *s.document().selection();
        const double x = hbm_dot_x(s, point);
        in_dialog(s, "tile", [](PresetDialog& dialog) {
            const QString text = words(dialog);
            for (const char* part : {"stream_add", "to the right", "What must hold:", "1 to 4096"})
                QVERIFY2(text.contains(part), qPrintable(text));
            auto* number = dialog.findChild<NumberBox*>("preset_number");
            QCOMPARE(number->value(), 4.0);
            QCOMPARE(number->text(), QString("4"));
            number->setValue(2);
            QVERIFY2(gains(dialog).contains("time 6.00 ms → 3.00 ms (2.00x faster)"),
                     qPrintable(gains(dialog)));
            QVERIFY(gains(dialog).contains("program 10.0 ms → 7.00 ms (1.43x faster)"));
            QTest::mouseClick(ok(dialog), Qt::LeftButton);
        });
        QVERIFY(s.settle());
        QCOMPARE(s.document().spec().scenario.moves.size(), std::size_t{1});
        QCOMPARE(s.document().spec().scenario.moves[0].name, std::string("Tile, reuse 2"));
        QCOMPARE(hbm_dot_x(s, point), 2 * x);
        QVERIFY(s.window.findChild<QWidget*>("dock_scenario")->isVisible());
        QCOMPARE(s.action("undo").text(), QString("&Undo: Tile, stream_add"));
        s.action("undo").trigger();
        QVERIFY(s.settle());
        QVERIFY(s.document().spec().scenario.moves.empty());
        QCOMPARE(hbm_dot_x(s, point), x);
    }

    void the_next_preset_begins_where_the_last_one_ended() {
        ShownWindow s;
        QVERIFY(open_and_select(s, "stream_add"));
        const auto accept = [](PresetDialog& dialog) { dialog.accept(); };
        in_dialog(s, "tile", accept);
        QVERIFY(s.settle());
        in_dialog(s, "tile", [](PresetDialog& dialog) {
            QVERIFY2(gains(dialog).contains("HBM 2.40 GB → 600 MB (0.250x)"), qPrintable(gains(dialog)));
        });
        QCOMPARE(s.document().spec().scenario.moves.size(), std::size_t{1});  // the second was not accepted
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
        in_dialog(s, "fuse", [](PresetDialog& dialog) {
            QVERIFY(!ok(dialog)->isEnabled());  // the profile does not tell reads from writes
            QVERIFY2(gains(dialog).contains("Say how many bytes"), qPrintable(gains(dialog)));
            auto* number = dialog.findChild<NumberBox*>("preset_number");
            QCOMPARE(number->text(), QString("as the profile suggests"));
            number->setValue(100);
            QCOMPARE(number->text(), QString("100 MB"));
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
        in_dialog(s, "fuse", [](PresetDialog& dialog) {
            dialog.findChild<NumberBox*>("preset_number")->setValue(5000);
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
