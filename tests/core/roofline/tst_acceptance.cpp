// SPDX-License-Identifier: GPL-3.0-or-later
//
// The model itself: entries C-1 to C-9, S1-07, S2-01, S2-14, S2-17, S4-01, S4-02, S4-E1, S4-E2 and 2.6 no. 2
// of the acceptance list, with the corrected values.
#include <QTest>
#include <span>

#include "core/base/text.h"
#include "core/import/ncu/ncu_report.h"
#include "core/operations/gemm.h"
#include "core/roofline/verdict_words.h"
#include "tests/core/roofline/acceptance.h"
#include "tests/support/folder_tests.h"
#include "tests/support/ncu_fixtures.h"

namespace tst_acceptance {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr Boundary hbm = Boundary::hbm_dram_rw;
constexpr Boundary l2 = Boundary::l2_sm_sectors;
constexpr Boundary smem = Boundary::smem_wavefronts;

struct Machine {
    FlopRate peak;
    ByteRate bandwidth;

    [[nodiscard]] double reached(double intensity) const {
        return attainable(peak, bandwidth, Intensity(intensity)).value();
    }
    [[nodiscard]] Device device() const {
        return machine({compute_ceiling(fp32, peak.value())}, {bandwidth_ceiling(hbm, bandwidth.value())});
    }
    [[nodiscard]] KernelPoint run(double seconds, Flops work, Bytes bytes) const {
        return point_of(
            profile_of(device(), {launch(seconds, {{fp32, work.value()}}, {{hbm, bytes.value()}})}));
    }
    /// As the chart marks it.
    [[nodiscard]] double ridge() const {
        return ridge_tick(scene_of(profile_of(device(), {launch(1, {{fp32, 1}}, {{hbm, 1}})})), "DRAM");
    }
};

constexpr Machine round_machine{FlopRate(100e12), ByteRate(1e12)};          // S4-01
constexpr Machine a100{FlopRate(312e12), ByteRate(2039e9)};                 // S0-01
constexpr Machine card_of_exercise_1{FlopRate(20e12), ByteRate(800e9)};     // S4-E1
constexpr Machine card_of_exercise_2{FlopRate(120e12), ByteRate(1500e9)};   // S4-E2
constexpr Machine card_of_the_article{FlopRate(312e12), ByteRate(2000e9)};  // S1-07
constexpr Machine h100{FlopRate(990e12), ByteRate(3350e9)};                 // S2-17

double intensity(const KernelPoint& point, MemoryLevel level = MemoryLevel::hbm) {
    return point.at(level)->intensity->value();
}

Device four_ceilings() {
    return machine(
        {compute_ceiling(fp32, 19.5e12), compute_ceiling(tensor_fp16, 312e12)},
        {bandwidth_ceiling(hbm, 2039e9), bandwidth_ceiling(l2, 6000e9), bandwidth_ceiling(smem, 19000e9)});
}

Profile staircase_kernel(Pipe pipe) {
    return profile_of(four_ceilings(),
                      {launch(1, {{pipe, 1e12}}, {{hbm, 0.5e12}, {l2, 4e12}, {smem, 8e12}})});
}

/// Pixels that a straight line of slope one climbs over two decades, on axes of 100 pixels a decade.
double climb_over_two_decades(double bandwidth) {
    const LogAxis y({1, 1e20}, 0, 2000);
    const auto at = [&](double x) {
        return y.to_pixel(attainable(FlopRate(1e19), ByteRate(bandwidth), Intensity(x)).value());
    };
    return at(100) - at(1);
}

/// The three launches of saxpy in a written report.
KernelPoint saxpy_of_a_report() {
    const std::string bytes = write_report(full_report_fixture());
    const auto profile = read_ncu_report(std::as_bytes(std::span(bytes)), "acceptance.ncu-rep");
    for (const KernelPoint& point : analyse(*profile, {}).points)
        if (point.name.starts_with("saxpy")) return point;
    qFatal("no saxpy");
}

void add_common_core() {
    number("C-1 100 FLOP over 50 B", intensity(round_machine.run(1, Flops(100), Bytes(50))), 2, 0);
    number("C-1 100,000 FLOP over 50 B", intensity(round_machine.run(1, Flops(100'000), Bytes(50))), 2000, 0);
    number("C-2 round machine at 0.25", round_machine.reached(0.25), 0.25e12, 0);
    number("C-2 round machine at 20", round_machine.reached(20), 20e12, 0);
    number("C-2 round machine at 200", round_machine.reached(200), 100e12, 0);
    number("C-2 A100 at 1", a100.reached(1), 2.039e12, 0);
    number("C-2 A100 at 100", a100.reached(100), 203.9e12, 0);
    number("C-2 A100 at 512", a100.reached(512), 312e12, 0);
    const Scene tensor = scene_of(staircase_kernel(tensor_fp16));
    const Scene vector = scene_of(staircase_kernel(fp32));
    number("C-3 tick of FP16 Tensor and DRAM", ridge_tick(tensor, "DRAM"), 153.02, 0.005);
    number("C-3 tick of FP16 Tensor and L2", ridge_tick(tensor, "L2"), 52, 0.005);
    number("C-3 tick of FP32 and DRAM", ridge_tick(vector, "DRAM"), 9.56, 0.005);
    number("C-3 tick of FP32 and L2", ridge_tick(vector, "L2"), 3.25, 0.005);
    for (const double bandwidth : {1e9, 2039e9, 7e12})
        number("C-4 slope one at " + format(ByteRate(bandwidth)), climb_over_two_decades(bandwidth), 200,
               1e-9);
    number("C-4 flat right of the knee", a100.reached(1e3), a100.reached(1e6), 0);
    number("C-4 knee", a100.reached(ridge_point(a100.peak, a100.bandwidth).value()), 312e12, 1);
}

void add_time_bounds() {
    const KernelPoint saxpy = card_of_exercise_1.run(2e-3, Flops(2e8), Bytes(1.2e9));
    number("C-6 T of the arithmetic", saxpy.pipes.at(0).bound->value(), 10e-6, 0);
    number("C-6 T of the bytes", saxpy.at(MemoryLevel::hbm)->bound->value(), 1.5e-3, 0);
    number("C-6 T is the larger one", saxpy.speed_of_light->value(), 1.5e-3, 0);
    number("S4-02 P at most F / max T", (*saxpy.work / *saxpy.speed_of_light).value(),
           card_of_exercise_1.reached(intensity(saxpy)), 1e-3);
    number("S4-E1 ceiling", (*saxpy.work / *saxpy.speed_of_light).value() / 1e9, 133.3, 0.05);
    number("S4-E1 ridge", card_of_exercise_1.ridge(), 25, 0);
}

void add_report() {
    const KernelPoint saxpy = saxpy_of_a_report();
    number("C-7 B is dram read + write", saxpy.at(MemoryLevel::hbm)->bytes.value(), 2'415'919'104, 1e-3);
    number("C-7 F", saxpy.work->value(), 402'653'184, 1e-3);
    number("C-7 t", saxpy.time->value(), 1.8456e-3, 1e-12);
    number("C-7 P is F / t", saxpy.performance->value() / 1e9, 218.169, 0.0005);
    number("C-7 BW is B / t", (saxpy.at(MemoryLevel::hbm)->bytes / *saxpy.time).value() / 1e9, 1309.016,
           0.0005);
}

/// S2-17: 4096 x 4096 in FP16, of which the bytes of the matrix count: 33.55 MFLOP and 33.55 MB.
KernelPoint gemv_at(double rate) {
    const double amount = 2 * 4096.0 * 4096;
    return h100.run(amount / rate, Flops(amount), Bytes(amount));
}

void add_gemv() {
    const KernelPoint naive = gemv_at(1.2e12);
    const KernelPoint last = gemv_at(3.1e12);
    number("2.6 no. 2 roof of the GEMV", (*naive.work / *naive.speed_of_light).value() / 1e12, 3.35, 1e-9);
    number("2.6 no. 2 Gv of the naive GEMV", naive.gap->factor, 2.79, 0.005);
    number("2.6 no. 2 Gv of the last GEMV", last.gap->factor, 1.08, 0.005);
    number("S2-17 time of the naive GEMV in us", naive.time->value() * 1e6, 28.0, 0.05);
    number("S2-17 time of the vectorised GEMV in us", gemv_at(2.9e12).time->value() * 1e6, 11.6, 0.05);
    number("S2-17 time of the last GEMV in us", last.time->value() * 1e6, 10.8, 0.05);
    number("S2-17 from the naive to the vectorised", *naive.time / *gemv_at(2.9e12).time, 2.417, 0.0005);
    number("S2-17 per cent of the naive GEMV", naive.gap->efficiency() * 100, 35.8, 0.05);
    number("S2-17 per cent of the vectorised GEMV", gemv_at(2.9e12).gap->efficiency() * 100, 86.6, 0.05);
    number("S2-17 per cent of the last GEMV", last.gap->efficiency() * 100, 92.5, 0.05);
    number("S2-17 straight up", intensity(last) / intensity(naive), 1, 0);
    number("S3-05 decades of the naive GEMV", naive.gap->decades(), 0.446, 0.0005);
}

/// 85 % of the bandwidth and 12 % of the FP32 peak of an H100, in one second.
KernelPoint layer_norm_of_the_article(double work = 1) {
    return point_of(profile_of(machine({compute_ceiling(fp32, 67e12)}, {bandwidth_ceiling(hbm, 3350e9)}),
                               {launch(1, {{fp32, 0.12 * work * 67e12}}, {{hbm, 0.85 * 3350e9}})}));
}

/// The prefill GEMM of S2-04, 410 FLOP/byte, on an H100 whose band about the ridge ends at `high`.
bool is_near_the_ridge(double high) {
    const GemmShape shape{.m = 512, .n = 4096, .k = 4096};
    AnalysisOptions options;
    options.thresholds.near_ridge_high = high;
    return point_of(profile_of(h100.device(), {launch(1e-3, {{fp32, gemm_work(shape).value()}},
                                                      {{hbm, gemm_bytes(shape).value()}})}),
                    options)
        .verdict.near_ridge;
}

void add_worked_examples() {
    const KernelPoint hundred_ms = card_of_the_article.run(0.1, Flops(50e9), Bytes(20e9));
    number("S1-07 AI", intensity(hundred_ms), 2.5, 0);
    number("S1-07 P in 100 ms", hundred_ms.performance->value(), 500e9, 0);
    number("S1-07 roof", (*hundred_ms.work / *hundred_ms.speed_of_light).value(), 5e12, 0);
    number("S1-07 share of the roof", hundred_ms.gap->efficiency(), 0.1, 1e-12);
    number("S1-07 vertical gap", hundred_ms.gap->factor, 10, 1e-9);
    number("S1-07 decades", hundred_ms.gap->decades(), 1, 1e-9);
    const KernelPoint thousandth = card_of_the_article.run(0.1e-3, Flops(50e6), Bytes(20e6));
    number("S1-07 AI of 50 MFLOP and 20 MB", intensity(thousandth), 2.5, 0);
    number("S1-07 P of 50 MFLOP in 0.1 ms", thousandth.performance->value(), 500e9, 1e-3);
    number("S1-07 BW of 20 MB in 0.1 ms", (thousandth.at(MemoryLevel::hbm)->bytes / *thousandth.time).value(),
           200e9, 1e-3);
    number("S1-07 share of the roof in 0.1 ms", thousandth.gap->efficiency(), 0.1, 1e-12);
    const KernelPoint printed = card_of_the_article.run(0.1e-3, Flops(50e9), Bytes(20e9));
    number("S1-07 P as printed", printed.performance->value() / 1e12, 500, 1e-9);
    number("S1-07 BW as printed", (printed.at(MemoryLevel::hbm)->bytes / *printed.time).value() / 1e12, 200,
           1e-9);
    number("S4-01 ridge", round_machine.ridge(), 100, 0);
    number("S4-01 at 0.25", round_machine.reached(0.25), 0.25e12, 0);
    number("S4-01 at 20", round_machine.reached(20), 20e12, 0);
    number("S4-01 at 200", round_machine.reached(200), 100e12, 0);
    const auto gemm = [](double n) { return gemm_intensity({.m = n, .n = n, .k = n}).value(); };
    number("S4-E2 ridge", card_of_exercise_2.ridge(), 80, 0);
    number("S4-E2 AI of N=240", gemm(240), 80, 1e-12);
    number("S4-E2 AI of N=128", gemm(128), 42.7, 0.05);
    number("S4-E2 AI of N=512", gemm(512), 170.7, 0.05);
    number("S4-E2 cap of N=128", card_of_exercise_2.reached(gemm(128)) / 1e12, 64, 1e-9);
    number("S4-E2 cap of N=512", card_of_exercise_2.reached(gemm(512)) / 1e12, 120, 0);
}

KernelPoint gemm_on_the_card_of_exercise_2(double n) {
    const GemmShape shape{.m = n, .n = n, .k = n};
    return card_of_exercise_2.run(1e-3, gemm_work(shape), gemm_bytes(shape));
}

/// The class of a memory-heavy or compute-heavy kernel that reaches 70 % of its roof.
void add_sides() {
    const auto side = [](double seconds, double work, double bytes) {
        return word_of(round_machine.run(seconds, Flops(work), Bytes(bytes)).verdict.side);
    };
    word("C-5 left of the ridge", side(1, 50e12, 1e12), "memory");
    word("C-5 right of the ridge", side(1, 50e12, 0.1e12), "compute");
    word("C-5 equality", side(1, 50e12, 0.5e12), "at_ridge");
    word("C-5 within the tolerance", side(1, 50.04e12, 0.5e12), "at_ridge");
    word("C-5 beyond the tolerance", side(1, 50.06e12, 0.5e12), "compute");
    word("S4-E2 N=128", word_of(gemm_on_the_card_of_exercise_2(128).verdict.side), "memory");
    word("S4-E2 N=240", word_of(gemm_on_the_card_of_exercise_2(240).verdict.side), "at_ridge");
    word("S4-E2 N=512", word_of(gemm_on_the_card_of_exercise_2(512).verdict.side), "compute");
    word("S4-E1 SAXPY", word_of(card_of_exercise_1.run(2e-3, Flops(2e8), Bytes(1.2e9)).verdict.side),
         "memory");
}

std::string levels_of_the_dots(const Scene& scene) {
    std::string levels;
    for (const Dot& dot : scene.dots)
        levels += (levels.empty() ? "" : " ") + std::string(id_of(dot.level));
    return levels;
}

}  // namespace

class TestAcceptance : public QObject {
    Q_OBJECT

  private slots:
    void numbers_are_those_of_the_list_data() {
        add_number_columns();
        add_common_core();
        add_time_bounds();
        add_report();
        add_worked_examples();
        add_gemv();
        number("S2-01 AI of the LayerNorm", intensity(layer_norm_of_the_article()), 2.82, 0.005);
        number("S2-01 what 40 % more work leaves of the time that its roof allows",
               *layer_norm_of_the_article(1.4).speed_of_light / *layer_norm_of_the_article().speed_of_light,
               1, 0);
    }
    void numbers_are_those_of_the_list() { compare_numbers(); }

    void words_are_those_of_the_list_data() {
        add_word_columns();
        const KernelPoint one = round_machine.run(1, Flops(100), Bytes(50));
        word("C-1 unit", format(*one.at(MemoryLevel::hbm)->intensity), "2.00 FLOP/byte");
        word("C-1 boundary", id_of(one.at(MemoryLevel::hbm)->boundary), "hbm/dram-rw");
        add_sides();
        word("S2-01 side of the LayerNorm", word_of(layer_norm_of_the_article().verdict.side), "memory");
        word("S2-14 a GEMM at 1.39 of the ridge", is_near_the_ridge(1.5) ? "near" : "apart", "near");
        word("S2-14 with a band up to 1.2", is_near_the_ridge(1.2) ? "near" : "apart", "apart");
        const Profile three_levels = staircase_kernel(fp32);
        word("C-8 a dot for each level", levels_of_the_dots(scene_of(three_levels)), "hbm l2 smem");
        word("C-8 the level that binds", label_of(*point_of(three_levels).binding, MemoryName::dram), "L2");
        const KernelPoint printed = card_of_the_article.run(0.1e-3, Flops(50e9), Bytes(20e9));
        word("S1-07 class as printed", label_of(printed.verdict.kernel_class), "above the roof");
        word("S1-07 cause as printed", above_roof_causes(printed).at(0),
             "Performance is 160.3 % of the FP32 ceiling and traffic 10,000 % of the DRAM ceiling: check the "
             "units, the time first.");
    }
    void words_are_those_of_the_list() { compare_words(); }

    void the_model_is_per_kernel_and_says_where_another_roof_applies() {  // C-9, S1-11
        Profile two_kernels = staircase_kernel(fp32);
        two_kernels.kernels.push_back({"other(float *)", "other", {}});
        two_kernels.launches.push_back(two_kernels.launches[0]);
        two_kernels.launches[1].kernel = KernelIndex{1};
        QCOMPARE(analyse(two_kernels, {}).points.size(), std::size_t{2});

        // Above the HBM roof; that of L2 is not known, else it would bind.
        const Device without_l2 = machine({compute_ceiling(fp32, 19.5e12)}, {bandwidth_ceiling(hbm, 2039e9)});
        const KernelPoint resident =
            point_of(profile_of(without_l2, {launch(0.04, {{fp32, 1e9}}, {{hbm, 0.1e12}, {l2, 5e12}})}));
        bool proposes_l2 = false;
        for (const std::string& cause : above_roof_causes(resident))
            proposes_l2 = proposes_l2 || cause.ends_with("the L2 roof is the one that applies.");
        QVERIFY(proposes_l2);
    }
};

}  // namespace tst_acceptance

ROOFWALK_TEST(tst_acceptance, TestAcceptance, NoApplication)
#include "tst_acceptance.moc"
