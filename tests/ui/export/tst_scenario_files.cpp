// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QLabel>

#include <sys/stat.h>

#include "core/scenario/scenario_json.h"
#include "tests/support/disk_sync.h"
#include "tests/support/folder_tests.h"
#include "tests/ui/file_content.h"
#include "tests/ui/message_words.h"
#include "tests/ui/shown_window.h"

namespace tst_scenario_files {

using namespace roofwalk;
using test::content;
using test::ShownWindow;
using test::told;

namespace {

Scenario one_move() {
    Scenario scenario;
    scenario.name = "Half";
    Move& move = scenario.moves.emplace_back();
    move.kernel.name = "stream_add(float const*, float*)";
    move.bytes[MemoryLevel::hbm] = 0.5;
    return scenario;
}

QString write(const ShownWindow& s, const QString& name, const QByteArray& text) {
    QFile file(s.folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write");
    file.write(text);
    return file.fileName();
}

bool open_with(ShownWindow& s, const Scenario& scenario) {
    if (!s.open({test::write_three_kernels(s.folder, "a.json")})) return false;
    test::set_scenario(s.document(), scenario);
    return s.settle();
}

}  // namespace

class TestScenarioFiles : public QObject {
    Q_OBJECT

  private slots:
    void a_saved_scenario_comes_back_and_undo_takes_it_away() {
        ShownWindow s;
        QVERIFY(open_with(s, one_move()));
        s.chooser.to_save = s.folder.filePath("half.scenario.json");
        s.action("save_scenario").trigger();
        QCOMPARE(content(s.chooser.to_save), QByteArray::fromStdString(to_json(one_move())));

        Scenario other = one_move();
        other.moves[0].bytes[MemoryLevel::hbm] = 0.1;
        test::set_scenario(s.document(), other);
        s.chooser.to_open = {s.chooser.to_save};
        s.action("open_scenario").trigger();
        QVERIFY(s.settle());
        QCOMPARE(s.document().spec().scenario, one_move());
        QVERIFY(s.action("undo").text().contains("half.scenario.json"));
        s.action("undo").trigger();
        QCOMPARE(s.document().spec().scenario, other);
    }

    void a_scenario_that_somebody_else_changed_is_not_overwritten_without_a_question() {
        ShownWindow s;
        QVERIFY(open_with(s, one_move()));
        s.chooser.to_save = s.folder.filePath("half.scenario.json");
        s.action("save_scenario").trigger();
        s.action("save_scenario").trigger();
        QCOMPARE(s.chooser.conflicts, 0);
        const QByteArray mine = content(s.chooser.to_save);
        Scenario other = one_move();
        other.moves[0].bytes[MemoryLevel::hbm] = 0.1;
        const QByteArray theirs = QByteArray::fromStdString(to_json(other));
        QVERIFY(write(s, "half.scenario.json", theirs) == s.chooser.to_save);
        s.action("save_scenario").trigger();  // and the person stays
        QCOMPARE(s.chooser.conflicts, 1);
        QCOMPARE(content(s.chooser.to_save), theirs);
        s.chooser.conflict = FileChooser::Conflict::open_theirs;
        s.action("save_scenario").trigger();
        QCOMPARE(s.document().spec().scenario, other);
        s.action("undo").trigger();
        QCOMPARE(s.document().spec().scenario, one_move());
        QVERIFY(write(s, "half.scenario.json", theirs + "\n") == s.chooser.to_save);
        s.chooser.conflict = FileChooser::Conflict::save_over;
        s.action("save_scenario").trigger();
        QCOMPARE(s.chooser.conflicts, 3);
        QCOMPARE(content(s.chooser.to_save), mine);
        QVERIFY(QFile::remove(s.chooser.to_save));
        s.action("save_scenario").trigger();
        QCOMPARE(s.chooser.conflicts, 3);
        QCOMPARE(content(s.chooser.to_save), mine);
    }

    void what_somebody_else_writes_while_a_scenario_is_saved_is_not_taken_for_ones_own() {
        ShownWindow s;
        QVERIFY(open_with(s, one_move()));
        s.chooser.to_save = s.folder.filePath("half.scenario.json");
        const QByteArray theirs = QByteArray::fromStdString(to_json(Scenario{}));
        struct stat folder {};
        QCOMPARE(stat(qPrintable(s.folder.path()), &folder), 0);
        test::set_before_sync([&](int descriptor) {
            struct stat status {};  // another folder is that of unsaved work, synced by another thread
            if (fstat(descriptor, &status) == 0 && status.st_ino == folder.st_ino)  // it is in its place
                write(s, "half.scenario.json", theirs);
        });
        s.action("save_scenario").trigger();
        test::set_before_sync({});
        QCOMPARE(content(s.chooser.to_save), theirs);
        s.action("save_scenario").trigger();  // and the person stays
        QCOMPARE(s.chooser.conflicts, 1);
        QCOMPARE(content(s.chooser.to_save), theirs);
    }

    void a_scenario_is_known_by_every_path_that_leads_to_it() {
        ShownWindow s;
        QVERIFY(open_with(s, one_move()));
        s.chooser.to_save = s.folder.filePath("half.scenario.json");
        s.action("save_scenario").trigger();
        QVERIFY(QFile::link(s.chooser.to_save, s.folder.filePath("link.json")));
        const QByteArray theirs = QByteArray::fromStdString(to_json(Scenario{}));
        write(s, "half.scenario.json", theirs);
        s.chooser.to_save = s.folder.filePath("link.json");
        s.action("save_scenario").trigger();  // and the person stays
        QCOMPARE(s.chooser.conflicts, 1);
        QCOMPARE(content(s.chooser.to_save), theirs);
    }

    void a_bad_scenario_is_named_and_nothing_is_lost() {
        ShownWindow s;
        QVERIFY(open_with(s, one_move()));
        const QString path = write(s, "bad.json", R"({"moves": [{"bytes": {"hbm": 0.5}}]})");
        for (const QString& bad : {path, write(s, "no.json", "no JSON"), s.folder.filePath("gone.json")}) {
            s.messages().dismiss_all();
            s.chooser.to_open = {bad};
            s.action("open_scenario").trigger();
            QCOMPARE(s.messages().count(), std::size_t{1});
            QVERIFY2(told(s).contains(QFileInfo(bad).fileName()), qPrintable(told(s)));
            QCOMPARE(s.document().spec().scenario, one_move());
            QVERIFY(!s.action("undo").isEnabled());
        }
    }

    void a_misspelt_member_is_named() {
        ShownWindow s;
        QVERIFY(open_with(s, one_move()));
        s.chooser.to_open = {write(s, "typo.json", R"({"moves": [{"kernel": "k", "tiem": 0.5}]})")};
        s.action("open_scenario").trigger();
        QVERIFY(s.settle());
        QCOMPARE(s.document().spec().scenario.moves.size(), std::size_t{1});
        QCOMPARE(s.messages().count(), std::size_t{1});
        QVERIFY2(told(s).contains("moves[0].tiem"), qPrintable(told(s)));
    }

    void what_could_not_be_opened_again_is_not_written() {
        ShownWindow s;
        Scenario scenario = one_move();
        scenario.moves[0].bytes[MemoryLevel::hbm] = 1e-12;
        QVERIFY(open_with(s, scenario));
        s.chooser.to_save = s.folder.filePath("never.json");
        s.action("save_scenario").trigger();
        QVERIFY(!QFile::exists(s.chooser.to_save));
        QVERIFY2(told(s).contains("could not be opened again"), qPrintable(told(s)));
    }

    void changing_ones_mind_changes_nothing() {
        ShownWindow s;
        QVERIFY(open_with(s, one_move()));
        s.action("open_scenario").trigger();
        s.action("save_scenario").trigger();
        s.action("export_scenario").trigger();
        QCOMPARE(s.messages().count(), std::size_t{0});
        QCOMPARE(s.document().spec().scenario, one_move());
    }

    void numbers_are_written_in_the_format_of_the_name() {
        ShownWindow s;
        QVERIFY(open_with(s, one_move()));
        const auto written = [&](const char* name) {
            s.chooser.to_save = s.folder.filePath(name);
            s.action("export_scenario").trigger();
            return content(s.chooser.to_save);
        };
        QVERIFY(written("n.csv").startsWith("kernel,"));
        QVERIFY(written("n.md").contains("| the program | as measured |"));
        QVERIFY(written("n.json").contains("roofwalk-scenario-report"));
        QCOMPARE(s.messages().count(), std::size_t{0});
        QVERIFY(written("n.xls").isEmpty());
        QVERIFY2(told(s).contains(".csv, .md or .json"), qPrintable(told(s)));
    }

    void where_nothing_can_be_written_a_message_says_so() {
        ShownWindow s;
        QVERIFY(open_with(s, one_move()));
        s.chooser.to_save = s.folder.filePath("no such folder/half.json");
        s.action("save_scenario").trigger();
        QCOMPARE(s.messages().count(), std::size_t{1});
    }
};

}  // namespace tst_scenario_files

ROOFWALK_TEST(tst_scenario_files, TestScenarioFiles, QApplication)
#include "tst_scenario_files.moc"
