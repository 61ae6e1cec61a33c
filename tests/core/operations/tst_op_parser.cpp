// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/operations/op_parser.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_op_parser {

using namespace roofwalk;

namespace {

/// "name|a=1|b=2" of what was read, or the error.
std::string reading(std::string_view text) {
    const auto operation = read_operation(text);
    if (!operation) return "error: " + to_line(operation.error());
    std::string shown = operation->name;
    for (const WrittenArgument& argument : operation->arguments)
        shown += "|" + argument.name + "=" + argument.value;
    return shown;
}

}  // namespace

class TestOpParser : public QObject {
    Q_OBJECT

  private slots:
    void a_product_is_shown_by_its_sizes() {
        QCOMPARE(shown_operation("gemm m=64 n=11008 k=4096 dtype=bf16"),
                 std::string("GEMM 64 x 11008 x 4096, BF16"));
        QCOMPARE(shown_operation("gemm m=1 n=2 k=3 batch=8"), std::string("GEMM 1 x 2 x 3, batch 8"));
        QCOMPARE(shown_operation("copy n=5"), std::string("copy n=5"));
        QCOMPARE(shown_operation("no operation"), std::string("no operation"));
    }
    void forms_that_mean_the_same_data() {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"gemm m=1 n=2", "gemm[m=1,n=2]", "gemm(m=1,n=2)", " gemm  m = 1 , n=2 ", "gemm [ m=1 n=2 ] ",
              "gemm m='1' n=\"2\"", "gemm\tm=1\nn=2", "gemm,m=1,n=2,", "gemm[m=\"1\",n='2']"})
            QTest::newRow(text) << QString(text);
    }
    void forms_that_mean_the_same() {
        QFETCH(QString, text);
        QCOMPARE(reading(text.toStdString()), std::string("gemm|m=1|n=2"));
    }
    void a_value_may_be_left_out_until_it_is_known() {
        QCOMPARE(reading("gemm m= n=2 k="), std::string("gemm|m=|n=2|k="));
        QCOMPARE(to_text(*read_operation("gemm m= n=2 k=")), std::string("gemm m= n=2 k="));
        QCOMPARE(model_operation("gemm m=1 n= k=2").error().what, std::string("n has no value yet"));
    }
    void a_name_alone_is_an_operation() {
        QCOMPARE(reading("copy"), std::string("copy"));
        QCOMPARE(reading("copy[]"), std::string("copy"));
    }
    void values_may_be_formulas() {
        QCOMPARE(reading("custom flops=\"2 * max(n, 1)\" read=4*(n+1)"),
                 std::string("custom|flops=2 * max(n, 1)|read=4*(n+1)"));
        QCOMPARE(reading("custom(read=max(1,2),write=3)"), std::string("custom|read=max(1,2)|write=3"));
        QCOMPARE(reading("custom[read=max(1, 2), write=3]"), std::string("custom|read=max(1, 2)|write=3"));
    }
    void errors_name_the_column_data() {
        QTest::addColumn<QString>("words");
        const char* rows[][2] = {{"", "name of an operation is missing (column 1)"},
                                 {"  ", "name of an operation is missing (column 3)"},
                                 {"m=1", "'m=' stands where the name of an operation must stand (column 2)"},
                                 {"gemm 4096", "'4096' is no name=value (column 6)"},
                                 {"gemm =5", "'=5' is no name=value (column 6)"},
                                 {"gemm m=1 n", "'n' is no name=value (column 10)"},
                                 {"gemm[m=1", "The closing ] is missing (column 9)"},
                                 {"gemm(m=1", "The closing ) is missing (column 9)"},
                                 {"gemm[m=1] n=2", "Something follows the closing bracket (column 11)"},
                                 {"custom read=(1 write=2", "A ( of this value is never closed (column 13)"},
                                 {"gemm m=\"1", "quotation mark is never closed (column 8)"}};
        for (const auto& [text, words] : rows)
            QTest::newRow(*text ? text : "nothing") << QString(words);
    }
    void errors_name_the_column() {
        QFETCH(QString, words);
        const std::string tag = QTest::currentDataTag();
        const std::string said = reading(tag == "nothing" ? "" : tag);
        QVERIFY2(said.find(words.toStdString()) != std::string::npos, said.c_str());
    }
    void hostile_text_ends_in_an_error() {
        QVERIFY(reading(std::string(1'000'000, '[')).starts_with("error: 1000000 bytes"));
        QVERIFY(reading("gemm " + std::string(4000, '=')).starts_with("error: "));
        QVERIFY(reading("gemm[" + std::string(4000, '(')).starts_with("error: "));
        QVERIFY(reading(std::string_view("gemm \0=1", 8)).starts_with("gemm|"));
        QVERIFY(!model_operation(std::string_view("gemm \0=1", 8)));
        QVERIFY(reading("gemm \xFF\xFE").starts_with("error: "));
    }
};

}  // namespace tst_op_parser

ROOFWALK_TEST(tst_op_parser, TestOpParser, NoApplication)
#include "tst_op_parser.moc"
