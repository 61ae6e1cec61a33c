// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <string>

#include "core/import/json/json_reader.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_json_reader_damage {

using namespace roofwalk;

namespace {

const std::string header_line = "{\"format\":\"roofwalk-profile\",\"version\":1,\"device\":\"H100\"}\n";

const std::string three_kernels = R"({"device":"H100","kernels":[
{"name":"a","flops":1},
{"name":"b","flops":2},
{"name":"c","flops":3}
]})";

double work_of(const Launch& launch) {
    return launch.work.empty() ? -1 : launch.work.front().work.value();
}

}  // namespace

class TestJsonReaderDamage : public QObject {
    Q_OBJECT

    void expect_partial(const std::string& text, std::size_t launches, ErrorCode code,
                        const std::string& where) {
        const auto profile = read_json(text, "run.json");
        QVERIFY(profile);
        QCOMPARE(profile->launches.size(), launches);
        QVERIFY(profile->sources.front().partial);
        QCOMPARE(profile->warnings.size(), 1U);
        const Error warning = message_of(profile->warnings.front());
        QCOMPARE(std::string(name_of(warning.code)), std::string(name_of(code)));
        QCOMPARE(warning.where, where);
    }

  private slots:
    void an_incomplete_last_line_keeps_the_rest() {
        expect_partial(header_line + "{\"name\":\"a\"}\n{\"name\":\"b\"}\n{\"name\":\"c\",\"fl", 2,
                       ErrorCode::truncated, "run.json, line 4");
    }

    void a_broken_line_costs_itself_alone() {
        expect_partial(header_line + "{\"name\":\"a\"}\n{\"name\":\"b\"\n{\"name\":\"c\"}\n", 2,
                       ErrorCode::bad_json, "run.json, line 3");
    }
    void of_lines_that_are_all_broken_the_first_is_the_error() {
        const auto profile = read_json(header_line + "{\"flops\":1}\n{\"name\":1}\n", "run.jsonl");
        QVERIFY(!profile);
        QVERIFY(profile.error().where.ends_with("line 2"));
    }

    void a_wrong_value_in_a_line_is_named_with_its_line() {
        expect_partial(header_line + "{\"name\":\"a\"}\n{\"name\":\"b\",\"bytes\":{\"l3\":1}}\n", 1,
                       ErrorCode::bad_schema, "run.json, bytes.l3, line 3");
    }

    void a_number_that_cannot_be_costs_its_field_alone_data() {
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QByteArray>("path");
        const auto row = [](const char* name, const char* field, const char* path) {
            QTest::newRow(name) << QByteArray(field) << QByteArray(path);
        };
        row("negative bytes", R"("bytes":{"hbm":-1})", "bytes.hbm");
        row("negative bytes of HBM alone", R"("bytes":-1)", "bytes");
        row("negative bytes read", R"("bytes":{"hbm":{"read":-1,"write":5}})", "bytes.hbm.read");
        row("too many bytes written", R"("bytes":{"hbm":{"total":7,"write":1.5e155}})", "bytes.hbm.write");
        row("too much work", R"("flops":1.5e155)", "flops");
        row("too much work of a pipe", R"("flops":{"fp64":0,"fp32":1e40})", "flops.fp32");
        row("negative work of a pipe", R"("flops":{"fp32":{"count":-1}})", "flops.fp32.count");
        row("too long", R"("duration_ns":1.5e155)", "duration_ns");
        row("a negative time", R"("duration_ns":-5)", "duration_ns");
        row("a negative start", R"("start_ns":-5)", "start_ns");
        row("a negative grid", R"("grid":[-1])", "grid[0]");
        row("a negative stream", R"("stream":-1)", "stream");
        row("a negative ceiling", R"("ceilings":[{"kind":"compute","pipe":"fp32","rate":-1}])",
            "ceilings[0].rate");
    }
    void a_number_that_cannot_be_costs_its_field_alone() {
        QFETCH(QByteArray, field);
        QFETCH(QByteArray, path);
        const std::string first = R"({"name":"a",)" + field.toStdString() + R"(,"metrics":{"m":1}})";
        const std::string second = R"({"name":"b","flops":2,"duration_ns":3})";
        expect_partial(R"({"device":"H100","kernels":[)" + first + ",\n" + second + "]}", 2,
                       ErrorCode::bad_schema, "run.json, kernels[0]." + path.toStdString() + ", line 1");
        expect_partial(header_line + first + "\n" + second + "\n", 2, ErrorCode::bad_schema,
                       "run.json, " + path.toStdString() + ", line 2");
        const auto profile = read_json(header_line + first + "\n" + second + "\n", "run.json");
        QVERIFY(profile);
        const Launch& launch = profile->launches.front();
        QVERIFY(!launch.duration && !launch.start && launch.work.empty() && launch.traffic.empty());
        QVERIFY(!launch.ceilings && launch.grid == Dim3{} && launch.stream == 0);
        QCOMPARE(launch.metrics.size(), 1U);
        QCOMPARE(work_of(profile->launches.back()), 2.0);
        QVERIFY(profile->launches.back().duration.has_value());
    }
    void what_is_right_beside_a_refused_number_is_kept() {
        const auto profile = read_json(
            R"({"device":"H100","kernels":[{"name":"a","duration_ns":5,"flops":{"fp32":1},"bytes":{"l2":{"read":-1,"write":2},"hbm":7}}]})",
            "run.json");
        QVERIFY(profile);
        const Launch& launch = profile->launches.front();
        QVERIFY(launch.duration && launch.work.size() == 1 && launch.traffic.size() == 1);
        QVERIFY(launch.find(Boundary::hbm_dram_rw) && !launch.find(Boundary::l2_sm_sectors));
    }
    void many_refused_numbers_are_told_together() {
        std::string text = header_line;
        constexpr std::size_t kernels = 3000;
        for (std::size_t i = 0; i < kernels; ++i)
            text += "{\"name\":\"a\",\"duration_ns\":5,\"flops\":-1}\n";
        expect_partial(text, kernels, ErrorCode::bad_schema,
                       "run.json, flops, line 2, and " + std::to_string(kernels - 1) + " more like it");
    }
    void a_boundary_given_again_behind_a_refused_number_is_a_fault() {
        expect_partial(header_line + "{\"name\":\"a\"}\n{\"name\":\"b\",\"bytes\":{\"hbm\":-1,\"hbm\":-2}}\n",
                       1, ErrorCode::bad_schema, "run.json, bytes.hbm, line 3");
    }
    void of_kernels_that_all_lost_their_figures_the_first_fault_is_the_error() {
        const auto profile = read_json(
            R"({"device":"H100","kernels":[{"name":"a","flops":-1},{"name":"b","duration_ns":1e155}]})",
            "run.json");
        QVERIFY(!profile);
        QCOMPARE(profile.error().where, std::string("run.json, kernels[0].flops, line 1"));
        QVERIFY(!profile.error().what.empty());
    }

    void two_kernels_on_one_line_are_a_broken_line() {
        expect_partial(header_line + "{\"name\":\"a\"}\n{\"name\":\"b\"}{\"name\":\"c\"}\n", 1,
                       ErrorCode::bad_json, "run.json, line 3");
    }

    void a_wrong_kernel_keeps_what_stands_before_it() {
        std::string text = three_kernels;
        text.replace(text.find("\"flops\":3"), 9, "\"flops\":{\"fp23\":3}");
        expect_partial(text, 2, ErrorCode::bad_schema, "run.json, kernels[2].flops.fp23, line 4");
    }

    void a_missing_comma_between_kernels_keeps_what_stands_before_it() {
        std::string text = three_kernels;
        text.replace(text.find("2},"), 3, "2} ");
        expect_partial(text, 2, ErrorCode::bad_json, "run.json, line 4");
    }

    void text_behind_the_end_is_named() {
        expect_partial(three_kernels + "\n{}", 3, ErrorCode::bad_json, "run.json, line 6");
    }

    void a_file_cut_anywhere_keeps_its_complete_kernels() {
        const std::size_t second = three_kernels.find("{\"name\":\"b\"");
        for (std::size_t length = 0; length < three_kernels.size(); ++length) {
            const auto profile = read_json(three_kernels.substr(0, length), "run.json");
            const std::size_t first_end = three_kernels.find("},") + 1;
            if (length < first_end) {
                QVERIFY2(!profile, std::to_string(length).c_str());
                continue;
            }
            QVERIFY2(profile, std::to_string(length).c_str());
            QVERIFY(profile->sources.front().partial);
            if (length <= second) QCOMPARE(profile->launches.size(), 1U);
        }
    }

    void a_cut_of_json_lines_never_changes_a_number_without_a_word() {
        const std::string lines = header_line +
                                  "{\"name\":\"a\",\"flops\":12345,\"duration_ns\":678}\n"
                                  "{\"name\":\"b\",\"flops\":23456,\"duration_ns\":789}\n";
        const auto whole = read_json(lines, "run.jsonl");
        QVERIFY(whole && whole->launches.size() == 2);
        for (std::size_t size = 1; size < lines.size(); ++size) {
            const std::string part = lines.substr(0, size);
            const auto read = read_json(part, "run.jsonl");
            if (!read) continue;
            const bool inside_a_line = !part.ends_with('\n') && !part.ends_with('}');
            QVERIFY2(!inside_a_line || (read->sources.front().partial && !read->warnings.empty()),
                     part.c_str());
            for (std::size_t i = 0; i < read->launches.size(); ++i) {
                QCOMPARE(read->launches[i].duration, whole->launches[i].duration);
                QCOMPARE(work_of(read->launches[i]), work_of(whole->launches[i]));
            }
        }
    }

    void any_changed_byte_is_read_or_refused_without_harm() {
        for (std::size_t i = 0; i < three_kernels.size(); ++i)
            for (const char c : {'\0', '"', '\\', '{', '}', '[', ']', ',', ':', '9', '\xFF'}) {
                std::string text = three_kernels;
                text[i] = c;
                const auto profile = read_json(text, "run.json");
                if (!profile) QVERIFY(!profile.error().what.empty());
                if (profile && profile->launches.size() < 3) QVERIFY(profile->sources.front().partial);
            }
    }
};

}  // namespace tst_json_reader_damage

ROOFWALK_TEST(tst_json_reader_damage, TestJsonReaderDamage, NoApplication)
#include "tst_json_reader_damage.moc"
