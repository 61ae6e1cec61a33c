// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "core/roofline/verdict_words.h"
#include "tests/core/roofline/profiles.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_above_roof {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr Boundary hbm = Boundary::hbm_dram_rw;
constexpr Boundary l2 = Boundary::l2_sm_sectors;

Device a100_like() {
    return machine({compute_ceiling(tensor_fp16, 312e12)},
                   {bandwidth_ceiling(hbm, 2.039e12), bandwidth_ceiling(l2, 7.2e12)});
}

bool mentions(const std::vector<std::string>& causes, const char* words) {
    return std::ranges::any_of(
        causes, [&](const std::string& cause) { return cause.find(words) != std::string::npos; });
}

std::vector<std::string> causes_of(const Device& device, const Launch& one) {
    return above_roof_causes(point_of(profile_of(device, {one})));
}

}  // namespace

class TestAboveRoof : public QObject {
    Q_OBJECT

  private slots:
    void numbers_that_exceed_both_roofs_have_wrong_units() {
        // 50 GFLOP and 20 GB in 0.1 ms, as an article prints them: the time must be 100 ms.
        const Launch wrong = launch(0.1e-3, {{tensor_fp16, 50e9}}, {{hbm, 20e9}});
        const KernelPoint point = point_of(profile_of(a100_like(), {wrong}));
        QCOMPARE(point.verdict.kernel_class, KernelClass::above_roof);
        const auto causes = above_roof_causes(point);
        QVERIFY(causes.at(0).find("check the units") != std::string::npos);
        QVERIFY(causes.at(0).find("time first") != std::string::npos);

        const Launch right = launch(100e-3, {{tensor_fp16, 50e9}}, {{hbm, 20e9}});
        QVERIFY(causes_of(a100_like(), right).empty());
    }
    void one_absurd_figure_points_at_the_units_too() {
        QVERIFY(mentions(causes_of(a100_like(), launch(1, {{tensor_fp16, 1e9}}, {{hbm, 20e12}})),
                         "check the units"));
        QVERIFY(!mentions(causes_of(a100_like(), launch(1, {{tensor_fp16, 1e9}}, {{hbm, 2.2e12}})), "units"));
    }
    // 33.6 MB in 4 us: 250 % of HBM, 116 % of this L2.
    void bytes_of_a_formula_may_be_held_by_l2() {
        Launch timed = launch(4e-6, {{tensor_fp16, 33554432}}, {{hbm, 33.6e6}});
        timed.traffic[0].origin = Origin::modelled;
        QVERIFY(mentions(causes_of(a100_like(), timed), "the L2 roof applies, of which they are 116.7 %"));
        const KernelPoint point = point_of(profile_of(a100_like(), {timed}));
        Device sized = a100_like();
        sized.l2_size = Bytes(40e6);
        QVERIFY(mentions(above_roof_causes(point, sized), "the L2 roof applies"));
        sized.l2_size = Bytes(30e6);
        QVERIFY(!mentions(above_roof_causes(point, sized), "the L2 roof applies"));
        timed.traffic[0].origin = Origin::measured;
        QVERIFY(!mentions(causes_of(a100_like(), timed), "the L2 roof applies"));
        Launch counted = launch(4e-6, {{tensor_fp16, 33554432}}, {{hbm, 33.6e6}, {l2, 28.8e6}});
        counted.traffic[0].origin = Origin::modelled;
        QVERIFY(mentions(causes_of(a100_like(), counted), "they are 100.0 %"));
    }
    void what_l2_serves_wants_the_l2_roof() {
        Device no_l2_roof = a100_like();
        no_l2_roof.ceilings.bandwidth.pop_back();
        const auto causes = [&](double hbm_bytes, double l2_bytes) {
            return causes_of(no_l2_roof,
                             launch(1, {{tensor_fp16, 1e12}}, {{hbm, hbm_bytes}, {l2, l2_bytes}}));
        };
        QVERIFY(mentions(causes(2.2e12, 30e12), "L2 roof is the one that applies"));
        QVERIFY(!mentions(causes(2.2e12, 10e12), "L2 roof"));
    }
    void under_another_roof_than_that_of_hbm_the_l2_roof_is_no_remedy() {
        const Launch tensor = launch(1, {{tensor_fp16, 330e12}}, {{hbm, 0.1e12}, {l2, 5e12}});
        QVERIFY(!mentions(causes_of(a100_like(), tensor), "L2 roof"));
    }
    void bytes_from_a_formula_are_suspected() {
        Launch modelled = launch(1, {{tensor_fp16, 1e9}}, {{hbm, 2.2e12}});
        QVERIFY(!mentions(causes_of(a100_like(), modelled), "formula"));
        modelled.traffic[0].origin = Origin::modelled;
        QVERIFY(mentions(causes_of(a100_like(), modelled), "formula"));
        modelled.traffic[0].origin = Origin::estimated;
        QVERIFY(mentions(causes_of(a100_like(), modelled), "estimate"));
    }
    void a_plain_number_of_flop_may_not_be_fp32() {
        Device device = a100_like();
        device.ceilings.compute.push_back(compute_ceiling(fp32, 19.5e12));
        Launch typed = launch(1, {{fp32, 100e12}}, {{hbm, 0.1e12}});
        QVERIFY(!mentions(causes_of(device, typed), "tensor.fp16"));
        typed.precision_assumed = true;
        QVERIFY(mentions(causes_of(device, typed), "tensor.fp16"));
    }
    void clock_and_passes_are_named_where_they_matter() {
        Device device = a100_like();
        Provenance& provenance = device.ceilings.bandwidth[0].provenance;
        provenance.source = CeilingSource::counters;
        provenance.clock = Hertz(1.095e9);
        const auto causes = causes_of(device, launch(1, {{tensor_fp16, 1e9}}, {{hbm, 2.2e12}}));
        QVERIFY(mentions(causes, "The ceiling holds at 1.095 GHz"));
        QVERIFY(mentions(causes, "different passes"));
    }
    void short_kernels_have_uncertain_times() {
        QVERIFY(
            mentions(causes_of(a100_like(), launch(5e-6, {{tensor_fp16, 1e3}}, {{hbm, 11e6}})), "5.00 µs"));
    }
    void below_the_roof_needs_no_cause() {
        QVERIFY(causes_of(a100_like(), launch(1, {{tensor_fp16, 1e9}}, {{hbm, 1e12}})).empty());
        QVERIFY(causes_of(a100_like(), launch(1, {}, {})).empty());
    }
};

}  // namespace tst_above_roof

ROOFWALK_TEST(tst_above_roof, TestAboveRoof, NoApplication)
#include "tst_above_roof.moc"
