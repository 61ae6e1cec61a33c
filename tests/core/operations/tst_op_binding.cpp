// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/op_binding.h"

#include <QTest>

#include "core/model/profile_builder.h"
#include "core/operations/op_model.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_op_binding {

using namespace roofwalk;

namespace {

/// A launch of a kernel, inside NVTX ranges, with what the file says of its operation.
struct Made {
    std::string kernel;
    NvtxStack ranges = {};
    std::string algorithm = {};
};

Profile profile_of(const std::vector<Made>& list) {
    ProfileBuilder builder;
    builder.profile().sources.emplace_back();
    builder.profile().devices.emplace_back();
    for (const Made& made : list) {
        Launch& launch = builder.profile().launches.emplace_back();
        launch.kernel = builder.kernel({made.kernel}, [&] { return Kernel{made.kernel, {}, {}}; });
        launch.nvtx = builder.nvtx(made.ranges);
        launch.algorithm = builder.profile().texts.intern(made.algorithm);
    }
    return builder.take();
}

LaunchOperations bound(const std::vector<Made>& list, const Bindings& bindings = {}) {
    return bind_operations(profile_of(list), bindings);
}

/// "rule: gemm m=1 n=2 k=3", or "none".
std::string said(const LaunchOperations& operations, std::uint32_t launch) {
    const auto operation = operations.of(static_cast<LaunchIndex>(launch));
    return operation ? std::string(id_of(operation->source)) + ": " + operation->text : "none";
}

BindingRule on_name(std::string pattern, std::string operation) {
    return {std::move(pattern), std::move(operation), RuleSubject::kernel_name};
}

UserBinding by_hand(std::string kernel, std::string operation,
                    std::optional<std::uint32_t> launch = std::nullopt, bool suggested = false) {
    return {std::move(kernel), launch, std::move(operation), suggested};
}

std::string only_problem(const LaunchOperations& operations) {
    return operations.problems.size() == 1 ? to_line(operations.problems.front())
                                           : std::to_string(operations.problems.size()) + " problems";
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

class TestOpBinding : public QObject {
    Q_OBJECT

  private slots:
    void a_product_of_no_type_has_the_type_of_its_pipe() {
        Profile profile = profile_of({{"k", {}, "gemm m=8 n=8 k=8"},
                                      {"k", {}, "gemm m=8 n=8 k=8"},
                                      {"k", {}, "gemm[m=8,n=8,k=8,dtype=fp16]"},
                                      {"k", {}, "gemv m=8 n=8"}});
        for (Launch& launch : profile.launches)
            launch.work = {{.pipe = {PipeKind::fp32}, .work = Flops(1e6)}};
        profile.launches[1].work = {{.pipe = {PipeKind::tensor_bf16}, .work = Flops(1e6)},
                                    {.pipe = {PipeKind::fp32}, .work = Flops(1e3)},
                                    {.pipe = {PipeKind::int32}, .work = Flops(1e7)}};
        const LaunchOperations operations = bind_operations(profile, {});
        QCOMPARE(said(operations, 0), std::string("profile: gemm m=8 n=8 k=8 dtype=fp32"));
        QVERIFY(operations.of(LaunchIndex{0})->why.find("fp32 by the pipe that it ran on") !=
                std::string::npos);
        QCOMPARE(operations.of(LaunchIndex{0})->model->compulsory().value(), 3 * 64 * 4.0);
        QCOMPARE(said(operations, 1), std::string("profile: gemm m=8 n=8 k=8 dtype=bf16"));
        QCOMPARE(said(operations, 2), std::string("profile: gemm[m=8,n=8,k=8,dtype=fp16]"));
        // A vector product widens what it reads: its pipe says nothing of how that is stored.
        QCOMPARE(said(operations, 3), std::string("profile: gemv m=8 n=8"));
        QCOMPARE(assumed_type(*operations.of(LaunchIndex{3})->model), std::string("dtype=fp16"));
        QCOMPARE(assumed_type(*operations.of(LaunchIndex{2})->model), std::string());
        QCOMPARE(operations.operations.size(), std::size_t{4});
        profile.launches[0].work.push_back({.pipe = {PipeKind::tensor_fp16}, .work = Flops(1e6)});
        QCOMPARE(said(bind_operations(profile, {}), 0), std::string("profile: gemm m=8 n=8 k=8"));
    }
    void a_rule_fills_its_captures_into_the_operation() {
        const auto operations =
            bound({{"void gemm_4096x128x64(float*)"}, {"saxpy"}},
                  {.user = {}, .rules = {on_name(R"(gemm_(\d+)x(\d+)x(\d+))", "gemm m=$1 n=$2 k=$3")}});
        QCOMPARE(said(operations, 0), std::string("rule: gemm m=4096 n=128 k=64"));
        QCOMPARE(operations.of(LaunchIndex{0})->why, std::string(R"(rule 1: gemm_(\d+)x(\d+)x(\d+))"));
        QCOMPARE(operations.of(LaunchIndex{0})->model->total_work().value(), 2.0 * 4096 * 128 * 64);
        QCOMPARE(said(operations, 1), std::string("none"));
        QVERIFY(operations.problems.empty());
        QCOMPARE(operations.bound_by_rule.at(0), 1U);
    }

    void one_rule_binds_ten_thousand_launches_in_one_step() {
        std::vector<Made> launches;
        for (int i = 0; i < 10'000; ++i) {
            const std::string size = std::to_string(64 * (1 + i % 100));
            launches.push_back({"void gemm_" + size + "x" + size + "x64(float*)"});
        }
        launches.push_back({"softmax(float*)"});
        Bindings bindings;
        bindings.rules = {on_name(R"(gemm_(\d+)x(\d+)x(\d+))", "gemm m=$1 n=$2 k=$3 dtype=fp32")};
        const LaunchOperations operations = bound(launches, bindings);
        QVERIFY(operations.problems.empty());
        for (std::uint32_t launch = 0; launch < 10'000; ++launch) {
            const std::string size = std::to_string(64 * (1 + launch % 100));
            QCOMPARE(said(operations, launch), "rule: gemm m=" + size + " n=" + size + " k=64 dtype=fp32");
        }
        QCOMPARE(said(operations, 10'000), std::string("none"));
    }
    void a_rule_is_anchored_in_the_whole_name_or_in_the_one_that_is_shown() {
        const auto rule_of = [](const char* pattern) {
            return said(bound({{"void k_77(float*)"}}, {{}, {on_name(pattern, "copy n=1")}}), 0);
        };
        for (const char* pattern : {"k_77$", "^k_77$", "^void k_77", "\\(float\\*\\)$"})
            QCOMPARE(rule_of(pattern), std::string("rule: copy n=1"));
        QCOMPARE(rule_of("^k_7$"), std::string("none"));
    }

    void a_rule_on_the_nvtx_path_sees_every_range() {
        const BindingRule rule{"layer(\\d+) / ffn$", "gemm m=64 n=$1 k=8", RuleSubject::nvtx_path};
        const auto operations =
            bound({{"k", {"step", "layer12", "ffn"}}, {"k", {"layer12", "ffn", "x"}}, {"layer1 / ffn"}},
                  {{}, {rule}});
        QCOMPARE(said(operations, 0), std::string("rule: gemm m=64 n=12 k=8"));
        QCOMPARE(said(operations, 1), std::string("none"));
        QCOMPARE(said(operations, 2), std::string("none"));
    }

    void the_first_rule_that_binds_holds() {
        const auto operations =
            bound({{"abc"}}, {{}, {on_name("b", "copy n=1"), on_name("abc", "copy n=2")}});
        QCOMPARE(said(operations, 0), std::string("rule: copy n=1"));
        QVERIFY((operations.bound_by_rule == std::vector<std::uint32_t>{1, 0}));
    }

    void the_profile_goes_before_the_user_the_rules_and_accepted_suggestions() {
        Bindings bindings;
        bindings.user = {by_hand("k", "copy n=20"), by_hand("k", "copy n=40", {}, true)};
        bindings.rules = {on_name("k", "copy n=30")};
        const std::vector<Made> launches{
            {"k", {"copy[n=11]", "inner"}, "copy n=10"}, {"k", {"copy[n=11]", "inner"}}, {"k"}};
        auto operations = bound(launches, bindings);
        QCOMPARE(said(operations, 0), std::string("profile: copy n=10"));
        QCOMPARE(said(operations, 1), std::string("profile: copy[n=11]"));
        QCOMPARE(said(operations, 2), std::string("user: copy n=20"));
        bindings.user.erase(bindings.user.begin());
        operations = bound(launches, bindings);
        QCOMPARE(said(operations, 2), std::string("rule: copy n=30"));
        bindings.rules.clear();
        operations = bound(launches, bindings);
        QCOMPARE(said(operations, 2), std::string("suggestion: copy n=40"));
    }

    void the_innermost_range_that_is_an_operation_holds() {
        const auto operations =
            bound({{"k", {"gemm[m=1,n=1,k=1]", "gemm[m=2, n=2, k=2, dtype=fp16]", "tile"}}});
        QCOMPARE(said(operations, 0), std::string("profile: gemm[m=2, n=2, k=2, dtype=fp16]"));
        QCOMPARE(operations.of(LaunchIndex{0})->why,
                 std::string("NVTX range gemm[m=2, n=2, k=2, dtype=fp16]"));
    }

    void a_range_that_only_has_the_name_of_an_operation_means_nothing() {
        const auto operations = bound({{"k", {"copy", "softmax", "aten::mm, sizes=[[1]]", "layers[3]"}}});
        QCOMPARE(said(operations, 0), std::string("none"));
        QVERIFY(operations.problems.empty());
        QVERIFY(operations.of_launch.empty());
    }

    void a_range_that_is_half_an_operation_is_told_and_the_outer_one_tried() {
        const auto operations = bound({{"k", {"copy[n=3]", "gemm[m=4]"}}});
        QCOMPARE(said(operations, 0), std::string("profile: copy[n=3]"));
        QVERIFY2(contains(only_problem(operations), "gemm needs n"), only_problem(operations).c_str());
    }

    void several_kernels_in_one_operation_range_are_told() {
        const NvtxStack range{"gemm[m=8,n=8,k=8]"};
        const auto operations = bound({{"splitk", range}, {"reduce", range}, {"splitk", range}});
        QCOMPARE(said(operations, 1), std::string("profile: gemm[m=8,n=8,k=8]"));
        QVERIFY2(contains(only_problem(operations), "2 different kernels ran inside one NVTX range"),
                 only_problem(operations).c_str());
        QVERIFY(bound({{"gemm", range}, {"gemm", range}}).problems.empty());
    }

    void one_launch_may_be_bound_by_itself() {
        Bindings bindings;
        bindings.user = {by_hand("k", "copy n=1"), by_hand("k", "copy n=2", 1)};
        const auto operations = bound({{"k"}, {"other"}, {"k"}, {"k"}}, bindings);
        QCOMPARE(said(operations, 0), std::string("user: copy n=1"));
        QCOMPARE(said(operations, 1), std::string("none"));
        QCOMPARE(said(operations, 2), std::string("user: copy n=2"));
        QCOMPARE(said(operations, 3), std::string("user: copy n=1"));
    }

    void a_rule_that_gives_no_operation_binds_nothing_and_the_others_go_on() {
        const auto operations =
            bound({{"gemm_abc"}, {"gemm_xyz"}, {"gemm_7"}, {"axpy"}},
                  {{}, {on_name("gemm_(.*)", "gemm m=$1 n=8 k=8"), on_name("gemm_|axpy", "copy n=5")}});
        QCOMPARE(said(operations, 0), std::string("rule: copy n=5"));
        QCOMPARE(said(operations, 2), std::string("rule: gemm m=7 n=8 k=8"));
        QCOMPARE(said(operations, 3), std::string("rule: copy n=5"));
        const std::string problem = only_problem(operations);
        QVERIFY2(contains(problem, "Rule 1: m=abc is not possible"), problem.c_str());
        QVERIFY2(contains(problem, "gemm_abc"), problem.c_str());
        QVERIFY2(contains(problem, "1 more like it"), problem.c_str());
    }

    void a_rule_that_can_never_work_is_told_with_its_number_data() {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("operation");
        QTest::addColumn<QString>("words");
        QTest::newRow("no pattern") << "gemm("
                                    << "copy n=1"
                                    << "The pattern cannot be used";
        QTest::newRow("empty") << ""
                               << "copy n=1"
                               << "The pattern is empty";
        QTest::newRow("look-ahead") << "a(?=b)"
                                    << "copy n=1"
                                    << "The pattern cannot be used";
        QTest::newRow("back-reference") << R"((a)\1)"
                                        << "copy n=1"
                                        << "The pattern cannot be used";
        QTest::newRow("too long") << QString(1001, 'a') << "copy n=1"
                                  << "1001 bytes is too long";
        QTest::newRow("too large") << "((a{100}){100}){100}"
                                   << "copy n=1"
                                   << "The pattern cannot be used";
        QTest::newRow("missing group") << "(a)"
                                       << "copy n=$2"
                                       << "$2 is asked for, but the pattern has 1 group";
        QTest::newRow("bare $") << "(a)"
                                << "copy n=$"
                                << "A $ without a number";
        QTest::newRow("unknown operation") << "a"
                                           << "gemn m=1"
                                           << "gemn";
        QTest::newRow("unknown with captures") << "(a)"
                                               << "gemn m=$1"
                                               << "gemn";
        QTest::newRow("no number") << "a"
                                   << "copy n=many"
                                   << "n=many is not possible";
    }
    void a_rule_that_can_never_work_is_told_with_its_number() {
        QFETCH(QString, pattern);
        QFETCH(QString, operation);
        QFETCH(QString, words);
        const auto operations = bound(
            {{"a"}}, {{},
                      {on_name("z", "copy n=9"), on_name(pattern.toStdString(), operation.toStdString()),
                       on_name("a", "copy n=1")}});
        const std::string problem = only_problem(operations);
        QVERIFY2(problem.starts_with("Rule 2: "), problem.c_str());
        QVERIFY2(contains(problem, words.toStdString()), problem.c_str());
        QCOMPARE(said(operations, 0), std::string("rule: copy n=1"));
    }

    void what_a_profile_states_wrongly_is_told_once() {
        const auto operations = bound({{"a", {}, "gemm m=4"}, {"b", {}, "gemm m=4"}, {"c", {}, "copy n=2"}});
        QCOMPARE(said(operations, 0), std::string("none"));
        QCOMPARE(said(operations, 2), std::string("profile: copy n=2"));
        QVERIFY2(contains(only_problem(operations), "An operation that the profile states cannot be used"),
                 only_problem(operations).c_str());
    }

    void what_a_person_typed_wrongly_is_told() {
        const auto operations = bound({{"k"}}, {{by_hand("k", "copy m=4")}, {}});
        QCOMPARE(said(operations, 0), std::string("none"));
        QVERIFY2(contains(only_problem(operations), "bound by hand to 'k'"),
                 only_problem(operations).c_str());
    }

    void problems_are_told_up_to_a_number() {
        std::vector<Made> launches;
        for (int i = 0; i < 300; ++i)
            launches.push_back({"k", {"gemm[m=" + std::to_string(i) + "]"}});
        const auto operations = bound(launches);
        QCOMPARE(operations.problems.size(), 1U);
        Bindings bindings;
        for (int i = 0; i < 300; ++i)
            bindings.user.push_back(by_hand("k" + std::to_string(i), "nothing"));
        const auto many = bound({{"k"}}, bindings);
        QCOMPARE(many.problems.size(), 101U);
        QCOMPARE(many.problems.back().what, std::string("200 further bindings could not be used"));
    }

    void hostile_names_and_patterns_take_linear_time() {
        const std::string name(16000, 'a');
        const std::string beyond(20000, 'a');
        const auto operations =
            bound({{name}, {beyond}, {"a"}},
                  {{},
                   {on_name("(a+)+b", "copy n=1"), on_name("(a|aa)*c", "copy n=2"),
                    on_name("^(((a?){9}){9}){9}$", "copy n=3"), on_name("^a*$", "copy n=4")}});
        QCOMPARE(said(operations, 0), std::string("rule: copy n=4"));
        QCOMPARE(said(operations, 1), std::string("none"));
        QCOMPARE(said(operations, 2), std::string("rule: copy n=3"));
    }

    void names_that_are_too_long_for_rules_are_told() {
        const auto operations = bound({{std::string(20000, 'a')}}, {{}, {on_name("a", "copy n=1")}});
        QVERIFY2(contains(only_problem(operations), "longer than 16,384 bytes: a name is passed over"),
                 only_problem(operations).c_str());
    }

    void equal_operations_are_modelled_once() {
        const auto operations = bound({{"a", {}, "copy n=2"}, {"b", {}, "copy n=2"}, {"c", {"copy[n=2]"}}});
        QCOMPARE(operations.operations.size(), 2U);
        QVERIFY(operations.of(LaunchIndex{0}) == operations.of(LaunchIndex{1}));
    }

    void a_launch_of_another_profile_has_no_operation() {
        QVERIFY(bound({{"a", {}, "copy n=2"}}).of(LaunchIndex{7}) == nullptr);
    }

    void binding_can_be_cancelled() {
        std::stop_source stop;
        stop.request_stop();
        const auto operations = bind_operations(profile_of({{"a", {}, "copy n=2"}}), {},
                                                {.report = {}, .stop = stop.get_token()});
        QVERIFY(operations.of(LaunchIndex{0}) == nullptr);
    }

    void rules_are_read_from_the_command_line() {
        auto rule = read_binding_rule(R"(gemm_(\d+)=gemm m=$1 n=8 k=8)");
        QVERIFY(rule.has_value());
        QVERIFY((*rule == on_name(R"(gemm_(\d+))", "gemm m=$1 n=8 k=8")));
        rule = read_binding_rule(R"(nvtx:a\x3db=copy n=8)");
        QVERIFY(rule.has_value());
        QVERIFY((*rule == BindingRule{R"(a\x3db)", "copy n=8", RuleSubject::nvtx_path}));
        QVERIFY(contains(to_line(read_binding_rule("gemm").error()), "no = between"));
        QVERIFY(contains(to_line(read_binding_rule("a=b").error()), "'b'"));
    }

    void a_rule_as_text_reads_back_and_matches_the_same() {
        for (const BindingRule& rule :
             {on_name(R"(gemm_(\d+))", "gemm m=$1 n=8 k=8"), on_name("a=b", "copy n=8"),
              on_name("nvtx:x", "copy n=8"), BindingRule{"layer", "copy n=8", RuleSubject::nvtx_path}}) {
            const auto read = read_binding_rule(to_text(rule));
            QVERIFY(read.has_value());
            QCOMPARE(read->operation, rule.operation);
            QVERIFY(read->subject == rule.subject);
            for (const char* name : {"gemm_12", "a=b", "nvtx:x", "x", "layer"}) {
                const auto binds = [name](const BindingRule& one) {
                    return bound({{name}}, {{}, {one}}).of(LaunchIndex{0}) != nullptr;
                };
                QCOMPARE(binds(*read), binds(rule));
            }
        }
    }
};

}  // namespace tst_op_binding

ROOFWALK_TEST(tst_op_binding, TestOpBinding, NoApplication)
#include "tst_op_binding.moc"
