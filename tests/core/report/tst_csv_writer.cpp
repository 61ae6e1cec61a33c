// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/report/report_table.h"
#include "tests/core/report/report_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_csv_writer {

using namespace roofwalk;

namespace {

std::string csv_of_name(const std::string& name) {
    ReportTable table;
    table.columns = {{"kernel", "Kernel", "", ColumnKind::words}, {"time", "Time", "s"}};
    table.rows = {{{{}, name}, {0.25, "250 ms"}}};
    const std::string csv = to_csv(table);
    const std::size_t begin = csv.find("\r\n") + 2;
    return csv.substr(begin, csv.rfind(",0.25\r\n") - begin);
}

}  // namespace

class TestCsvWriter : public QObject {
    Q_OBJECT

  private slots:
    void the_header_names_base_units() {
        const Profile profile = test::saxpy_profile();
        const std::string csv = to_csv(report_table(profile, analyse(profile, {})));
        QVERIFY(csv.starts_with(
            "kernel,launch,source,launches,time [s],time_share,recoverable_time [s],performance [FLOP/s],"));
        QVERIFY(csv.find(",hbm_intensity [FLOP/byte],") != std::string::npos);
    }

    void fields_are_quoted_as_rfc_4180_says() {
        QCOMPARE(csv_of_name("plain"), std::string("plain"));
        QCOMPARE(csv_of_name("f(int, int)"), std::string("\"f(int, int)\""));
        QCOMPARE(csv_of_name("say \"hi\""), std::string("\"say \"\"hi\"\"\""));
        QCOMPARE(csv_of_name("a;b"), std::string("\"a;b\""));
    }

    void names_are_no_formulas() {
        QCOMPARE(csv_of_name("=1+1"), std::string("'=1+1"));
        QCOMPARE(csv_of_name("+1"), std::string("'+1"));
        QCOMPARE(csv_of_name("-1"), std::string("'-1"));
        QCOMPARE(csv_of_name("@SUM(A1,A2)"), std::string("\"'@SUM(A1,A2)\""));
        QCOMPARE(csv_of_name("a=1"), std::string("a=1"));
        for (const std::string start :
             {"=", "+", "-", "@", ";", "\t", "\r", "\n", " =", "＝", "＋", "－", "＠",
              "\u00A0=", "\u200B=", "\uFEFF \u2060=", "\u3000=", "\u00AD\u202F=", "\uFE62"}) {
            const std::string field = csv_of_name(start + "1");
            QVERIFY2(field.starts_with("'") || field.starts_with("\"'"), field.c_str());
        }
    }

    /// Where the comma is the decimal sign, spreadsheets split at semicolons, quoted or not.
    void what_stands_behind_a_semicolon_is_no_formula() {
        QCOMPARE(csv_of_name("X;=cmd|'/C calc'!A0;y"), std::string("\"X;'=cmd|'/C calc'!A0;y\""));
        QCOMPARE(csv_of_name("a; -1;;+2"), std::string("\"a;' -1;';'+2\""));
        QCOMPARE(csv_of_name("a;b=1"), std::string("\"a;b=1\""));
    }

    void nothing_in_a_name_steers_a_terminal() {
        QCOMPARE(csv_of_name("two\nlines\x1b[2J"), std::string("two\\u000alines\\u001b[2J"));
        QCOMPARE(csv_of_name("a\u0085b\u202ec\u2066d\x7f"), std::string("a\\u0085b\\u202ec\\u2066d\\u007f"));
    }

    void what_was_not_measured_is_an_empty_field() {
        ReportTable table;
        table.columns = {{"kernel", "Kernel", "", ColumnKind::words},
                         {"time", "Time", "s"},
                         {"grid", "Grid", "", ColumnKind::words},
                         {"bytes", "Bytes", "byte"}};
        table.rows = {{{{}, "a"}, {{}, "not measured", false}, {{}, "not measured", false}, {0.0, "0 B"}}};
        QCOMPARE(to_csv(table), std::string("kernel,time [s],grid,bytes [byte]\r\na,,,0\r\n"));
    }

    void numbers_are_in_base_units_and_read_back_exactly() {
        ReportTable table;
        table.columns = {{"x", "X", "s"}};
        table.rows = {{{1.0 / 3, "333 ms"}}, {{1e-9, "1 ns"}}};
        QCOMPARE(to_csv(table), std::string("x [s]\r\n0.3333333333333333\r\n1e-09\r\n"));
    }
};

}  // namespace tst_csv_writer

ROOFWALK_TEST(tst_csv_writer, TestCsvWriter, NoApplication)
#include "tst_csv_writer.moc"
