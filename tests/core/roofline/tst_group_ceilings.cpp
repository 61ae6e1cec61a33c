// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/roofline/group_ceilings.h"
#include "tests/core/roofline/profiles.h"
#include "tests/support/folder_tests.h"

namespace tst_group_ceilings {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

SharedCeilings fp32_at(double rate, std::optional<double> clock = {}) {
    CeilingSet set;
    set.compute.push_back(compute_ceiling(fp32, rate));
    if (clock) set.compute[0].provenance.clock = Hertz(*clock);
    return std::make_shared<const CeilingSet>(set);
}

SharedCeilings fp32_of(Provenance provenance, double rate) {
    CeilingSet set;
    set.compute.push_back({fp32, FlopRate(rate), std::move(provenance)});
    return std::make_shared<const CeilingSet>(set);
}

}  // namespace

class TestGroupCeilings : public QObject {
    Q_OBJECT

  private slots:
    void a_single_set_stays_itself() {
        const SharedCeilings set = fp32_at(10);
        const WeightedCeilings twice[] = {{set, 1}, {set, 2}};
        QVERIFY(blend_ceilings(twice) == set);
        QVERIFY(!blend_ceilings({}));
    }
    void time_weighs_the_mean() {
        const WeightedCeilings sets[] = {{fp32_at(10, 1e9), 1}, {fp32_at(20, 2e9), 3}};
        const SharedCeilings blend = blend_ceilings(sets);
        const ComputeCeiling* ceiling = blend->find(fp32);
        QCOMPARE(ceiling->rate.value(), 17.5);
        QCOMPARE(ceiling->provenance.clock->value(), 1.75e9);
        QVERIFY(ceiling->provenance.detail.find("mean over launches") != std::string::npos);
    }
    void without_times_all_count_alike() {
        const WeightedCeilings sets[] = {{fp32_at(10), 0}, {fp32_at(20), 0}};
        QCOMPARE(blend_ceilings(sets)->find(fp32)->rate.value(), 15.0);
    }
    void rates_of_different_sources_are_not_averaged() {
        const auto from = [](CeilingSource source, double rate) {
            return fp32_of({source, ClockBasis::boost, {}, ""}, rate);
        };
        const WeightedCeilings sets[] = {{from(CeilingSource::attributes, 811), 5},
                                         {from(CeilingSource::counters, 100), 1},
                                         {from(CeilingSource::table, 700), 9},
                                         {from(CeilingSource::counters, 200), 3}};
        const SharedCeilings blend = blend_ceilings(sets);
        QCOMPARE(blend->find(fp32)->rate.value(), 175.0);
        QCOMPARE(blend->find(fp32)->provenance.source, CeilingSource::counters);
    }
    void rates_at_boost_are_not_averaged_with_measured_ones() {
        const auto at = [](ClockBasis basis, double rate) {
            return fp32_of({CeilingSource::user, basis, {}, ""}, rate);
        };
        const WeightedCeilings sets[] = {{at(ClockBasis::boost, 726), 5},
                                         {at(ClockBasis::measured, 480), 1},
                                         {at(ClockBasis::measured, 502), 1}};
        const SharedCeilings blend = blend_ceilings(sets);
        QCOMPARE(blend->find(fp32)->rate.value(), 491.0);
        QVERIFY(blend->find(fp32)->provenance.basis == ClockBasis::measured);
    }
    void a_target_only_some_sets_have_is_the_mean_of_those() {
        CeilingSet other;
        other.bandwidth.push_back(bandwidth_ceiling(Boundary::hbm_dram_rw, 7));
        const WeightedCeilings sets[] = {{fp32_at(10), 1}, {std::make_shared<const CeilingSet>(other), 9}};
        const SharedCeilings blend = blend_ceilings(sets);
        QCOMPARE(blend->find(fp32)->rate.value(), 10.0);
        QCOMPARE(blend->find(Boundary::hbm_dram_rw)->rate.value(), 7.0);
    }
    void launches_with_the_same_counters_share_the_result() {
        Profile profile =
            profile_of(machine({}, {}), {launch(1, {}, {}), launch(1, {}, {}), launch(1, {}, {})});
        profile.launches[0].ceilings = profile.launches[1].ceilings = fp32_at(10);
        const AnalysisOptions options;
        LaunchCeilings ceilings(profile, options);
        QVERIFY(ceilings.of(profile.launches[0]) == ceilings.of(profile.launches[1]));
        QVERIFY(ceilings.of(profile.launches[0]) != ceilings.of(profile.launches[2]));
    }
    void a_group_weighs_its_measured_launches() {
        Profile profile =
            profile_of(machine({}, {}), {launch(1, {}, {}), launch(3, {}, {}), launch(100, {}, {})});
        profile.launches[0].ceilings = fp32_at(10);
        profile.launches[1].ceilings = fp32_at(20);
        profile.launches[2].ceilings = fp32_at(1000);
        profile.launches[2].failed = true;
        const AnalysisOptions options;
        LaunchCeilings ceilings(profile, options);
        const Grouping grouping = group_launches(profile, GroupBy::kernel);
        QCOMPARE(ceilings.of(grouping.order)->find(fp32)->rate.value(), 17.5);
    }
};

}  // namespace tst_group_ceilings

ROOFWALK_TEST(tst_group_ceilings, TestGroupCeilings, NoApplication)
#include "tst_group_ceilings.moc"
