// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/operations/expression.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_expression {

using namespace roofwalk;

namespace {

const std::vector<NamedNumber> names{{"n", 4}, {"head_dim", 128}};

std::string what(const std::string& formula) {
    const auto value = evaluate(formula, names);
    return value ? "no error" : value.error().what;
}

std::string column(const std::string& formula) {
    const auto value = evaluate(formula, names);
    return value ? "no error" : value.error().where;
}

}  // namespace

class TestExpression : public QObject {
    Q_OBJECT

  private slots:
    void values_data() {
        QTest::addColumn<double>("value");
        const std::pair<const char*, double> rows[] = {{"1", 1},
                                                       {" 2 * 3 + 4 ", 10},
                                                       {"2+3*4", 14},
                                                       {"(2+3)*4", 20},
                                                       {"7-2-1", 4},
                                                       {"8/4/2", 1},
                                                       {"-2^2", -4},
                                                       {"2^-1", 0.5},
                                                       {"2^3^2", 512},
                                                       {"2--3", 5},
                                                       {"1e9", 1e9},
                                                       {".5", 0.5},
                                                       {"n*head_dim", 512},
                                                       {"min(3,1,2)", 1},
                                                       {"max(3, n)", 4},
                                                       {"ceil(7/2)", 4},
                                                       {"floor(7/2)", 3},
                                                       {"log2(1024)", 10},
                                                       {"sqrt(16)", 4},
                                                       {"5*n*log2(n)", 40},
                                                       {"2^1000", 0x1p1000}};
        for (const auto& [formula, value] : rows)
            QTest::newRow(formula) << value;
    }
    void values() {
        QFETCH(double, value);
        QCOMPARE(evaluate(QTest::currentDataTag(), names).value(), value);
    }
    void errors_name_the_column_data() {
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("words");
        const char* rows[][3] = {{"", "column 1", "ends where a value"},
                                 {"1+", "column 3", "ends where a value"},
                                 {"2*x", "column 3", "'x', which has no value"},
                                 {"nan", "column 1", "'nan', which has no value"},
                                 {"inf", "column 1", "'inf', which has no value"},
                                 {"4k", "column 2", "'k' is not expected"},
                                 {"1 2", "column 3", "'2' is not expected"},
                                 {"0x10", "column 2", "'x' is not expected"},
                                 {"(1+2", "column 1", "This ( is never closed"},
                                 {"1+2)", "column 4", "')' is not expected"},
                                 {"min(1", "column 1", "min( is never closed"},
                                 {"min 1", "column 5", "A ( must follow min"},
                                 {"log2(1,2)", "column 1", "log2 takes one value"},
                                 {"log2(0)", "column 1", "No finite number"},
                                 {"sqrt(-1)", "column 1", "No finite number"},
                                 {"5/(n-4)", "column 2", "divides by zero"},
                                 {"1e308*10", "column 6", "No finite number"},
                                 {"1e999", "column 1", "out of range"},
                                 {"10^400", "column 3", "No finite number"},
                                 {".", "column 1", "'.' is not expected"},
                                 {"2*é", "column 3", "'é' is not expected"},
                                 {"2;3", "column 2", "';' is not expected"}};
        for (const auto& [formula, place, words] : rows)
            QTest::newRow(*formula ? formula : "nothing") << QString(place) << QString(words);
    }
    void errors_name_the_column() {
        QFETCH(QString, place);
        QFETCH(QString, words);
        const std::string tag = QTest::currentDataTag();
        const std::string formula = tag == "nothing" ? "" : tag;
        QCOMPARE(column(formula), place.toStdString());
        QVERIFY2(what(formula).find(words.toStdString()) != std::string::npos, what(formula).c_str());
    }
    void an_unknown_name_gets_the_known_ones() {
        QCOMPARE(evaluate("m", names).error().hint, std::string("It may use n, head_dim."));
    }
    void nesting_is_bounded() {
        const auto nested = [](std::size_t depth) {
            return std::string(depth, '(') + "1" + std::string(depth, ')');
        };
        QCOMPARE(evaluate(nested(60)).value(), 1.0);
        QVERIFY(what(nested(100)).find("nested too deeply") != std::string::npos);
        QVERIFY(what(std::string(900, '-') + "1").find("nested too deeply") != std::string::npos);
        std::string towers = "1";
        for (int i = 0; i < 200; ++i)
            towers += "^1";
        QVERIFY(what(towers).find("nested too deeply") != std::string::npos);
    }
    void a_long_formula_is_refused_and_a_long_sum_is_not() {
        std::string sum = "1";
        while (sum.size() < 990)
            sum += "+1";
        QVERIFY(evaluate(sum).has_value());
        QVERIFY(what(std::string(100'000, '(')).find("too long") != std::string::npos);
    }
    void bytes_that_are_no_text_are_refused() {
        QVERIFY(!evaluate(std::string_view("1\0002", 3)));
        QVERIFY(!evaluate("\xFF"));
        QVERIFY(!evaluate("\xC3"));
    }
    void names_are_words_but_no_functions() {
        QVERIFY(is_formula_name("head_dim2"));
        QVERIFY(!is_formula_name(""));
        QVERIFY(!is_formula_name("2n"));
        QVERIFY(!is_formula_name("max"));
        QVERIFY(!is_formula_name("a b"));
    }
    void numbers_read_back() {
        for (const double value : {1.0, 4096.0, 0.1, 1e100, 9007199254740992.0, 1e-7})
            QCOMPARE(evaluate(number_text(value)).value(), value);
    }
};

}  // namespace tst_expression

ROOFWALK_TEST(tst_expression, TestExpression, NoApplication)
#include "tst_expression.moc"
