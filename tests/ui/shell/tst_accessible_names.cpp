// SPDX-License-Identifier: GPL-3.0-or-later
// Every control has a name for screen readers: in the window, its docks and its dialogs.
#include <QAccessible>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QTabBar>
#include <QTimer>
#include <functional>

#include "core/devices/match_device.h"
#include "tests/support/folder_tests.h"
#include "tests/ui/shown_window.h"
#include "ui/dialogs/shortcut_sheet.h"
#include "ui/dialogs/user_guide.h"

namespace tst_accessible_names {

using namespace roofwalk;
using test::ShownWindow;

namespace {

/// Widgets that take the focus but have nothing to say to a screen reader.
QString nameless(const QWidget& root) {
    QCoreApplication::processEvents();
    QStringList found;
    for (const QWidget* widget : root.findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || widget->focusProxy() != nullptr) continue;
        if (!widget->isVisibleTo(&root) || widget->objectName().startsWith("qt_")) continue;
        const auto* label = qobject_cast<const QLabel*>(widget);
        if (label != nullptr && label->text().isEmpty()) continue;  // nothing to read yet
        const auto* tabs = qobject_cast<const QTabBar*>(widget);
        if (tabs != nullptr && tabs->count() == 0) continue;  // Qt keeps an unused one outside the window
        QAccessibleInterface* face = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
        if (face == nullptr || face->text(QAccessible::Name).isEmpty()) {
            found.append(QStringLiteral("%1 '%2' in %3")
                             .arg(widget->metaObject()->className(), widget->objectName(),
                                  widget->parentWidget()->metaObject()->className()));
        }
    }
    return found.join('\n');
}

/// A screen of 1366x768 shows the whole dialog with its frame.
bool fits(const QDialog& dialog) {
    return dialog.height() <= 700 && dialog.width() <= 1366;
}

/// A window in which every panel has something to show: a scenario, a comparison, another GPU, notes.
struct FullWindow : ShownWindow {
    FullWindow() {
        ready = open({test::write_three_kernels(folder, "a.json")});
        chooser.to_open = {test::write_many_kernels(folder, "old.json", 3)};
        action("compare_with").trigger();
        ready = ready && QTest::qWaitFor([this] { return document().result().comparison != nullptr; });
        document().change([](WorkspaceSpec& spec) { set_other_device(spec, find_known_device("H100 SXM")); });
        document().set_notes("To be measured again.");
        Scenario scenario;
        Move& move = scenario.moves.emplace_back();
        move.kernel.name = "stream_add(float const*, float*)";
        move.bytes[MemoryLevel::hbm] = 0.5;
        test::set_scenario(document(), scenario);
        document().select(0);
        ready = settle() && ready;
    }

    /// What has no name in the dialog that `ask` opens; its size where a screen of 1366x768 cuts it.
    [[nodiscard]] QString wrong_in_dialog(const std::function<void()>& ask) {
        QString found = "no dialog opened";
        QTimer::singleShot(0, &window, [&found] {
            auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            if (dialog == nullptr) return;
            found = dialog->accessibleName().isEmpty() ? "the dialog itself" : nameless(*dialog);
            if (!fits(*dialog)) found += QString("height %1").arg(dialog->height());
            dialog->reject();
        });
        ask();
        return found;
    }

    bool ready = false;
};

}  // namespace

class TestAccessibleNames : public QObject {
    Q_OBJECT

  private slots:
    void of_the_start_page_and_the_window() {
        const QList<Sample> samples{Sample{"A sample", "a.roofwalk"}};
        ShownWindow s(samples);
        QCOMPARE(nameless(s.window), QString());
        QVERIFY(s.open(
            {test::write_three_kernels(s.folder, "a.json"), test::write_broken_file(s.folder, "b.json")}));
        s.document().select(0);
        QVERIFY(s.settle());
        QCOMPARE(nameless(s.window), QString());
    }

    void of_every_dock_data() {
        QTest::addColumn<QString>("dock");
        for (const char* dock : {"dock_kernels", "dock_details", "dock_metrics", "dock_ceilings",
                                 "dock_scenario", "dock_compare", "dock_elsewhere", "dock_notes"})
            QTest::newRow(dock) << dock;
    }
    void of_every_dock() {
        QFETCH(QString, dock);
        FullWindow s;
        QVERIFY(s.ready);
        auto* widget = s.window.findChild<QDockWidget*>(dock);
        QVERIFY(widget != nullptr && !widget->accessibleName().isEmpty());
        widget->show();
        widget->raise();
        QTRY_VERIFY(!widget->visibleRegion().isEmpty());
        QCOMPARE(nameless(s.window), QString());
    }

    void of_every_dialog() {
        FullWindow s;
        QVERIFY(s.ready);
        for (const char* command : {"bind_operation", "bind_all", "advice_thresholds"})
            QCOMPARE(s.wrong_in_dialog([&] { s.action(command).trigger(); }), QString());
        auto* presets = s.window.findChild<QMenu*>("what_if_menu");
        emit presets->aboutToShow();
        auto* tile = presets->findChild<QAction*>("preset_tile");
        QVERIFY(tile != nullptr);
        tile->trigger();
        QVERIFY(s.settle());
        auto* moves = s.window.findChild<QTableView*>("scenario_moves");
        moves->selectRow(moves->model()->rowCount() - 1);
        QCOMPARE(s.wrong_in_dialog([&] { s.action("scenario_edit").trigger(); }), QString());
        s.document().select_points({0, 1});
        QVERIFY(s.settle());
        emit presets->aboutToShow();
        auto* fuse = presets->findChild<QAction*>("preset_fuse");
        QVERIFY(fuse != nullptr);
        QCOMPARE(s.wrong_in_dialog([&] { fuse->trigger(); }), QString());
        s.action("export").trigger();
        QCOMPARE(nameless(*s.window.findChild<QDialog*>()), QString());
        QVERIFY(fits(*s.window.findChild<QDialog*>()));
    }

    void of_guide_and_shortcut_sheet() {
        ShownWindow s;
        s.action("user_guide").trigger();
        const auto* guide = s.window.findChild<UserGuide*>();
        QVERIFY(guide != nullptr && !guide->accessibleName().isEmpty());
        QCOMPARE(nameless(*guide), QString());
        s.action("shortcuts").trigger();
        const auto* sheet = s.window.findChild<ShortcutSheet*>();
        QVERIFY(sheet != nullptr && !sheet->accessibleName().isEmpty());
        QCOMPARE(nameless(*sheet), QString());
    }
};

}  // namespace tst_accessible_names

ROOFWALK_TEST(tst_accessible_names, TestAccessibleNames, QApplication)
#include "tst_accessible_names.moc"
