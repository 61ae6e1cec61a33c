// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QPlainTextEdit>

#include "core/workspace/session_json.h"
#include "tests/support/folder_tests.h"
#include "tests/ui/file_content.h"
#include "tests/ui/message_words.h"
#include "tests/ui/shown_window.h"

namespace tst_session_files {

using namespace roofwalk;
using test::content;
using test::ShownWindow;
using test::told;

namespace {

QString write(const QString& path, const QByteArray& text) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write");
    file.write(text);
    return path;
}

WorkspaceSpec read(const QString& path) {
    const Result<WorkspaceSpec> session = read_session(content(path).toStdString(), path.toStdString());
    if (session) return *session;
    qFatal("%s", to_line(session.error()).c_str());
}

/// Opens a report and does something of every kind with it.
bool work_with(ShownWindow& s, const QString& report) {
    if (!s.open({report})) return false;
    Document& document = s.document();
    AnalysisOptions analysis = document.analysis_options();
    analysis.group_by = GroupBy::launch;
    analysis.levels = {true, false, true, true};
    analysis.clock = ClockBasis::boost;
    analysis.overrides["A100 SXM4 80GB"].bandwidth.push_back({Boundary::hbm_dram_rw, ByteRate(1.5e12), {}});
    document.set_analysis_options(analysis);
    Bindings bindings;
    bindings.rules = {{"sgemm", "gemm m=64 n=64 k=64"}};
    test::set_bindings(document, bindings);
    if (!s.settle()) return false;
    document.change_scene([](SceneOptions& scene) {
        scene.colour_by = ColourBy::kernel;
        scene.practical_roofs = true;
    });
    Scenario scenario;
    scenario.name = "Half";
    Move& move = scenario.moves.emplace_back();
    move.kernel = key_of(*document.profile(), *document.analysis(), document.analysis()->points[3]);
    move.bytes[MemoryLevel::hbm] = 0.5;
    test::set_scenario(document, scenario);
    document.set_filter("stream");
    document.set_notes("Look at the second launch.");
    document.select_points({0, 3}, 3);
    return s.settle();
}

bool open_session(ShownWindow& s, const QString& path) {
    s.window.open({path});
    return s.settle();
}

}  // namespace

class TestSessionFiles : public QObject {
    Q_OBJECT

  private slots:
    void everything_comes_back_in_another_window() {
        ShownWindow first;
        const QString report = test::write_three_kernels(first.folder, "a.json");
        QVERIFY(work_with(first, report));
        first.chart().zoom(2);
        const Range seen = first.chart().x_range();
        first.chooser.to_save = first.folder.filePath("walk.roofwalk");
        first.action("save").trigger();
        QVERIFY(first.chooser.title.contains("session"));
        QVERIFY2(first.messages().count() == 0, qPrintable(told(first)));
        QCOMPARE(read(first.chooser.to_save).sources.front().path, std::string("a.json"));

        ShownWindow second;
        QVERIFY(open_session(second, first.chooser.to_save));
        const Document& before = first.document();
        const Document& after = second.document();
        QVERIFY2(second.messages().count() == 0, qPrintable(told(second)));
        QCOMPARE(after.files().size(), std::size_t{1});
        QVERIFY(after.analysis_options().group_by == GroupBy::launch);
        QVERIFY(after.analysis_options().clock == ClockBasis::boost);
        QVERIFY(after.analysis_options().levels == before.analysis_options().levels);
        QVERIFY(after.analysis_options().overrides == before.analysis_options().overrides);
        QVERIFY(after.spec().bindings == before.spec().bindings);
        QVERIFY(after.spec().scenario == before.spec().scenario);
        QVERIFY(after.scene_options().colour_by == ColourBy::kernel);
        QVERIFY(after.scene_options().practical_roofs);
        QCOMPARE(after.filter_text(), QString("stream"));
        QCOMPARE(second.filter().text(), QString("stream"));
        QCOMPARE(second.table().model()->rowCount(), 2);
        QCOMPARE(after.selection(), before.selection());
        QCOMPARE(after.focus().points(), before.focus().points());
        QCOMPARE(after.notes(), before.notes());
        QCOMPARE(second.window.findChild<QPlainTextEdit*>("notes")->toPlainText(), before.notes());
        QVERIFY(second.action("level_l1").isChecked() && !second.action("level_l2").isChecked());
        QCOMPARE(second.chart().x_range().lo, seen.lo);
        QCOMPARE(second.chart().x_range().hi, seen.hi);
        QCOMPARE(second.chart().scene()->paths.size(), first.chart().scene()->paths.size());
        QVERIFY(!second.chart().scene()->paths.empty());
        QVERIFY(second.window.windowTitle().startsWith("walk.roofwalk[*]"));
        QVERIFY(!second.window.isWindowModified());

        second.action("save").trigger();
        QCOMPARE(content(first.chooser.to_save),
                 QByteArray::fromStdString(to_json(read(first.chooser.to_save))));
        QCOMPARE(read(first.chooser.to_save).view.selection.size(), std::size_t{2});
    }

    void a_change_marks_the_title_and_undo_takes_the_mark_away() {
        ShownWindow s;
        QVERIFY(work_with(s, test::write_three_kernels(s.folder, "a.json")));
        QVERIFY(s.window.isWindowModified());
        s.chooser.to_save = s.folder.filePath("walk.roofwalk");
        s.action("save_as").trigger();
        QVERIFY(!s.window.isWindowModified());
        s.chart().zoom(2);
        s.document().select(std::nullopt);
        QVERIFY(!s.window.isWindowModified());
        const Scenario before = s.document().spec().scenario;
        test::set_scenario(s.document(), {});
        QVERIFY(s.window.isWindowModified());
        test::set_scenario(s.document(), before);
        QVERIFY(!s.window.isWindowModified());
        s.action("level_l2").trigger();
        QVERIFY(s.window.isWindowModified());
    }

    void who_only_looks_is_not_asked() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        s.action("level_l1").trigger();
        QVERIFY(s.settle());
        QVERIFY(!s.window.isWindowModified());
        QVERIFY(s.window.close());
        QCOMPARE(s.chooser.asked, 0);
    }

    void before_changes_are_lost_a_person_is_asked() {
        ShownWindow s;
        QVERIFY(work_with(s, test::write_three_kernels(s.folder, "a.json")));
        s.chooser.keep = FileChooser::Keep::stay;
        QVERIFY(!s.window.close());
        s.chooser.keep = FileChooser::Keep::save;
        QVERIFY(!s.window.close());  // no name was given
        s.chooser.to_save = s.folder.filePath("walk.roofwalk");
        QVERIFY(s.window.close());
        QCOMPARE(s.chooser.asked, 3);
        QCOMPARE(read(s.chooser.to_save).scenario, s.document().spec().scenario);
    }

    void a_session_is_known_by_its_content_and_stands_among_the_recent_files() {
        ShownWindow s;
        QVERIFY(work_with(s, test::write_three_kernels(s.folder, "a.json")));
        s.chooser.to_save = s.folder.filePath("walk.json");
        s.action("save").trigger();
        s.action("close_all").trigger();
        QVERIFY(s.document().empty());
        QVERIFY(s.document().spec().scenario.moves.empty());  // it is in the file
        QVERIFY(open_session(s, s.chooser.to_save));
        QCOMPARE(s.document().spec().scenario.name, std::string("Half"));
        QCOMPARE(s.settings.recent_files().front(), s.chooser.to_save);
    }

    void a_folder_that_moved_opens() {
        ShownWindow s;
        QVERIFY(QDir(s.folder.path()).mkpath("old/runs"));
        QVERIFY(QFile::rename(test::write_three_kernels(s.folder, "a.json"),
                              s.folder.filePath("old/runs/a.json")));
        QVERIFY(work_with(s, s.folder.filePath("old/runs/a.json")));
        s.chooser.to_save = s.folder.filePath("old/walk.roofwalk");
        s.action("save").trigger();
        s.action("close_all").trigger();
        QVERIFY(QDir(s.folder.path()).rename("old", "new"));
        QVERIFY(open_session(s, s.folder.filePath("new/walk.roofwalk")));
        QVERIFY2(s.messages().count() == 0, qPrintable(told(s)));
        QCOMPARE(to_qt(s.document().files().front().path), s.folder.filePath("new/runs/a.json"));
    }

    void a_report_that_changed_is_noticed_when_opened_and_when_reloaded() {
        ShownWindow s;
        const QString report = test::write_three_kernels(s.folder, "a.json");
        QVERIFY(work_with(s, report));
        s.chooser.to_save = s.folder.filePath("walk.roofwalk");
        s.action("save").trigger();
        const Scenario scenario = s.document().spec().scenario;
        write(report, content(report) + "\n");
        s.action("reload").trigger();
        QVERIFY(s.settle());
        QVERIFY2(told(s).contains("not the same as"), qPrintable(told(s)));
        QVERIFY(s.document().spec().scenario == scenario);

        ShownWindow second;
        QVERIFY(open_session(second, s.chooser.to_save));
        QVERIFY2(told(second).contains("not the same as"), qPrintable(told(second)));
        QVERIFY(second.document().spec().scenario == scenario);
        second.messages().dismiss_all();
        second.action("reload").trigger();
        QVERIFY(second.settle());
        QCOMPARE(second.messages().count(), std::size_t{0});
    }

    void a_missing_report_is_named_and_stays_in_the_session() {
        ShownWindow s;
        const QString gone = test::write_many_kernels(s.folder, "gone.json", 2);
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json"), gone}));
        s.document().set_notes("two reports");
        s.chooser.to_save = s.folder.filePath("walk.roofwalk");
        s.action("save").trigger();
        QVERIFY(QFile::remove(gone));
        QVERIFY(open_session(s, s.chooser.to_save));
        QVERIFY2(told(s).contains("Not every report") && told(s).contains("gone.json"), qPrintable(told(s)));
        QCOMPARE(s.document().notes(), QString("two reports"));
        s.chooser.to_save = s.folder.filePath("other.roofwalk");
        s.action("save_as").trigger();
        const WorkspaceSpec saved = read(s.chooser.to_save);
        QCOMPARE(saved.sources.size(), std::size_t{2});
        QCOMPARE(saved.sources[1].path, std::string("gone.json"));
        QVERIFY(!saved.sources[1].hash.empty());
    }

    void a_session_that_cannot_be_opened_is_named_and_changes_nothing() {
        ShownWindow s;
        QVERIFY(work_with(s, test::write_three_kernels(s.folder, "a.json")));
        const Scenario scenario = s.document().spec().scenario;
        const QByteArray start = R"({"format":"roofwalk-session","version":)";
        const auto opens_with = [&](const char* name, const QByteArray& rest, const char* word) {
            s.messages().dismiss_all();
            const QString path = write(s.folder.filePath(name), start + rest);
            if (!open_session(s, path)) return false;
            return QTest::qWaitFor([&] { return told(s).contains(word) && told(s).contains(name); }) &&
                   s.document().spec().scenario == scenario;
        };
        QVERIFY(opens_with("newer", "2}", "version"));
        QVERIFY(opens_with("cut", "1,", "not JSON"));
        QVERIFY(opens_with("empty", "1}", "names no report"));
        QVERIFY(opens_with("cyclic", R"(1,"sources":[{"path":"cyclic"}]})", "names itself"));
        QVERIFY(opens_with("lost", R"(1,"sources":[{"path":"lost.json"}]})", "Nothing was opened"));
        QVERIFY(opens_with("folder", R"(1,"sources":[{"path":"."}]})", "Nothing was opened"));
        QVERIFY(opens_with("program", R"(1,"sources":[{"path":"/bin/sh"}]})", "Nothing was opened"));
    }

    void what_is_not_known_is_kept_and_no_report_is_written_over() {
        ShownWindow s;
        const QString report = test::write_three_kernels(s.folder, "a.json");
        const QByteArray before = content(report);
        const QString path = write(s.folder.filePath("walk.roofwalk"), R"({"format":"roofwalk-session",
            "version":1,"later":[1],"sources":[{"path":"a.json","size":7}],"view":{"panel":"x"}})");
        QVERIFY(open_session(s, path));
        s.document().set_notes("mine");
        s.action("save").trigger();
        const WorkspaceSpec saved = read(path);
        QCOMPARE(saved.unknown_members, std::string(R"("later":[1])"));
        QCOMPARE(saved.sources[0].unknown_members, std::string(R"("size":7)"));
        QCOMPARE(saved.view.unknown_members, std::string(R"("panel":"x")"));
        QCOMPARE(saved.notes, std::string("mine"));
        s.chooser.to_save = report;
        s.action("save_as").trigger();
        QVERIFY2(told(s).contains("report that is open"), qPrintable(told(s)));
        QCOMPARE(content(report), before);
    }

    void a_session_over_another_takes_its_empty_panels_away() {
        ShownWindow s;
        const QString report = test::write_three_kernels(s.folder, "a.json");
        const QString full = write(s.folder.filePath("full.roofwalk"), R"({"format":"roofwalk-session",
            "version":1,"sources":[{"path":"a.json"}],"baselines":[{"path":"a.json"}],"notes":"mine",
            "view":{"other_device":"H100 SXM"},"scenario":{"moves":[{"kernel":"saxpy","time":0.5}]}})");
        const QString plain =
            write(s.folder.filePath("plain.roofwalk"),
                  R"({"format":"roofwalk-session","version":1,"sources":[{"path":"a.json"}]})");
        const auto shown = [&](const char* name) {
            return s.window.findChild<QDockWidget*>(name)->isVisible();
        };
        QVERIFY(open_session(s, full));
        QCOMPARE(to_qt(s.document().files().front().path), report);
        QVERIFY(shown("dock_notes"));
        for (const char* name : {"dock_scenario", "dock_compare", "dock_elsewhere"})
            QVERIFY2(!s.window.findChild<QDockWidget*>(name)->isHidden(), name);
        QVERIFY(open_session(s, plain));
        for (const char* name : {"dock_notes", "dock_scenario", "dock_compare", "dock_elsewhere"})
            QVERIFY2(s.window.findChild<QDockWidget*>(name)->isHidden(), name);
        QVERIFY(open_session(s, full));
        QVERIFY(shown("dock_notes"));
        QVERIFY(!s.window.findChild<QDockWidget*>("dock_scenario")->isHidden());
    }

    void a_misspelt_member_of_a_move_is_named() {
        ShownWindow s;
        const QString report = test::write_three_kernels(s.folder, "a.json");
        QVERIFY(open_session(s, write(s.folder.filePath("walk.roofwalk"), R"({"format":"roofwalk-session",
            "version":1,"sources":[{"path":"a.json"}],
            "scenario":{"moves":[{"kernel":"saxpy","tiem":0.5}]}})")));
        QCOMPARE(to_qt(s.document().files().front().path), report);
        QVERIFY2(told(s).contains("'tiem' is not known"), qPrintable(told(s)));
        QVERIFY2(told(s).contains("scenario.moves[0].tiem"), qPrintable(told(s)));
    }

    void opening_another_report_leaves_the_session() {
        ShownWindow s;
        QVERIFY(work_with(s, test::write_three_kernels(s.folder, "a.json")));
        s.chooser.to_save = s.folder.filePath("walk.roofwalk");
        s.action("save").trigger();
        QVERIFY(s.open({test::write_many_kernels(s.folder, "b.json", 2)}));
        QVERIFY(s.window.windowTitle().startsWith("b.json"));
        QVERIFY(s.document().spec().scenario.moves.empty());
        QVERIFY(!s.window.isWindowModified());
        QCOMPARE(s.table().model()->rowCount(), 2);
    }
};

}  // namespace tst_session_files

ROOFWALK_TEST(tst_session_files, TestSessionFiles, QApplication)
#include "tst_session_files.moc"
