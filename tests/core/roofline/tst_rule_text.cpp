// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/roofline/verdict_words.h"
#include "tests/core/roofline/profiles.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_rule_text {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr Boundary hbm = Boundary::hbm_dram_rw;

KernelPoint on_machine(const Launch& one) {
    return point_of(
        profile_of(machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)}), {one}));
}

std::string rule(const Launch& one) {
    return rule_text(on_machine(one), {});
}

}  // namespace

class TestRuleText : public QObject {
    Q_OBJECT

  private slots:
    void rules_carry_the_numbers_they_saw() {
        QCOMPARE(rule(launch(1, {{fp32, 1e12}}, {{hbm, 0.86e12}})),
                 std::string(
                     "near the roof: 86.0 % of the DRAM ceiling (limit 80.0 %); left of the DRAM ridge (AI "
                     "1.16, ridge 10.0)"));
        QCOMPARE(rule(launch(1, {{fp32, 7e12}}, {{hbm, 0.5e12}})),
                 std::string(
                     "FP32 binds: 70.0 % of the FP32 ceiling; right of the DRAM ridge (AI 14.0, ridge 10.0, "
                     "near it)"));
        QCOMPARE(rule(launch(1, {{fp32, 1e12}}, {{hbm, 0.3e12}})),
                 std::string("low use: DRAM at 30.0 % of its ceiling, FP32 at 10.0 % of its ceiling (both "
                             "below 60.0 %); L2, L1/SMEM not judged, and may bind"));
        QCOMPARE(rule(launch(1, {{fp32, 1e12}}, {{hbm, 1.2e12}})),
                 std::string("above the roof: 120.0 % of the DRAM ceiling (limit 100.5 %)"));
    }
    void uncounted_work_is_named_beside_what_memory_reached() {
        Launch partial = launch(1, {{fp32, 1e12}}, {{hbm, 0.3e12}});
        partial.uncounted.packed_fp32 = true;
        QCOMPARE(
            rule(partial),
            std::string("low use: DRAM at 30.0 % of its limit is the nearest (limits 60.0 %, 80.0 %); packed "
                        "FP32 instructions not counted; L2, L1/SMEM, compute not judged"));
    }
    void what_is_missing_is_named_beside_what_is_known() {
        QCOMPARE(
            rule(launch(1, {}, {{hbm, 0.86e12}})),
            std::string(
                "near the roof: DRAM at least 86.0 % of its limit is the nearest (limits 60.0 %, 80.0 %); "
                "work not counted; L2, L1/SMEM, compute not judged"));
        QCOMPARE(rule(launch(std::nullopt, {}, {})), std::string("not measured: time, work, bytes"));
        QCOMPARE(rule(launch(0, {{fp32, 1}}, {{hbm, 1}})), std::string("the measured time is zero"));
        QCOMPARE(
            rule(launch(1, {{fp32, 0}}, {{hbm, 0.5e12}})),
            std::string("low use: DRAM at 50.0 % of its ceiling (below 60.0 %); L2, L1/SMEM, compute not "
                        "judged, and may bind; no FLOP"));
        QCOMPARE(rule(launch(1, {{fp32, 1e12}}, {{hbm, 0}})),
                 std::string("no bytes at any level that was counted; FP32 at 10.0 % of its ceiling"));
        Launch failed = launch(1, {{fp32, 1}}, {{hbm, 1}});
        failed.failed = true;
        QCOMPARE(rule(failed), std::string("the profiler could not measure it"));
    }
    void a_pipe_without_a_ceiling_is_named() {
        QCOMPARE(
            rule(launch(1, {{fp32, 1e12}, {fp64, 1e12}}, {{hbm, 0.7e12}})),
            std::string(
                "memory-bound: DRAM at least 70.0 % of its limit is the nearest (limits 60.0 %, 80.0 %); no "
                "ceiling known for FP64; L2, L1/SMEM, compute not judged"));
    }
    void a_trace_without_a_ceiling_does_not_keep_the_rest_from_being_judged() {
        QCOMPARE(rule(launch(1, {{fp32, 1e12}, {fp64, 1e6}}, {{hbm, 0.7e12}})),
                 std::string("DRAM binds: 70.0 % of the DRAM ceiling; left of the DRAM ridge (AI 1.43, ridge "
                             "10.0); no ceiling known for FP64"));
    }
    void the_only_pipe_without_a_ceiling_is_named() {
        const KernelPoint point = point_of(profile_of(machine({}, {bandwidth_ceiling(hbm, 1e12)}),
                                                      {launch(1, {{fp32, 1e12}}, {{hbm, 0.3e12}})}));
        QCOMPARE(rule_text(point, {}),
                 std::string(
                     "low use: DRAM at least 30.0 % of its limit is the nearest (limits 60.0 %, 80.0 %); no "
                     "ceiling known for FP32; L2, L1/SMEM, compute not judged"));
    }
    void without_any_ceiling_that_is_the_reason() {
        const KernelPoint point =
            point_of(profile_of(machine({}, {}), {launch(1, {{fp32, 1e12}}, {{hbm, 0.3e12}})}));
        QCOMPARE(rule_text(point, {}), std::string("no ceiling is known for what it uses"));
    }
};

}  // namespace tst_rule_text

ROOFWALK_TEST(tst_rule_text, TestRuleText, NoApplication)
#include "tst_rule_text.moc"
