// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/op_registry.h"

#include <set>

#include "tests/core/operations/modelled.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_op_registry {

using namespace roofwalk;
using test::modelled;

class TestOpRegistry : public QObject {
    Q_OBJECT

  private slots:
    void operations_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < operations().size(); ++i)
            QTest::addRow("%s", std::string(operations()[i]->name).c_str()) << static_cast<int>(i);
    }
    void operations_are_complete() {
        QFETCH(int, index);
        const OperationSpec& spec = *operations()[static_cast<std::size_t>(index)];
        for (const std::string_view text : {spec.summary, spec.work, spec.traffic, spec.source})
            QVERIFY(!text.empty());
        std::set<std::string_view> names;
        for (const ParameterSpec& parameter : spec.parameters) {
            QVERIFY2(!parameter.meaning.empty(), std::string(parameter.name).c_str());
            QVERIFY(names.insert(parameter.name).second);
            QVERIFY(parameter.alias.empty() || names.insert(parameter.alias).second);
            if (parameter.default_value.starts_with('='))
                QVERIFY(names.contains(parameter.default_value.substr(1)));
        }
        QVERIFY(names.contains("pipe"));
    }
    void operations_are_complete_data() { operations_data(); }
    void the_example_is_modelled_and_reads_back() {
        QFETCH(int, index);
        const OperationSpec& spec = *operations()[static_cast<std::size_t>(index)];
        const OperationModel model = modelled(spec.example);
        QCOMPARE(model.operation, std::string(spec.name));
        QVERIFY(!model.work.empty());
        QVERIFY(model.compulsory().value() > 0);
        const OperationModel again = modelled(to_text(model));
        QVERIFY(again.arguments == model.arguments);
        QCOMPARE(again.total_work(), model.total_work());
        QCOMPARE(again.bytes_moved(), model.bytes_moved());
    }
    void the_example_is_modelled_and_reads_back_data() { operations_data(); }
    void names_and_aliases_are_unique() {
        std::set<std::string_view> names;
        for (const OperationSpec* spec : operations()) {
            QVERIFY2(names.insert(spec->name).second, std::string(spec->name).c_str());
            for (const std::string_view alias : split_choices(spec->aliases))
                QVERIFY2(names.insert(alias).second, std::string(alias).c_str());
        }
    }
    void an_operation_is_found_by_any_of_its_names() {
        QCOMPARE(find_operation("matmul")->name, std::string_view("gemm"));
        QCOMPARE(find_operation("SAXPY")->name, std::string_view("axpy"));
        QCOMPARE(find_operation("flash-attention")->name, std::string_view("attention_prefill"));
        QVERIFY(!find_operation("attention"));
        QVERIFY(!find_operation(""));
    }
    void an_unknown_operation_is_answered_with_the_nearest_names() {
        const Error error = unknown_operation("gem");
        QVERIFY(error.code == ErrorCode::bad_argument);
        QCOMPARE(error.what, std::string("There is no operation 'gem'"));
        QVERIFY2(error.hint.starts_with("Did you mean gemm, gemv"), error.hint.c_str());
        QVERIFY(error.hint.find("Known are gemm, gemv, attention_prefill") != std::string::npos);
        // Prefill and decode are different points, so there is no "attention" (S4-09), but both are named.
        QVERIFY(unknown_operation("attention").hint.find("attention_prefill, attention_decode") !=
                std::string::npos);
        QVERIFY(unknown_operation(std::string(100'000, 'x')).what.size() < 100);
    }
};

}  // namespace tst_op_registry

ROOFWALK_TEST(tst_op_registry, TestOpRegistry, NoApplication)
#include "tst_op_registry.moc"
