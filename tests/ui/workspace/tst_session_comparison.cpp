// SPDX-License-Identifier: GPL-3.0-or-later
// The older reports of a comparison and the other GPU, in session files.
#include <QDockWidget>
#include <QFile>

#include "core/devices/match_device.h"
#include "core/workspace/session_json.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/ui/file_content.h"
#include "tests/ui/message_words.h"
#include "tests/ui/shown_window.h"

namespace tst_session_comparison {

using namespace roofwalk;
using test::content;
using test::ShownWindow;
using test::told;

namespace {

WorkspaceSpec read(const QString& path) {
    const Result<WorkspaceSpec> session = read_session(content(path).toStdString(), path.toStdString());
    if (session) return *session;
    qFatal("%s", to_line(session.error()).c_str());
}

std::vector<std::string> names_of(const std::vector<SessionSource>& sources) {
    std::vector<std::string> names;
    for (const SessionSource& source : sources)
        names.push_back(source.path);
    return names;
}

void set_age(const QString& path, int seconds) {
    QFile file(path);
    if (!file.open(QIODevice::ReadWrite) ||
        !file.setFileTime(QDateTime::currentDateTime().addSecs(-seconds), QFileDevice::FileModificationTime))
        qFatal("cannot date %s", qPrintable(path));
}

/// A window with a report compared with two older ones, saved as a session.
struct Saved : ShownWindow {
    Saved() {
        ready = open({test::write_three_kernels(folder, "new.json")});
        oldest = test::write_three_kernels(folder, "oldest.json");
        older = test::write_many_kernels(folder, "older.json", 2);
        set_age(oldest, 100);
        set_age(older, 50);
        chooser.to_open = {older, oldest};
        action("compare_with").trigger();
        ready = compares(*this, 2) && ready;
        document().change([](WorkspaceSpec& spec) { set_other_device(spec, find_known_device("H100 SXM")); });
        ready = settle() && ready;
        chooser.to_save = walk;
        action("save").trigger();
    }

    [[nodiscard]] static bool compares(ShownWindow& s, std::size_t count) {
        return QTest::qWaitFor([&] {
                   const auto& compared = s.document().result().comparison;
                   return (compared ? compared->older.size() : 0) == count;
               }) &&
               s.settle();
    }

    QString walk = folder.filePath("walk.roofwalk");
    QString oldest;
    QString older;
    bool ready = false;
};

bool is_shown(ShownWindow& s, const char* dock) {
    return !s.window.findChild<QDockWidget*>(dock)->isHidden();
}

}  // namespace

class TestSessionComparison : public QObject {
    Q_OBJECT

  private slots:
    void the_older_reports_and_the_other_gpu_come_back() {
        Saved first;
        QVERIFY(first.ready);
        const WorkspaceSpec saved = read(first.walk);
        QCOMPARE(names_of(saved.baselines), (std::vector<std::string>{"oldest.json", "older.json"}));
        QVERIFY(!saved.baselines[0].hash.empty());
        QCOMPARE(saved.view.other_device->name, std::string("H100 SXM"));

        ShownWindow second;
        QVERIFY(second.open({first.walk}));
        QVERIFY(Saved::compares(second, 2));
        QVERIFY2(second.messages().count() == 0, qPrintable(told(second)));
        QCOMPARE(to_qt(second.document().baselines()[0].path), first.oldest);
        QCOMPARE(second.document().scene()->paths.size(), first.document().scene()->paths.size());
        QCOMPARE(second.document().result().projection->device.name, std::string("H100 SXM"));
        QVERIFY(is_shown(second, "dock_compare") && is_shown(second, "dock_elsewhere"));
        QVERIFY(!second.window.isWindowModified());
        second.action("save").trigger();
        QCOMPARE(content(first.walk), QByteArray::fromStdString(to_json(saved)));
    }

    void to_compare_otherwise_is_a_change_of_a_session_with_a_file() {
        Saved s;
        QVERIFY(s.ready);
        QVERIFY(!s.window.isWindowModified());
        s.document().change([](WorkspaceSpec& spec) { set_other_device(spec, nullptr); });
        QVERIFY(s.window.isWindowModified());
        s.action("save").trigger();
        QVERIFY(!read(s.walk).view.other_device);
        s.action("stop_comparing").trigger();
        QVERIFY(s.window.isWindowModified());
        s.action("save").trigger();
        QVERIFY(read(s.walk).baselines.empty());
    }

    void who_only_compares_is_not_asked_to_save() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "new.json")}));
        s.chooser.to_open = {test::write_three_kernels(s.folder, "old.json")};
        s.action("compare_with").trigger();
        QVERIFY(Saved::compares(s, 1));
        QVERIFY(!s.window.isWindowModified());
    }

    void an_older_report_that_changed_is_told() {
        Saved first;
        QVERIFY(first.ready);
        (void)test::write_many_kernels(first.folder, "older.json", 3);
        ShownWindow second;
        QVERIFY(second.open({first.walk}));
        QVERIFY2(told(second).contains("not the same as") && told(second).contains("older.json"),
                 qPrintable(told(second)));
        QVERIFY(Saved::compares(second, 2));
    }

    void an_older_report_that_is_missing_is_told_and_keeps_its_place() {
        Saved first;
        QVERIFY(first.ready);
        QVERIFY(QFile::remove(first.oldest));
        ShownWindow second;
        QVERIFY(second.open({first.walk}));
        QVERIFY(Saved::compares(second, 1));
        QVERIFY2(told(second).contains("Not every report") && told(second).contains("oldest.json"),
                 qPrintable(told(second)));
        QVERIFY(!second.window.isWindowModified());
        second.document().set_notes("saved again");
        second.action("save").trigger();
        QCOMPARE(names_of(read(first.walk).baselines),
                 (std::vector<std::string>{"oldest.json", "older.json"}));
        second.action("stop_comparing").trigger();
        second.action("save").trigger();
        QVERIFY(read(first.walk).baselines.empty());
    }

    void no_older_report_is_written_over() {
        Saved s;
        QVERIFY(s.ready);
        const QByteArray before = content(s.older);
        s.chooser.to_save = s.older;
        s.action("save_as").trigger();
        QVERIFY2(told(s).contains("report that is open"), qPrintable(told(s)));
        QCOMPARE(content(s.older), before);
    }

    void a_gpu_that_is_not_known_here_is_kept() {
        Saved s;
        QVERIFY(s.ready);
        QByteArray text = content(s.walk);
        text.replace("H100 SXM", "X900 Ultra");
        QFile file(s.walk);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        QVERIFY(s.open({s.walk}));
        QVERIFY(other_device(s.document().spec()) == nullptr);
        s.document().set_notes("saved again");
        s.action("save").trigger();
        QCOMPARE(read(s.walk).view.other_device->name, std::string("X900 Ultra"));
    }
};

}  // namespace tst_session_comparison

ROOFWALK_TEST(tst_session_comparison, TestSessionComparison, QApplication)
#include "tst_session_comparison.moc"
