// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QLineEdit>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <functional>

#include "tests/ui/profile_files.h"
#include "ui/chart/roofline_chart.h"
#include "ui/shell/actions.h"
#include "ui/shell/main_window.h"
#include "ui/shell/settings.h"
#include "ui/widgets/file_chooser.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/table_model.h"

namespace roofwalk::test {

/// Answers instead of a person.
class PreparedChooser : public FileChooser {
  public:
    QStringList to_open;
    QString to_save;
    QString title;      ///< of the dialog that asks for it
    QString suggested;  ///< the name that a file to save was offered under
    Keep keep = Keep::discard;
    int asked = 0;  ///< whether to keep changes
    Conflict conflict = Conflict::stay;
    int conflicts = 0;                ///< asked about
    std::function<void()> meanwhile;  ///< what happens while the person thinks

    Purpose purpose = Purpose::open;  ///< of the files last asked for

    QStringList files_to_open(QWidget*, const QString&, Purpose asked_for) override {
        purpose = asked_for;
        return to_open;
    }
    QString file_to_open(QWidget*, const QString&, const QString&) override { return to_open.value(0); }
    QString file_to_save(QWidget*, const QString& of_dialog, const QString& path, const QString&) override {
        title = of_dialog;
        suggested = path;
        if (meanwhile) meanwhile();
        return to_save;
    }
    Keep ask_to_keep(QWidget*, const QString&) override {
        ++asked;
        return keep;
    }
    Conflict ask_about_conflict(QWidget*, const QString&) override {
        ++conflicts;
        if (meanwhile) meanwhile();
        return conflict;
    }
    bool ask_to_stop(QWidget*, const QString&) override {
        ++asked;
        return keep == Keep::discard;
    }
    bool ask_to_discard(QWidget*, const QString&) override {
        ++asked;
        return keep == Keep::discard;
    }
};

/// The place of a column of a table in the window.
[[nodiscard]] inline int column_of(const QTableView& view, std::string_view id) {
    return qobject_cast<const TableModel*>(view.model())->column_of(id);
}

inline void set_scenario(Document& document, const Scenario& scenario) {
    document.change([&](WorkspaceSpec& spec) { spec.scenario = scenario; });
}
inline void set_bindings(Document& document, const Bindings& bindings) {
    document.change([&](WorkspaceSpec& spec) { spec.bindings = bindings; });
}

/// The program's window on screen, with settings and files of its own.
class ShownWindow {
  public:
    explicit ShownWindow(const QList<Sample>& samples = {}, RecordingBackend recording = {},
                         CeilingBenchmarkBackend measuring = {}, const QString& lessons = {})
        : window(settings, chooser, samples, QApplication::palette(), std::move(recording),
                 std::move(measuring), lessons) {
        window.resize(1280, 800);  // whatever the screen
        window.show();
        shown = QTest::qWaitForWindowExposed(&window);
        window.activateWindow();
        active = QTest::qWaitForWindowActive(&window);
    }

    /// Opens files and waits until what they hold is on screen, with nothing selected but what a session did.
    [[nodiscard]] bool open(const QStringList& paths) {
        window.open(paths);
        if (!settle()) return false;
        const bool session =
            std::ranges::any_of(paths, [](const QString& path) { return path.endsWith(".roofwalk"); });
        if (!session) document().select(std::nullopt);
        return settle();
    }
    /// Waits for all work under way.
    [[nodiscard]] bool settle() {
        const auto settled = [this] {
            return !document().loader().job().running() && !document().analysing().running() &&
                   (document().empty() ||
                    (document().scene() && chart().scene() == document().scene() &&
                     document().scene()->options.selected ==
                         drawn_selection(document().result(), document().focus()) &&
                     document().result().what_if->scenario == document().spec().scenario));
        };
        return QTest::qWaitFor(settled, 60'000);
    }

    [[nodiscard]] Document& document() { return window.document(); }
    [[nodiscard]] RooflineChart& chart() { return *window.findChild<RooflineChart*>("chart"); }
    [[nodiscard]] QTableView& table() { return *window.findChild<QTableView*>("kernel_view"); }
    [[nodiscard]] QLineEdit& filter() { return *window.findChild<QLineEdit*>("kernel_filter"); }
    [[nodiscard]] MessageBar& messages() { return *window.findChild<MessageBar*>(); }
    [[nodiscard]] QAction& action(const char* name) { return *window.findChild<QAction*>(name); }
    /// Text of a cell of the kernel table.
    [[nodiscard]] QString cell(int row, int column) {
        return table().model()->index(row, column).data().toString();
    }

    QTemporaryDir folder;
    Settings settings{folder.filePath("settings.json")};
    PreparedChooser chooser;
    MainWindow window;
    bool shown = false;
    bool active = false;
};

}  // namespace roofwalk::test
