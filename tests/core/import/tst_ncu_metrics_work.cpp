// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <limits>

#include "tests/core/import/fake_ncu_metrics.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_ncu_metrics_work {

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
        QVERIFY(applied.launch.instrumented);
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

    void a_counter_that_is_missing_makes_the_work_a_lower_bound_and_no_zero() {
        FakeNcuMetrics metrics;
        set_totals(metrics, "d", 0, 0, 0);
        set_totals(metrics, "f", 0, 0, 1e9);
        metrics.values.erase("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum");
        auto applied = apply(metrics);
        QVERIFY(!applied.launch.find(fp32));
        QVERIFY(applied.launch.uncounted.fp32 && !applied.launch.uncounted.fp64);
        metrics.values["smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"] = -1e7;  // cannot be
        QVERIFY(apply(metrics).launch.uncounted.fp32);
        metrics.values["smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"] = 0;
        QVERIFY(!apply(metrics).launch.uncounted.any());
    }
    void zeros_of_one_pipe_do_not_speak_for_another() {
        FakeNcuMetrics metrics;
        set_totals(metrics, "d", 0, 0, 0);
        QVERIFY(apply(metrics).launch.uncounted.fp32);
        set_totals(metrics, "d", 0, 0, 5);
        QVERIFY(!apply(metrics).launch.uncounted.fp32);
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

    void pipes_that_nothing_looked_at_are_named() {
        FakeNcuMetrics metrics = sgemm_on_a10g();
        QCOMPARE(apply(metrics).launch.unchecked,
                 (UncountedWork{.fp64 = true, .fp16 = true, .tensor = true}));
        QVERIFY(!apply(metrics).launch.uncounted.any());
        QVERIFY(!apply(metrics, device_of(6, 1, 20)).launch.unchecked.tensor);  // has none
        metrics.values["sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active"] = 0;
        metrics.values["sm__inst_executed_pipe_fp16.avg.pct_of_peak_sustained_elapsed"] = 0.2;
        QCOMPARE(apply(metrics).launch.unchecked, UncountedWork{.tensor = true});
        metrics.values["sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"] = 0;
        QVERIFY(!apply(metrics).launch.unchecked.any());
        QVERIFY(!apply(metrics).launch.uncounted.any());
        metrics.values["sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active"] = 40;
        QCOMPARE(apply(metrics).launch.uncounted, UncountedWork{.fp64 = true});
        QVERIFY(!apply(metrics).launch.unchecked.any());
    }

    void a_busy_pipe_of_fp32_may_work_on_integers() {
        FakeNcuMetrics metrics;
        set_totals(metrics, "d", 0, 0, 1e9);
        QVERIFY(apply(metrics).launch.unchecked.fp32);
        metrics.values["sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed"] = 50;
        QVERIFY(apply(metrics).launch.unchecked.fp32);
        QVERIFY(!apply(metrics).launch.uncounted.any());
        metrics.values["sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed"] = 0;
        QVERIFY(!apply(metrics).launch.unchecked.fp32);
    }

    void without_flop_or_with_opcodes_nothing_is_in_doubt() {
        FakeNcuMetrics metrics;
        metrics.values["gpu__time_duration.sum"] = 1e6;
        QVERIFY(!apply(metrics).launch.unchecked.any());
        set_totals(metrics, "f", 0, 0, 1e9);
        QVERIFY(apply(metrics).launch.unchecked.any());
        metrics.opcodes = {{"FFMA", 1e9}};
        QVERIFY(!apply(metrics).launch.unchecked.any());
    }

    void uncounted_half_arithmetic_is_told() {
        FakeNcuMetrics metrics;
        set_totals(metrics, "f", 0, 0, 100);
        metrics.opcodes = {{"HFMA2", 1000}, {"FFMA", 10}};
        const auto applied = apply(metrics);
        QCOMPARE(applied.launch.uncounted, UncountedWork{.fp16 = true});
        QCOMPARE(applied.work(fp32), std::optional(200.0));
        QCOMPARE(applied.profile.warnings.size(), std::size_t(1));
        QCOMPARE(applied.profile.warnings[0].message.code, ErrorCode::not_understood);
        QVERIFY(applied.profile.warnings[0].launches == std::vector{LaunchIndex{0}});

        metrics.opcodes = {{"HFMA2", 1}, {"FFMA", 10}};
        QVERIFY(apply(metrics).profile.warnings.empty());
        QVERIFY(!apply(metrics).launch.uncounted.any());
    }

    void half_adds_compute_where_half_fmas_may_load_constants() {
        FakeNcuMetrics metrics;
        set_totals(metrics, "f", 0, 0, 32000);
        metrics.values["sass__inst_executed_per_opcode"] = 10000;
        metrics.opcodes = {{"HFMA2", 900}, {"FFMA", 1000}};
        QVERIFY(!apply(metrics).launch.uncounted.any());
        metrics.opcodes = {{"HADD2", 100}, {"FFMA", 1000}};
        QVERIFY(apply(metrics).launch.uncounted.fp16);
        metrics.opcodes = {{"HMUL2_32I", 100}, {"FFMA", 1000}};
        QVERIFY(apply(metrics).launch.uncounted.fp16);
        metrics.opcodes = {{"HADD2", 5}, {"FFMA", 1000}};  // 320 of 64,000 FLOP
        QVERIFY(!apply(metrics).launch.uncounted.any());
    }

    void conversions_from_half_to_single_are_no_arithmetic() {
        FakeNcuMetrics metrics;
        set_totals(metrics, "f", 0, 0, 32000);
        metrics.opcodes = {{"HADD2", 1000}, {"FFMA", 1000}};
        metrics.opcode_forms = {{"HADD2.F32", 1000}, {"FFMA", 1000}};
        QVERIFY(!apply(metrics).launch.uncounted.any());
        metrics.opcode_forms = {{"HADD2.F32", 500}, {"HADD2", 500}, {"FFMA", 1000}};
        QVERIFY(apply(metrics).launch.uncounted.fp16);
    }

    void conversions_that_the_counter_takes_for_additions_are_no_work() {
        FakeNcuMetrics metrics;
        set_totals(metrics, "f", 0, 0, 32000);
        set_totals(metrics, "h", 32000, 0, 0);
        metrics.opcodes = {{"HADD2", 1000}, {"FFMA", 1000}};
        metrics.opcode_forms = {{"HADD2.F32", 1000}, {"FFMA", 1000}};
        QCOMPARE(apply(metrics).work(fp16), std::optional(0.0));
        QVERIFY(apply(metrics).source(fp16).find("HADD2.F32") != std::string::npos);
        metrics.opcode_forms = {{"HADD2.F32", 250}, {"HADD2", 750}, {"FFMA", 1000}};
        const auto part = apply(metrics);
        QCOMPARE(part.work(fp16), std::optional(48000.0));
        QCOMPARE(part.launch.find(fp16)->origin, Origin::estimated);
        metrics.opcode_forms = {{"HADD2", 1000}, {"FFMA", 1000}};
        QCOMPARE(apply(metrics).work(fp16), std::optional(64000.0));
        QCOMPARE(apply(metrics).launch.find(fp16)->origin, Origin::measured);
    }

    void additions_alone_beside_single_work_are_conversions_where_no_modifier_tells() {
        FakeNcuMetrics metrics;
        set_totals(metrics, "f", 0, 0, 32000);
        set_totals(metrics, "h", 32000, 0, 0);
        QCOMPARE(apply(metrics).work(fp16), std::optional(0.0));
        QCOMPARE(apply(metrics).work(fp32), std::optional(64000.0));
        set_totals(metrics, "h", 32000, 1, 0);
        QCOMPARE(apply(metrics).work(fp16), std::optional(64002.0));
        set_totals(metrics, "h", 32000, 0, 0);
        set_totals(metrics, "f", 0, 0, 0);
        QCOMPARE(apply(metrics).work(fp16), std::optional(64000.0));
    }

    void a_busy_half_pipe_tells_where_opcodes_were_not_counted() {
        FakeNcuMetrics metrics;
        set_totals(metrics, "f", 0, 0, 32000);
        double& busy = metrics.values["sm__inst_executed_pipe_fp16.avg.pct_of_peak_sustained_active"];
        busy = 0.5;
        QVERIFY(!apply(metrics).launch.uncounted.any());
        busy = 19;
        QVERIFY(apply(metrics).launch.uncounted.fp16);
        metrics.opcodes = {{"HADD2", 1000}, {"FFMA", 1000}};
        metrics.opcode_forms = {{"HADD2.F32", 1000}, {"FFMA", 1000}};
        QVERIFY(!apply(metrics).launch.uncounted.any());
    }

    void counted_half_fmas_that_only_load_constants_are_no_work() {
        // The SiLU kernel of an A100 in FP32: 33 HFMA2 a thread, and nothing else of FP16.
        FakeNcuMetrics metrics;
        set_totals(metrics, "d", 0, 0, 0);
        set_totals(metrics, "f", 67108864, 134217728, 606076928);
        set_totals(metrics, "h", 0, 0, 69206016);
        metrics.opcodes = {{"HFMA2", 2162688}, {"FFMA", 18939904}};
        QCOMPARE(apply(metrics).work(fp16), std::optional(0.0));
        QVERIFY(apply(metrics).source(fp16).find("277 MFLOP: HFMA2 loads constants") != std::string::npos);

        metrics.opcodes->emplace("F2FP", 1);
        QCOMPARE(apply(metrics).work(fp16), std::optional(276824064.0));
        metrics.opcodes.reset();
        QCOMPARE(apply(metrics).work(fp16), std::optional(276824064.0));
    }

    void a_kernel_of_half_fmas_keeps_its_work() {
        FakeNcuMetrics metrics;
        set_totals(metrics, "d", 0, 0, 0);
        set_totals(metrics, "f", 0, 10, 0);
        set_totals(metrics, "h", 0, 0, 32000);
        metrics.opcodes = {{"HFMA2", 1000}};
        QCOMPARE(apply(metrics).work(fp16), std::optional(128000.0));
    }

    void counted_half_arithmetic_is_not_missed() {
        FakeNcuMetrics metrics;
        set_totals(metrics, "f", 0, 0, 100);
        set_totals(metrics, "h", 0, 0, 100);
        metrics.opcodes = {{"HFMA2", 1000}, {"FFMA", 10}};
        QVERIFY(!apply(metrics).launch.uncounted.any());
    }

    void packed_single_arithmetic_of_blackwell_is_missed_unless_opcodes_prove_it_never_ran() {
        FakeNcuMetrics metrics;
        set_totals(metrics, "f", 0, 0, 8);
        const Device b200 = device_of(10, 0, 148);
        QCOMPARE(apply(metrics, b200).launch.uncounted, UncountedWork{.packed_fp32 = true});
        QCOMPARE(apply(metrics, b200).work(fp32), std::optional(16.0));
        QVERIFY(!apply(metrics, device_of(9, 0, 132)).launch.uncounted.any());
        QVERIFY(!apply(metrics, device_of(12, 0, 188)).launch.uncounted.any());

        metrics.opcodes = {{"FFMA", 1}};
        QVERIFY(!apply(metrics, b200).launch.uncounted.any());
        metrics.opcodes = {{"FFMA", 1}, {"FFMA2", 1}};
        QVERIFY(apply(metrics, b200).launch.uncounted.packed_fp32);
    }

    void packed_single_counters_make_the_work_whole() {
        FakeNcuMetrics metrics;
        set_totals(metrics, "f", 1, 10, 100);
        for (const char* operation : {"fadd2", "fmul2"})
            metrics.values["smsp__sass_thread_inst_executed_op_" + std::string(operation) + "_pred_on.sum"] =
                1000;
        const Device b200 = device_of(10, 0, 148);
        QVERIFY(apply(metrics, b200).launch.uncounted.packed_fp32);
        metrics.values["smsp__sass_thread_inst_executed_op_ffma2_pred_on.sum"] = 10000;
        QVERIFY(!apply(metrics, b200).launch.uncounted.any());
        QCOMPARE(apply(metrics, b200).work(fp32), std::optional(211.0 + 2 * 1000 + 2 * 1000 + 4 * 10000));
    }

    void work_that_is_wholly_unknown_is_no_lower_bound() {
        FakeNcuMetrics metrics;
        metrics.opcodes = {{"HADD2", 1000}, {"FFMA2", 1000}, {"FFMA", 1}};
        const auto applied = apply(metrics, device_of(10, 0, 148));
        QVERIFY(applied.launch.work.empty());
        QVERIFY(!applied.launch.uncounted.any());
    }

    void operations_without_a_counter_are_counted_by_the_opcodes_of_threads() {
        FakeNcuMetrics metrics;
        metrics.opcodes = {{"FFMA", 2}, {"FADD32I", 1}, {"FADD", 1}};
        metrics.thread_opcodes = {{"FFMA", 50}, {"FADD32I", 32}, {"FADD", 10}};
        const AppliedLaunch applied = apply(metrics);
        QCOMPARE(applied.work({PipeKind::fp32}), std::optional(2.0 * 50 + 32 + 10));
        QCOMPARE(applied.work({PipeKind::fp64}), std::optional(0.0));
        QVERIFY(!applied.launch.uncounted.any());
        // The counter goes first.
        set_totals(metrics, "f", 1, 2, 3);
        QCOMPARE(apply(metrics).work({PipeKind::fp32}), std::optional(1.0 + 2 + 2 * 3));
    }
    void half_fmas_that_may_load_constants_are_not_counted_by_their_opcode() {
        FakeNcuMetrics metrics;
        metrics.opcodes = {{"FFMA", 20}, {"HFMA2", 1}};
        metrics.thread_opcodes = {{"FFMA", 640}, {"HFMA2", 32}};
        const AppliedLaunch applied = apply(metrics);
        QCOMPARE(applied.work({PipeKind::fp32}), std::optional(2.0 * 640));
        QVERIFY(!applied.work({PipeKind::fp16}));
    }
    void more_threads_than_warps_have_are_no_count() {
        FakeNcuMetrics metrics;
        metrics.opcodes = {{"FFMA", 2}};
        metrics.thread_opcodes = {{"FFMA", 65}};
        QVERIFY(!apply(metrics).work({PipeKind::fp32}));
        QVERIFY(!apply(metrics).work({PipeKind::int32}));
    }
    void integer_instructions_of_threads_are_an_operation_each() {
        constexpr Pipe integer{PipeKind::int32};
        FakeNcuMetrics metrics;
        metrics.opcodes = {{"IMAD", 4}, {"LOP3", 2}, {"ISETP", 1}, {"UIADD3", 1},
                           {"FFMA", 1}, {"IMMA", 1}, {"MOV", 1}};
        metrics.thread_opcodes = {{"IMAD", 128}, {"LOP3", 33}, {"ISETP", 32}, {"UIADD3", 32},
                                  {"FFMA", 32},  {"IMMA", 32}, {"MOV", 32}};
        const AppliedLaunch bare = apply(metrics);
        QCOMPARE(bare.work(integer), std::optional(128.0 + 33 + 32));
        QVERIFY(bare.launch.find(integer)->origin == Origin::estimated);

        // Modifiers tell the copies of a register.
        metrics.thread_forms = {{"IMAD.MOV.U32", 96}, {"IMAD.WIDE", 32}, {"LOP3.LUT", 33},
                                {"ISETP.GE.AND", 32}, {"UIADD3", 32},    {"FFMA", 32},
                                {"MOV", 32}};
        const AppliedLaunch exact = apply(metrics);
        QCOMPARE(exact.work(integer), std::optional(32.0 + 33 + 32));
        QVERIFY(exact.launch.find(integer)->origin == Origin::measured);

        metrics.values["smsp__sass_thread_inst_executed_op_integer_pred_on.sum"] = 5;
        QCOMPARE(apply(metrics).work(integer), std::optional(5.0));
    }
    void integer_work_is_unknown_where_only_warps_were_counted() {
        FakeNcuMetrics metrics;
        metrics.opcodes = {{"IMAD", 4}};
        metrics.opcode_forms = {{"IMAD", 4}};
        QVERIFY(!apply(metrics).work({PipeKind::int32}));
    }
    void no_functions_mean_nothing_collected() {
        const auto applied = apply(NcuMetrics{}, Device{});
        QVERIFY(applied.launch.work.empty());
        QVERIFY(!applied.launch.ceilings);
    }
};

}  // namespace tst_ncu_metrics_work

ROOFWALK_TEST(tst_ncu_metrics_work, TestNcuMetricsWork, NoApplication)
#include "tst_ncu_metrics_work.moc"
