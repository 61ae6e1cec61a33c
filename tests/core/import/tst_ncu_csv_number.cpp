// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/import/csv/ncu_csv_number.h"
#include "tests/support/folder_tests.h"

namespace tst_ncu_csv_number {

using namespace roofwalk;

namespace {

NcuCsvNumberStyle style_of(const std::vector<std::string_view>& values) {
    NcuCsvNumberVotes votes;
    for (const std::string_view value : values)
        votes.add(value);
    return votes.style();
}

}  // namespace

class TestNcuCsvNumber : public QObject {
    Q_OBJECT

  private slots:
    void numbers_of_both_locales_are_read_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("number");
        QTest::newRow("plain") << "22.592000" << 22.592;
        QTest::newRow("thousands") << "5,376" << 5376.0;
        QTest::newRow("millions") << "16,777,216" << 16777216.0;
        QTest::newRow("both") << "1,234.5" << 1234.5;
        QTest::newRow("decimal comma") << "22,59" << 22.59;
        QTest::newRow("points between thousands") << "1.234.567" << 1234567.0;
        QTest::newRow("both, comma last") << "1.234,5" << 1234.5;
        QTest::newRow("decimal comma after a zero") << "0,125" << 0.125;
        QTest::newRow("decimal comma after many digits") << "12345,678" << 12345.678;
        QTest::newRow("negative decimal comma") << "-0,125" << -0.125;
        QTest::newRow("negative thousands") << "-5,376" << -5376.0;
        QTest::newRow("decimal comma and exponent") << "1,234e+06" << 1.234e6;
        QTest::newRow("exponent") << "1.5e+06" << 1.5e6;
        QTest::newRow("negative") << "-3" << -3.0;
        QTest::newRow("instances") << "720 (1; 2; 3)" << 720.0;
        QTest::newRow("number of instances") << "720,050.5 {3}" << 720050.5;
        QTest::newRow("lakhs and crores") << "2,92,42,197.33" << 29242197.33;
        QTest::newRow("a crore") << "1,67,45,848" << 16745848.0;
    }

    void numbers_of_both_locales_are_read() {
        QFETCH(QString, text);
        QFETCH(double, number);
        QCOMPARE(ncu_csv_number(text.toStdString()), std::optional(number));
    }

    void one_sign_before_three_digits_means_what_the_other_numbers_of_a_file_say() {
        constexpr NcuCsvNumberStyle commas{.decimal_commas = true};
        QCOMPARE(ncu_csv_number("117.344"), std::optional(117.344));
        QCOMPARE(ncu_csv_number("117.344", commas), std::optional(117344.0));
        QCOMPARE(ncu_csv_number("5,376", commas), std::optional(5.376));
        QCOMPARE(ncu_csv_number("22.59", commas), std::optional(22.59));
        QCOMPARE(ncu_csv_number("1,234.5", commas), std::optional(1234.5));
        for (const std::vector<std::string_view>& values : {std::vector<std::string_view>{"117.344", "65,77"},
                                                            {"13.490.336"},
                                                            {"1.234,5"},
                                                            {"0,125"},
                                                            {"0,5", "0,25", "5,376"}})
            QVERIFY(style_of(values).decimal_commas);
        for (const std::vector<std::string_view>& values : {std::vector<std::string_view>{},
                                                            {"117.344"},
                                                            {"5,376"},
                                                            {"65.77", "1,234,567"},
                                                            {"127.0.0.1", "535.104.05"},
                                                            {"65,77", "8.61"},
                                                            {"5,376", "117,344", "5,37"}})
            QVERIFY(!style_of(values).decimal_commas);
    }
    void one_group_of_two_digits_is_a_number_where_others_have_crores() {
        constexpr NcuCsvNumberStyle lakhs{.lakhs = true};
        QCOMPARE(ncu_csv_number("1,23,456", lakhs), std::optional(123456.0));
        QCOMPARE(ncu_csv_number("7,20,050.5 {3}", lakhs), std::optional(720050.5));
        QCOMPARE(ncu_csv_number("5,376", lakhs), std::optional(5376.0));
        QVERIFY(style_of({"1,23,456", "1,67,45,848"}).lakhs && style_of({"2,92,42,197.33 {3}"}).lakhs);
        QVERIFY(!style_of({"1,23,456", "1,376,512", "1,234,567,890", "1,2,3"}).lakhs);
    }

    void what_is_no_number_is_absent() {
        for (const std::string_view text :
             {"", "n/a", "nan", "inf", "(128, 1, 1)", "No-CC", "1,2,3.4.5", "e", "-", "1,23,456", "1,2,3",
              "123,45,678", "1.23.456", "1234,567,890", "0,123,456", "12,34.5"})
            QVERIFY(!ncu_csv_number(text));
    }

    void scaled_units_become_base_units() {
        QCOMPARE(ncu_csv_unit_factor("byte"), 1.0);
        QCOMPARE(ncu_csv_unit_factor("Kbyte"), 1e3);
        QCOMPARE(ncu_csv_unit_factor("Kbyte/block"), 1e3);
        QCOMPARE(ncu_csv_unit_factor("Tbyte/s"), 1e12);
        QCOMPARE(ncu_csv_unit_factor("Gbyte/second"), 1e9);
        QCOMPARE(ncu_csv_unit_factor("byte/ns"), 1e9);
        QCOMPARE(ncu_csv_unit_factor("cycle/nsecond"), 1e9);
        QCOMPARE(ncu_csv_unit_factor("cycle/usecond"), 1e6);
        QCOMPARE(ncu_csv_unit_factor("Ghz"), 1e9);
        QCOMPARE(ncu_csv_unit_factor("GHz"), 1e9);
        QCOMPARE(ncu_csv_unit_factor("Mhz"), 1e6);
        QCOMPARE(ncu_csv_unit_factor("us"), 1e3);
        QCOMPARE(ncu_csv_unit_factor("msecond"), 1e6);
        QCOMPARE(ncu_csv_unit_factor("second"), 1e9);
        QCOMPARE(ncu_csv_unit_factor("%"), 1.0);
        QCOMPARE(ncu_csv_unit_factor("inst/cycle"), 1.0);
        QCOMPARE(ncu_csv_unit_factor("register/thread"), 1.0);
        QCOMPARE(ncu_csv_unit_factor("Kernel"), 1.0);
        QCOMPARE(ncu_csv_unit_factor(""), 1.0);
    }
    void a_time_without_a_unit_of_time_and_bytes_without_bytes_are_not_known() {
        constexpr std::string_view time = "gpu__time_duration.sum";
        constexpr std::string_view bytes = "dram__bytes_read.sum";
        QCOMPARE(ncu_csv_unit_factor(time, "us").value(), 1e3);
        QCOMPARE(ncu_csv_unit_factor(bytes, "Kbyte").value(), 1e3);
        QCOMPARE(ncu_csv_unit_factor("dram__bytes_read.sum.per_second", "Gbyte/s").value(), 1e9);
        QCOMPARE(ncu_csv_unit_factor("dram__bytes.sum.pct_of_peak_sustained_elapsed", "%").value(), 1.0);
        for (const char* unit : {"", "xs", "Kbyte", "inst"})
            QVERIFY2(!ncu_csv_unit_factor(time, unit), unit);
        for (const char* unit : {"", "us", "sector", "xbyte"})
            QVERIFY2(!ncu_csv_unit_factor(bytes, unit), unit);
    }
};

}  // namespace tst_ncu_csv_number

ROOFWALK_TEST(tst_ncu_csv_number, TestNcuCsvNumber, NoApplication)
#include "tst_ncu_csv_number.moc"
