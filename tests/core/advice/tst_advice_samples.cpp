// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "core/advice/guide.h"
#include "core/import/open_profile.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"

namespace tst_advice_samples {

using namespace roofwalk;

namespace {

/// What is said of one kernel of a sample.
struct Told {
    std::string name;
    KernelAdvice advice;
    std::string first;  ///< to do, of the guide; empty without a position

    [[nodiscard]] const Advice* indicated(std::string_view id) const { return find(advice.indicated, id); }
    [[nodiscard]] const Advice* ruled_out(std::string_view id) const { return find(advice.ruled_out, id); }
    [[nodiscard]] const Advice* warning(std::string_view id) const { return find(advice.warnings, id); }

  private:
    static const Advice* find(const std::vector<Advice>& list, std::string_view id) {
        const auto found = std::ranges::find(list, id, &Advice::id);
        return found == list.end() ? nullptr : &*found;
    }
};

Told told_of(std::string_view sample, std::string_view kernel) {
    const auto profile = open_profile(test::sample(sample).string());
    if (!profile) return {};
    const Analysis analysis = analyse(*profile, {});
    for (const KernelPoint& point : analysis.points)
        if (point.name.find(kernel) != std::string::npos) {
            KernelAdvice advice = advise(*profile, analysis, point);
            std::string first = advice.position ? kernel_guide(advice, point, {}).primary : std::string();
            return {point.name, std::move(advice), std::move(first)};
        }
    return {};
}

bool near(double value, double expected) {
    return std::abs(value - expected) <= 0.005 * expected;
}

}  // namespace

/// Kernels about which the rules of Nsight Compute itself, stored in the report, say the same, or whose
/// metrics leave no doubt.
class TestAdviceSamples : public QObject {
    Q_OBJECT

  private slots:
    void init() {
        if (test::sample_reports().empty()) QSKIP("samples are not beside this checkout");
    }
    void the_int8_product_of_cutlass_does_not_fill_the_gpu() {
        const Told told = told_of("2024.1.1_a100-80gb_cutlass-s8", "MmaMultistage");
        QCOMPARE(told.advice.position, std::optional(RoofPosition::below_both));
        QVERIFY2(told.first.find("more blocks") != std::string::npos, told.first.c_str());
    }
    void its_reference_asks_l1_for_nine_times_the_sectors_and_that_comes_first() {
        const Told told = told_of("2024.1.1_a100-80gb_cutlass-s8", "ReferenceGemm");
        QCOMPARE(told.advice.position, std::optional(RoofPosition::at_memory_roof));
        QCOMPARE(std::string(told.advice.indicated.at(0).id), std::string("uncoalesced_access"));
        QVERIFY(near(told.advice.indicated[0].worth->factor, 8.92));
        QVERIFY2(told.first.find("coalesce (up to 8.92x") < told.first.find("registers"), told.first.c_str());
    }
    void rmsnorm_on_the_h100_reads_half_of_each_sector() {
        const Told told = told_of("2025.1.0_h100-pcie_rmsnorm", "rms_norm");
        QCOMPARE(told.advice.position, std::optional(RoofPosition::at_memory_roof));
        const Advice* rule = told.indicated("uncoalesced_access");
        QVERIFY(rule);
        // 58,720,256 sectors of which 25,165,824 are too many.
        QVERIFY(near(rule->evidence.at(0).value, 58720256.0 / 33554432));
        QCOMPARE(rule->evidence.at(1).value, 16.0);
        QVERIFY(rule->text.find("not HBM") != std::string::npos);
        QVERIFY(!rule->worth);
    }
    void silu_on_the_a100_is_coalesced_and_waits_for_its_loads() {
        const Told told = told_of("2025.1.0_a100-sxm4_silu", "silu");
        QCOMPARE(told.advice.position, std::optional(RoofPosition::below_memory_roof));
        QVERIFY(told.ruled_out("uncoalesced_access"));
        QVERIFY(told.ruled_out("low_occupancy"));
        QVERIFY(told.indicated("narrow_loads"));
        const Advice* rule = told.indicated("waits_for_memory");
        QVERIFY(rule);
        QVERIFY(rule->evidence.at(0).value > 0.75);
        QVERIFY(!told.warning("mixed_precision"));
    }
    void occupancy_of_a_pascal_report_has_a_name_of_its_own() {
        const Told told = told_of("2019.x_gtx1070ti", "GeometryRandomKernel");
        const Advice* rule = told.indicated("low_occupancy");
        QVERIFY(rule && near(rule->evidence.at(0).value, 0.0312));
    }
    void channels_do_not_wait_for_one_that_is_hardly_used() {
        // 5.63 kB of DRAM in 1.82 us: 0.809 % of its peak.
        const Told told = told_of("2024.2.1_rtx3070", "dilate");
        QVERIFY(!told.indicated("channel_imbalance") && !told.ruled_out("channel_imbalance"));
    }
    void what_is_ruled_out_is_not_the_first_thing_to_do() {
        const Told saxpy = told_of("2022.4.0_rtx3080ti_saxpy", "saxpy");
        QCOMPARE(saxpy.advice.position, std::optional(RoofPosition::below_both));
        QVERIFY(saxpy.ruled_out("uncoalesced_access") && saxpy.ruled_out("local_memory"));
        // 9.28 us and 0.17 waves of blocks.
        QVERIFY(saxpy.first.starts_with("Give the GPU more to do"));
        const Told dot = told_of("2024.1.1_gtx1660s_dotproduct", "dot_prod_naive");
        QVERIFY(dot.ruled_out("uncoalesced_access") && dot.first.find("fewer atomics") != std::string::npos);
        // Bytes a second of the busiest channel and of all, which alone are in the report, of three launches.
        const Told silu = told_of("2025.1.0_a100-sxm4_silu", "silu");
        const Advice* channels = silu.ruled_out("channel_imbalance");
        QVERIFY(channels && near(channels->evidence.at(0).value, 30120630267.0 / 30010465372.0));
        const Told search = told_of("2022.4.0_a100-dev1_14kernels", "nodeByPoint5");
        QVERIFY(search.indicated("uncoalesced_access"));
        QVERIFY(search.first.starts_with("Put more in flight"));
        const Told reduction = told_of("2021.3.1_gtx1650_41kernels_full", "reduction_kernel");
        QVERIFY(reduction.warning("short_launch") && reduction.ruled_out("uncoalesced_access"));
        QVERIFY(reduction.first.starts_with("Give the GPU more to do"));
    }
    void a_gemm_with_bank_conflicts_on_the_rtx_3080() {
        const Told told = told_of("2023.2.0_rtx3080_sgemm", "gemm<");
        const Advice* conflicts = told.indicated("bank_conflicts");
        QVERIFY(conflicts);
        // 4,456,448 wavefronts of 11,272,192 are too many.
        // All of them are of shared memory, and not all of those that L1 serves, which binds.
        QVERIFY(near(conflicts->evidence.at(0).value, 11272192.0 / (11272192 - 4456448)));
        QVERIFY(conflicts->worth->factor > 1.5 && conflicts->worth->factor < conflicts->evidence[0].value);
        QVERIFY(told.indicated("uncoalesced_access"));
        const Advice* occupancy = told.indicated("low_occupancy");
        QVERIFY(occupancy && occupancy->text.find("limited by registers") != std::string::npos);
        QVERIFY(told.warning("less_than_one_wave"));
    }
    void cublas_on_the_rtx_3080_has_no_conflicts() {
        const Told told = told_of("2023.2.0_rtx3080_sgemm", "ampere_sgemm");
        QVERIFY(told.ruled_out("bank_conflicts"));
        QVERIFY(told.ruled_out("divergence"));
        QVERIFY(told.indicated("low_occupancy"));
    }
    void a_kernel_that_spills_keeps_l2_busy() {
        const Told told = told_of("2024.3.0_a100_4kernels_full", "FindPairs");
        QCOMPARE(told.advice.position, std::optional(RoofPosition::below_memory_roof));
        const Advice* spills = told.indicated("local_memory");
        QVERIFY(spills && spills->evidence.at(0).value > 1);
        QVERIFY(told.ruled_out("uncoalesced_access"));
    }
    void launches_of_one_thread_have_no_fewer_warps() {
        const Told told = told_of("2021.3.1_gtx1650", "mantener_fuentes");
        QVERIFY(!told.name.empty() && !told.indicated("blocks_below_a_warp"));
    }
    void filters_that_read_no_image_are_told_to_do_nothing() {
        const Told told = told_of("2024.2.1_rtx3070_image-filters", "dilate");
        QVERIFY(told.warning("no_global_access") && told.advice.indicated.empty());
        QVERIFY2(told.first.find("launch") != std::string::npos, told.first.c_str());
    }
    void a_grid_below_the_number_of_sms_is_told_beside_the_bytes() {
        const Told told = told_of("2023.2.0_rtx3080_sgemm", "gemm<");
        QVERIFY2(told.first.find("more blocks") != std::string::npos, told.first.c_str());
    }
    void blocks_of_one_thread_are_neither_divergence_nor_bad_coalescing() {
        const Told told = told_of("2024.3.0_a100_4kernels_full", "SquaredSums");
        const Advice* rule = told.indicated("blocks_below_a_warp");
        QVERIFY(rule);
        QCOMPARE(rule->evidence.at(0).value, 1.0);
        QCOMPARE(rule->worth->factor, 32.0);
        QVERIFY(!told.indicated("divergence"));
        QVERIFY(!told.indicated("uncoalesced_access"));
        QVERIFY(!told.indicated("low_occupancy"));  // 49.98 % of the 50 % that 32 blocks of a warp make
    }
    void a_tree_search_diverges_and_waits() {
        const Told told = told_of("2022.4.0_a100-dev1_14kernels", "nodeByPoint5");
        QCOMPARE(told.advice.position, std::optional(RoofPosition::below_both));
        QVERIFY(told.indicated("divergence"));
        QVERIFY(told.indicated("waits_for_memory"));
        QVERIFY(told.indicated("uncoalesced_access"));
        QVERIFY(told.ruled_out("low_occupancy"));
    }
    void tensor_cores_at_their_peak_need_nothing() {
        const Told told = told_of("2023.3.1_a100_mma-ptx", "MmaPtx");
        QCOMPARE(told.advice.position, std::optional(RoofPosition::at_compute_roof));
        QVERIFY(told.advice.indicated.empty());
        QVERIFY(told.advice.warnings.empty());
    }
    void a_wmma_gemm_on_the_t4_reads_its_matrices_badly() {
        const Told told = told_of("2025.1.1_t4_wmma-fp16", "wmma_gemm");
        QCOMPARE(told.advice.position, std::optional(RoofPosition::at_memory_roof));
        const Advice* rule = told.indicated("uncoalesced_access");
        QVERIFY(rule && near(rule->evidence.at(0).value, 2));
    }
    void a_dot_product_of_atomics_waits_for_them() {
        const Told told = told_of("2024.1.1_gtx1660s_dotproduct", "dot_prod_naive");
        const Advice* atomics = told.indicated("many_atomics");
        QVERIFY(atomics);
        QCOMPARE(atomics->evidence.at(0).value, 32768.0 / 65536);
        QVERIFY(told.indicated("waits_at_exit"));
        QCOMPARE(told.advice.position, std::optional(RoofPosition::below_memory_roof));
        QVERIFY(told.first.starts_with("Relieve that slice: fewer atomics"));
        QVERIFY(!told.indicated("repeated_loads"));
    }
    void kernels_that_got_the_counters_of_another_are_told() {
        QVERIFY(told_of("2023.2.0_rtx5000-turing_wmma_3kernels_full", "convertDataset")
                    .warning("contradicting_counters"));
        QVERIFY(!told_of("2024.3.0_a100_4kernels_full", "FindPairs").warning("contradicting_counters"));
        QVERIFY(
            !told_of("2023.2.0_rtx5000-turing_wmma_3kernels_full", "distanceTC").warning("shared_beyond_l1"));
        QVERIFY(told_of("2024.1.1_a100-80gb_cutlass", "Kernel<").warning("shared_beyond_l1"));
    }
    void a_default_report_names_what_would_tell_more() {
        const Told told = told_of("2025.2.1_b200_cublaslt", "Kernel2");
        QCOMPARE(told.advice.position, std::optional(RoofPosition::below_both));  // L1TEX at 45 %, SM at 15 %
        QVERIFY(told.indicated("low_occupancy"));
        QVERIFY(told.warning("less_than_one_wave"));
        QVERIFY(!told.advice.not_measured.empty());
    }
    void no_advice_contradicts_the_class_or_rests_on_nothing() {
        for (const auto& path : test::sample_reports()) {
            const auto profile = open_profile(path.string());
            if (!profile) continue;
            const Analysis analysis = analyse(*profile, {});
            for (const KernelPoint& point : analysis.points) {
                const KernelAdvice advice = advise(*profile, analysis, point);
                const KernelClass kernel_class = point.verdict.kernel_class;
                const auto at = advice.position;
                const bool on_roof =
                    at == RoofPosition::at_memory_roof || at == RoofPosition::at_compute_roof;
                if (kernel_class == KernelClass::near_roof) QVERIFY(on_roof);
                if (kernel_class == KernelClass::memory_bound)
                    QCOMPARE(at, std::optional(RoofPosition::below_memory_roof));
                if (kernel_class == KernelClass::compute_bound)
                    QCOMPARE(at, std::optional(RoofPosition::below_compute_roof));
                if (kernel_class == KernelClass::above_roof) QVERIFY(advice.indicated.empty());
                if (kernel_class == KernelClass::not_measured || kernel_class == KernelClass::work_incomplete)
                    QVERIFY(!at);
                for (const Advice& rule : advice.indicated)
                    QVERIFY2(!rule.evidence.empty() && rule.evidence[0].threshold, rule.id.data());
            }
        }
    }
};

}  // namespace tst_advice_samples

ROOFWALK_TEST(tst_advice_samples, TestAdviceSamples, NoApplication)
#include "tst_advice_samples.moc"
