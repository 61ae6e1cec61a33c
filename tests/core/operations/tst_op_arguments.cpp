// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/op_registry.h"
#include "tests/core/operations/modelled.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_op_arguments {

using namespace roofwalk;
using test::modelled;
using test::refusal;

namespace {

std::string shown(std::string_view text) {
    std::string list;
    for (const OperationArgument& argument : modelled(text).arguments)
        list +=
            (list.empty() ? "" : " ") + argument.name + "=" + argument.value + (argument.given ? "!" : "");
    return list;
}

}  // namespace

class TestOpArguments : public QObject {
    Q_OBJECT

  private slots:
    void defaults_are_filled_in_and_told_apart() {
        QCOMPARE(shown("softmax rows=2 cols=3"),
                 std::string("rows=2! cols=3! flops=5 dtype=fp16 out_dtype=fp16 pipe=auto"));
    }
    void a_default_may_follow_another_parameter() {
        QCOMPARE(shown("gemm m=1 n=2 k=3 dtype=bf16 b=fp8"),
                 std::string("m=1! n=2! k=3! batch=1 dtype=bf16! a=bf16 b=fp8! c=bf16 beta=0 pipe=auto"));
        QCOMPARE(shown("spmv rows=9 nnz=3").substr(0, 14), std::string("rows=9! cols=9"));
    }
    void numbers_may_be_typed_as_formulas() {
        QCOMPARE(shown("copy n=2^20").substr(0, 10), std::string("n=1048576!"));
        QCOMPARE(shown("copy n=1e8").substr(0, 12), std::string("n=100000000!"));
    }
    void words_are_read_in_any_case_and_under_other_names() {
        QCOMPARE(shown("softmax rows=2 cols=3 type=HALF pipe=FP16"),
                 std::string("rows=2! cols=3! flops=5 dtype=fp16! out_dtype=fp16 pipe=fp16!"));
        QVERIFY(shown("axpy n=1 store=false").find("store=no!") != std::string::npos);
        QVERIFY(shown("axpy n=1 store=1").find("store=yes!") != std::string::npos);
    }
    void every_choice_of_a_parameter_is_a_value_of_it() {
        std::size_t choices = 0;
        for (const OperationSpec* spec : operations())
            for (const ParameterSpec& parameter : spec->parameters)
                for (const std::string& choice : choices_of(parameter)) {
                    ++choices;
                    std::vector<WrittenArgument> written{{std::string(parameter.name), choice}};
                    for (const ParameterSpec& needed : spec->parameters)
                        if (needed.required() && needed.name != parameter.name)
                            written.push_back({std::string(needed.name), "1"});
                    const auto read = read_arguments(*spec, written);
                    QVERIFY2(read.has_value(), read ? "" : read.error().what.c_str());
                    QCOMPARE(read->text(parameter.name), choice);
                }
        QVERIFY(choices > 500);
        QVERIFY(choices_of(operations().front()->parameters.front()).empty());  // a number
    }
    void wrong_values_are_refused_with_what_is_allowed_data() {
        QTest::addColumn<QString>("words");
        const char* rows[][2] = {
            {"copy n=0", "n=0 is not possible (copy). n: elements of a vector, a whole number of 1 to 2^53"},
            {"copy n=-4", "n=-4 is not possible"},
            {"copy n=1.5", "n=1.5 is not possible"},
            {"copy n=nan", "n=nan is not possible (copy, column 1: The formula uses 'nan'"},
            {"copy n=inf", "n=inf is not possible"},
            {"copy n=1e999", "n=1e999 is not possible"},
            {"copy n=2^54", "n=2^54 is not possible"},
            {"copy n=", "n has no value yet"},
            {"copy n=4 dtype=fp12", "dtype: type of an element, one of fp64, fp32, tf32"},
            {"copy n=4 pipe=fpga", "auto or one of fp64, fp32, fp16, tensor.fp64"},
            {"axpy n=4 fma=3", "one of 1, 2"},
            {"axpy n=4 store=maybe", "yes or no"},
            {"softmax rows=1 cols=1 flops=-1", "flops=-1 is not possible (softmax)"},
            {"softmax rows=1 cols=1 flops=1/0", "divides by zero"},
            {"copy",
             "copy needs n (copy). n: elements of a vector, a whole number of 1 to 2^53; as in: copy n=1e8"},
            {"copy n=1 n=2", "'n' is given twice"},
            {"conv2d n=1 batch=2 c=1 h=1 k=1 r=1", "'batch' is given twice"},
            {"copy n=1 dtyp=fp16", "copy has no parameter 'dtyp' (copy). Did you mean dtype? It takes n, "},
            {"custom flops=1 read=1 max=3", "'max' cannot be the name of a number"},
            {"custom flops=1 read=1 n=x", "uses 'x', which has no value (n=, column 1)"},
            {"custom flops=1 read=1 n=1 n=2", "'n' is given twice"},
            {"custom flops=\"\" read=1", "flops has no value yet"}};
        for (const auto& [text, words] : rows)
            QTest::newRow(text) << QString(words);
    }
    void wrong_values_are_refused_with_what_is_allowed() {
        QFETCH(QString, words);
        const std::string said = refusal(QTest::currentDataTag());
        QVERIFY2(said.find(words.toStdString()) != std::string::npos, said.c_str());
    }
    void strange_words_do_not_fill_the_sentence() {
        QVERIFY(refusal("copy n=" + std::string(3000, '7')).size() < 300);
        QVERIFY(refusal("copy " + std::string(3000, 'a') + "=1").size() < 300);
    }
};

}  // namespace tst_op_arguments

ROOFWALK_TEST(tst_op_arguments, TestOpArguments, NoApplication)
#include "tst_op_arguments.moc"
