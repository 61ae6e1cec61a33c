// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/session_sources.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/workspace/content_hash.h"
#include "core/workspace/session_json.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_session_sources {

using namespace roofwalk;
namespace fs = std::filesystem;

namespace {

WorkspaceSpec of(const std::string& path) {
    WorkspaceSpec session;
    session.sources = {{path, ""}};
    return session;
}

std::string file_of(const std::string& path, const std::string& session_file) {
    const auto session = open_session(to_json(of(path)), session_file);
    return session ? session->sources.front().path : to_line(session.error());
}

}  // namespace

class TestSessionSources : public QObject {
    Q_OBJECT

  private slots:
    void paths_are_written_from_the_folder_of_the_session() {
        QCOMPARE(source_path("/data/run/a.json", "/data/run/s.roofwalk"), std::string("a.json"));
        QCOMPARE(source_path("/data/run/old/a.json", "/data/run/s.roofwalk"), std::string("old/a.json"));
        QCOMPARE(source_path("/data/a.json", "/data/run/s.roofwalk"), std::string("../a.json"));
        QCOMPARE(source_path("/other/a.json", "/data/./x/../run/s.roofwalk"),
                 std::string("../../other/a.json"));
    }
    void a_folder_that_moved_still_leads_to_its_reports() {
        const std::string written = source_path("/data/run/old/a.json", "/data/run/s.roofwalk");
        QCOMPARE(file_of(written, "/elsewhere/s.roofwalk"), std::string("/elsewhere/old/a.json"));
    }
    void paths_may_lead_anywhere() {
        QCOMPARE(file_of("/abs/a.json", "/data/s.roofwalk"), std::string("/abs/a.json"));
        QCOMPARE(file_of("../../a.json", "/data/run/s.roofwalk"), std::string("/a.json"));
        QCOMPARE(file_of("a.json", "s.roofwalk"), std::string("a.json"));
    }
    void a_session_that_names_itself_is_refused() {
        WorkspaceSpec older = of("report.json");
        older.baselines = {{"old.json", ""}, {"../run/s.roofwalk", ""}};
        for (const auto& [session, place] :
             {std::pair{of("../run/s.roofwalk"), "sources[0].path"}, std::pair{older, "baselines[1].path"}}) {
            const auto opened = open_session(to_json(session), "/data/run/s.roofwalk");
            QVERIFY(!opened);
            QVERIFY(opened.error().code == ErrorCode::bad_schema);
            QVERIFY(opened.error().what.find("names itself") != std::string::npos);
            QCOMPARE(opened.error().where, std::string("/data/run/s.roofwalk, ") + place);
        }
    }
    void a_session_is_known_by_its_content() {
        QTemporaryDir folder;
        QFile file(folder.filePath("any.name"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(to_json(of("a.json"))));
        file.close();
        QVERIFY(is_session_file(file.fileName().toStdString()));
        QVERIFY(!is_session_file(folder.path().toStdString()));
        QVERIFY(!is_session_file(folder.filePath("none").toStdString()));
    }
    void a_link_does_not_hide_it() {
        QTemporaryDir folder;
        const QString file = folder.filePath("s.roofwalk");
        QVERIFY(QFile(file).open(QIODevice::WriteOnly));
        QVERIFY(QFile::link(file, folder.filePath("report.json")));
        QVERIFY(!open_session(to_json(of("report.json")), file.toStdString()));
        QVERIFY(open_session(to_json(of("other.json")), file.toStdString()).has_value());
    }

    void the_list_follows_the_files_that_are_open() {
        std::vector<SessionSource> listed{{"/a", "1", R"("size":7)"}, {"/gone", "2"}, {"/b", "3"}};
        const OpenFile a{"/a", nullptr, "1"};
        const OpenFile b{"/b", nullptr, "4"};
        const OpenFile c{"/c", nullptr, "5"};
        QCOMPARE(update_sources(listed, {}, std::vector{a, b}), std::vector<std::string>{"/b"});
        QVERIFY(listed ==
                (std::vector<SessionSource>{{"/a", "1", R"("size":7)"}, {"/gone", "2"}, {"/b", "4"}}));

        // One is closed, one is opened, and what could not be read stays where it stood.
        QVERIFY(update_sources(listed, std::vector{a, b}, std::vector{b, c}).empty());
        QVERIFY(listed == (std::vector<SessionSource>{{"/b", "4"}, {"/gone", "2"}, {"/c", "5"}}));

        // Content that nobody knows is no other content.
        QVERIFY(
            update_sources(listed, std::vector{b, c}, std::vector{OpenFile{"/b", nullptr, {}}, c}).empty());
        QVERIFY(listed.front().hash.empty());
    }

    void typed_ceilings_go_into_the_spec_and_come_back() {
        WorkspaceSpec spec;
        spec.ceilings = {{"B", {}, R"("note":1)"}, {"A", {}}};
        spec.ceilings[0].ceilings.bandwidth.push_back({Boundary::hbm_dram_rw, ByteRate(1e12), {}});
        AnalysisOptions options = analysis_options(spec);
        QCOMPARE(options.overrides.size(), std::size_t{2});
        options.clock = ClockBasis::boost;
        options.levels = {true, false, false, false};
        options.launch_operations = std::make_shared<const LaunchOperations>();
        set_analysis_options(spec, options);
        QCOMPARE(spec.ceilings.size(), std::size_t{1});  // empty ones are none
        QCOMPARE(spec.ceilings[0].unknown_members, std::string(R"("note":1)"));
        QVERIFY(spec.view.analysis.overrides.empty() && !spec.view.analysis.launch_operations);
        QVERIFY(spec.view.scene.levels == options.levels);
        const WorkspaceSpec before = spec;
        set_analysis_options(spec, analysis_options(spec));
        QVERIFY(spec == before);
        spec.view.analysis.thresholds.latency = 0.5;
        QVERIFY(spec != before);
    }

    void the_hash_is_the_one_that_xxhsum_prints() {
        const auto hash = [](std::string_view text) { return content_hash(std::as_bytes(std::span(text))); };
        QCOMPARE(hash(""), std::string("xxh3-128:99aa06d3014798d86001c324468d497f"));
        QVERIFY(hash("a") != hash("b"));
        QCOMPARE(hash("a"), hash("a"));
        QCOMPARE(hash("a").size(), std::string("xxh3-128:").size() + 32);
    }
};

}  // namespace tst_session_sources

ROOFWALK_TEST(tst_session_sources, TestSessionSources, NoApplication)
#include "tst_session_sources.moc"
