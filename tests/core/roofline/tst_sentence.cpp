// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>
#include <QTest>

#include "core/operations/op_binding.h"
#include "core/roofline/verdict_words.h"
#include "tests/core/roofline/profiles.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_sentence {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr Boundary hbm = Boundary::hbm_dram_rw;

std::string said(const Launch& one) {
    const Device device = machine({compute_ceiling(fp32, 10e12), compute_ceiling(tensor_int8, 100e12)},
                                  {bandwidth_ceiling(hbm, 2e12)});
    return verdict_sentences(point_of(profile_of(device, {one}))).text();
}

}  // namespace

class TestSentence : public QObject {
    Q_OBJECT

  private slots:
    void each_class_has_its_sentence() {
        QCOMPARE(said(launch(1, {{fp32, 1e12}}, {{hbm, 1.4e12}})),
                 std::string("Memory-bound: 1.43x below the DRAM roof (70.0 % of 2.00 TB/s)."));
        QCOMPARE(said(launch(1, {{fp32, 7e12}}, {{hbm, 1e11}})),
                 std::string("Compute-bound: 1.43x below the FP32 roof (70.0 % of 10.0 TFLOP/s)."));
        QCOMPARE(said(launch(1, {{fp32, 9e12}}, {{hbm, 1e11}})),
                 std::string("Near the roof: FP32 reaches 90.0 % of 10.0 TFLOP/s."));
        QCOMPARE(
            said(launch(1, {{fp32, 1e12}}, {{hbm, 0.4e12}})),
            std::string(
                "Low use of DRAM and FP32 (L2, L1/SMEM not judged): 5.00x below the DRAM roof. DRAM at 20.0 % "
                "of 2.00 TB/s, FP32 at 10.0 % of 10.0 TFLOP/s."));
        QCOMPARE(said(launch(1, {{fp32, 1e12}},
                             {{hbm, 0.4e12}, {Boundary::l2_sm_sectors, 0}, {Boundary::smem_wavefronts, 0}})),
                 std::string("Latency-bound: 5.00x below the DRAM roof; DRAM at 20.0 % of 2.00 TB/s, "
                             "FP32 at 10.0 % of 10.0 TFLOP/s."));
        QCOMPARE(said(launch(1, {{fp32, 1e12}}, {{hbm, 3e12}})),
                 std::string("Above the DRAM roof: 150.0 % of 2.00 TB/s."));
    }
    void a_kernel_without_a_time_says_so_first() {
        Launch untimed = launch(1, {{fp32, 1e12}}, {{hbm, 1e11}});
        untimed.duration.reset();
        for (const bool failed : {false, true}) {
            untimed.failed = failed;
            const Sentences said = verdict_sentences(point_of(profile_of(machine({}, {}), {untimed})));
            QVERIFY2(said.first.starts_with("Its time was not measured"), said.first.c_str());
            QCOMPARE(said.rest.find("profiler could not") != std::string::npos, failed);
        }
    }
    void one_known_share_stands_in_the_headline_alone() {
        Profile profile = profile_of(machine({}, {}), {launch(1, {}, {})});
        profile.launches[0].metrics.push_back({profile.texts.intern(metric_of(HardwareUnit::sm)), 90});
        KernelPoint point = point_of(profile);
        const auto text = [&] { return verdict_sentences(point).text(); };
        QVERIFY2(text().starts_with("Near its limit: SM reaches at least 90.0 %; "), text().c_str());
        point.sampled.samples = 2;
        QVERIFY2(text().starts_with("Near its limit: SM reaches at least 90.0 %. 2 PM samples "),
                 text().c_str());
    }
    void levels_that_the_profiler_judged_instead_of_their_bytes_are_named() {
        const Device device = machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 2e12)});
        Profile profile =
            profile_of(device, {launch(1, {{fp32, 1e12}}, {{hbm, 0.4e12}, {Boundary::smem_wavefronts, 0}})});
        profile.launches[0].metrics.push_back({profile.texts.intern(metric_of(HardwareUnit::memory)), 44.4});
        const KernelPoint point = point_of(profile);
        QCOMPARE(
            verdict_sentences(point).text(),
            std::string(
                "Latency-bound: 2.25x below the limit of Memory (44.4 % busy). "
                "By bytes and work 5.00x below the DRAM roof; DRAM at 20.0 % of 2.00 TB/s, FP32 at 10.0 % of 10.0 TFLOP/s. L2 bytes not counted: judged by the "
                "profiler's own measure (Memory 44.4 % busy)."));
        QVERIFY(rule_text(point, {}).ends_with("profiler's own measure (Memory 44.4 % busy)"));
        QCOMPARE(class_text(point), std::string("latency-bound (L2 bytes not counted)"));
        profile.launches[0].traffic.push_back(
            {.boundary = Boundary::l2_sm_sectors, .total = Bytes(1e9), .read = {}, .write = {}});
        QCOMPARE(class_text(point_of(profile)), std::string("latency-bound (no L2 ceiling)"));
    }
    void a_busy_unit_is_named() {
        const Device device = machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 2e12)});
        Profile profile = profile_of(device, {launch(1, {{fp32, 1e12}}, {{hbm, 0.4e12}})});
        profile.launches[0].metrics.push_back({profile.texts.intern(metric_of(HardwareUnit::l2)), 71.2});
        QCOMPARE(
            verdict_sentences(point_of(profile)).text(),
            std::string(
                "Memory-bound: 1.40x below the limit of L2 (71.2 % busy). Busy is its throughput by "
                "the profiler; by bytes and work the kernel is 5.00x below the DRAM roof. DRAM at 20.0 % of 2.00 TB/s, FP32 at 10.0 % of 10.0 "
                "TFLOP/s."));
    }
    void a_unit_busy_on_the_other_side_does_not_bind() {
        const Device device = machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 2e12)});
        Profile profile = profile_of(device, {launch(1, {{fp32, 2e12}}, {{hbm, 0.2e12}})});
        profile.launches[0].metrics.push_back({profile.texts.intern(metric_of(HardwareUnit::l2)), 71.2});
        QCOMPARE(
            verdict_sentences(point_of(profile)).text(),
            std::string(
                "L2-bound: 1.40x below the limit of L2 (71.2 % busy). Busy is its throughput by the "
                "profiler; by bytes and work the kernel is 5.00x below the FP32 roof. DRAM at 10.0 % of 2.00 TB/s, FP32 at 20.0 % of 10.0 "
                "TFLOP/s."));
    }
    void near_the_roof_it_is_the_bytes_that_count() {
        const Device device = machine({compute_ceiling(tensor_fp16, 100e12)}, {bandwidth_ceiling(hbm, 1e12)});
        std::string told_class;
        const auto moving = [&](double times) {
            const double needed = 2 * (4096.0 * 4096 + 2 * 4096);
            Profile profile =
                profile_of(device, {launch(times * needed / 0.9e12, {{tensor_fp16, 2.0 * 4096 * 4096}},
                                           {{hbm, times * needed}})});
            profile.launches[0].algorithm = profile.texts.intern("gemv m=4096 n=4096 dtype=fp16");
            AnalysisOptions options;
            options.launch_operations =
                std::make_shared<const LaunchOperations>(bind_operations(profile, {}));
            const KernelPoint point = point_of(profile, options);
            told_class = class_text(point);
            return verdict_sentences(point).text();
        };
        QCOMPARE(moving(1),
                 std::string("Near the roof, fusion or smaller types next: DRAM reaches 90.0 % of 1.00 TB/s; "
                             "moves the DRAM bytes that a GEMV of this shape needs."));
        QCOMPARE(moving(22),
                 std::string("Its bytes cost most: it moves 22.0x as many DRAM bytes as a GEMV of this shape "
                             "needs, near the roof (DRAM reaches 90.0 % of 1.00 TB/s). Closing that gap "
                             "is worth 22.0x."));
        QCOMPARE(told_class, std::string("near the roof (fewer bytes next)"));
    }
    void contradicting_counters_are_said() {
        Profile profile = profile_of(machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 2e12)}),
                                     {launch(1, {{fp32, 1e12}}, {{hbm, 1.4e12}})});
        profile.warnings.push_back(
            {{ErrorCode::contradiction, "counters of another launch", "", ""}, {LaunchIndex{0}}});
        QCOMPARE(verdict_sentences(point_of(profile)).text(),
                 std::string("Its counters contradict each other, so what follows may be wrong. "
                             "Memory-bound: 1.43x below the DRAM roof (70.0 % of 2.00 TB/s)."));
    }
    void a_unit_nearer_to_its_limit_than_a_kernel_near_its_roof_is_named() {
        const Device device = machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 2e12)});
        Profile profile = profile_of(device, {launch(1, {{fp32, 1e12}}, {{hbm, 1.8e12}})});
        profile.launches[0].metrics.push_back({profile.texts.intern(metric_of(HardwareUnit::l1tex)), 99.9});
        QCOMPARE(verdict_sentences(point_of(profile)).text(),
                 std::string("Near the roof: DRAM reaches 90.0 % of 2.00 TB/s; L1TEX is 99.9 % busy "
                             "by the profiler's own measure."));
        profile.launches[0].metrics.back().value = 88;
        QCOMPARE(verdict_sentences(point_of(profile)).text(),
                 std::string("Near the roof: DRAM reaches 90.0 % of 2.00 TB/s."));
    }
    void the_nearest_limit_comes_first() {
        const Device device = machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 2e12)});
        const auto starts = [](const std::string& sentence, const std::string& nearest) {
            return sentence.find(nearest + ". By bytes and work 50.0x below") != std::string::npos;
        };
        Profile profile = profile_of(device, {launch(1, {{fp32, 1e10}}, {{hbm, 4e10}})});
        QVERIFY(verdict_sentences(point_of(profile)).text().find(": 50.0x below the DRAM roof. ") !=
                std::string::npos);
        profile.launches[0].metrics.push_back({profile.texts.intern(metric_of(HardwareUnit::l1tex)), 25});
        QVERIFY(starts(verdict_sentences(point_of(profile)).text(),
                       "4.00x below the limit of L1TEX (25.0 % busy)"));
        const Profile brief = profile_of(device, {launch(2.5e-6, {{fp32, 1e3}}, {{hbm, 1e5}})});
        // One factor, that of the roof, which chart and table tell too: what launches take is told as a time.
        const Sentences held = verdict_sentences(point_of(brief));
        const auto factors = [](const std::string& text) {
            return QString::fromStdString(text).count(QRegularExpression("[0-9]x "));
        };
        QVERIFY(held.first.find("50.0x below the DRAM roof") != std::string::npos);
        QCOMPARE(factors(held.text()), 1);
        QVERIFY(held.rest.find("2.00 µs (usual)") != std::string::npos);
    }
    void kernels_without_a_place_say_what_is_known() {
        QCOMPARE(said(launch(1, {{fp32, 0}}, {{hbm, 1e12}})),
                 std::string("Low use of DRAM (L2, L1/SMEM, compute not judged): 2.00x below the DRAM roof; "
                             "DRAM at 50.0 % of 2.00 TB/s. It does no FLOP."));
        QCOMPARE(said(launch(1, {{fp32, 5e12}}, {{hbm, 0}})),
                 std::string("No bytes at any level that was counted; FP32 at 50.0 % of 10.0 TFLOP/s."));
        QCOMPARE(
            said(launch(1, {}, {{hbm, 1e12}})),
            std::string(
                "Low use of what was measured: at most 2.00x below the limit of DRAM. DRAM at 50.0 % of 2.00 TB/s; "
                "work not counted; L2, L1/SMEM, compute not judged."));
    }
    void work_that_is_not_counted_is_said() {
        QCOMPARE(said(launch(1, {{fp32, 0}, {tensor_int8, 50e12}}, {{hbm, 1e11}})),
                 std::string(
                     "Low use of DRAM and INT8 Tensor (L2, L1/SMEM not judged): 2.00x below the INT8 Tensor "
                     "roof. DRAM at 5.00 % of 2.00 TB/s, INT8 Tensor at 50.0 % of 100 TOP/s. Its work is "
                     "integer operations (50.0 TOP, INT8 Tensor), which are not counted as FLOP."));
    }
    void uncounted_work_is_named() {
        Launch partial = launch(1, {{fp32, 1e12}}, {{hbm, 1e12}});
        partial.uncounted = {.packed_fp32 = false, .fp16 = true, .tensor = true};
        QCOMPARE(
            said(partial),
            std::string("Low use: 2.00x below the limit of DRAM. DRAM at 50.0 % of 2.00 "
                        "TB/s, FP32 at 10.0 % of 10.0 TFLOP/s; FP16, tensor instructions not counted; L2, "
                        "L1/SMEM, compute not judged."));
    }
    void integer_ceilings_count_operations() {
        QCOMPARE(
            said(launch(1, {{fp32, 1e9}, {tensor_int8, 70e12}}, {{hbm, 1e11}})),
            std::string("Most of its work is integer operations (70.0 TOP, INT8 Tensor), which FLOP/s do not "
                        "count. Compute-bound: 1.43x below the INT8 Tensor roof (70.0 % of 100 TOP/s)."));
    }
};

}  // namespace tst_sentence

ROOFWALK_TEST(tst_sentence, TestSentence, NoApplication)
#include "tst_sentence.moc"
