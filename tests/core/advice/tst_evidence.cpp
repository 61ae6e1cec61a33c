// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/core/advice/kernels.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_evidence {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr std::string_view hit_rate = "lts__t_sector_hit_rate.pct";
constexpr std::string_view sectors = "memory_l2_theoretical_sectors_global";
constexpr std::string_view ideal = "memory_l2_theoretical_sectors_global_ideal";
constexpr std::string_view load_bytes = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio";

Evidence all_of(const Profile& profile) {
    const Grouping grouping = group_launches(profile, GroupBy::kernel);
    return EvidenceReader(profile).of(grouping.launches_of(grouping.groups.at(0)));
}

Profile two_launches(double first_seconds, double second_seconds) {
    return profile_of(round_machine(), {launch(first_seconds, {}, {}), launch(second_seconds, {}, {})});
}

}  // namespace

class TestEvidence : public QObject {
    Q_OBJECT

  private slots:
    void per_cents_become_shares_weighted_by_time() {
        Profile profile = two_launches(1, 3);
        add_metrics(profile, 0, {{hit_rate, 80}});
        add_metrics(profile, 1, {{hit_rate, 40}});
        QCOMPARE(all_of(profile).at(AdviceMetric::l2_hit_rate).value, std::optional(0.5));
    }
    void counts_are_summed_before_they_are_divided() {
        Profile profile = two_launches(1, 3);
        add_metrics(profile, 0, {{sectors, 300}, {ideal, 100}});
        add_metrics(profile, 1, {{sectors, 100}, {ideal, 100}});
        QCOMPARE(all_of(profile).at(AdviceMetric::sectors_over_ideal).value, std::optional(2.0));
        QCOMPARE(all_of(profile).at(AdviceMetric::ideal_sectors).value, std::optional(200.0));
    }
    // 300 + 3 x 100 over 100 + 3 x 100 bytes.
    void rates_give_the_ratio_of_what_they_count() {
        Profile profile = two_launches(1, 3);
        add_metrics(profile, 0, {{"dram__bytes.max.per_second", 300}, {"dram__bytes.avg.per_second", 100}});
        add_metrics(profile, 1, {{"dram__bytes.max.per_second", 100}});
        QVERIFY(!all_of(profile).at(AdviceMetric::dram_channel_imbalance).measured);
        add_metrics(profile, 1, {{"dram__bytes.avg.per_second", 100}});
        const Reading reading = all_of(profile).at(AdviceMetric::dram_channel_imbalance);
        QCOMPARE(reading.value, std::optional(1.5));
        QCOMPARE(counters_text(AdviceMetric::dram_channel_imbalance, reading.of_rates),
                 std::string("dram__bytes.max.per_second / dram__bytes.avg.per_second"));
        for (const std::size_t launch : {0U, 1U})
            add_metrics(profile, launch, {{"dram__bytes.max", 200}, {"dram__bytes.avg", 100}});
        QCOMPARE(all_of(profile).at(AdviceMetric::dram_channel_imbalance).value, std::optional(2.0));
    }
    void a_launch_without_the_metric_leaves_it_unknown() {
        Profile profile = two_launches(1, 3);
        add_metrics(profile, 0, {{hit_rate, 80}});
        QVERIFY(!all_of(profile).at(AdviceMetric::l2_hit_rate).measured);
        profile.launches[1].failed = true;
        QCOMPARE(all_of(profile).at(AdviceMetric::l2_hit_rate).value, std::optional(0.8));
    }
    void a_mean_needs_the_time_of_every_launch_but_one_launch_is_its_own() {
        Profile profile = two_launches(1, 3);
        profile.launches[1].duration.reset();
        for (const std::size_t launch : {0U, 1U})
            add_metrics(profile, launch, {{hit_rate, 80}, {sectors, 300}, {ideal, 100}});
        QVERIFY(!all_of(profile).at(AdviceMetric::l2_hit_rate).measured);
        QCOMPARE(all_of(profile).at(AdviceMetric::sectors_over_ideal).value, std::optional(3.0));
        profile.launches.pop_back();
        profile.launches[0].duration.reset();
        QCOMPARE(all_of(profile).at(AdviceMetric::l2_hit_rate).value, std::optional(0.8));
    }
    void what_was_never_accessed_is_measured_and_has_no_value() {
        const Profile profile =
            with_metrics(below_memory_roof(), {{sectors, 0}, {ideal, 0}, {load_bytes, 0}, {hit_rate, 0}});
        const Evidence evidence = all_of(profile);
        for (const AdviceMetric metric :
             {AdviceMetric::sectors_over_ideal, AdviceMetric::load_bytes_per_sector}) {
            QVERIFY(evidence.at(metric).measured);
            QVERIFY(!evidence.at(metric).value);
        }
        QCOMPARE(evidence.at(AdviceMetric::l2_hit_rate).value, std::optional(0.0));
    }
    void every_metric_names_its_counters_and_how_to_collect_them() {
        QCOMPARE(counters_text(AdviceMetric::sectors_over_ideal),
                 std::string(sectors).append(" / ").append(ideal));
        QCOMPARE(to_text(ncu_option(AdviceMetric::sectors_over_ideal)),
                 std::string("--section SourceCounters"));
        QCOMPARE(to_text(ncu_option(AdviceMetric::dram_channel_imbalance)),
                 std::string("--metrics dram__bytes.max,dram__bytes.avg"));
        for (const AdviceMetric metric : enumerators<AdviceMetric>) {
            QCOMPARE(label_of(metric).ends_with(" busy"), spec_of(metric).part_of_sm);
            QVERIFY(!spec_of(metric).label.empty() && ncu_option(metric) != NcuOption{});
        }
    }
    void values_are_written_in_their_unit() {
        QCOMPARE(format_metric(16, "B"), std::string("16.0 B"));
        QCOMPARE(format_metric(0.381, "share"), std::string("38.1 %"));
        QCOMPARE(format_metric(32.0 / 28, "x"), std::string("1.14x"));
        QCOMPARE(format_metric(4e-6, "s"), std::string("4.00 µs"));
        QCOMPARE(format_metric(122, "registers"), std::string("122"));
        QCOMPARE(format_metric(0.471, "waves"), std::string("0.471"));
    }
};

}  // namespace tst_evidence

ROOFWALK_TEST(tst_evidence, TestEvidence, NoApplication)
#include "tst_evidence.moc"
