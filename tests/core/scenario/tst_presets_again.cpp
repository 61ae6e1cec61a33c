// SPDX-License-Identifier: GPL-3.0-or-later
// Presets on top of presets: what one took away already, no other takes again.
#include <QTest>
#include <numeric>

#include "core/operations/op_binding.h"
#include "core/scenario/presets.h"
#include "core/scenario/scenario_effect.h"
#include "tests/core/scenario/preset_move.h"
#include "tests/core/scenario/random_kernels.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_presets_again {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr MemoryLevel hbm = MemoryLevel::hbm;
constexpr MemoryLevel l2 = MemoryLevel::l2;
constexpr MemoryLevel smem = MemoryLevel::smem;
constexpr double each = 2e9;  // bytes at every level

Launch counted(KernelIndex kernel, double read, double write) {
    Launch one = launch(2e-2, {{fp32, 1e9}},
                        {{Boundary::hbm_dram_rw, read + write},
                         {Boundary::l2_sm_sectors, read + write},
                         {Boundary::smem_wavefronts, read + write}});
    for (const std::size_t level : {0U, 1U}) {
        one.traffic[level].read = Bytes(read);
        one.traffic[level].write = Bytes(write);
    }
    one.kernel = kernel;
    return one;
}

/// Kernels alike: 8 of 32 bytes of a sector used, four wavefronts where one would do, half of what they
/// move left for the next.
Profile wasteful(std::size_t kernels = 1) {
    Profile profile = profile_of(machine({compute_ceiling(fp32, 20e12), compute_ceiling(tensor_fp16, 320e12)},
                                         {bandwidth_ceiling(Boundary::hbm_dram_rw, 2e12),
                                          bandwidth_ceiling(Boundary::l2_sm_sectors, 8e12),
                                          bandwidth_ceiling(Boundary::smem_wavefronts, 20e12)}),
                                 {});
    profile.kernels.clear();
    for (std::size_t i = 0; i < kernels; ++i) {
        profile.kernels.push_back({"k" + std::to_string(i) + "(half *)", {}, {}});
        Launch one = counted(static_cast<KernelIndex>(i), each / 2, each / 2);
        for (const auto& [name, value] :
             {std::pair("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", 8.0),
              std::pair("smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", 8.0),
              std::pair("memory_l1_wavefronts_shared", 8e6),
              std::pair("memory_l1_wavefronts_shared_ideal", 2e6)})
            one.metrics.push_back({profile.texts.intern(name), value});
        profile.launches.push_back(one);
    }
    return profile;
}

/// A profile and the moves that are made to it.
class Walkthrough {
  public:
    explicit Walkthrough(Profile profile, const char* operation = nullptr) : profile_(std::move(profile)) {
        if (operation) profile_.launches[0].algorithm = profile_.texts.intern(operation);
        AnalysisOptions options;
        options.launch_operations = std::make_shared<const LaunchOperations>(bind_operations(profile_, {}));
        analysis_ = analyse(profile_, options);
    }

    /// Applies a preset to the points, and returns why it cannot be; empty when it is made.
    std::string apply(std::string_view id, std::vector<std::uint32_t> points = {0},
                      std::optional<double> parameter = {}) {
        const ScenarioEffect before = effect();
        std::vector<Move> made;
        for (const std::uint32_t point : points) {
            PresetSubject subject = preset_subject(profile_, analysis_, point, before);
            subject.chosen = points;
            const Result<Move> move = test::preset_move(*find_preset(id), subject, parameter);
            if (!move) return move.error().what;
            made.push_back(*move);
        }
        scenario_.moves.insert(scenario_.moves.end(), made.begin(), made.end());
        return {};
    }

    [[nodiscard]] ScenarioEffect effect() const { return effect_of(scenario_, profile_, analysis_); }
    /// Bytes of the first kernel that are left, over those measured.
    [[nodiscard]] double left(MemoryLevel level) const {
        return effect().kernels.front().state.bytes[level]->value() / each;
    }
    [[nodiscard]] const Move& last() const { return scenario_.moves.back(); }

  private:
    Profile profile_;
    Analysis analysis_;
    Scenario scenario_;
};

}  // namespace

class TestPresetsAgain : public QObject {
    Q_OBJECT

  private slots:
    void two_batches_are_one_batch_of_their_product() {
        constexpr const char* product = "gemm m=1 n=4096 k=4096 dtype=fp16";
        Walkthrough twice(wasteful(), product);
        QCOMPARE(twice.apply("batch", {0}, 8), std::string());
        QCOMPARE(twice.apply("batch", {0}, 4), std::string());
        Walkthrough once(wasteful(), product);
        QCOMPARE(once.apply("batch", {0}, 32), std::string());
        QVERIFY(near(twice.left(hbm), once.left(hbm)));
        QVERIFY(near(once.left(hbm), (2 * 4096.0 + 4096.0 * 4096 / 32) / (2 * 4096.0 + 4096.0 * 4096)));
    }
    void loads_are_coalesced_once() {
        Walkthrough walk(wasteful());
        QCOMPARE(walk.apply("coalesce"), std::string());
        QCOMPARE(walk.apply("coalesce"),
                 std::string("An earlier move took away the bytes of its sectors that nothing uses"));
        QVERIFY(near(walk.left(hbm), 0.25));
        QVERIFY(near(walk.left(l2), 0.25));
    }
    // Fewer loads that waste as much of each sector as before.
    void other_moves_leave_the_waste_of_each_sector() {
        Walkthrough walk(wasteful());
        QCOMPARE(walk.apply("tile", {0}, 2), std::string());
        QCOMPARE(walk.apply("coalesce"), std::string());
        QVERIFY(near(walk.left(hbm), 0.125));
    }
    void bank_conflicts_go_once() {
        Walkthrough walk(wasteful());
        QCOMPARE(walk.apply("swizzle"), std::string());
        QCOMPARE(walk.apply("swizzle"), std::string("An earlier move removed its bank conflicts"));
        QVERIFY(near(walk.left(smem), 0.25));
    }
    void intermediates_go_once() {
        Walkthrough walk(wasteful(3));
        QCOMPARE(walk.apply("fuse", {0, 1, 2}), std::string());
        QVERIFY(near(walk.effect().after.bytes[hbm]->value(), each));
        QCOMPARE(
            walk.apply("fuse", {0, 1, 2}),
            std::string("Earlier fusions took away what the kernels leave for each other at DRAM and L2"));
        QCOMPARE(
            walk.apply("fuse", {0, 1, 2}, 1e9),
            std::string("Earlier fusions took away what the kernels leave for each other at DRAM and L2"));
    }
    void a_fusion_grows_by_a_kernel() {
        Walkthrough walk(wasteful(3));
        QCOMPARE(walk.apply("fuse", {0, 1}), std::string());
        QVERIFY(near(walk.effect().after.bytes[hbm]->value(), 2 * each));
        QCOMPARE(walk.apply("fuse", {0, 1, 2}), std::string());
        QVERIFY(near(walk.effect().after.bytes[hbm]->value(), each));
        // What other moves leave of the bytes, fusion leaves the same share of.
        Walkthrough tiled(wasteful(2));
        QCOMPARE(tiled.apply("tile", {0, 1}, 2), std::string());
        QCOMPARE(tiled.apply("fuse", {0, 1}), std::string());
        QVERIFY(near(tiled.effect().after.bytes[hbm]->value(), each / 2));
    }
    void typed_intermediates_are_what_is_left_of_them() {
        Walkthrough walk(wasteful(2));
        QCOMPARE(walk.apply("fuse", {0, 1}, 1.5e9), std::string());
        QCOMPARE(walk.apply("fuse", {0, 1}, 1e9),
                 std::string("1.00 GB of intermediates are more than the kernels can leave for each other at "
                             "DRAM: 500 MB at most"));
        QCOMPARE(walk.apply("fuse", {0, 1}), std::string());
        QVERIFY(near(walk.effect().after.bytes[hbm]->value(), each));
    }
    void fusions_that_share_a_kernel_save_no_more_than_one_of_all() {
        for (const auto& order : {std::pair(std::vector{0U, 1U}, std::vector{1U, 2U}),
                                  std::pair(std::vector{1U, 2U}, std::vector{0U, 1U}),
                                  std::pair(std::vector{0U, 1U, 2U}, std::vector{1U, 2U})}) {
            Walkthrough walk(wasteful(3));
            walk.apply("fuse", order.first);
            walk.apply("fuse", order.second);
            QVERIFY(walk.effect().after.bytes[hbm]->value() >= each * (1 - 1e-9));
        }
    }
    void a_fusion_that_shares_a_kernel_says_what_it_leaves_out() {
        Walkthrough walk(wasteful(3));
        QCOMPARE(walk.apply("fuse", {0, 1}), std::string());
        QVERIFY(walk.last().assumption.find("Earlier fusions") == std::string::npos);
        QCOMPARE(walk.apply("fuse", {1, 2}), std::string());
        QVERIFY2(
            walk.last().assumption.find("Earlier fusions took 1.00 GB of these kernels") != std::string::npos,
            walk.last().assumption.c_str());
    }
    void a_part_is_narrowed_once() {
        Walkthrough walk(wasteful());
        QCOMPARE(walk.apply("int8", {0}, 0.5), std::string());
        QVERIFY(near(walk.left(hbm), 0.75));
        QCOMPARE(walk.apply("int8"), std::string());
        QVERIFY(near(walk.left(hbm), 0.5));
        QVERIFY(walk.last().assumption.find("66.7 % are in data of 16 bits") != std::string::npos);
        QCOMPARE(walk.apply("int8"), std::string("Its data is of 8 bits after an earlier move, not of 16"));
    }
    void what_one_width_left_the_next_takes_up() {
        Walkthrough walk(wasteful(), "axpy n=1e8 dtype=fp32");
        QCOMPARE(walk.apply("fp16", {0}, 0.5), std::string());
        QCOMPARE(walk.apply("int8"), std::string());
        QVERIFY(near(walk.left(hbm), 0.5 + 0.125));
        QCOMPARE(walk.apply("fp16"), std::string());
        QVERIFY(near(walk.left(hbm), 0.25 + 0.125));
        QCOMPARE(walk.apply("int4"), std::string());
        QVERIFY(near(walk.left(hbm), 0.0625 + 0.125));
    }
    // 4096 x 11008 weights of half a byte beside 15,104 elements of two.
    void weights_of_four_bits_are_not_narrowed_again() {
        Walkthrough decode(wasteful(), "gemm m=1 n=11008 k=4096 dtype=fp16 b=int4");
        for (const char* preset : {"int4", "int8", "fp8"})
            QCOMPARE(decode.apply(preset),
                     std::string("Of the bytes that its operation needs 0.134 % are in data "
                                 "of 16 bits: the others are int4"));
    }
    // 4 MiB of weights, and 2 (1024 + 1024) 2048 bytes of A and C: half is of 16 bits, once.
    void beside_narrow_weights_only_the_rest_is_narrowed() {
        Walkthrough prefill(wasteful(), "gemm m=1024 n=2048 k=2048 dtype=fp16 b=int8");
        QCOMPARE(prefill.apply("int4"), std::string());
        const double wide = 2.0 * 2 * 1024 * 2048;
        const double share = wide / (wide + 2048.0 * 2048);
        QVERIFY(near(prefill.left(hbm), 1 - 0.75 * share));
        QVERIFY(prefill.last().assumption.find("66.7 % are in data of 16 bits") != std::string::npos);
        QCOMPARE(prefill.apply("int4"),
                 std::string("Its data is of 4 bits after an earlier move, not of 16"));
    }
    void a_cluster_is_as_large_as_it_can_be() {
        Walkthrough walk(wasteful());
        QCOMPARE(walk.apply("multicast", {0}, 8), std::string());
        QCOMPARE(walk.apply("multicast", {0}, 4),
                 std::string("Earlier moves share each load among 8 thread blocks already"));
        QCOMPARE(walk.apply("multicast", {0}, 2), std::string());
        QVERIFY(near(walk.left(l2), 1.0 / 16));
    }
    void no_preset_repeated_goes_below_its_ideal_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("level");
        QTest::addColumn<double>("least");
        const auto row = [](const char* id, MemoryLevel level, double least) {
            QTest::newRow(id) << QString(id) << static_cast<int>(level) << least;
        };
        row("coalesce", hbm, 0.25);
        row("swizzle", smem, 0.25);
        row("fuse", hbm, 0.5);
        row("int8", hbm, 0.5);
        row("fp8", hbm, 0.5);
        row("int4", hbm, 0.25);
        row("multicast", l2, 1.0 / 16);
        row("overlap", hbm, 1);
        row("to_roof", hbm, 1);
        row("tensor_fp16", hbm, 1);
    }
    void no_preset_repeated_goes_below_its_ideal() {
        QFETCH(QString, id);
        QFETCH(int, level);
        QFETCH(double, least);
        Walkthrough walk(wasteful(2));
        std::string why;
        for (int times = 0; times < 6 && why.empty(); ++times)
            why = walk.apply(id.toStdString(), {0, 1});
        QVERIFY2(!why.empty(), "it is made again and again");
        QVERIFY(walk.left(static_cast<MemoryLevel>(level)) >= least * (1 - 1e-9));
        for (const MovedKernel& kernel : walk.effect().kernels)
            QVERIFY(gap_of(kernel.state, kernel.model.roofs)->factor >= 1 - 1e-9);
    }
};

}  // namespace tst_presets_again

ROOFWALK_TEST(tst_presets_again, TestPresetsAgain, NoApplication)
#include "tst_presets_again.moc"
