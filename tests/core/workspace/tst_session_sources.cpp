// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/session_sources.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/workspace/content_hash.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_session_sources {

using namespace roofwalk;
namespace fs = std::filesystem;

namespace {

Session of(const std::string& path) {
    Session session;
    session.sources = {{path, ""}};
    return session;
}

std::string file_of(const std::string& path, const fs::path& session_file) {
    const auto files = source_files(of(path), session_file);
    return files ? files->front().string() : to_line(files.error());
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
        const auto files = source_files(of("../run/s.roofwalk"), "/data/run/s.roofwalk");
        QVERIFY(!files);
        QVERIFY(files.error().code == ErrorCode::bad_schema);
        QVERIFY(files.error().what.find("names itself") != std::string::npos);
        QCOMPARE(files.error().where, std::string("/data/run/s.roofwalk, sources[0].path"));
    }
    void a_link_does_not_hide_it() {
        QTemporaryDir folder;
        const QString file = folder.filePath("s.roofwalk");
        QVERIFY(QFile(file).open(QIODevice::WriteOnly));
        QVERIFY(QFile::link(file, folder.filePath("report.json")));
        QVERIFY(!source_files(of("report.json"), file.toStdString()));
        QVERIFY(source_files(of("other.json"), file.toStdString()).has_value());
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
