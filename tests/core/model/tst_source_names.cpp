// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/model/source_names.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_source_names {

using namespace roofwalk;

namespace {

using Names = std::vector<std::string>;

SourceInfo source(const char* path) {
    SourceInfo info;
    info.path = path;
    return info;
}

Names names_of(const std::vector<SourceInfo>& sources) {
    Profile profile;
    profile.sources = sources;
    return source_names(profile);
}

}  // namespace

class TestSourceNames : public QObject {
    Q_OBJECT

  private slots:
    void a_report_is_called_by_its_file() {
        QCOMPARE(names_of({source("/a/b/run.json"), source("C:\\runs\\other.json")}),
                 (Names{"run.json", "other.json"}));
        QCOMPARE(names_of({}), Names{});
        QCOMPARE(names_of({source("")}), Names{""});
        QCOMPARE(std::string(file_name_of("C:\\runs\\other.json")), std::string("other.json"));
        QCOMPARE(std::string(file_name_of("run.json")), std::string("run.json"));
    }
    void folders_tell_files_of_one_name_apart() {
        QCOMPARE(names_of({source("/a/x/run.json"), source("/b/x/run.json"), source("/a/y/run.json")}),
                 (Names{"a/x/run.json", "b/x/run.json", "y/run.json"}));
        QCOMPARE(names_of({source("run.json"), source("x/run.json")}), (Names{"run.json", "x/run.json"}));
        QCOMPARE(names_of({source("x/run.json"), source("/x/run.json"), source("/run.json")}),
                 (Names{"x/run.json", "/x/run.json", "/run.json"}));
    }
    void where_folders_are_many_the_whole_path_is_the_name() {
        QCOMPARE(names_of({source("/a/1/2/3/4/5/6/7/run.json"), source("/b/1/2/3/4/5/6/7/run.json"),
                           source("/b/1/2/3/4/5/6/8/run.json")}),
                 (Names{"/a/1/2/3/4/5/6/7/run.json", "/b/1/2/3/4/5/6/7/run.json", "8/run.json"}));
        const std::string slashes(500'000, '/');
        const Names paths{"a" + slashes + "run.json", "b" + slashes + "run.json"};
        QVERIFY(names_of({source(paths[0].c_str()), source(paths[1].c_str())}) == paths);
    }
    void ranks_and_processes_tell_parts_of_one_file_apart() {
        std::vector<SourceInfo> parts(3, source("/a/run.jsonl"));
        QCOMPARE(names_of(parts), (Names{"run.jsonl part 0", "run.jsonl part 1", "run.jsonl part 2"}));
        parts[0].rank = 5;
        parts[1].process = 4711;
        parts.push_back(source("/a/other.jsonl"));
        QCOMPARE(names_of(parts),
                 (Names{"run.jsonl rank 5", "run.jsonl process 4711", "run.jsonl part 2", "other.jsonl"}));
    }
    void joined_runs_have_all_their_names() {
        std::vector<SourceInfo> runs{source("/a/time.csv"), source("/a/bytes.csv"), source("/a/flop.csv")};
        runs[1].joined_with = runs[2].joined_with = SourceIndex{0};
        QCOMPARE(names_of(runs), (Names{"time.csv + bytes.csv + flop.csv", "bytes.csv", "flop.csv"}));
        std::vector<SourceInfo> many = runs;
        many.resize(65'535, runs[2]);
        QCOMPARE(names_of(many).front(), std::string("time.csv + bytes.csv and 65533 more"));
        for (SourceInfo& run : runs)
            run.path = "/a/all.csv";
        for (std::uint32_t i = 0; i < 3; ++i)
            runs[i].process = i;
        QCOMPARE(names_of(runs), (Names{"all.csv", "all.csv process 1", "all.csv process 2"}));
    }
};

}  // namespace tst_source_names

ROOFWALK_TEST(tst_source_names, TestSourceNames, NoApplication)
#include "tst_source_names.moc"
