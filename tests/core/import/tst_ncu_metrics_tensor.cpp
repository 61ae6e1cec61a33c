// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/import/ncu/ncu_tensor_work.h"
#include "tests/core/import/fake_ncu_metrics.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_ncu_metrics_tensor {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr double matrix_4096 = 2.0 * 4096 * 4096 * 4096;

FakeNcuMetrics paths(std::map<std::string, double, std::less<>> totals) {
    FakeNcuMetrics metrics;
    for (const auto& [path, total] : totals)
        metrics.values["sm__ops_path_tensor_" + path + ".sum"] = total;
    return metrics;
}

double operations_of(std::string_view form) {
    const auto opcode = tensor_opcode(form);
    return opcode ? opcode->operations : -1;
}

std::string pipe_of(std::string_view form) {
    const auto opcode = tensor_opcode(form);
    return opcode ? id_of(opcode->pipe) : std::string();
}

std::string pipe_of_path(std::string_view metric) {
    const auto path = tensor_path(metric);
    return path ? id_of(path->pipe) : std::string();
}

}  // namespace

class TestNcuMetricsTensor : public QObject {
    Q_OBJECT

  private slots:
    void matrix_product_on_turing_is_exact_by_counter_and_by_opcode() {
        FakeNcuMetrics metrics;
        metrics.values = {
            {"gpu__time_duration.sum", 97795008},
            {"sm__cycles_elapsed.avg.per_second", 585168800},
            {"sm__ops_path_tensor_src_fp16_bf16_tf32_dst_fp32.sum.per_cycle_elapsed",
             matrix_4096 / 97.795008e-3 / 585168800},
        };
        QCOMPARE(apply(metrics).work({PipeKind::tensor_fp16}), std::optional(matrix_4096));

        FakeNcuMetrics older;
        older.opcode_forms = {{"HMMA.1688.F32", 67108864}};
        QCOMPARE(apply(older).work({PipeKind::tensor_fp16}), std::optional(matrix_4096));
    }

    void shapes_give_operations() {
        QCOMPARE(operations_of("HMMA.16816.F32"), 4096.0);
        QCOMPARE(operations_of("HMMA.1688.F32.TF32"), 2048.0);
        QCOMPARE(operations_of("IMMA.8816.S8.S8.SAT"), 2048.0);
        QCOMPARE(operations_of("IMMA.16832.S8.S8.SAT"), 8192.0);
        QCOMPARE(operations_of("DMMA.884"), 512.0);
        QCOMPARE(operations_of("HMMA.884.F32.F32.STEP0"), 512.0);
        QCOMPARE(operations_of("HMMA.884.F16.F16.STEP0"), 1024.0);
        QCOMPARE(operations_of("HGMMA.64x128x16.F32"), 65536.0);
        QCOMPARE(operations_of("HMMA"), -1.0);
        QCOMPARE(operations_of("HMMA.99999x1x1"), -1.0);
        QCOMPARE(operations_of("HFMA2.MMA"), -1.0);
    }

    void modifiers_give_pipes() {
        QCOMPARE(pipe_of("HMMA.16816.F32"), std::string("tensor.fp16"));
        QCOMPARE(pipe_of("HMMA.16816.F16"), std::string("tensor.fp16.acc16"));
        QCOMPARE(pipe_of("HMMA.16816.F32.BF16"), std::string("tensor.bf16"));
        QCOMPARE(pipe_of("HMMA.1688.F32.TF32"), std::string("tensor.tf32"));
        QCOMPARE(pipe_of("HMMA.SP.16832.F32"), std::string("tensor.fp16.sparse"));
        QCOMPARE(pipe_of("IMMA.16864.S4.S4"), std::string("tensor.int4"));
        QCOMPARE(pipe_of("DMMA.884"), std::string("tensor.fp64"));
        QCOMPARE(pipe_of("BMMA.168256.XOR.POPC"), std::string("tensor.int1"));
    }

    void path_names_give_pipes() {
        QCOMPARE(pipe_of_path("sm__ops_path_tensor_src_fp16_dst_fp16_sparsity_off.sum"),
                 std::string("tensor.fp16.acc16"));
        QCOMPARE(pipe_of_path("sm__ops_path_tensor_src_fp16_bf16_tf32_dst_fp32.sum"),
                 std::string("tensor.fp16"));
        QCOMPARE(pipe_of_path("sm__ops_path_tensor_op_hgmma_src_bf16_dst_fp32_sparsity_on.sum"),
                 std::string("tensor.bf16.sparse"));
        QCOMPARE(pipe_of_path("sm__ops_path_tensor_op_utcqmma_src_fp4_fp6_fp8_dst_fp32_sparsity_off.sum"),
                 std::string("tensor.fp8"));
        QCOMPARE(pipe_of_path("sm__ops_path_tensor_src_int8.sum"), std::string("tensor.int8"));
        QCOMPARE(pipe_of_path("sm__ops_path_tensor_src_posit.sum"), std::string());
        QCOMPARE(pipe_of_path("sm__inst_executed_pipe_tensor.sum"), std::string());
    }

    void type_and_its_instructions_are_never_added() {
        const auto applied = apply(paths({{"src_bf16_dst_fp32", 300},
                                          {"op_hgmma_src_bf16_dst_fp32_sparsity_off", 100},
                                          {"op_hgmma_src_bf16_dst_fp32_sparsity_on", 150},
                                          {"op_hmma_src_bf16_dst_fp32_sparsity_off", 50}}));
        QCOMPARE(applied.work({PipeKind::tensor_bf16, false}), std::optional(150.0));
        QCOMPARE(applied.work({PipeKind::tensor_bf16, true}), std::optional(150.0));
    }

    void type_is_taken_when_its_instructions_do_not_add_up() {
        const auto applied =
            apply(paths({{"src_bf16_dst_fp32", 300}, {"op_hgmma_src_bf16_dst_fp32_sparsity_off", 100}}));
        QCOMPARE(applied.work({PipeKind::tensor_bf16}), std::optional(300.0));
        QCOMPARE(applied.launch.work.size(), std::size_t(1));
    }

    void tensor_pipes_without_work_are_not_listed() {
        const auto applied = apply(paths({{"src_int8", 0}, {"src_fp64", 0}}));
        QVERIFY(applied.launch.work.empty());
        QVERIFY(applied.profile.warnings.empty());
    }

    void counters_go_before_opcodes() {
        FakeNcuMetrics metrics = paths({{"src_fp16_dst_fp32_sparsity_off", 1000}});
        metrics.opcode_forms = {{"HMMA.16816.F32", 1}};
        QCOMPARE(apply(metrics).work({PipeKind::tensor_fp16}), std::optional(1000.0));
    }

    void counters_that_saw_nothing_while_opcodes_ran_are_told() {
        FakeNcuMetrics metrics = paths({{"src_fp16_dst_fp32_sparsity_off", 0}});
        metrics.opcode_forms = {{"HMMA.16816.F32", 2}};
        const auto applied = apply(metrics);
        QCOMPARE(applied.work({PipeKind::tensor_fp16}), std::optional(8192.0));
        QCOMPARE(applied.profile.warnings.at(0).message.code, ErrorCode::contradiction);
    }

    void pipe_instructions_are_estimates() {
        FakeNcuMetrics metrics;
        metrics.values = {{"smsp__inst_executed_pipe_tensor.sum", 10}};
        const auto volta = apply(metrics, device_of(7, 0, 80));
        QCOMPARE(volta.work({PipeKind::tensor_fp16}), std::optional(5120.0));
        QCOMPARE(volta.launch.work[0].origin, Origin::estimated);
        QVERIFY(volta.source({PipeKind::tensor_fp16}).find("sums in FP32") != std::string::npos);

        const auto turing = apply(metrics, device_of(7, 5, 48));
        QCOMPARE(turing.work({PipeKind::tensor_any}), std::optional(20480.0));
        QCOMPARE(turing.launch.work[0].origin, Origin::estimated);
        QVERIFY(turing.source({PipeKind::tensor_any}).find("approximate") != std::string::npos);

        const auto hopper = apply(metrics, device_of(9, 0, 132));
        QVERIFY(hopper.launch.work.empty());
        QCOMPARE(hopper.profile.warnings.at(0).message.code, ErrorCode::not_understood);
    }

    void half_instructions_on_the_tensor_pipe_of_a100_are_no_tensor_work() {
        for (const std::string unit : {"smsp", "sm"}) {
            FakeNcuMetrics metrics;
            metrics.values = {{unit + "__inst_executed_pipe_tensor.sum", 10},
                              {unit + "__sass_thread_inst_executed_op_hfma_pred_on.sum", 320},
                              {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", 0.5}};
            const auto applied = apply(metrics, device_of(8, 0, 108));
            QVERIFY(applied.launch.work.empty());
            QVERIFY(applied.profile.warnings.empty());
        }
    }

    void counters_of_instructions_go_before_the_busy_share_of_the_tensor_pipe() {
        const Device a100 = device_of(8, 0, 108);
        const auto tensor_is_unknown = [](const FakeNcuMetrics& metrics, const Device& device) {
            const auto applied = apply(metrics, device);
            return applied.launch.uncounted.tensor || !applied.profile.warnings.empty();
        };
        FakeNcuMetrics busy;
        busy.values = {{"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", 1.21}};
        QVERIFY(tensor_is_unknown(busy, a100));

        FakeNcuMetrics all = busy;
        all.values["smsp__inst_executed_pipe_tensor.sum"] = 0;
        QVERIFY(!tensor_is_unknown(all, a100));

        FakeNcuMetrics kinds = busy;
        for (const char* kind : {"hmma", "imma", "dmma"})
            kinds.values["sm__inst_executed_pipe_tensor_op_" + std::string(kind) +
                         ".avg.pct_of_peak_sustained_active"] = 0;
        QVERIFY(!tensor_is_unknown(kinds, a100));
        QVERIFY(tensor_is_unknown(kinds, device_of(9, 0, 132)));  // HGMMA was not counted
        kinds.values["sm__inst_executed_pipe_tensor_op_gmma.avg.pct_of_peak_sustained_active"] = 0;
        QVERIFY(!tensor_is_unknown(kinds, device_of(9, 0, 132)));
        QVERIFY(tensor_is_unknown(kinds, device_of(10, 0, 148)));
        kinds.values["sm__inst_executed_pipe_tensor_op_dmma.avg.pct_of_peak_sustained_active"] = 2;
        QVERIFY(tensor_is_unknown(kinds, a100));

        FakeNcuMetrics hopper = busy;  // runs HFMA2, as elementwise kernels of PyTorch do
        hopper.values
            ["sm__pipe_tensor_type_hmma_hgmma_qgmma_imma_igmma_bmma_bgmma_cycles_active.avg.pct_of_peak_"
             "sustained_elapsed"] = 0;
        hopper.values["sm__pipe_tensor_op_dmma_cycles_active.avg.pct_of_peak_sustained_elapsed"] = 0;
        QVERIFY(!tensor_is_unknown(hopper, device_of(9, 0, 132)));
        hopper.values["sm__pipe_tensor_op_dmma_cycles_active.avg.pct_of_peak_sustained_elapsed"] = 2;
        QVERIFY(tensor_is_unknown(hopper, device_of(9, 0, 132)));

        FakeNcuMetrics one = busy;  // says nothing of the other kinds
        one.values["sm__inst_executed_pipe_tensor_op_imma.avg.pct_of_peak_sustained_active"] = 0;
        QVERIFY(tensor_is_unknown(one, a100));
    }

    void busy_tensor_pipe_without_counts_is_told() {
        FakeNcuMetrics metrics;
        metrics.values = {{"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", 40}};
        QCOMPARE(apply(metrics).profile.warnings.size(), std::size_t(1));
        metrics.opcodes.emplace();
        QVERIFY(apply(metrics).profile.warnings.empty());
        for (const char* opcode : {"HGMMA", "BMMA", "BGMMA", "QMMA", "OMMA", "UTCQMMA", "UTCOMMA"}) {
            metrics.opcodes = {{opcode, 7}};
            QCOMPARE(apply(metrics).profile.warnings.size(), std::size_t(1));
            QCOMPARE(apply(metrics).launch.uncounted, UncountedWork{.tensor = true});
        }
    }

    void what_was_counted_stays_beside_tensor_work_that_was_not() {
        FakeNcuMetrics metrics;
        for (const char* operation : {"fadd", "fmul", "ffma"})
            metrics.values["smsp__sass_thread_inst_executed_op_" + std::string(operation) + "_pred_on.sum"] =
                10;
        metrics.opcodes = {{"UTCHMMA", 7}};
        metrics.opcode_forms = {{"UTCHMMA.2CTA", 7}};
        const auto applied = apply(metrics, device_of(9, 0, 132));
        QCOMPARE(applied.work({PipeKind::fp32}), std::optional(40.0));
        QCOMPARE(applied.launch.uncounted, UncountedWork{.tensor = true});

        metrics.values["sm__ops_path_tensor_src_fp16_dst_fp32.sum"] = 1000;
        QVERIFY(!apply(metrics, device_of(9, 0, 132)).launch.uncounted.any());
    }

    void one_form_that_cannot_be_read_leaves_the_others_a_lower_bound() {
        FakeNcuMetrics metrics;
        metrics.opcode_forms = {{"HMMA.16816.F32", 2}, {"QMMA.16832.F32.E4M3.E4M3", 2}};
        const auto applied = apply(metrics);
        QCOMPARE(applied.work({PipeKind::tensor_fp16}), std::optional(8192.0));
        QCOMPARE(applied.launch.uncounted, UncountedWork{.tensor = true});
    }

    void dense_instruction_is_the_ceiling_not_the_sparse_type() {
        FakeNcuMetrics metrics;
        const auto peak = [&](const std::string& path, double of_sm) {
            metrics.values["sm__ops_path_tensor_" + path + ".sum.peak_sustained"] = of_sm * 114;
        };
        peak("src_bf16_dst_fp32", 8192);
        peak("op_hgmma_src_bf16_dst_fp32_sparsity_off", 4096);
        peak("op_hgmma_src_bf16_dst_fp32_sparsity_on", 8192);
        peak("op_hmma_src_bf16_dst_fp32_sparsity_off", 2730.67);
        peak("src_fp64", 256);
        metrics.values["sm__cycles_elapsed.avg.per_second"] = 1e9;
        const auto applied = apply(metrics, device_of(9, 0, 114));
        QCOMPARE(applied.ceiling({PipeKind::tensor_bf16}), std::optional(4096e9 * 114));
        QCOMPARE(applied.ceiling({PipeKind::tensor_bf16, true}), std::optional(8192e9 * 114));
        QCOMPARE(applied.ceiling({PipeKind::tensor_fp64}), std::optional(256e9 * 114));
    }

    void share_of_busy_time_gives_the_ceiling_of_the_only_tensor_pipe() {
        FakeNcuMetrics metrics;
        metrics.values = {
            {"gpu__time_duration.sum", 233068736},
            {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", 98.94941124563188}};
        metrics.opcode_forms = {{"HMMA.16816.F32", 17280000000.0}};
        const auto applied = apply(metrics, device_of(8, 0, 108));
        const double expected = 2048.0 * 108 * 1387563103.2408936;
        QVERIFY(std::abs(*applied.ceiling({PipeKind::tensor_fp16}) / expected - 1) < 1e-6);
    }
};

}  // namespace tst_ncu_metrics_tensor

ROOFWALK_TEST(tst_ncu_metrics_tensor, TestNcuMetricsTensor, NoApplication)
#include "tst_ncu_metrics_tensor.moc"
