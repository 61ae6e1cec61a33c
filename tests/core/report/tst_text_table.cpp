// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/base/text.h"
#include "core/report/report_table.h"
#include "core/report/text_width.h"
#include "tests/core/report/report_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_text_table {

using namespace roofwalk;

namespace {

constexpr TextColumns main_ones = TextColumns::main;

ReportTable table_of(const Profile& profile) {
    return report_table(profile, analyse(profile, {}));
}

/// Two reports with the same kernel, whose names are long and differ in the middle, each of a device of its
/// own.
Profile two_reports() {
    Profile profile = test::saxpy_profile("void " + std::string(40, 'k') + "(float const*)");
    profile.launches[1].traffic.push_back(
        {Boundary::l2_sm_sectors, Origin::measured, TextId::none, Bytes(1.3e9), {}, {}});
    profile.launches[1].traffic[1].total = Bytes(4e7);
    profile.sources.resize(2, profile.sources.front());
    profile.sources[0].path = "run_of_the_large_model_rank_7_of_wednesday.json";
    profile.sources[1].path = "run_of_the_large_model_rank_12_of_wednesday.json";
    profile.devices.push_back(profile.devices.front());
    profile.devices.back().name = "Another machine with a long name";
    for (const std::size_t launch : {0U, 1U}) {
        profile.launches.push_back(profile.launches[launch]);
        profile.launches.back().source = SourceIndex{1};
        profile.launches.back().device = DeviceIndex{1};
    }
    return profile;
}

}  // namespace

class TestTextTable : public QObject {
    Q_OBJECT

  private slots:
    void an_ordinary_table_fits_160_columns() {
        const std::string name = "void ns::" + std::string(200, 'k') + "(float const*)";
        for (const std::string& line :
             test::lines_of(to_text(table_of(test::saxpy_profile(name)), main_ones)))
            QVERIFY2(display_width(line) <= 160, line.c_str());
    }

    void a_damaged_file_is_told_below_the_rows() {
        Profile profile = test::saxpy_profile();
        const std::string whole = to_text(table_of(profile), main_ones);
        QVERIFY(whole.find("could be read") == std::string::npos);
        profile.sources.resize(1);
        profile.sources.front().path = "runs/cut_*.json";
        profile.sources.front().format = SourceFormat::roofwalk_json;
        profile.sources.front().partial = true;
        const std::string note = "cut_*.json is incomplete; kernels and their time may be missing.";
        QCOMPARE(to_text(table_of(profile), main_ones), whole + "\n" + note + "\n");
        const std::string markdown = to_markdown(table_of(profile), TextColumns::every);
        QVERIFY2(markdown.ends_with("\n\ncut\\_\\*.json is incomplete; kernels and their time "
                                    "may be missing.\n"),
                 markdown.c_str());
    }

    void what_is_read_first_comes_first() {
        const auto lines = test::lines_of(to_text(table_of(test::saxpy_profile()), main_ones));
        std::size_t at = 0;
        for (const char* title : {"Kernel", "Launches", "Time", "Of time", "Performance", "AI DRAM",
                                  "Bound by", "Of limit", "Class"}) {
            const std::size_t found = lines.front().find(title, at);
            QVERIFY2(found != std::string::npos, title);
            at = found;
        }
        QVERIFY(lines.front().find("Block") == std::string::npos);
        QVERIFY(lines[1].find("GFLOP/s") != std::string::npos);
    }

    void what_all_rows_have_in_common_stands_below() {
        const auto lines = test::lines_of(to_text(table_of(test::saxpy_profile()), main_ones));
        QVERIFY(lines.front().find("Boundary") == std::string::npos);
        QCOMPARE(
            lines[5],
            std::string(
                "All rows: AI SMEM = no bytes or not measured, Boundary DRAM = hbm/dram-rw, Boundary SMEM = smem/wavefronts, "
                "Device = Machine, 20 TFLOP/s."));
        QCOMPARE(lines[6], std::string("Not measured: AI L2."));
    }

    void what_rows_differ_in_is_a_column() {
        Profile profile = test::saxpy_profile();
        profile.devices.push_back(profile.devices.front());
        profile.devices.back().name = "Another";
        profile.launches[1].device = DeviceIndex{1};
        profile.warnings.clear();  // of which the class tells in many words, as of bytes alone
        profile.launches[0].metrics = {{profile.texts.intern(metric_of(HardwareUnit::sm)), 20}};
        const auto lines = test::lines_of(to_text(table_of(profile), main_ones));
        QVERIFY(lines.front().find("Device") != std::string::npos);
        QVERIFY(lines[2].find("Another") != std::string::npos);
        QVERIFY(lines[5].find("Device") == std::string::npos);
    }

    void where_several_reports_take_the_room_what_answers_stays() {
        const std::string text = to_text(table_of(two_reports()), main_ones);
        const auto lines = test::lines_of(text);
        for (const std::string& line : lines)
            if (&line - lines.data() < 6) QVERIFY2(display_width(line) <= 160, line.c_str());
        for (const char* title : {"Report", "Time", "Recoverable", "Bound by", "Of limit", "Class"})
            QVERIFY2(lines.front().find(title) != std::string::npos, lines.front().c_str());
        QVERIFY2(lines.front().find("AI SMEM") == std::string::npos, lines.front().c_str());
        QVERIFY2(text.find("No room for: AI SMEM") != std::string::npos, text.c_str());
        QVERIFY2(text.find("…7") != std::string::npos && text.find("…12") != std::string::npos, text.c_str());
        const std::string whole = to_text(table_of(two_reports()), TextColumns::every);
        QVERIFY(whole.find("run_of_the_large_model_rank_12_of_wednesday.json") != std::string::npos);
        QVERIFY(whole.find("No room") == std::string::npos);
    }

    void without_work_the_bytes_are_there() {
        Profile profile = test::saxpy_profile();
        profile.launches.pop_back();
        profile.warnings.clear();
        for (Launch& launch : profile.launches)
            launch.work.clear();
        const auto lines = test::lines_of(to_text(table_of(profile), main_ones));
        for (const char* title : {"Time", "Recoverable", "Bound by", "Of limit", "DRAM bandwidth", "Of DRAM"})
            QVERIFY2(lines.front().find(title) != std::string::npos, lines.front().c_str());
        QVERIFY(lines.front().find("AI DRAM") == std::string::npos);
        QVERIFY2(lines[2].find("600") != std::string::npos, lines[2].c_str());  // 1.2 GB in 2 ms
        for (Launch& launch : profile.launches)
            launch.duration.reset();
        const std::string untimed = to_text(table_of(profile), main_ones);
        QVERIFY2(untimed.find("Bytes DRAM") < untimed.find('\n'), untimed.c_str());
        QVERIFY2(untimed.find("DRAM bandwidth") == std::string::npos, untimed.c_str());
    }

    void with_work_the_bandwidth_is_left_to_the_wide_table() {
        const std::string text = to_text(table_of(test::saxpy_profile()), main_ones);
        QVERIFY(text.find("DRAM bandwidth") == std::string::npos);
    }

    void columns_in_which_no_kernel_has_a_figure_give_way() {
        Profile profile = test::saxpy_profile();
        for (Launch& launch : profile.launches)
            launch.work = {{Pipe{PipeKind::fp32}, Origin::measured, TextId::none, Flops(0)}};
        const std::string text = to_text(table_of(profile), main_ones);
        const std::string head = text.substr(0, text.find('\n'));
        QVERIFY2(head.find("Performance") == std::string::npos, head.c_str());
        QVERIFY2(head.find("AI DRAM") == std::string::npos, head.c_str());
        QVERIFY2(text.find("Performance = 0 FLOP/s or not measured, AI DRAM = no FLOP or not measured") !=
                     std::string::npos,
                 text.c_str());
    }

    void wide_characters_keep_columns_in_line() {
        const auto lines = test::lines_of(to_text(table_of(test::saxpy_profile("加算加算")), main_ones));
        const auto columns_before = [&](std::size_t line, std::string_view word) {
            return display_width(lines[line].substr(0, lines[line].find(word))) + word.size();
        };
        QCOMPARE(columns_before(3, "33.3 %"), columns_before(2, "66.7 %"));
    }

    void every_column_is_shown_when_it_is_asked_for() {
        const ReportTable table = table_of(test::saxpy_profile());
        const std::string text = to_text(table, TextColumns::every);
        for (const ReportColumn& shown : table.columns)
            if (shown.id != "l2_boundary" && shown.place != ColumnPlace::files_only)
                QVERIFY2(text.find(shown.title) != std::string::npos, shown.title.c_str());
    }

    void names_cannot_steer_the_terminal() {
        const std::string text =
            to_text(table_of(test::saxpy_profile("a\x1b[2Jb\nc\u202ed")), TextColumns::every);
        QCOMPARE(text.find('\x1b'), std::string::npos);
        QCOMPARE(text.find("\u202e"), std::string::npos);
        QCOMPARE(test::lines_of(text).size(), 7U);
    }

    void the_width_of_text_is_that_of_a_terminal() {
        QCOMPARE(display_width("abc"), 3U);
        QCOMPARE(display_width("µs"), 2U);
        QCOMPARE(display_width("e\u0301"), 1U);
        QCOMPARE(display_width("加算"), 4U);
        QCOMPARE(display_width("\U0001F680"), 2U);
    }
};

}  // namespace tst_text_table

ROOFWALK_TEST(tst_text_table, TestTextTable, NoApplication)
#include "tst_text_table.moc"
