// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/json/recording_reader.h"

#include <QTest>

#include "core/import/json/json_reader.h"
#include "core/report/profile_to_json.h"
#include "core/report/recording_lines.h"
#include "tests/support/folder_tests.h"

namespace tst_recording_reader {

using namespace roofwalk;

namespace {

const std::vector<std::string> whole{
    R"({"format":"roofwalk-profile","version":1,"recording":true,"sources":[{"tool":"t"}]})",
    R"({"more":{"devices":[{"id":"gpu0","name":"H100 SXM"}],"texts":["counted"]}})",
    R"({"name":"a","device":"gpu0","process":7,"duration_ns":1000,"bytes":{"hbm/dram-rw":1000},"launch":0})",
    R"({"name":"a","device":"gpu0","process":7,"launch":1,"like":0})",
    R"({"name":"b","device":"gpu0","process":7,"launch":2})",
    R"({"name":"b","device":"gpu0","process":7,"duration_ns":9,"flops":{"fp32":{"count":5,"source":0}},"launch":2})",
    R"({"more":{"counts":{"seen":5,"recorded":2,"filtered":1,"sampled_out":1,"dropped":1},)"
    R"("warnings":[{"code":"not_profiled","what":"Something is missing","where":"process 7"}]}})",
    R"({"end":{"whole":false,"what":"Process 7 was killed"}})",
};

std::string joined(std::size_t lines) {
    std::string text;
    for (std::size_t i = 0; i < lines; ++i)
        text += whole[i] + "\n";
    return text;
}

/// With its warnings.
std::string text_of(const Profile& profile) {
    return to_json(profile);
}

}  // namespace

class TestRecordingReader : public QObject {
    Q_OBJECT

  private slots:
    void it_is_at_each_line_what_the_file_is() {
        RecordingReader reader("run.jsonl");
        for (std::size_t lines = 1; lines <= whole.size(); ++lines) {
            QVERIFY(reader.add(whole[lines - 1]));
            if (reader.launches() == 0) continue;
            const auto file = read_json(joined(lines), "run.jsonl");
            QVERIFY(file);
            QCOMPARE(text_of(reader.profile(true)), text_of(*file));
        }
        QVERIFY(reader.ended());
        QCOMPARE(reader.launches(), std::size_t{3});
    }
    void what_it_left_out_is_kept_with_it() {
        RecordingReader reader("run.jsonl");
        for (const std::string& line : whole)
            QVERIFY(reader.add(line));
        const Profile profile = reader.profile(true);
        QCOMPARE(profile.sources[0].left_out, std::uint64_t{2});
        const auto again = read_json(to_json(profile), "again.json");
        QVERIFY(again);
        QCOMPARE(again->sources[0].left_out, std::uint64_t{2});
    }
    void while_it_grows_its_end_is_not_missed() {
        RecordingReader reader("run.jsonl");
        for (std::size_t line = 0; line < 3; ++line)
            QVERIFY(reader.add(whole[line]));
        QVERIFY(!reader.profile(false).sources.at(0).partial);
        QVERIFY(reader.profile(true).sources.at(0).partial);
    }
    void a_first_line_that_is_refused_leaves_nothing_behind() {
        RecordingReader reader("run.jsonl");
        QVERIFY(!reader.add(
            R"({"format":"roofwalk-profile","version":1,"devices":[{"id":"gpu0","name":"A100"}]})"));
        QVERIFY(!reader.add(
            R"({"format":"roofwalk-profile","version":1,"recording":true,"texts":["t"],"devices":[{"id":"x","name":"A100"}],"sources":1})"));
        QVERIFY(!reader.begun());
        RecordingReader clean("run.jsonl");
        for (std::size_t line = 0; line < 3; ++line) {
            QVERIFY(reader.add(whole[line]));
            QVERIFY(clean.add(whole[line]));
        }
        QCOMPARE(text_of(reader.profile(false)), text_of(clean.profile(false)));
    }
    void looking_changes_nothing() {
        RecordingReader reader("run.jsonl");
        for (std::size_t line = 0; line < 4; ++line)
            QVERIFY(reader.add(whole[line]));
        const std::string before = text_of(reader.profile(false));
        QCOMPARE(text_of(reader.profile(false)), before);
        QVERIFY(reader.warnings().empty());
    }
    void the_last_counts_hold() {
        RecordingReader reader("run.jsonl");
        QVERIFY(reader.add(whole[0]));
        QVERIFY(!reader.counts());
        const RecordingCounts counts{9, 4, 3, 2, 1};
        QVERIFY(reader.add(RecordingLines::counts({1, 1, 0, 0, 0})));
        QVERIFY(reader.add(RecordingLines::counts(counts)));
        QVERIFY(reader.counts() == counts);
    }
    void a_count_below_0_is_a_fault() {
        RecordingReader reader("run.jsonl");
        QVERIFY(reader.add(whole[0]));
        const auto read = reader.add(R"({"more":{"counts":{"seen":-1}}})");
        QVERIFY(!read);
        QCOMPARE(read.error().where, std::string("run.jsonl, line 2, more.counts.seen"));
        QVERIFY(!reader.counts());
    }
    void a_damaged_line_is_left_out() {
        RecordingReader reader("run.jsonl");
        for (std::size_t line = 0; line < 3; ++line)
            QVERIFY(reader.add(whole[line]));
        const auto read = reader.add(R"({"name":"a","device":"gpu0","launch":)");
        QVERIFY(!read);
        QCOMPARE(read.error().code, ErrorCode::bad_json);
        QCOMPARE(read.error().where, std::string("run.jsonl, line 4"));
        const auto next = reader.add(R"({"name":"a","device":"gpu9","launch":1})");
        QVERIFY(!next);
        QCOMPARE(next.error().where, std::string("run.jsonl, line 5, device"));
        QVERIFY(reader.add(whole[3]));
        QCOMPARE(reader.launches(), std::size_t{2});
    }
    void a_number_that_cannot_be_costs_its_field_alone() {
        RecordingReader reader("run.jsonl");
        for (std::size_t line = 0; line < 3; ++line)
            QVERIFY(reader.add(whole[line]));
        const std::size_t before = reader.launches();
        QVERIFY(!reader.add(R"({"name":"a","device":"gpu9","launch":7,"duration_ns":-1})"));
        QVERIFY(reader.warnings().empty());
        QVERIFY(!reader.profile(false).sources.at(0).partial);
        QVERIFY(reader.add(R"({"name":"a","device":"gpu0","launch":8,"duration_ns":5,"flops":1.5e155})"));
        QCOMPARE(reader.launches(), before + 1);
        QCOMPARE(reader.warnings().size(), std::size_t{1});
        QCOMPARE(message_of(reader.warnings().front()).where, std::string("run.jsonl, line 5, flops"));
        const Profile profile = reader.profile(false);
        QVERIFY(profile.launches.back().work.empty() && profile.launches.back().duration);
        QVERIFY(profile.sources.at(0).partial);
    }
    void another_file_is_no_recording() {
        for (const char* line :
             {R"({"device":"H100"})", R"({"format":"roofwalk-profile","version":1})",
              R"({"format":"roofwalk-profile","version":2,"recording":true})", "[]", "x"}) {
            RecordingReader reader("run.jsonl");
            const auto read = reader.add(line);
            QVERIFY2(!read, line);
            QVERIFY2(!read.error().hint.empty(), line);
            QVERIFY2(!reader.begun(), line);
        }
    }
};

}  // namespace tst_recording_reader

ROOFWALK_TEST(tst_recording_reader, TestRecordingReader, NoApplication)
#include "tst_recording_reader.moc"
