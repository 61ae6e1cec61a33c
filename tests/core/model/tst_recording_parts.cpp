// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/recording_parts.h"

#include <QTest>
#include <algorithm>

#include "core/import/json/json_reader.h"
#include "core/model/source_names.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_recording_parts {

using namespace roofwalk;

namespace {

const std::string header =
    "{\"format\":\"roofwalk-profile\",\"version\":1,\"recording\":true}\n"
    "{\"more\":{\"devices\":[{\"id\":\"gpu0\",\"name\":\"H100 SXM\"}]}}\n";
const std::string end = "{\"end\":{\"whole\":true}}\n";

std::string launch(const std::string& name, int number) {
    return "{\"name\":\"" + name +
           "\",\"device\":\"gpu0\",\"duration_ns\":1000,\"launch\":" + std::to_string(number) + "}\n";
}

const std::string line_of_twelve = "{\"a\":\"}\"}";
const std::string part_twelve = "{\"part\":12,\"line\":" + line_of_twelve + "}";

constexpr const char* lookalikes[] = {
    R"({"part":0,"line":{}})",
    R"({"part":-1,"line":{}})",
    R"({"part":99999999999999999999,"line":{}})",
    R"({"part":1})",
    R"({"part":1, "line":{}} )",
    "{\"part\":",
    "{}",
    "",
};

}  // namespace

class TestRecordingParts : public QObject {
    Q_OBJECT

  private slots:
    void the_first_part_stands_as_it_is() {
        QCOMPARE(lines_of_part(0, header + end), header + end);
        const RecordingPart part = part_of(header);
        QCOMPARE(part.number, std::size_t{0});
        QCOMPARE(part.line, std::string_view(header));
    }

    void a_further_part_comes_back_line_by_line() {
        QCOMPARE(lines_of_part(2, "{\"a\":1}\n{}\n"),
                 std::string("{\"part\":2,\"line\":{\"a\":1}}\n{\"part\":2,\"line\":{}}\n"));
        for (const char* ending : {"", "\n", "\r\n"}) {
            const std::string text = part_twelve + ending;
            const RecordingPart part = part_of(text);
            QCOMPARE(part.number, std::size_t{12});
            QCOMPARE(part.line, std::string_view(line_of_twelve));
        }
    }

    void what_only_looks_like_one_is_of_the_first_data() {
        QTest::addColumn<QString>("line");
        for (const char* line : lookalikes)
            QTest::newRow(line) << QString(line);
    }
    void what_only_looks_like_one_is_of_the_first() {
        QFETCH(const QString, line);
        const std::string text = line.toStdString();
        const RecordingPart part = part_of(text);
        QCOMPARE(part.number, std::size_t{0});
        QCOMPARE(part.line, std::string_view(text));
    }

    void a_file_of_several_parts_is_one_profile() {
        const std::string first = header + launch("a", 0);
        const std::string second = header + launch("b", 0) + launch("c", 1) + end;
        const auto read = read_json(first + lines_of_part(1, second) + launch("d", 1) + end, "run.jsonl", {});
        QVERIFY(read);
        std::string names;
        for (const Launch& each : read->launches)
            names += read->kernel_of(each).name;
        QCOMPARE(names, std::string("adbc"));
        QCOMPARE(read->sources.size(), std::size_t{2});
        for (const SourceInfo& source : read->sources) {
            QCOMPARE(source.path, std::string("run.jsonl"));
            QVERIFY(!source.partial);
        }
        QVERIFY(read->warnings.empty());
    }

    void a_line_that_is_cut_off_is_of_its_process() {
        const std::string whole =
            header + launch("a", 0) + lines_of_part(1, header + launch("b", 0) + launch("c", 1));
        const auto read = read_json(whole.substr(0, whole.size() - 12), "run.jsonl", {});
        QVERIFY(read);
        QCOMPARE(read->launches.size(), std::size_t{2});
        const auto about_the_cut = std::ranges::find_if(read->warnings, [](const Warning& warning) {
            return warning.message.code == ErrorCode::truncated &&
                   message_of(warning).where.starts_with("run.jsonl, part 1");
        });
        QVERIFY(about_the_cut != read->warnings.end());
        QCOMPARE(partial_words(*read), std::string("run.jsonl is incomplete"));
    }

    void parts_beyond_all_measure_are_left_out() {
        const auto read =
            read_json(header + "{\"part\":4096,\"line\":{}}\n" + launch("a", 0) + end, "run.jsonl", {});
        QVERIFY(read);
        QCOMPARE(read->launches.size(), std::size_t{1});
        QVERIFY(!read->sources.at(0).partial);
    }

    void a_process_that_launched_nothing_is_no_fault() {
        const auto read =
            read_json(header + lines_of_part(1, header + end) + launch("a", 0) + end, "run.jsonl", {});
        QVERIFY(read);
        QVERIFY(read->warnings.empty());
    }

    void a_part_without_its_end_is_cut() {
        const auto read = read_json(header + launch("a", 0) + lines_of_part(1, header + launch("b", 0)) + end,
                                    "run.jsonl", {});
        QVERIFY(read);
        QVERIFY(!read->sources.at(0).partial);
        QVERIFY(read->sources.at(1).partial);
    }

    void a_part_that_cannot_be_read_is_told() {
        const auto read =
            read_json(header + launch("a", 0) + lines_of_part(3, "nonsense\n") + end, "run.jsonl", {});
        QVERIFY(read);
        QCOMPARE(read->launches.size(), std::size_t{1});
        QCOMPARE(read->warnings.size(), std::size_t{1});
        QVERIFY(message_of(read->warnings.front()).where.starts_with("run.jsonl, part 3"));
    }

    void a_header_alone_is_no_profile() {
        QVERIFY(!read_json(header + lines_of_part(1, header), "run.jsonl", {}));
    }
};

}  // namespace tst_recording_parts

ROOFWALK_TEST(tst_recording_parts, TestRecordingParts, NoApplication)
#include "tst_recording_parts.moc"
