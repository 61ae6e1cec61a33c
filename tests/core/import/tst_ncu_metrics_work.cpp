// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <limits>

#include "tests/core/import/fake_ncu_metrics.h"
#include "tests/support/qt_strings.h"

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr Pipe fp64{PipeKind::fp64};
constexpr Pipe fp32{PipeKind::fp32};
constexpr Pipe fp16{PipeKind::fp16};

/// Single-precision matrix product of 1024 x 1024 x 1024 on an A10G, as Nsight Compute 2023.1.1 stored it.
FakeNcuMetrics sgemm_on_a10g() {
    FakeNcuMetrics metrics;
    metrics.values = {
        {"gpu__time_duration.sum", 431648},
        {"smsp__cycles_elapsed.avg.per_second", 1315081269.92},
        {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum.per_cycle_elapsed", 0},
        {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum.per_cycle_elapsed", 0},
        {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.per_cycle_elapsed", 1891.548775817305},
    };
    return metrics;
}

void set_totals(FakeNcuMetrics& metrics, const std::string& type, double add, double mul, double fma) {
    const auto name = [&](const char* operation) {
        return "smsp__sass_thread_inst_executed_op_" + type + operation + "_pred_on.sum";
    };
    metrics.values[name("add")] = add;
    metrics.values[name("mul")] = mul;
    metrics.values[name("fma")] = fma;
}

}  // namespace

class TestNcuMetricsWork : public QObject {
    Q_OBJECT

  private slots:
    void matrix_product_from_rates_is_exact() {
        const auto applied = apply(sgemm_on_a10g());
        QCOMPARE(applied.work(fp32), std::optional(2147483648.0));
        QCOMPARE(applied.launch.duration->value(), 431648e-9);
        QVERIFY(applied.source(fp32).find("op_ffma_pred_on.sum.per_cycle_elapsed") != std::string::npos);
    }

    void what_was_not_collected_is_absent() {
        const auto applied = apply(sgemm_on_a10g());
        QVERIFY(!applied.launch.find(fp64));
        QVERIFY(!applied.launch.find(fp16));
        QVERIFY(applied.launch.traffic.empty());
    }

    void measured_zero_is_kept() {
        FakeNcuMetrics metrics;
        set_totals(metrics, "d", 0, 0, 0);
        QCOMPARE(apply(metrics).work(fp64), std::optional(0.0));
    }

    void totals_go_before_rates() {
        FakeNcuMetrics metrics = sgemm_on_a10g();
        set_totals(metrics, "f", 1, 10, 100);
        QCOMPARE(apply(metrics).work(fp32), std::optional(211.0));
    }

    void packed_half_instructions_count_twice() {
        FakeNcuMetrics metrics;
        set_totals(metrics, "h", 1, 10, 100);
        QCOMPARE(apply(metrics).work(fp16), std::optional(422.0));
    }

    void operation_without_counter_is_zero_only_when_its_opcode_never_ran() {
        FakeNcuMetrics metrics;
        metrics.values["smsp__sass_thread_inst_executed_op_hfma_pred_on.sum"] = 100;
        QVERIFY(!apply(metrics).launch.find(fp16));

        metrics.opcodes.emplace();
        QCOMPARE(apply(metrics).work(fp16), std::optional(400.0));

        (*metrics.opcodes)["HADD2"] = 1;
        QVERIFY(!apply(metrics).launch.find(fp16));
    }

    void packed_single_instructions_of_blackwell_are_added() {
        FakeNcuMetrics metrics;
        set_totals(metrics, "f", 0, 0, 8);
        metrics.values["smsp__sass_thread_inst_executed_op_ffma2_pred_on.sum"] = 4;
        QCOMPARE(apply(metrics).work(fp32), std::optional(32.0));
    }

    void sm_counters_serve_where_smsp_counters_are_missing() {
        FakeNcuMetrics metrics;
        for (const char* operation : {"dadd", "dmul", "dfma"})
            metrics.values["sm__sass_thread_inst_executed_op_" + std::string(operation) + "_pred_on.sum"] = 3;
        QCOMPARE(apply(metrics).work(fp64), std::optional(12.0));
    }

    void not_a_number_is_absent() {
        FakeNcuMetrics metrics = sgemm_on_a10g();
        metrics.values["gpu__time_duration.sum"] = std::numeric_limits<double>::quiet_NaN();
        set_totals(metrics, "d", std::numeric_limits<double>::infinity(), 0, 0);
        const auto applied = apply(metrics);
        QVERIFY(!applied.launch.duration);
        QVERIFY(applied.launch.work.empty());
    }

    void duration_falls_back_to_the_old_name_and_to_cycles() {
        FakeNcuMetrics metrics;
        metrics.values = {{"gpu__time_duration", 2000}};
        QCOMPARE(apply(metrics).launch.duration->value(), 2e-6);
        metrics.values = {{"sm__cycles_elapsed.avg", 3e6}, {"sm__cycles_elapsed.avg.per_second", 1.5e9}};
        QCOMPARE(apply(metrics).launch.duration->value(), 2e-3);
        metrics.values = {{"sm__cycles_elapsed.avg", 3e6}};
        QVERIFY(!apply(metrics).launch.duration);
    }

    void uncounted_half_arithmetic_is_told() {
        FakeNcuMetrics metrics;
        set_totals(metrics, "f", 0, 0, 100);
        metrics.opcodes = {{"HFMA2", 1000}, {"FFMA", 10}};
        const auto applied = apply(metrics);
        QCOMPARE(applied.profile.warnings.size(), std::size_t(1));
        QCOMPARE(applied.profile.warnings[0].message.code, ErrorCode::not_understood);
        QCOMPARE(*applied.profile.warnings[0].launch, LaunchIndex{0});

        metrics.opcodes = {{"HFMA2", 1}, {"FFMA", 10}};
        QVERIFY(apply(metrics).profile.warnings.empty());
    }

    void no_functions_mean_nothing_collected() {
        const auto applied = apply(NcuMetrics{}, Device{});
        QVERIFY(applied.launch.work.empty());
        QVERIFY(!applied.launch.ceilings);
    }
};

QTEST_APPLESS_MAIN(TestNcuMetricsWork)
#include "tst_ncu_metrics_work.moc"
