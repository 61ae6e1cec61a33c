// SPDX-License-Identifier: GPL-3.0-or-later
// Files that are opened, added and closed while others are being read.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "core/devices/match_device.h"
#include "core/workspace/session_json.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/ui/profile_files.h"
#include "tests/ui/settled_document.h"

namespace tst_document_files {

using namespace roofwalk;
using test::open;
using test::settle;

namespace {

using Opening = ReportLoader::Opening;

QStringList names_of(const Document& document) {
    QStringList names;
    for (const OpenFile& file : document.files())
        names.append(to_qt(file.name()));
    return names;
}

QString write_session(const QTemporaryDir& folder, const std::string& text) {
    QFile file(folder.filePath("walk.roofwalk"));
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(file.fileName()));
    file.write(QByteArray::fromStdString(text));
    return file.fileName();
}

QString write_without_gpu(const QTemporaryDir& folder) {
    QFile file(folder.filePath("unnamed.csv"));
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(file.fileName()));
    file.write("name,time_us,flops,bytes [GB]\nsaxpy,1600,2e8,1.2\n");
    return file.fileName();
}

}  // namespace

class TestDocumentFiles : public QObject {
    Q_OBJECT

  private slots:
    void files_added_in_quick_succession_are_all_there() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_three_kernels(folder, "a.json")});
        QSignalSpy opened(&document.loader(), &ReportLoader::opened);
        document.loader().open({test::write_many_kernels(folder, "b.json", 2)}, Opening::add);
        document.loader().open({test::write_many_kernels(folder, "c.json", 4)}, Opening::add);
        settle(document);
        QCOMPARE(names_of(document), (QStringList{"a.json", "b.json", "c.json"}));
        QCOMPARE(document.analysis()->points.size(), std::size_t{9});
        QCOMPARE(opened.count(), 1);
        QCOMPARE(opened.first().first().toStringList().size(), 2);
    }

    void a_link_to_a_file_that_is_open_is_that_file() {
        QTemporaryDir folder;
        Document document;
        const QString file = test::write_three_kernels(folder, "a.json");
        const QString link = folder.filePath("b.json");
        QVERIFY(QFile::link(file, link));
        open(document, {file, link});
        QCOMPARE(names_of(document), QStringList{"a.json"});
        document.loader().open({link}, Opening::add);
        settle(document);
        QCOMPARE(names_of(document), QStringList{"a.json"});
        QCOMPARE(document.analysis()->points.size(), std::size_t{3});
    }

    void a_file_added_to_one_that_is_being_read_comes_beside_it() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_three_kernels(folder, "old.json")});
        document.loader().open({test::write_many_kernels(folder, "a.json", 2)}, Opening::replace);
        document.loader().open({test::write_many_kernels(folder, "b.json", 4)}, Opening::add);
        settle(document);
        QCOMPARE(names_of(document), (QStringList{"a.json", "b.json"}));
    }

    void closing_a_file_while_another_is_added_does_both() {
        QTemporaryDir folder;
        Document document;
        const QString first = test::write_three_kernels(folder, "a.json");
        open(document, {first, test::write_many_kernels(folder, "b.json", 2)});
        document.loader().open({test::write_many_kernels(folder, "c.json", 4)}, Opening::add);
        document.loader().close(first);
        settle(document);
        QCOMPARE(names_of(document), (QStringList{"b.json", "c.json"}));
    }

    void closing_the_only_file_while_another_is_added_leaves_that() {
        QTemporaryDir folder;
        Document document;
        const QString first = test::write_three_kernels(folder, "a.json");
        open(document, {first});
        document.loader().open({test::write_many_kernels(folder, "b.json", 2)}, Opening::add);
        document.loader().close(first);
        QVERIFY(document.empty() && document.loader().reading());
        settle(document);
        QCOMPARE(names_of(document), QStringList{"b.json"});
    }

    void a_file_that_is_still_being_read_can_be_closed() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_three_kernels(folder, "a.json")});
        const QString second = test::write_many_kernels(folder, "b.json", 2);
        document.loader().open({second}, Opening::add);
        document.loader().close(second);
        settle(document);
        QCOMPARE(names_of(document), QStringList{"a.json"});
        QCOMPARE(document.analysis()->points.size(), std::size_t{3});
    }

    void a_close_holds_when_what_was_added_cannot_be_read() {
        QTemporaryDir folder;
        Document document;
        const QString first = test::write_three_kernels(folder, "a.json");
        open(document, {first, test::write_many_kernels(folder, "b.json", 2)});
        QSignalSpy failed(&document, &Document::failed);
        document.loader().open({test::write_broken_file(folder, "c.json")}, Opening::add);
        document.loader().close(first);
        settle(document);
        QCOMPARE(names_of(document), QStringList{"b.json"});
        QCOMPARE(failed.count(), 1);
    }

    void closing_reads_nothing() {
        QTemporaryDir folder;
        Document document;
        const QString first = test::write_three_kernels(folder, "a.json");
        open(document, {first, test::write_many_kernels(folder, "b.json", 2)});
        QSignalSpy opened(&document.loader(), &ReportLoader::opened);
        document.loader().close(first);
        QVERIFY(document.loader().job().running() && !document.loader().reading());
        settle(document);
        QCOMPARE(names_of(document), QStringList{"b.json"});
        QCOMPARE(opened.count(), 0);
    }

    void reloading_while_a_file_is_added_reads_both() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_many_kernels(folder, "a.json", 2)});
        (void)test::write_many_kernels(folder, "a.json", 6);
        document.loader().open({test::write_many_kernels(folder, "b.json", 4)}, Opening::add);
        document.loader().reload();
        settle(document);
        QCOMPARE(names_of(document), (QStringList{"a.json", "b.json"}));
        QCOMPARE(document.analysis()->points.size(), std::size_t{10});
    }

    void only_files_that_could_be_read_are_told_of() {
        QTemporaryDir folder;
        Document document;
        const QString first = test::write_three_kernels(folder, "a.json");
        const QString second = test::write_many_kernels(folder, "b.json", 2);
        open(document, {first, second});
        (void)test::write_broken_file(folder, "a.json");
        QSignalSpy opened(&document.loader(), &ReportLoader::opened);
        document.loader().reload();
        settle(document);
        QCOMPARE(opened.count(), 1);
        QCOMPARE(opened.first().first().toStringList(), QStringList{second});
        QCOMPARE(names_of(document), (QStringList{"a.json", "b.json"}));
    }

    void separate_runs_are_offered_joined_and_taken_apart() {
        QTemporaryDir folder;
        Document document;
        QSignalSpy offered(&document.loader(), &ReportLoader::separate_runs_opened);
        QSignalSpy joined(&document.loader(), &ReportLoader::runs_joined);
        open(document, test::write_separate_runs(folder));
        QCOMPARE(offered.count(), 1);
        QVERIFY(document.analysis()->several_reports);
        QCOMPARE(document.analysis()->points.size(), std::size_t{6});
        document.loader().set_joined(true);
        settle(document);
        QCOMPARE(joined.count(), 1);
        QVERIFY(document.spec().joined && !document.analysis()->several_reports);
        QCOMPARE(document.analysis()->points.size(), std::size_t{2});
        QVERIFY(document.analysis()->points[0].performance && document.analysis()->points[1].performance);
        QCOMPARE(document.files().size(), std::size_t{3});
        document.loader().set_joined(false);
        settle(document);
        QCOMPARE(document.analysis()->points.size(), std::size_t{6});
        document.loader().set_joined(true);
        settle(document);
        // A file that is added joins too; others in the place of all do not.
        document.loader().open({test::write_three_kernels(folder, "a.json")}, Opening::replace);
        settle(document);
        QVERIFY(!document.spec().joined);
        QCOMPARE(offered.count(), 1);
    }

    void what_was_asked_of_files_goes_with_them() {
        QTemporaryDir folder;
        Document document;
        const QString unnamed = write_without_gpu(folder);
        open(document, {unnamed});
        QVERIFY(unnamed_device(document.files()) != nullptr);
        document.loader().set_ran_on(find_known_device("H100 SXM"));
        settle(document);
        QCOMPARE(document.profile()->devices.at(0).name, std::string("H100 SXM"));
        document.loader().close_all();
        open(document, {unnamed}, Opening::add);
        QVERIFY(!document.spec().view.ran_on);
        QVERIFY(document.profile()->devices.at(0).name.empty());

        // Asked for while the last file is closed and another one that cannot be read is added.
        document.loader().set_ran_on(find_known_device("H100 SXM"));
        document.loader().open({test::write_broken_file(folder, "broken.json")}, Opening::add);
        document.loader().close(unnamed);
        settle(document);
        QVERIFY(document.empty() && !document.spec().view.ran_on);
    }

    void a_replacement_that_cannot_be_read_leaves_what_is_shown() {
        QTemporaryDir folder;
        Document document;
        const QString broken = test::write_broken_file(folder, "broken.json");
        open(document, test::write_separate_runs(folder));
        document.loader().set_joined(true);
        document.loader().open({broken}, Opening::replace);
        settle(document);
        QVERIFY(!document.spec().joined);
        QCOMPARE(document.analysis()->points.size(), std::size_t{6});
        // With one that is added instead, they are joined.
        document.loader().set_joined(true);
        document.loader().open({broken}, Opening::add);
        settle(document);
        QVERIFY(document.spec().joined);
        QCOMPARE(document.analysis()->points.size(), std::size_t{2});
    }

    void a_session_remembers_that_its_reports_are_joined() {
        QTemporaryDir folder;
        WorkspaceSpec session;
        session.joined = true;
        for (const QString& path : test::write_separate_runs(folder)) {
            session.sources.emplace_back();
            session.sources.back().path = path.toStdString();
        }
        Document document;
        document.loader().open_session({write_session(folder, to_json(session)).toStdString()}, {});
        settle(document);
        QVERIFY(document.spec().joined);
        QCOMPARE(document.analysis()->points.size(), std::size_t{2});
        document.loader().reload();
        settle(document);
        QVERIFY(document.spec().joined);
        QCOMPARE(document.analysis()->points.size(), std::size_t{2});
    }

    void older_reports_under_way_go_when_all_is_closed_or_a_session_opened() {
        QTemporaryDir folder;
        Document document;
        const QString report = test::write_three_kernels(folder, "a.json");
        QSignalSpy done(&document.loader(), &ReportLoader::baselines_read);
        open(document, {report});
        document.loader().compare_with({report});
        QVERIFY(document.loader().baseline_job().running());
        document.loader().close_all();
        QVERIFY(!document.loader().baseline_job().running());

        open(document, {report});
        document.loader().compare_with({report});
        emit document.loader().session_opened(nullptr);
        QVERIFY(!document.loader().baseline_job().running());
        QCOMPARE(done.count(), 0);
    }

    void an_older_report_that_a_session_names_twice_is_read_once() {
        QTemporaryDir folder;
        WorkspaceSpec session;
        session.sources.resize(1);
        session.sources.front().path = test::write_three_kernels(folder, "a.json").toStdString();
        session.baselines.resize(2);
        for (SessionSource& baseline : session.baselines)
            baseline.path = test::write_many_kernels(folder, "old.json", 2).toStdString();
        const LoadResult result = load_files(
            {{}, {}, true, SessionRequest{write_session(folder, to_json(session)).toStdString()}}, {});
        QVERIFY(result.session != nullptr && result.failures.empty());
        QCOMPARE(result.baselines.size(), std::size_t{1});
    }

    void a_report_beside_a_damaged_session_is_named() {
        QTemporaryDir folder;
        const QString report = test::write_three_kernels(folder, "a.json");
        const LoadResult result = load_files(
            {{report.toStdString()}, {}, true, SessionRequest{write_session(folder, "{").toStdString()}}, {});
        QVERIFY(result.read.empty());
        QCOMPARE(result.failures.size(), std::size_t{2});
        QCOMPARE(result.failures.back().where, report.toStdString());
    }
};

}  // namespace tst_document_files

ROOFWALK_TEST(tst_document_files, TestDocumentFiles, QCoreApplication)
#include "tst_document_files.moc"
