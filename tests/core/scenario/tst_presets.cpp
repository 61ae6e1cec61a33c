// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/match_device.h"
#include "core/scenario/presets.h"

#include <QTest>
#include <algorithm>
#include <set>

#include "core/base/text.h"
#include "core/operations/op_binding.h"
#include "core/roofline/point_bounds.h"
#include "tests/core/scenario/preset_move.h"
#include "tests/core/scenario/random_kernels.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_presets {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr MemoryLevel hbm = MemoryLevel::hbm;
constexpr MemoryLevel l2 = MemoryLevel::l2;
constexpr std::string_view loads = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio";
constexpr std::string_view stores = "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio";

Device plain_machine() {
    return machine(
        {compute_ceiling(fp32, 20e12), compute_ceiling(tensor_fp16, 320e12)},
        {bandwidth_ceiling(Boundary::hbm_dram_rw, 2e12), bandwidth_ceiling(Boundary::l2_sm_sectors, 8e12),
         bandwidth_ceiling(Boundary::smem_wavefronts, 20e12)});
}

/// Bound by HBM at half of its roof.
Profile memory_bound() {
    return profile_of(plain_machine(), {launch(2e-3, {{fp32, 1e9}},
                                               {{Boundary::hbm_dram_rw, 2e9},
                                                {Boundary::l2_sm_sectors, 2e9},
                                                {Boundary::smem_wavefronts, 2e9}})});
}

Profile compute_bound(const Device& device, Pipe pipe) {
    return profile_of(device, {launch(2e-3, {{pipe, 1e10}}, {{Boundary::hbm_dram_rw, 2e6}})});
}

/// The file itself says what the kernel does.
Profile bound_to(Profile profile, std::string_view operation) {
    profile.launches[0].algorithm = profile.texts.intern(operation);
    return profile;
}

struct Applied {
    Result<Move> move;
    double speed_up = 1;
    double hbm_factor = 1;
};

Applied apply(const Profile& profile, std::string_view id, std::optional<double> parameter = {},
              std::optional<Intensity> algorithmic = {}) {
    AnalysisOptions options;
    options.launch_operations = std::make_shared<const LaunchOperations>(bind_operations(profile, {}));
    const Analysis analysis = analyse(profile, options);
    PresetSubject subject = preset_subject(profile, analysis, 0);
    if (algorithmic) subject.algorithmic = algorithmic;
    Applied applied{test::preset_move(*find_preset(id), subject, parameter)};
    if (!applied.move) return applied;
    const KernelState state = moved(subject.state, subject.model, *applied.move);
    applied.speed_up = *subject.state.time / *state.time;
    if (state.bytes[hbm]) applied.hbm_factor = *state.bytes[hbm] / *subject.state.bytes[hbm];
    return applied;
}

std::string refusal(const Profile& profile, std::string_view id, std::optional<double> parameter = {}) {
    const Applied applied = apply(profile, id, parameter);
    return applied.move ? "no refusal" : applied.move.error().what;
}

/// The same with data of 16 bits, widened for its arithmetic.
Profile half_data() {
    return bound_to(memory_bound(), "axpy n=1e8 dtype=fp16");
}

Profile with_metric(Profile profile, std::string_view name, double value) {
    profile.launches[0].metrics.push_back({profile.texts.intern(name), value});
    return profile;
}

}  // namespace

class TestPresets : public QObject {
    Q_OBJECT

  private slots:
    void the_table_is_whole() {
        std::set<std::string_view> ids;
        for (const Preset& preset : presets()) {
            QVERIFY(ids.insert(preset.id).second);
            QVERIFY(find_preset(preset.id) == &preset);
            QVERIFY(!preset.label.empty() && preset.assumption.ends_with("."));
            if (!preset.parameter) continue;
            QVERIFY(preset.parameter->least < preset.parameter->most);
            const double usual = preset.parameter->usual.value_or(preset.parameter->least);
            QVERIFY(usual >= preset.parameter->least && usual <= preset.parameter->most);
        }
        QVERIFY(!find_preset("magic"));
    }
    // S0-32, S3-13.
    void each_preset_has_its_axis_and_side() {
        std::string axes;
        for (const Preset& preset : presets())
            axes += std::string(preset.id) + ": " + std::string(label_of(preset.axis)) + "\n";
        QCOMPARE(axes, std::string("coalesce: right\n"
                                   "tile: right\n"
                                   "fuse: right\n"
                                   "graph: in place\n"
                                   "batch: right\n"
                                   "fp16: right\n"
                                   "int8: right\n"
                                   "fp8: right\n"
                                   "int4: right\n"
                                   "multicast: right\n"
                                   "swizzle: up, compute side\n"
                                   "overlap: up, memory side\n"
                                   "window: in place\n"
                                   "tensor_fp16: up, compute side\n"
                                   "tensor_tf32: up, compute side\n"
                                   "tensor_fp64: up, compute side\n"
                                   "to_roof: up\n"
                                   "to_algorithm: right\n"));
    }
    // S0-31, S0-32.
    void narrow_data_is_as_much_faster_as_it_is_narrower() {
        QVERIFY(near(apply(half_data(), "int8").speed_up, 2));
        QVERIFY(near(apply(half_data(), "fp8").speed_up, 2));
        QVERIFY(near(apply(half_data(), "int4").speed_up, 4));
        QVERIFY(near(apply(half_data(), "int8", 0.5).hbm_factor, 0.75));
    }
    void local_memory_stays_as_wide_as_it_is() {
        const Profile spills =
            with_metric(with_metric(half_data(), "memory_l2_theoretical_sectors_global", 1000),
                        "memory_l2_theoretical_sectors_local", 3000);
        QVERIFY(near(apply(spills, "int8").hbm_factor, 0.875));
    }
    void narrow_data_follows_what_earlier_moves_left() {
        const auto refusal_after = [](const Profile& profile, std::string_view first, double share,
                                      std::string_view then) {
            AnalysisOptions options;
            options.launch_operations =
                std::make_shared<const LaunchOperations>(bind_operations(profile, {}));
            const Analysis analysis = analyse(profile, options);
            Scenario scenario;
            scenario.moves.push_back(
                *test::preset_move(*find_preset(first), preset_subject(profile, analysis, 0), share));
            const ScenarioEffect effect = effect_of(scenario, profile, analysis);
            const auto move =
                test::preset_move(*find_preset(then), preset_subject(profile, analysis, 0, effect));
            return move ? std::string() : move.error().what;
        };
        const Profile wide = bound_to(memory_bound(), "axpy n=1e8 dtype=fp32");
        QCOMPARE(refusal_after(wide, "fp16", 1, "int8"), std::string());
        QCOMPARE(refusal_after(wide, "fp16", 1, "int4"), std::string());
        QCOMPARE(refusal_after(wide, "fp16", 1, "fp16"),
                 std::string("Its data is of 16 bits after an earlier move, not of 32"));
        QCOMPARE(refusal_after(half_data(), "int8", 1, "fp8"),
                 std::string("Its data is of 8 bits after an earlier move, not of 16"));
        // A part of the data is still as it was.
        QCOMPARE(refusal_after(wide, "fp16", 0.5, "fp16"), std::string());
        QCOMPARE(refusal_after(wide, "fp16", 0.5, "int8"), std::string());
    }
    void wide_data_is_halved() {
        QVERIFY(near(apply(memory_bound(), "fp16").speed_up, 2));
        QVERIFY(near(apply(memory_bound(), "fp16", 0.5).hbm_factor, 0.75));
        QCOMPARE(refusal(compute_bound(plain_machine(), tensor_fp16), "fp16"),
                 std::string("Most of its arithmetic is not of the kind that data of 32 bits gets"));
    }
    void what_nothing_tells_of_the_data_is_refused_or_assumed_aloud() {
        const auto assumed = [](const Profile& profile, std::string_view id) {
            return apply(profile, id).move->assumption.find("is assumed") != std::string::npos;
        };
        Profile named = memory_bound();
        named.kernels[0].name = "kernel(__half const *)";
        for (const std::string_view id : {"int8", "fp8", "int4"}) {
            QCOMPARE(
                refusal(memory_bound(), id),
                std::string("Its arithmetic is FP32, and nothing tells that its data is stored in 16 bits"));
            QVERIFY(assumed(named, id));
            QVERIFY(!assumed(compute_bound(plain_machine(), tensor_fp16), id));
            QVERIFY(!assumed(half_data(), id));
        }
        QVERIFY(assumed(named, "fp16") && !assumed(memory_bound(), "fp16"));
        QCOMPARE(refusal(bound_to(memory_bound(), "axpy n=1e8 dtype=fp32"), "int8"),
                 std::string("Its data is fp32 by its operation, not of 16 bits"));
        QVERIFY(apply(bound_to(memory_bound(), "axpy n=1e8 dtype=fp32"), "fp16").move);
        QCOMPARE(refusal(half_data(), "fp16"),
                 std::string("Its data is fp16 by its operation, not of 32 bits"));
    }
    void what_the_algorithm_needs_changes_with_the_data() {
        QCOMPARE(apply(half_data(), "int4").move->needs, (AlgorithmNeeds{.bytes = 0.25, .work = 1}));
        QCOMPARE(apply(memory_bound(), "batch", 8).move->needs, (AlgorithmNeeds{.bytes = 0.125, .work = 1}));
        QCOMPARE(apply(memory_bound(), "window", 0.25).move->needs,
                 (AlgorithmNeeds{.bytes = 0.25, .work = 0.25}));
        QCOMPARE(apply(memory_bound(), "tile", 4).move->needs, AlgorithmNeeds{});
    }
    void without_an_operation_a_gain_is_the_most_there_can_be() {
        const auto says = [](const Profile& profile, std::string_view id) {
            return apply(profile, id).move->assumption.find("the most") != std::string::npos;
        };
        for (const std::string_view id : {"tile", "overlap", "batch"})
            QVERIFY(says(memory_bound(), id));
        const Profile bound = bound_to(memory_bound(), "custom flops=1e9 read=5e8 write=5e8");
        QVERIFY(!says(bound, "tile") && !says(bound, "overlap"));
    }
    void reuse_and_batches_divide_the_bytes() {
        QVERIFY(near(apply(memory_bound(), "tile", 10).hbm_factor, 0.1));
        QVERIFY(near(apply(memory_bound(), "batch", 8).speed_up, 8));
        Profile attention = memory_bound();
        attention.kernels[0].name = "flash_fwd_kernel";
        QVERIFY(near(apply(attention, "window", 0.25).speed_up, 4));
        // At 50 times fewer far bytes shared memory binds, through which the tiles go: 4.04 GB against 2 GB.
        const Applied tiled = apply(memory_bound(), "tile", 50);
        QVERIFY(near(tiled.speed_up, 1e-3 / (4.04e9 / 20e12)));
        QVERIFY(tiled.move->assumption.find("SMEM binds then") != std::string::npos);
    }
    // Bytes that the caches serve no second time may each be loaded anew: what a tile saves most of.
    void no_cache_tells_what_a_tile_can_reuse() {
        const auto with_l1 = [](double l1) {
            return profile_of(plain_machine(), {launch(2e-3, {{fp32, 1e9}},
                                                       {{Boundary::hbm_dram_rw, 2e9},
                                                        {Boundary::l2_sm_sectors, 2.2e9},
                                                        {Boundary::l1_unified, l1}})});
        };
        for (const double l1 : {1e9, 2.2e9, 2e10}) {
            const Applied tiled = apply(with_l1(l1), "tile", 4);
            QVERIFY(near(tiled.hbm_factor, 0.25) && near(tiled.move->bytes[l2], 0.25));
            QVERIFY(tiled.move->assumption.find("4.00x is assumed") != std::string::npos);
        }
        // Where L2 serves bytes again they are needed again; where not, that is all that the gain rests on.
        Profile again = with_l1(1e9);
        again.launches[0].traffic[1].total = Bytes(4e9);
        for (const std::string_view id : {"tile", "batch"}) {
            const auto doubts = [&](const Profile& profile) {
                return apply(profile, id).move->assumption.find("gains nothing") != std::string::npos;
            };
            QVERIFY(doubts(with_l1(1e9)) && !doubts(again));
            QVERIFY(!doubts(bound_to(with_l1(1e9), "custom flops=1e9 read=5e8 write=5e8")));
        }
        // An operation knows better: of 1 GB that it needs both levels keep as much.
        const Applied bound =
            apply(bound_to(with_l1(2.4e9), "custom flops=1e9 read=5e8 write=5e8"), "tile", 4);
        QVERIFY(near(bound.hbm_factor, 0.5));
        QVERIFY(near(bound.move->bytes[l2], 1 / 2.2));
        QVERIFY(bound.move->assumption.find("assumed") == std::string::npos);
    }
    void tiles_cost_shared_memory_and_occupancy() {
        Profile ampere = memory_bound();
        ampere.devices[0].compute_capability = ComputeCapability{8, 0};
        for (const auto& [name, value] : {std::pair("launch__occupancy_limit_blocks", 32.0),
                                          std::pair("launch__occupancy_limit_registers", 16.0),
                                          std::pair("launch__occupancy_limit_warps", 8.0),
                                          std::pair("launch__occupancy_limit_shared_mem", 164.0),
                                          std::pair("launch__registers_per_thread", 40.0),
                                          std::pair("launch__shared_mem_per_block", 1024.0)})
            ampere = with_metric(ampere, name, value);
        // 2 x 64 x 64 x 4 bytes = 32 KiB, and 1 KiB of the system: 4 blocks in 164 KiB instead of 8.
        const std::string cost = apply(ampere, "tile", 64).move->assumption;
        for (const char* words : {"32.8 kB", "room for 4 ", "instead of 8", "50.0 %", "40 registers"})
            QVERIFY2(cost.find(words) != std::string::npos, cost.c_str());
        // What stays as it is, is no news.
        QVERIFY(apply(ampere, "tile", 4).move->assumption.find("instead of 8") == std::string::npos);
        // 2 x 200 x 200 x 4 bytes are more than the 163 KiB of a block.
        QVERIFY(refusal(ampere, "tile", 200).find("320 kB") != std::string::npos);
        QVERIFY(apply(ampere, "tile", 144).move.has_value());
    }
    void tiles_go_beside_the_shared_memory_that_a_block_has() {
        Profile ampere = memory_bound();
        ampere.devices[0].compute_capability = ComputeCapability{8, 0};
        for (const char* limit : {"blocks", "registers", "warps", "shared_mem"})
            ampere = with_metric(ampere, std::string("launch__occupancy_limit_") + limit, 16);
        const auto cost = [](const Profile& profile) {
            const Applied tiled = apply(profile, "tile", 64);
            return tiled.move ? tiled.move->assumption : std::string();
        };
        const std::string all = "launch__shared_mem_per_block";
        const auto parts = [&](double fixed, double dynamic) {
            return with_metric(with_metric(ampere, all + "_static", fixed), all + "_dynamic", dynamic);
        };
        constexpr double kib = 1024;
        // Tiles of 32 KiB beside 48 KiB in all: 2 blocks in 164 KiB.
        QVERIFY(cost(with_metric(ampere, all, 48 * kib)).find("room for 2 ") != std::string::npos);
        // 32 + 22 and 1 KiB of the system are 55 KiB: 2 blocks; 3 without what the system reserves.
        QVERIFY(cost(parts(20 * kib, 2 * kib)).find("room for 2 ") != std::string::npos);
        QVERIFY(cost(parts(0, 0)).find("room for 4 ") != std::string::npos);
        // Not known is not 0: no word on blocks.
        for (const Profile& open : {ampere, with_metric(ampere, all + "_static", 0)}) {
            QVERIFY(cost(open).find("32.8 kB") != std::string::npos);
            QVERIFY(cost(open).find("blocks") == std::string::npos);
        }
        // Of 163 KiB a block has 100: 72 KiB have no room, 62 KiB do.
        const Profile full = with_metric(ampere, all, 101 * kib);
        QVERIFY(refusal(full, "tile", 96).find("73.7 kB") != std::string::npos);
        QVERIFY(apply(full, "tile", 89).move.has_value());
        QVERIFY(apply(ampere, "tile", 96).move.has_value());
    }
    void a_tile_is_as_wide_as_its_elements_data() {
        QTest::addColumn<PipeKind>("pipe");
        QTest::addColumn<QByteArray>("operation");
        QTest::addColumn<QString>("tiles");  // two of 64 x 64
        QTest::newRow("FP64") << PipeKind::fp64 << QByteArray() << "65.5 kB";
        QTest::newRow("FP32") << PipeKind::fp32 << QByteArray() << "32.8 kB";
        QTest::newRow("BF16") << PipeKind::tensor_bf16 << QByteArray() << "16.4 kB";
        QTest::newRow("FP8") << PipeKind::tensor_fp8 << QByteArray() << "8.19 kB";
        QTest::newRow("FP6") << PipeKind::tensor_fp6 << QByteArray() << "6.14 kB";
        QTest::newRow("FP4") << PipeKind::tensor_fp4 << QByteArray() << "4.10 kB";
        QTest::newRow("INT4") << PipeKind::tensor_int4 << QByteArray() << "4.10 kB";
        QTest::newRow("INT1") << PipeKind::tensor_int1 << QByteArray() << "1.02 kB";
        QTest::newRow("FP16 that is widened")
            << PipeKind::fp32 << QByteArray("gemm m=512 n=512 k=512 dtype=fp16") << "16.4 kB";
        QTest::newRow("no type given") << PipeKind::fp64 << QByteArray("axpy n=1e8") << "65.5 kB";
        QTest::newRow("INT4 weights beside FP16")
            << PipeKind::tensor_fp16 << QByteArray("gemm m=512 n=512 k=512 dtype=fp16 b=int4") << "16.4 kB";
    }
    void a_tile_is_as_wide_as_its_elements() {
        QFETCH(PipeKind, pipe);
        QFETCH(QByteArray, operation);
        QFETCH(QString, tiles);
        Profile profile = memory_bound();
        profile.launches[0].work[0].pipe = Pipe{pipe};
        if (!operation.isEmpty()) profile = bound_to(std::move(profile), operation.toStdString());
        const Applied tiled = apply(profile, "tile", 64);
        QVERIFY2(tiled.move.has_value(), tiled.move ? "" : to_line(tiled.move.error()).c_str());
        const QString cost = QString::fromStdString(tiled.move->assumption);
        QVERIFY2(cost.contains("take " + tiles), qPrintable(cost));
    }
    // L2 binds at 1.25 ms, in which shared memory serves 25 GB: 5 GB more than it does, of 12.5 GB.
    void tiles_stop_where_shared_memory_binds() {
        const Profile near_l2 = profile_of(plain_machine(), {launch(2e-3, {{fp32, 1e9}},
                                                                    {{Boundary::hbm_dram_rw, 1e8},
                                                                     {Boundary::l2_sm_sectors, 1e10},
                                                                     {Boundary::smem_wavefronts, 2e10}})});
        const Applied tiled = apply(near_l2, "tile", 4);
        QVERIFY(tiled.move.has_value());
        QVERIFY(near(tiled.move->smem_of_l2, 0.5) && near(tiled.hbm_factor, 0.25));
        QVERIFY(near(tiled.speed_up, 1));
        for (const char* words : {"5.00 GB of the 12.5 GB", "SMEM binds then"})
            QVERIFY2(tiled.move->assumption.find(words) != std::string::npos, tiled.move->assumption.c_str());
        const Profile full = profile_of(
            plain_machine(), {launch(2e-3, {{fp32, 1e9}},
                                     {{Boundary::l2_sm_sectors, 1e9}, {Boundary::smem_wavefronts, 2e10}})});
        QVERIFY(apply(full, "tile", 4).move->smem_of_l2 == 0);
    }
    // gemm_naive and gemm_tiled, 1024 x 1024 x 1024 in FP32 on an H100: 371 and 246 us. The latter had
    // 6.71 GB of wavefronts of shared memory.
    void a_tile_takes_loads_off_l1_as_measured() {
        const double flop = 2.0 * 1024 * 1024 * 1024;
        const auto naive = [&](bool counts_shared, double sm) {
            Profile profile =
                profile_of(machine({compute_ceiling(fp32, 66.8e12)},
                                   {bandwidth_ceiling(Boundary::hbm_dram_rw, 3.35e12),
                                    bandwidth_ceiling(Boundary::l2_sm_sectors, 10.1e12),
                                    bandwidth_ceiling(Boundary::l1_unified, 33.4e12),
                                    bandwidth_ceiling(Boundary::smem_wavefronts, 33.4e12)}),
                           {launch(371e-6, {{fp32, flop}},
                                   {{Boundary::hbm_dram_rw, 8.4e6}, {Boundary::l1_unified, flop / 0.25}})});
            Launch& launch = profile.launches[0];
            launch.block = {32, 32, 1};
            if (counts_shared) {
                for (const auto& [boundary, bytes] :
                     {std::pair(Boundary::l2_sm_sectors, 2.64e8), std::pair(Boundary::smem_wavefronts, 0.0)})
                    launch.traffic.push_back(
                        {.boundary = boundary, .total = Bytes(bytes), .read = {}, .write = {}});
            }
            profile = with_metric(std::move(profile), "launch__shared_mem_per_block_static", 0);
            profile = with_metric(std::move(profile), "launch__shared_mem_per_block_dynamic", 0);
            if (sm > 0) profile = with_metric(std::move(profile), metric_of(HardwareUnit::sm), sm);
            return profile;
        };
        const double all = flop / 0.25;
        const Applied told = apply(naive(true, 0), "tile", 32);
        QVERIFY(near(told.move->smem_of_l2 * 2.64e8, all * (1.0 / 32 + 0.75)));
        QVERIFY(std::abs(told.move->smem_of_l2 * 2.64e8 / (52.43e6 * 128) - 1) < 0.01);
        // L1 holds what goes through shared memory, counted by itself or not, beside the loads that are left.
        QVERIFY(near(told.speed_up, 1 / (2.0 / 32 + 0.75)));
        const double within_l1 = apply(naive(false, 0), "tile", 32).speed_up;
        QVERIFY(near(within_l1, 1 / (2.0 / 32 + 0.75)));
        QVERIFY(within_l1 > 1.2 && told.speed_up < 371.0 / 246);
        // Larger tiles for as many threads: each computes more results, and reads less for each of them.
        QVERIFY(near(apply(naive(true, 0), "tile", 64).speed_up, 1 / (2.0 / 64 + 0.75 / 2)));
        // Small ones stay in registers, and stop at the SM, of which nothing tells what keeps it busy.
        const Applied small = apply(naive(true, 0), "tile", 4);
        QVERIFY(near(small.speed_up, 4) && small.move->smem_of_l2 == 0);
        QVERIFY(near(apply(naive(true, 69.4), "tile", 4).speed_up, 1 / 0.694));
        Profile loading = naive(true, 69.4);
        loading = with_metric(std::move(loading),
                              "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed", 69.4);
        loading = with_metric(std::move(loading), "sm__issue_active.avg.pct_of_peak_sustained_elapsed", 48.4);
        QVERIFY(near(apply(loading, "tile", 4).speed_up, 1 / 0.484));
        // Also where sectors go unused, and tiles would read less of shared memory.
        const Profile wasteful =
            with_metric(with_metric(naive(true, 0), "memory_l2_theoretical_sectors_global", 2e8),
                        "memory_l2_theoretical_sectors_global_ideal", 1e8);
        for (const double reuse : {2, 4, 8})
            QVERIFY(near(apply(wasteful, "tile", reuse).speed_up, reuse));
        // Between the two shared memory gains next to nothing, and the move says what would gain more.
        const Applied between = apply(naive(true, 0), "tile", 8.5);
        QVERIFY(near(between.speed_up, 1 / (2 / 8.5 + 0.75)));
        QVERIFY(between.move->assumption.find(format(Bytes(all / 8))) != std::string::npos);
        QVERIFY(apply(naive(true, 0), "tile", 8).move->assumption.find(format(Bytes(all / 8))) ==
                std::string::npos);
    }
    // Loads that lie in L1 beside shared memory that nobody counted: an operation tells what of both is
    // needed.
    void a_tile_promises_what_fewer_bytes_of_every_level_save() {
        Profile profile = with_metric(
            profile_of(
                machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(Boundary::hbm_dram_rw, 1e12),
                                                         bandwidth_ceiling(Boundary::l1_unified, 10e12)}),
                {launch(1e-3, {{fp32, 3e9}}, {{Boundary::hbm_dram_rw, 1e8}, {Boundary::l1_unified, 9e9}})}),
            "launch__shared_mem_per_block_static", 1024);
        QVERIFY(near(apply(profile, "tile", 4).speed_up, 1));
        profile = bound_to(profile, "custom flops=3e9 read=4e7 write=1e7");
        const Applied tiled = apply(profile, "tile", 4);
        QVERIFY(near(tiled.speed_up, 3));  // then FP32 takes 0.3 of 0.9 ms
        QVERIFY(tiled.move->assumption.find("not told apart") != std::string::npos);
        AnalysisOptions options;
        options.launch_operations = std::make_shared<const LaunchOperations>(bind_operations(profile, {}));
        const Analysis analysis = analyse(profile, options);
        QVERIFY(near(bound_with_operation(analysis.points[0])->times_shorter, tiled.speed_up));
        QVERIFY(near(apply(profile, "tile", 16).speed_up, 1));  // through shared memory, which L1 holds
    }
    // The surplus that L1 keeps from L2 is one at L1 all the same.
    void coalesced_accesses_ask_less_of_l1() {
        Device device = plain_machine();
        device.ceilings.bandwidth.push_back(bandwidth_ceiling(Boundary::l1_unified, 20e12));
        const auto with_sectors = [&](double ideal) {
            return with_metric(with_metric(profile_of(device, {launch(2e-3, {{fp32, 1e9}},
                                                                      {{Boundary::hbm_dram_rw, 1e8},
                                                                       {Boundary::l2_sm_sectors, 3.2e8},
                                                                       {Boundary::smem_wavefronts, 1e10},
                                                                       {Boundary::l1_unified, 3e10}})}),
                                           "memory_l2_theoretical_sectors_global", 2e8),
                               "memory_l2_theoretical_sectors_global_ideal", ideal);
        };
        const Applied applied = apply(with_sectors(1e8), "coalesce");
        QVERIFY2(applied.move.has_value(), applied.move ? "" : applied.move.error().what.c_str());
        QVERIFY(near(applied.move->bytes[MemoryLevel::l1], 2.0 / 3) && applied.move->bytes[l2] == 1);
        QVERIFY(near(applied.speed_up, 1.5));
        QVERIFY(!apply(with_sectors(2e8), "coalesce").move.has_value());
    }
    // S0-12, S0-21, S2-04: the exact intensity of a product of 4096 x 4096 in FP16, not the batch.
    void a_batch_gains_what_the_operation_lets_it_data() {
        QTest::addColumn<double>("batch");
        QTest::addColumn<double>("intensity");
        QTest::newRow("32") << 32.0 << 31.51;
        QTest::newRow("256") << 256.0 << 227.6;
        QTest::newRow("512") << 512.0 << 409.6;
    }
    void a_batch_gains_what_the_operation_lets_it() {
        QFETCH(double, batch);
        QFETCH(double, intensity);
        const double flop = 2.0 * 4096 * 4096;
        const double bytes = flop + 2 * 2 * 4096;
        const Profile gemv = profile_of(
            plain_machine(), {launch(bytes / 1e12, {{tensor_fp16, flop}},
                                     {{Boundary::hbm_dram_rw, bytes}, {Boundary::l2_sm_sectors, bytes}})});
        const Applied applied = apply(bound_to(gemv, "gemm m=1 n=4096 k=4096 dtype=fp16"), "batch", batch);
        QVERIFY(applied.move);
        QVERIFY(std::abs(flop / (bytes * applied.hbm_factor) - intensity) < 0.05);
        QVERIFY(near(applied.move->needs.bytes, applied.hbm_factor));
        QVERIFY(near(applied.hbm_factor, applied.move->bytes[l2]));
        QVERIFY(near(apply(gemv, "batch", batch).hbm_factor, 1 / batch));  // nothing tells better
    }
    void a_batch_shares_weights_only() {
        for (const char* attention :
             {"attention_prefill seq=512 head_dim=64", "attention_decode context=512 head_dim=64"}) {
            const Applied applied = apply(bound_to(memory_bound(), attention), "batch", 8);
            QVERIFY(!applied.move);
            QVERIFY(applied.move.error().what.find("of each sequence") != std::string::npos);
            QVERIFY(applied.move.error().hint.find("kv_heads") != std::string::npos);
        }
        QVERIFY(refusal(bound_to(memory_bound(), "softmax rows=1e4 cols=1e4"), "batch").find("softmax") !=
                std::string::npos);
        Profile unbound = memory_bound();
        for (const char* name : {"void flash_fwd_splitkv_kernel<128>(Params)", "sdpa_kernel",
                                 "BatchDecodeWithPagedKVCacheKernel<64>"}) {
            unbound.kernels = {{name, "", ""}};
            QVERIFY2(refusal(unbound, "batch").find("of each sequence") != std::string::npos, name);
        }
        const Applied images =
            apply(bound_to(memory_bound(),
                           "conv2d channels=512 height=7 filters=512 kernel_h=3 padding=1 dtype=fp16"),
                  "batch", 8);
        QVERIFY(images.move && images.hbm_factor > 1.0 / 8 && images.hbm_factor < 0.2);
    }
    void only_attention_has_a_window() {
        QCOMPARE(refusal(bound_to(memory_bound(), "gemm m=64 n=64 k=64"), "window"),
                 std::string("Only attention has a window, and this kernel carries out gemm"));
        Profile unbound = memory_bound();
        QVERIFY(refusal(unbound, "window") != "no refusal");
        unbound.kernels[0].name = "void pytorch_flash::flash_fwd_kernel<float>(float*)";
        QCOMPARE(refusal(unbound, "window"), std::string("no refusal"));
        for (const char* attention :
             {"attention_prefill seq=512 head_dim=64", "attention_decode context=512 head_dim=64",
              "custom flops=1e9 read=5e8"})
            QCOMPARE(refusal(bound_to(memory_bound(), attention), "window"), std::string("no refusal"));
    }
    void the_way_to_the_roof_saves_what_can_be_recovered() {
        for (const bool work_counted : {true, false}) {
            Profile profile = memory_bound();
            if (!work_counted) profile.launches[0].work.clear();
            profile.launches[0].metrics.push_back({profile.texts.intern(metric_of(HardwareUnit::l1tex)), 80});
            const KernelPoint point = point_of(profile);
            const double left = 1 - *recoverable_time(point) / *point.time;
            QVERIFY(near(left, 0.8));
            QVERIFY(near(apply(profile, "to_roof").speed_up, 1 / left));
        }
        // One launch is near HBM, the other near FP32: the limits of their sum are further away.
        Profile unlike = memory_bound();
        unlike.launches.push_back(launch(2e-3, {{fp32, 1e10}},
                                         {{Boundary::hbm_dram_rw, 2e6},
                                          {Boundary::l2_sm_sectors, 2e6},
                                          {Boundary::smem_wavefronts, 2e6}}));
        const KernelPoint both = point_of(unlike);
        QVERIFY(both.recoverable->launches == 2);
        QVERIFY(near(apply(unlike, "to_roof").speed_up, *both.time / (*both.time - both.recoverable->time)));
        // The short launch cannot reach its roof, the long one can.
        Profile short_and_long = memory_bound();
        short_and_long.launches.push_back(launch(5e-6, {{fp32, 1e3}},
                                                 {{Boundary::hbm_dram_rw, 2e3},
                                                  {Boundary::l2_sm_sectors, 2e3},
                                                  {Boundary::smem_wavefronts, 2e3}}));
        const KernelPoint held = point_of(short_and_long);
        QVERIFY(held.recoverable->limit == decltype(NearestLimit::of)(Boundary::hbm_dram_rw));
        QVERIFY(near(apply(short_and_long, "to_roof").speed_up,
                     *held.time / (*held.time - held.recoverable->time)));
        Profile full = memory_bound();
        full.launches[0].metrics.push_back({full.texts.intern(metric_of(HardwareUnit::l1tex)), 100});
        QVERIFY(!apply(full, "to_roof").move);
    }
    void tiles_do_not_beat_the_algorithm() {
        const Applied applied = apply(memory_bound(), "tile", 10, Intensity(2));  // at AI 0.5
        QVERIFY(near(applied.hbm_factor, 0.25));
        QVERIFY(near(applied.move->bytes[l2], 0.25));
    }
    void to_the_roof_and_to_the_algorithm() {
        QVERIFY(near(apply(memory_bound(), "to_roof").speed_up, 2));
        QVERIFY(near(apply(memory_bound(), "to_algorithm", {}, Intensity(1)).hbm_factor, 0.5));
        QVERIFY(!apply(memory_bound(), "to_algorithm", {}, Intensity(0.4)).move);
        QCOMPARE(refusal(memory_bound(), "to_algorithm"),
                 std::string("It is not known how many bytes its algorithm needs"));
        QVERIFY(near(apply(memory_bound(), "overlap", 0.8).speed_up, 1.6));
        QCOMPARE(refusal(memory_bound(), "overlap", 0.4),
                 std::string("It reaches 50.0 % of the DRAM roof already"));
        QCOMPARE(refusal(compute_bound(plain_machine(), fp32), "overlap"),
                 std::string("It is bound by FP32, not by memory"));
    }
    void a_bound_kernel_goes_to_its_algorithm() {
        const Profile profile =
            profile_of(plain_machine(), {launch(4e-3, {{fp32, 2e8}}, {{Boundary::hbm_dram_rw, 4.8e9}})});
        QVERIFY(near(apply(bound_to(profile, "axpy n=1e8 dtype=fp32"), "to_algorithm").hbm_factor, 0.25));
    }
    // S0-33: 8.0 times on V100, 16 on A100, 14.8 on H100.
    void tensor_cores_are_as_much_faster_as_their_ceilings() {
        const auto gain = [](const char* name) {
            return apply(compute_bound(*find_known_device(name), fp32), "tensor_fp16").speed_up;
        };
        QVERIFY(std::abs(gain("V100 SXM2") - 8.0) < 0.05);
        QVERIFY(std::abs(gain("A100 80GB SXM") - 16.0) < 0.05);
        QVERIFY(std::abs(gain("H100 SXM") - 14.8) < 0.05);
    }
    void tensor_cores_need_work_and_a_ceiling() {
        for (const auto& [operation, told] :
             {std::pair("elementwise n=1e6 ops=10", "Its operation, elementwise, multiplies no matrices"),
              std::pair("gemm m=1000 n=1000 k=1000 dtype=fp32", "no refusal")})
            QCOMPARE(refusal(bound_to(compute_bound(plain_machine(), fp32), operation), "tensor_fp16"),
                     std::string(told));
        QCOMPARE(refusal(compute_bound(plain_machine(), fp32), "tensor_tf32"),
                 std::string("No TF32 Tensor ceiling of this GPU is known"));
        QCOMPARE(refusal(compute_bound(plain_machine(), tensor_fp16), "tensor_fp16"),
                 std::string("It does no work on CUDA cores that FP16 Tensor could take over"));
        QVERIFY(near(apply(memory_bound(), "tensor_fp16").speed_up, 1));  // memory binds
        const Profile full =
            profile_of(plain_machine(),
                       {launch(1, {{fp32, 10e12}, {tensor_fp16, 320e12}}, {{Boundary::hbm_dram_rw, 1e9}})});
        QCOMPARE(refusal(full, "tensor_fp16"),
                 std::string("FP16 Tensor would be what binds: it has too much work already"));
    }
    // S2-09: 16 of 32 bytes are twice the traffic, 4 of 32 eight times.
    void coalescing_drops_what_no_thread_uses() {
        QVERIFY(near(apply(with_metric(memory_bound(), loads, 16), "coalesce").hbm_factor, 0.5));
        QVERIFY(near(apply(with_metric(memory_bound(), loads, 4), "coalesce").speed_up, 8));
        QCOMPARE(refusal(with_metric(memory_bound(), loads, 32), "coalesce"),
                 std::string("Nearly every byte of its sectors is used already"));
        const Applied missing = apply(memory_bound(), "coalesce");
        QVERIFY(!missing.move && missing.move.error().hint.find(loads) != std::string::npos);
    }
    // A word that a whole warp reads uses 4 bytes of its sector and is no fault.
    void the_count_of_sectors_goes_before_the_bytes_used_of_them() {
        const auto counted = [](double global, double ideal, double local) {
            const Profile profile = with_metric(with_metric(with_metric(memory_bound(), loads, 4),
                                                            "memory_l2_theoretical_sectors_global", global),
                                                "memory_l2_theoretical_sectors_global_ideal", ideal);
            return with_metric(profile, "memory_l2_theoretical_sectors_local", local);
        };
        QVERIFY(refusal(counted(1000, 1000, 0), "coalesce").find("L1 keeps") == std::string::npos);
        QVERIFY(near(apply(counted(1000, 250, 0), "coalesce").hbm_factor, 0.25));
        QVERIFY(near(apply(counted(1000, 250, 3000), "coalesce").hbm_factor, 3250.0 / 4000));
        // 62.5 million sectors crossed L2: L1 caught the others, and those that must be asked for may all
        // cross it.
        QVERIFY(near(apply(counted(100e6, 50e6, 0), "coalesce").hbm_factor, 50 / 62.5));
        QVERIFY(refusal(counted(250e6, 100e6, 0), "coalesce").find("L1 keeps") != std::string::npos);
    }
    void a_kernel_without_such_loads_is_not_judged_by_them() {
        QVERIFY(refusal(with_metric(memory_bound(), loads, 0), "coalesce").find("TMA") != std::string::npos);
        const Profile stores_nothing = with_metric(with_metric(memory_bound(), loads, 16), stores, 0);
        QVERIFY(near(apply(stores_nothing, "coalesce").hbm_factor, 0.5));
    }
    void loads_and_stores_are_told_apart_where_their_bytes_are() {
        Profile profile = with_metric(memory_bound(), loads, 8);
        profile.launches[0].traffic[0].read = Bytes(1.5e9);
        profile.launches[0].traffic[0].write = Bytes(0.5e9);
        QVERIFY(near(apply(profile, "coalesce").hbm_factor, 0.75 * 0.25 + 0.25));
        QVERIFY(near(apply(with_metric(profile, stores, 16), "coalesce").hbm_factor, 0.75 * 0.25 + 0.125));
    }
    void bank_conflicts_go_as_far_as_they_were_counted() {
        const Profile conflicts = with_metric(with_metric(memory_bound(), "memory_l1_wavefronts_shared", 8e6),
                                              "memory_l1_wavefronts_shared_ideal", 2e6);
        const Applied applied = apply(conflicts, "swizzle");
        QVERIFY(near(applied.move->bytes[MemoryLevel::smem], 0.25));
        QVERIFY(near(applied.speed_up, 1));  // HBM binds
        QVERIFY(!apply(memory_bound(), "swizzle").move);
        Profile no_shared_bytes = conflicts;
        no_shared_bytes.launches[0].traffic.pop_back();
        QCOMPARE(refusal(no_shared_bytes, "swizzle"),
                 std::string("Its shared-memory bytes are not known as wavefronts"));
    }
    void multicast_needs_clusters() {
        QVERIFY(near(apply(memory_bound(), "multicast", 4).move->bytes[l2], 0.25));
        Profile old = memory_bound();
        old.devices[0].compute_capability = ComputeCapability{8, 0};
        QCOMPARE(refusal(old, "multicast"), std::string("This GPU has no thread block clusters"));
        Profile by_name = memory_bound();
        by_name.devices[0].name = "NVIDIA A100-SXM4-80GB";
        by_name.devices[0].compute_capability.reset();
        QCOMPARE(refusal(by_name, "multicast"), std::string("This GPU has no thread block clusters"));
    }
    void parameters_are_checked() {
        QCOMPARE(refusal(memory_bound(), "tile", 0.5),
                 std::string("The reuse of the preset tile is out of range: 0.5"));
        QCOMPARE(refusal(memory_bound(), "window", std::nan("")),
                 std::string("The share of the preset window is out of range: nan"));
        QCOMPARE(refusal(memory_bound(), "to_roof", 2), std::string("The preset to_roof takes no parameter"));
    }
    void a_move_carries_its_preset_and_assumption() {
        const Move move = *apply(memory_bound(), "tile", 4).move;
        QCOMPARE(move.preset, std::string("tile"));
        QCOMPARE(move.name, std::string("Tile, reuse 4 assumed"));
        QCOMPARE(move.kernel.name, std::string("kernel(float *)"));
        const std::string_view assumption =
            find_preset("tile")->assumption;  // with a place for the memory's name
        QVERIFY(move.assumption.find(assumption.substr(assumption.find('}') + 1)) != std::string::npos);
        QVERIFY(move.assumption.find('{') == std::string::npos);
    }
    void no_preset_slows_a_kernel_or_passes_its_roof() {
        int made = 0;
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            RandomKernels random(seed);
            const Profile profile = random.profile(15);
            const Analysis analysis = analyse(profile, {});
            for (std::uint32_t i = 0; i < analysis.points.size(); ++i) {
                PresetSubject subject = preset_subject(profile, analysis, i);
                subject.algorithmic = Intensity(random.amount(0.1, 1e3));
                for (const Preset& preset : presets()) {
                    const Result<Move> move = test::preset_move(preset, subject);
                    if (!move) {
                        QVERIFY(!move.error().what.empty() && !move.error().where.empty());
                        continue;
                    }
                    ++made;
                    const KernelState state = moved(subject.state, subject.model, *move);
                    if (state.time) QVERIFY(*state.time <= *subject.state.time * (1 + 1e-12));
                    const auto before = gap_of(subject.state, subject.model.roofs);
                    const auto after = gap_of(state, subject.model.roofs);
                    if (before && after)
                        QVERIFY(after->factor >= std::min(1.0, before->factor) * (1 - 1e-12));
                }
            }
        }
        QVERIFY(made > 2000);
    }
};

}  // namespace tst_presets

ROOFWALK_TEST(tst_presets, TestPresets, NoApplication)
#include "tst_presets.moc"
