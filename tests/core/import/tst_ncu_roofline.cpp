// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_metrics.h"

#include <QTest>
#include <map>

#include "core/import/ncu/ncu_roofline_section.h"
#include "tests/support/folder_tests.h"
#include "tests/support/ncu_section_writer.h"
#include "tests/support/qt_strings.h"

namespace tst_ncu_roofline {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

using Metrics = std::map<std::string, double, std::less<>>;

std::vector<NcuRooflineChart> evaluate(const FixtureSection& section, const Metrics& metrics,
                                       std::optional<std::uint32_t> arch = 80) {
    const std::string message = write_section(section);
    std::vector<NcuRooflineChart> charts;
    ncu::evaluate_roofline_section(
        ncu::decode_roofline_section(message), arch,
        [&](std::string_view name) -> std::optional<double> {
            const auto it = metrics.find(name);
            return it == metrics.end() ? std::nullopt : std::optional(it->second);
        },
        charts);
    return charts;
}

/// A section with one chart that has one point: `work` over a traffic of "bytes".
FixtureSection section_with_work(const FixtureChartMetric& work,
                                 const std::vector<FixtureDefinition>& definitions = {}) {
    return {"Section", definitions, {{"Chart", {}, {}, {{"Point", {{work}, {}}, {{{{"bytes", {}}}}, {}}}}}}};
}

std::optional<double> work_of(const FixtureSection& section, const Metrics& metrics,
                              std::optional<std::uint32_t> arch = 80) {
    const auto charts = evaluate(section, metrics, arch);
    return charts.at(0).points.at(0).work;
}

const Metrics classic{{"sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained", 6912},
                      {"sm__cycles_elapsed.avg.per_second", 1.1e9},
                      {"dram__bytes.sum.peak_sustained", 1280},
                      {"dram__cycles_elapsed.avg.per_second", 1.215e9},
                      {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum.per_cycle_elapsed", 10},
                      {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum.per_cycle_elapsed", 20},
                      {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.per_cycle_elapsed", 100},
                      {"smsp__cycles_elapsed.avg.per_second", 1e9},
                      {"dram__bytes.sum.per_second", 1e12}};

}  // namespace

class TestNcuRoofline : public QObject {
    Q_OBJECT

  private slots:
    void the_classic_chart_is_evaluated() {
        const auto charts = evaluate(dram_roofline_section('f'), classic);
        QCOMPARE(charts.size(), std::size_t{1});
        QCOMPARE(charts[0].section, std::string("SpeedOfLight_RooflineChart"));
        QCOMPARE(charts[0].label, std::string("Floating Point Operations Roofline"));
        const NcuRoof& roof = charts[0].roofs.at(0);
        QCOMPARE(roof.label, std::string("Single Precision Roofline"));
        QCOMPARE(roof.peak_work.value(), 2 * 6912 * 1.1e9);
        QCOMPARE(roof.peak_traffic.value(), 1280 * 1.215e9);
        QCOMPARE(roof.work_expression, std::string("derived__sm__sass_thread_inst_executed_op_ffma_pred_on_x2"
                                                   " * sm__cycles_elapsed.avg.per_second"));
        QCOMPARE(roof.traffic_expression,
                 std::string("dram__bytes.sum.peak_sustained * dram__cycles_elapsed.avg.per_second"));
        const NcuRooflineDot& point = charts[0].points.at(0);
        QCOMPARE(point.label, std::string("Single Precision Achieved Value"));
        QCOMPARE(point.work.value(), (10 + 20 + 2 * 100) * 1e9);
        QCOMPARE(point.traffic.value(), 1e12);
        QVERIFY(point.missing.empty());
    }
    void a_stored_derived_metric_goes_before_its_definition() {
        Metrics metrics = classic;
        metrics["derived__smsp__sass_thread_inst_executed_op_ffma_pred_on_x2"] = 7;
        QCOMPARE(evaluate(dram_roofline_section('f'), metrics)[0].points[0].work.value(),
                 (10 + 20 + 7) * 1e9);
    }
    void missing_inputs_are_named_and_never_zero() {
        Metrics metrics = classic;
        metrics.erase("smsp__sass_thread_inst_executed_op_fmul_pred_on.sum.per_cycle_elapsed");
        metrics.erase("dram__bytes.sum.per_second");
        const auto charts = evaluate(dram_roofline_section('f'), metrics);
        const NcuRooflineDot& point = charts[0].points.at(0);
        QVERIFY(!point.work.has_value());
        QVERIFY(!point.traffic.has_value());
        QCOMPARE(point.missing, (std::vector<std::string>{
                                    "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum.per_cycle_elapsed",
                                    "dram__bytes.sum.per_second"}));
        QVERIFY(charts[0].roofs[0].peak_work.has_value());
    }
    void zero_work_is_a_value() {
        QCOMPARE(work_of(section_with_work({{"w", {}}}), {{"w", 0}}).value(), 0.0);
    }
    void the_first_choice_for_the_gpu_that_has_a_value_is_taken() {
        const FixtureSection section = section_with_work(
            {{"base", {{}, 70}}, {"middle", {75, 86}}, {"again", {80, 80}}, {"new", {90, {}}}});
        const Metrics metrics{{"base", 1}, {"middle", 2}, {"again", 3}, {"new", 4}};
        QCOMPARE(work_of(section, metrics, 70).value(), 1.0);
        QCOMPARE(work_of(section, metrics, 80).value(), 2.0);
        QCOMPARE(work_of(section, metrics, 120).value(), 4.0);
        QCOMPARE(work_of(section, {{"again", 3}}, 80).value(), 3.0);
        QVERIFY(!work_of(section, {{"base", 1}}, 80).has_value());
        QVERIFY(!work_of(section, metrics, 72).has_value());
    }
    void an_unknown_gpu_takes_what_is_there() {
        const FixtureSection section = section_with_work({{"base", {{}, 70}}, {"new", {90, {}}}});
        QCOMPARE(work_of(section, {{"new", 4}}, std::nullopt).value(), 4.0);
    }
    void charts_for_other_gpus_are_left_out() {
        FixtureSection section = section_with_work({{"w", {}}});
        section.charts.push_back(section.charts[0]);
        section.charts[0].arch = {70, 75};
        section.charts[1].arch = {80, 80};
        section.charts[1].label = "Ampere";
        const auto charts = evaluate(section, {{"w", 1}});
        QCOMPARE(charts.size(), std::size_t{1});
        QCOMPARE(charts[0].label, std::string("Ampere"));
    }

    void expressions_of_two_operands_are_computed_data() {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<bool>("computed");
        QTest::addColumn<double>("value");
        QTest::newRow("product") << "a.sum * 128" << true << 768.0;
        QTest::newRow("quotient") << "a.sum / b" << true << 3.0;
        QTest::newRow("sum") << "a.sum + b" << true << 8.0;
        QTest::newRow("difference") << "b - 0.5" << true << 1.5;
        QTest::newRow("operand alone") << "a.sum" << true << 6.0;
        QTest::newRow("division by zero") << "a.sum / 0" << false << 0.0;
        QTest::newRow("unknown metric") << "c * 2" << false << 0.0;
        QTest::newRow("unknown operator") << "a.sum % b" << false << 0.0;
        QTest::newRow("no second operand") << "a.sum *" << false << 0.0;
        QTest::newRow("three operands") << "a.sum * b * b" << false << 0.0;
        QTest::newRow("empty") << "" << false << 0.0;
        QTest::newRow("itself") << "derived * 2" << false << 0.0;
    }
    void expressions_of_two_operands_are_computed() {
        QFETCH(QString, expression);
        QFETCH(bool, computed);
        QFETCH(double, value);
        const FixtureSection section =
            section_with_work({{"derived", {}}}, {{"derived", expression.toStdString(), {}}});
        const auto work = work_of(section, {{"a.sum", 6}, {"b", 2}});
        QCOMPARE(work.has_value(), computed);
        if (computed) QCOMPARE(*work, value);
    }
    void definitions_hold_for_their_gpus_only() {
        const FixtureSection section = section_with_work(
            {{"derived", {}}}, {{"derived", "a * 2", {{}, 75}}, {"derived", "a * 4", {80, {}}}});
        QCOMPARE(work_of(section, {{"a", 1}}, 75).value(), 2.0);
        QCOMPARE(work_of(section, {{"a", 1}}, 90).value(), 4.0);
        QVERIFY(!work_of(section, {{"a", 1}}, 78).has_value());
    }
    void values_that_overflow_are_absent() {
        const FixtureSection section = section_with_work({{"d", {}}}, {{"d", "a * a", {}}});
        QVERIFY(!work_of(section, {{"a", 1e300}}).has_value());
    }
    void equal_sections_are_decoded_once() {
        const std::string one = write_section(dram_roofline_section('f'));
        const std::string same = one;
        const std::string other = write_section(dram_roofline_section('d'));
        ncu::RooflineSections sections;
        const ncu::RooflineSection* first = &sections.decoded(one);
        QVERIFY(&sections.decoded(same) == first);
        QVERIFY(&sections.decoded(other) != first);
        QCOMPARE(sections.decoded(other).charts.at(0).roofs.at(0).label,
                 std::string("Double Precision Roofline"));
    }
};

}  // namespace tst_ncu_roofline

ROOFWALK_TEST(tst_ncu_roofline, TestNcuRoofline, NoApplication)
#include "tst_ncu_roofline.moc"
