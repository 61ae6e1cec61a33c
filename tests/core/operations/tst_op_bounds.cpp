// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/match_device.h"
#include "core/operations/op_bounds.h"

#include "core/roofline/utilisation.h"
#include "tests/core/operations/modelled.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_op_bounds {

using namespace roofwalk;
using test::modelled;
using test::near;

namespace {

/// A machine of which only two ceilings are known.
Device machine(Pipe pipe, double flops, double bytes) {
    Device device;
    device.name = "machine";
    device.ceilings.compute.push_back({pipe, FlopRate(flops), {}});
    device.ceilings.bandwidth.push_back({Boundary::hbm_dram_rw, ByteRate(bytes), {}});
    return device;
}

const Pipe half{PipeKind::tensor_fp16};

/// What the operation reaches of the H100 of the published tables: 990 TFLOP/s, 3.35 TB/s.
double share_of_h100(std::string_view text) {
    const std::string on_tensor = std::string(text) + " pipe=tensor.fp16";
    const KernelPoint bounds = bounds_of(modelled(on_tensor), machine(half, 990e12, 3.35e12));
    return attainable_performance(bounds)->value() / 990e12;
}

KernelClass class_on(std::string_view device) {
    return bounds_of(modelled("gemm m=256 k=4096 n=11008"), *find_known_device(device)).verdict.kernel_class;
}

}  // namespace

class TestOpBounds : public QObject {
    Q_OBJECT

  private slots:
    void saxpy_takes_10_us_of_compute_and_1500_us_of_memory_S4_E1() {
        const KernelPoint bounds =
            bounds_of(modelled("axpy n=1e8"), machine(Pipe{PipeKind::fp32}, 20e12, 800e9));
        QVERIFY(near(bounds.pipes.at(0).bound->value(), 10e-6, 1e-12));
        QVERIFY(near(bounds.at(MemoryLevel::hbm)->bound->value(), 1.5e-3, 1e-12));
        QVERIFY(bounds.verdict.kernel_class == KernelClass::memory_bound);
        QVERIFY(near(attainable_performance(bounds)->value() / 1e9, 133.3, 0.05));
        QVERIFY(near(ridge_place(bounds)->ridge.value(), 25, 1e-9));
    }
    void an_ideal_gemm_changes_class_at_n_240_S4_E2() {
        const Device device = machine(half, 120e12, 1.5e12);
        const auto square = [&](std::string_view size) {
            return bounds_of(modelled("gemm m=" + std::string(size) + " n=" + std::string(size) +
                                      " k=" + std::string(size)),
                             device);
        };
        QVERIFY(square("240").verdict.side == Side::at_ridge);
        QVERIFY(square("128").verdict.kernel_class == KernelClass::memory_bound);
        QVERIFY(near(attainable_performance(square("128"))->value() / 1e12, 64, 0.001));
        QVERIFY(square("512").verdict.kernel_class == KernelClass::compute_bound);
    }
    void a_feed_forward_layer_changes_class_with_the_gpu_S0_16() {
        QVERIFY(class_on("V100") == KernelClass::compute_bound);
        QVERIFY(class_on("A100 SXM 80 GB") == KernelClass::compute_bound);
        QVERIFY(class_on("H100 SXM") == KernelClass::memory_bound);
    }
    void a_gemm_is_compute_bound_from_300_on_a_ridge_of_100_S4_05() {
        const Device device = machine(half, 100e12, 1e12);
        QVERIFY(bounds_of(modelled("gemm m=128 n=128 k=128"), device).verdict.side == Side::memory);
        QVERIFY(bounds_of(modelled("gemm m=300 n=300 k=300"), device).verdict.side == Side::at_ridge);
        QVERIFY(bounds_of(modelled("gemm m=1024 n=1024 k=1024"), device).verdict.side == Side::compute);
    }
    void attainable_share_of_the_peak_S2_07_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("percent");
        const std::pair<const char*, double> rows[] = {
            {"gemm m=1 n=4096 k=4096", 0.34},
            {"gemm m=8 n=4096 k=4096", 2.70},
            {"gemm m=32 n=4096 k=4096", 10.66},
            {"gemm m=512 n=4096 k=4096", 100},
            {"layernorm rows=64 cols=64 flops=8 weights=1 weights_per_row=yes", 0.45},
            {"softmax rows=64 cols=64", 0.42},
            {"rope tokens=64 head_dim=64 flops=10", 0.85}};
        for (const auto& [text, percent] : rows)
            QTest::newRow(text) << QString(text) << percent;
    }
    void attainable_share_of_the_peak_S2_07() {
        QFETCH(QString, text);
        QFETCH(double, percent);
        const double found = 100 * share_of_h100(text.toStdString());
        QVERIFY2(near(found, percent, 0.005), qPrintable(QString::number(found)));
    }
    void the_unfused_variant_is_bounded_by_all_it_moves() {
        const Device device = machine(half, 100e12, 1e12);
        const KernelPoint fused = bounds_of(modelled("prefill seq=4096 head_dim=128"), device);
        const KernelPoint unfused = bounds_of(modelled("prefill seq=4096 head_dim=128 fused=no"), device);
        QVERIFY(fused.verdict.kernel_class == KernelClass::compute_bound);
        QVERIFY(unfused.verdict.kernel_class == KernelClass::memory_bound);
        QVERIFY(near(*unfused.speed_of_light / *fused.speed_of_light, 100 / 62.06, 0.001));
    }
    void integer_work_has_a_ridge_too() {
        const Device device = machine(Pipe{PipeKind::tensor_int8}, 1979e12, 3.35e12);
        const KernelPoint bounds = bounds_of(modelled("gemm m=4096 n=4096 k=4096 dtype=int8"), device);
        QVERIFY(bounds.verdict.kernel_class == KernelClass::compute_bound);
        QVERIFY(near(ridge_place(bounds)->ridge.value(), 590.7, 0.05));
    }
    void fp64_products_run_on_tensor_cores_where_a_device_has_them() {
        const auto pipe_on = [](const std::string& device, std::string_view text) {
            return id_of(bounds_of(modelled(text), *find_known_device(device)).pipes.at(0).pipe);
        };
        QCOMPARE(pipe_on("A100 SXM 80 GB", "gemm m=8 n=8 k=8 dtype=fp64"), std::string("tensor.fp64"));
        QCOMPARE(pipe_on("H100 SXM", "prefill seq=64 head_dim=8 dtype=fp64"), std::string("tensor.fp64"));
        QCOMPARE(pipe_on("V100", "gemm m=8 n=8 k=8 dtype=fp64"), std::string("fp64"));
        QCOMPARE(pipe_on("A100 SXM 80 GB", "gemm m=8 n=8 k=8 dtype=fp64 pipe=fp64"), std::string("fp64"));
        QCOMPARE(pipe_on("A100 SXM 80 GB", "gemv m=8 n=8 dtype=fp64"), std::string("fp64"));
        QCOMPARE(pipe_on("A100 SXM 80 GB", "axpy n=8 dtype=fp64"), std::string("fp64"));
    }
    void a_copy_is_bound_by_memory_alone() {
        const KernelPoint bounds = bounds_of(modelled("copy n=1e8"), machine(half, 100e12, 800e9));
        QVERIFY(near(bounds.speed_of_light->value(), 1e-3, 1e-12));
        QVERIFY(bounds.verdict.kernel_class == KernelClass::memory_bound);
        QVERIFY(!ridge_place(bounds));
    }
    void an_unknown_ceiling_leaves_the_class_open() {
        const KernelPoint bounds =
            bounds_of(modelled("gemm m=64 n=64 k=64 dtype=fp8"), machine(half, 100e12, 800e9));
        QVERIFY(!bounds.binding);
        QVERIFY(bounds.verdict.kernel_class == KernelClass::not_measured);
        QVERIFY(!attainable_performance(bounds));
    }
    void a_working_set_is_held_against_l2_S2_10() {
        const Device& h100 = *find_known_device("H100 SXM");
        QVERIFY(l2_residence(modelled("copy n=4096*4096 dtype=fp8"), h100)->fit == L2Fit::all);
        QVERIFY(!l2_residence(modelled("copy n=1"), machine(half, 1, 1)));
    }
    // All of it, the weights alone, or neither: then the share of L2 over all bytes.
    void what_of_a_working_set_stays_in_l2_S2_11() {
        Device device = machine(half, 1, 1);
        device.l2_size = Bytes(50e6);
        const L2Residence gemv = *l2_residence(modelled("gemv m=4096 n=4096 dtype=fp16"), device);
        QVERIFY(gemv.fit == L2Fit::all && gemv.share == 1);  // S2-17: 33.6 MB need not be HBM traffic
        const OperationModel tall = modelled("gemm m=65536 n=4096 k=4096");
        const L2Residence weights = *l2_residence(tall, device);
        QVERIFY(weights.fit == L2Fit::weights && weights.share == 1);
        QCOMPARE(weights.needed.value(), 2.0 * 4096 * 4096);
        const OperationModel square = modelled("gemm m=8192 n=8192 k=8192");
        const L2Residence part = *l2_residence(square, device);
        QVERIFY(part.fit == L2Fit::part);
        QVERIFY(near(part.share, 50e6 / (3 * 2.0 * 8192 * 8192), 1e-9));
        QVERIFY(l2_sentence(part, *device.l2_size, MemoryName::hbm).find("12.4 %") != std::string::npos);
    }
    void a_tile_has_an_intensity_at_each_level_S4_06() {
        const auto intensities = [](std::string_view text) {
            const OperationModel model = modelled(text);
            std::vector<double> list;
            for (const TileLevel& level : tile_levels(model, {}))
                list.push_back((model.total_work() / level.bytes).value());
            return list;
        };
        const auto small = intensities("gemm_tiles m=4096 n=4096 k=4096 tile_m=16 tile_n=16");
        QCOMPARE(small.size(), std::size_t{4});
        const auto of_tile = [](double rows, double columns, double k, double element) {
            return 2 * rows * columns / ((rows + columns + rows * columns / k) * element);
        };
        QVERIFY(near(small[1], of_tile(16, 16, 4096, 4), 1e-9));  // b / 4 in FP32, but for C
        QVERIFY(near(small[1], 4, 0.01));
        QVERIFY(near(small[2], of_tile(1, 1, 4096, 4), 1e-9));  // two elements of 4 bytes for each FMA
        QVERIFY(near(small[3], 0.25, 1e-4));
        const auto large = intensities(
            "gemm_tiles m=4096 n=4096 k=4096 dtype=fp16 tile_m=128 tile_n=128 thread_m=64 thread_n=64 unit_m=16 "
            "unit_n=8");
        QVERIFY(near(large[1], of_tile(128, 128, 4096, 2), 1e-9));
        QVERIFY(near(large[2], of_tile(64, 64, 4096, 2), 1e-9));
        QVERIFY(near(large[3], of_tile(16, 8, 4096, 2), 1e-9));
        QVERIFY(tile_levels(modelled("gemm m=8 n=8 k=8"), {}).empty());
        QVERIFY(!test::refusal("gemm_tiles m=8 n=8 k=8 tile_m=4 thread_m=8").empty());
    }
    void no_level_of_a_tile_moves_less_than_the_one_behind_it() {
        for (const char* text :
             {"gemm_tiles m=4096 n=4096 k=16", "gemm_tiles m=64 n=64 k=1 tile_m=64 tile_n=64",
              "gemm_tiles m=4096 n=4096 k=4096 dtype=fp16"}) {
            const auto levels = tile_levels(modelled(text), {});
            for (std::size_t i = 1; i < levels.size(); ++i)
                QVERIFY2(levels[i].bytes >= levels[i - 1].bytes, text);
        }
    }
    void levels_of_an_a100_down_to_its_registers_S0_36() {
        const Device& a100 = *find_known_device("A100 80GB SXM");
        KernelPoint bounds;
        bounds.ceilings = std::make_shared<const CeilingSet>(a100.ceilings);
        const auto levels = tile_levels(modelled("gemm_tiles m=8 n=8 k=8"), bounds);
        const auto ridge = [&](std::size_t level) { return 312e12 / levels[level].rate->value(); };
        QVERIFY(std::abs(ridge(0) - 153.0) < 0.05);
        QVERIFY(std::abs(ridge(1) - 43.2) < 0.05);  // 7,219 GB/s in theory, not the 6,000 of the article
        QVERIFY(std::abs(ridge(2) - 16.0) < 0.05);
        QVERIFY(std::abs(ridge(3) - 4.0) < 0.005);  // 78.0 TB/s: about the 80 of the article
        for (const TileLevel& level : levels)
            QVERIFY(!level.source.empty());
    }
};

}  // namespace tst_op_bounds

ROOFWALK_TEST(tst_op_bounds, TestOpBounds, NoApplication)
#include "tst_op_bounds.moc"
