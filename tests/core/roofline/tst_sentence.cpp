// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/roofline/verdict.h"
#include "tests/core/roofline/profiles.h"
#include "tests/support/qt_strings.h"

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr Boundary hbm = Boundary::hbm_dram_rw;

std::string said(const Launch& one) {
    const Device device = machine({compute_ceiling(fp32, 10e12), compute_ceiling(tensor_int8, 100e12)},
                                  {bandwidth_ceiling(hbm, 2e12)});
    return sentence(point_of(profile_of(device, {one})));
}

}  // namespace

class TestSentence : public QObject {
    Q_OBJECT

  private slots:
    void each_class_has_its_sentence() {
        QCOMPARE(said(launch(1, {{fp32, 1e12}}, {{hbm, 1.4e12}})),
                 std::string("HBM-bound: 1.4x below the HBM roof (70.0 % of 2.00 TB/s)."));
        QCOMPARE(said(launch(1, {{fp32, 7e12}}, {{hbm, 1e11}})),
                 std::string("FP32-bound: 1.4x below the FP32 roof (70.0 % of 10.0 TFLOP/s)."));
        QCOMPARE(said(launch(1, {{fp32, 9e12}}, {{hbm, 1e11}})),
                 std::string("Well optimised: FP32 roof reached to 90.0 % of 10.0 TFLOP/s."));
        QCOMPARE(
            said(launch(1, {{fp32, 1e12}}, {{hbm, 0.4e12}})),
            std::string(
                "Low use of HBM and FP32 (L2, L1/SMEM not judged): 5.0x below the HBM roof; HBM at 20.0 % "
                "of 2.00 TB/s, FP32 at 10.0 % of 10.0 TFLOP/s."));
        QCOMPARE(said(launch(1, {{fp32, 1e12}},
                             {{hbm, 0.4e12}, {Boundary::l2_sm_sectors, 0}, {Boundary::smem_wavefronts, 0}})),
                 std::string(
                     "Latency-bound or under-occupied: 5.0x below the HBM roof; HBM at 20.0 % of 2.00 TB/s, "
                     "FP32 at 10.0 % of 10.0 TFLOP/s."));
        QCOMPARE(said(launch(1, {{fp32, 1e12}}, {{hbm, 3e12}})),
                 std::string("Above the HBM roof: 150.0 % of 2.00 TB/s."));
    }
    void a_busy_unit_is_named() {
        const Device device = machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 2e12)});
        Profile profile = profile_of(device, {launch(1, {{fp32, 1e12}}, {{hbm, 0.4e12}})});
        profile.launches[0].metrics.push_back({profile.texts.intern(metric_of(HardwareUnit::l2)), 71.2});
        QCOMPARE(sentence(point_of(profile)),
                 std::string("L2-bound: 71.2 % of its peak by the profiler's own measure; HBM "
                             "at 20.0 % of 2.00 TB/s, FP32 at 10.0 % of 10.0 TFLOP/s."));
    }
    void a_unit_nearer_to_its_limit_than_a_well_optimised_kernel_to_its_roof_is_named() {
        const Device device = machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 2e12)});
        Profile profile = profile_of(device, {launch(1, {{fp32, 1e12}}, {{hbm, 1.8e12}})});
        profile.launches[0].metrics.push_back({profile.texts.intern(metric_of(HardwareUnit::l1tex)), 99.9});
        QCOMPARE(
            sentence(point_of(profile)),
            std::string("Well optimised: HBM roof reached to 90.0 % of 2.00 TB/s; L1TEX is busy to 99.9 % "
                        "by the profiler's own measure."));
        profile.launches[0].metrics.back().value = 88;
        QCOMPARE(sentence(point_of(profile)),
                 std::string("Well optimised: HBM roof reached to 90.0 % of 2.00 TB/s."));
    }
    void kernels_without_a_place_say_what_is_known() {
        QCOMPARE(said(launch(1, {{fp32, 0}}, {{hbm, 1e12}})),
                 std::string("No work of this kind; HBM at 50.0 % of 2.00 TB/s."));
        QCOMPARE(said(launch(1, {{fp32, 5e12}}, {{hbm, 0}})),
                 std::string("No bytes at any level shown; FP32 at 50.0 % of 10.0 TFLOP/s."));
        QCOMPARE(said(launch(1, {}, {{hbm, 1e12}})),
                 std::string("Not measured: work; HBM at 50.0 % of its ceiling."));
    }
    void work_that_is_not_counted_is_said() {
        QCOMPARE(
            said(launch(1, {{fp32, 0}, {tensor_int8, 50e12}}, {{hbm, 1e11}})),
            std::string("No floating-point work; HBM at 5.00 % of 2.00 TB/s, INT8 Tensor at 50.0 % of 100 "
                        "TOP/s. Its work is integer operations (50.0 TOP, INT8 Tensor), which are not "
                        "counted as FLOP."));
    }
    void uncounted_work_is_named() {
        Launch partial = launch(1, {{fp32, 1e12}}, {{hbm, 1e12}});
        partial.uncounted = {.packed_fp32 = false, .fp16 = true, .tensor = true};
        QCOMPARE(said(partial),
                 std::string("Work incomplete: FP16, tensor instructions were not counted, so W is a lower "
                             "bound; HBM at 50.0 % of 2.00 TB/s."));
    }
    void integer_ceilings_count_operations() {
        QCOMPARE(
            said(launch(1, {{fp32, 1e9}, {tensor_int8, 70e12}}, {{hbm, 1e11}})),
            std::string("INT8 Tensor-bound: 1.4x below the INT8 Tensor roof (70.0 % of 100 TOP/s). Its work "
                        "is integer operations (70.0 TOP, INT8 Tensor), which are not counted as FLOP."));
    }
};

QTEST_APPLESS_MAIN(TestSentence)
#include "tst_sentence.moc"
