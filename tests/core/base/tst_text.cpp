// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/base/text.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_text {

using namespace roofwalk;

class TestText : public QObject {
    Q_OBJECT

  private slots:
    void si_prefixes_carry_the_unit() {
        QCOMPARE(format_si(1.234e12, "FLOP/s"), std::string("1.23 TFLOP/s"));
        QCOMPARE(format_si(999.9996e9, "B/s"), std::string("1.00 TB/s"));
        QCOMPARE(format_si(224.576e-6, "s"), std::string("225 µs"));
        QCOMPARE(format_si(0, "B"), std::string("0 B"));
        QCOMPARE(format_si(-2.5e3, "B"), std::string("-2.50 kB"));
    }
    void quantities_name_their_unit() {
        QCOMPARE(format(ByteRate(2.039e12)), std::string("2.04 TB/s"));
        QCOMPARE(format(Hertz(1.0946e9)), std::string("1.095 GHz"));
        QCOMPARE(format(Intensity(0.16667)), std::string("0.167 FLOP/byte"));
        QCOMPARE(format(Intensity(9876)), std::string("9876 FLOP/byte"));
        QCOMPARE(format(Intensity(1024)), std::string("1024 FLOP/byte"));
        QCOMPARE(format(Intensity(999.6)), std::string("1000 FLOP/byte"));
        QCOMPARE(format(Intensity(1365.33)), std::string("1365 FLOP/byte"));
        QCOMPARE(format(Intensity(9999.6)), std::string("10,000 FLOP/byte"));
        QCOMPARE(format(Intensity(457e6)), std::string("4.57e8 FLOP/byte"));
    }
    void plain_numbers_avoid_exponents() {
        QCOMPARE(format_number(153.02), std::string("153"));
        QCOMPARE(format_number(0.0625), std::string("0.0625"));
        QCOMPARE(format_number(123456), std::string("123,000"));
        QCOMPARE(format_number(9'994'000), std::string("9,990,000"));
        QCOMPARE(format_number(456'789'000), std::string("4.57e8"));
        QCOMPARE(format_number(-1e9), std::string("-1.00e9"));
        QCOMPARE(format_factor(3.44), std::string("3.44x"));
        QCOMPARE(format_factor(1.25), std::string("1.25x"));
        QCOMPARE(format_factor(1 / 0.86), std::string("1.16x"));
        QCOMPARE(format_factor(14.46), std::string("14.5x"));
        QCOMPARE(format_factor(1), std::string("1.00x"));
        QCOMPARE(format_percent(0.294), std::string("29.4 %"));
        QCOMPARE(format_percent(0.00991), std::string("0.991 %"));
        QCOMPARE(format_percent(1.504), std::string("150.4 %"));
        QCOMPARE(format_percent(6e-8), std::string("< 0.001 %"));
        QCOMPARE(format_percent(0), std::string("0 %"));
        QCOMPARE(format_count(1234567), std::string("1,234,567"));
    }
    void strange_words_are_cut_and_cleaned() {
        QCOMPARE(quoted_word("a\xFF"), std::string("'a\xEF\xBF\xBD'"));
        QVERIFY(quoted_word(std::string(500, 'x')).size() < 60);
    }
    void a_hundred_per_cent_looks_the_same_however_it_is_reached() {
        for (const double share : {1.0, 0.99999, 0.9996, 1.0004})
            QCOMPARE(format_percent(share), std::string("100.0 %"));
        QCOMPARE(format_percent(0.9994), std::string("99.9 %"));
    }
    void shares_get_as_many_digits_as_tell_them_apart() {
        QCOMPARE(format_percents_apart(1.86e-9, 0.3).first, std::string("< 0.001 %"));
        using Pair = std::pair<std::string, std::string>;
        QCOMPARE(format_percents_apart(0.5, 0.6), Pair("50.0 %", "60.0 %"));
        QCOMPARE(format_percents_apart(0.86397, 0.864), Pair("86.397 %", "86.400 %"));
        QCOMPARE(format_percents_apart(0.9999, 1), Pair("99.99 %", "100.00 %"));
        QCOMPARE(format_percents_apart(0.6, 0.6), Pair("60.0 %", "60.0 %"));
    }
    void xml_escapes_every_special_character() {
        QCOMPARE(escape_xml("a<b> & \"c\" 'd'"), std::string("a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;"));
        QCOMPARE(escape_xml(std::string_view("\x01", 1)), std::string("\xEF\xBF\xBD"));
        QCOMPARE(escape_xml("\xEF\xBF\xBF"), std::string("\xEF\xBF\xBD"));
    }
    void invalid_utf8_is_replaced_and_trailing_nul_dropped() {
        QCOMPARE(clean_utf8(std::string_view("app\0", 4)), std::string("app"));
        QCOMPARE(clean_utf8("a\xFF\xE2\x82z"), std::string("a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDz"));
        QCOMPARE(clean_utf8("µ€😀"), std::string("µ€😀"));
    }
    void what_steers_a_terminal_is_replaced_data() {
        QTest::addColumn<QString>("character");
        for (const char16_t c : {u'\x01', u'\t', u'\r', u'\x1b', u'\x7f', u'\u0080', u'\u009b', u'\u061c',
                                 u'\u200e', u'\u2028', u'\u202e', u'\u2066', u'\u2069'})
            QTest::addRow("U+%04X", static_cast<unsigned>(c)) << QString(QChar(c));
    }
    void what_steers_a_terminal_is_replaced() {
        QFETCH(QString, character);
        const std::string text = ("a" + character + "b").toStdString();
        QCOMPARE(printable(text), std::string("a\uFFFDb"));
        QCOMPARE(one_line(text), std::string("a b"));
        QCOMPARE(printable_lines(text + "\n"), std::string("a\uFFFDb\n"));
        const std::string escaped =
            QString("a\\u%1b").arg(character[0].unicode(), 4, 16, QChar('0')).toStdString();
        QCOMPARE(with_escapes(text), escaped);
        const std::string shown = quote_shell_shown(text);
        QVERIFY(shown.starts_with("$'a\\") && printable(shown) == shown);
    }
    void text_that_steers_nothing_stays() {
        for (const std::string_view text : {"", "f<int>(float*)", "größe_µ€😀", "数組", "a\u200db"}) {
            QCOMPARE(printable(text), std::string(text));
            QCOMPARE(with_escapes(text), std::string(text));
            QCOMPARE(quote_shell_shown(text), quote_shell(text));
        }
        QCOMPARE(printable("two\nlines"), std::string("two\uFFFDlines"));
        QCOMPARE(quote_shell_shown("it's\x1b"), std::string("$'it\\'s\\033'"));
    }
    void plain_text_steers_nothing() {
        QVERIFY(is_plain_text("µ€😀 dram__bytes.sum"));
        QVERIFY(is_plain_text(""));
        for (const char* text : {"a\x01", "a\n", "\x7F", "a\xFF", "\xE2\x82", "a\u009bm", "a\u202eb"})
            QVERIFY(!is_plain_text(text));
    }
    void shell_words_are_quoted_when_needed() {
        QCOMPARE(quote_shell("./app"), std::string("./app"));
        QCOMPARE(quote_shell("a b"), std::string("'a b'"));
        QCOMPARE(quote_shell("it's; rm -rf /"), std::string("'it'\\''s; rm -rf /'"));
        QCOMPARE(quote_shell(""), std::string("''"));
    }
};

}  // namespace tst_text

ROOFWALK_TEST(tst_text, TestText, NoApplication)
#include "tst_text.moc"
