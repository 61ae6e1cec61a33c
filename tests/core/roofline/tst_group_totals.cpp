// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/roofline/group_totals.h"
#include "tests/core/roofline/profiles.h"
#include "tests/support/folder_tests.h"

namespace tst_group_totals {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

GroupTotals totals_of(std::initializer_list<Launch> launches) {
    const Profile profile = profile_of(machine({}, {}), launches);
    const Grouping grouping = group_launches(profile, GroupBy::kernel);
    return sum_launches(profile, grouping.order, {});
}

const GroupTotals::Traffic& hbm(const GroupTotals& totals) {
    return totals.traffic[MemoryLevel::hbm].value();
}

}  // namespace

class TestGroupTotals : public QObject {
    Q_OBJECT

  private slots:
    void sums_are_over_all_launches() {
        const GroupTotals totals =
            totals_of({launch(1, {{fp32, 2}, {fp64, 5}}, {{Boundary::hbm_dram_rw, 10}}),
                       launch(2, {{fp32, 3}}, {{Boundary::hbm_dram_rw, 0}})});
        QCOMPARE(totals.time->value(), 3.0);
        QCOMPARE(totals.pipes.at(0).work.value(), 5.0);
        QCOMPARE(totals.pipes.at(1).work.value(), 5.0);
        QCOMPARE(hbm(totals).bytes.value(), 10.0);
        QCOMPARE(work_of(totals.pipes, OperationClass::floating)->value(), 10.0);
    }
    void what_one_launch_lacks_the_group_does_not_know() {
        const Launch whole = launch(1, {{fp32, 2}}, {{Boundary::hbm_dram_rw, 10}});
        for (const bool first : {true, false}) {
            const auto with = [&](const Launch& other) {
                return first ? totals_of({other, whole}) : totals_of({whole, other});
            };
            QVERIFY(!with(launch(std::nullopt, {{fp32, 2}}, {{Boundary::hbm_dram_rw, 1}})).time);
            QVERIFY(with(launch(1, {}, {{Boundary::hbm_dram_rw, 1}})).pipes.empty());
            const GroupTotals without_bytes = with(launch(1, {{fp32, 2}}, {}));
            QVERIFY(!without_bytes.traffic[MemoryLevel::hbm]);
            QVERIFY(without_bytes.time);
        }
    }
    void launches_that_have_most_go_first_in_their_order() {
        constexpr Boundary hbm = Boundary::hbm_dram_rw;
        constexpr Boundary l2 = Boundary::l2_sm_sectors;
        using Order = std::vector<LaunchIndex>;
        const auto first = [](std::initializer_list<Launch> launches) {
            const Profile profile = profile_of(machine({}, {}), launches);
            Grouping grouping = group_launches(profile, GroupBy::kernel);
            const std::uint32_t count = known_first(profile, grouping.order, {});
            return Order(grouping.order.begin(), grouping.order.begin() + count);
        };
        const auto at = [](std::initializer_list<std::uint32_t> numbers) {
            Order order;
            for (const std::uint32_t number : numbers)
                order.push_back(LaunchIndex{number});
            return order;
        };
        const Launch timed = launch(1, {}, {});
        const Launch worked = launch(1, {{fp32, 2}}, {});
        const Launch moved = launch(1, {}, {{hbm, 10}});
        const Launch whole = launch(1, {{fp32, 2}}, {{hbm, 10}});
        const Launch at_l2 = launch(1, {{fp32, 2}}, {{l2, 10}});
        const Launch untimed = launch(std::nullopt, {{fp32, 2}}, {{hbm, 10}});
        Launch failed = whole;
        failed.failed = true;
        QCOMPARE(first({timed, whole, moved, whole, failed, untimed}), at({1, 3}));
        QCOMPARE(first({worked, timed, moved, moved}), at({2, 3}));
        QCOMPARE(first({timed, worked}), at({1}));
        QCOMPARE(first({timed, untimed}), at({0}));
        QCOMPARE(first({at_l2, whole, at_l2}), at({0, 2}));  // the level of most
        QCOMPARE(first({at_l2, whole}), at({1}));            // of as many the farther one
        QCOMPARE(first({untimed, failed}), at({}));
        const Launch integers = launch(1, {{Pipe{PipeKind::int32, false}, 2}}, {{hbm, 10}});
        QCOMPARE(first({moved, integers, timed}), at({0, 1}));  // no FLOP
        QCOMPARE(first({whole, integers, moved}), at({0, 1}));  // counted as 0 FLOP
    }
    void launches_are_unlike_where_one_has_what_another_lacks() {
        const Launch whole = launch(1, {{fp32, 2}}, {{Boundary::hbm_dram_rw, 10}});
        QVERIFY(!totals_of({whole, whole}).unlike);
        QVERIFY(!totals_of({launch(1, {}, {}), launch(2, {}, {})}).unlike);
        QVERIFY(totals_of({whole, launch(1, {{fp32, 2}}, {})}).unlike);
        QVERIFY(totals_of({launch(1, {}, {{Boundary::hbm_dram_rw, 10}}), whole}).unlike);
        QVERIFY(totals_of({whole, launch(std::nullopt, {{fp32, 2}}, {{Boundary::hbm_dram_rw, 10}})}).unlike);
        Launch failed = launch(std::nullopt, {}, {});
        failed.failed = true;
        QVERIFY(!totals_of({whole, failed}).unlike);
    }
    void integer_work_is_most_where_tensor_cores_did_it_or_nothing_else_was_done() {
        constexpr Pipe int32{PipeKind::int32, false};
        const auto mostly_integer = [](std::initializer_list<std::pair<Pipe, double>> work) {
            return is_mostly_integer(totals_of({launch(1, work, {})}).pipes);
        };
        QVERIFY(mostly_integer({{fp32, 0}, {tensor_int8, 1}}));
        QVERIFY(mostly_integer({{fp32, 49}, {tensor_int8, 51}}));
        QVERIFY(!mostly_integer({{fp32, 51}, {tensor_int8, 49}}));
        QVERIFY(mostly_integer({{fp32, 1}, {int32, 1000}}));
        QVERIFY(!mostly_integer({{fp32, 20}, {int32, 1000}}));
        QVERIFY(!mostly_integer({{fp32, 0}, {int32, 0}}));
        QVERIFY(!mostly_integer({}));
    }
    void integer_operations_are_counted_by_themselves_where_no_kernel_has_flop() {
        const auto counted = [](const std::vector<Launch>& launches) {
            Profile profile = profile_of(machine({}, {}), {});
            profile.launches = launches;
            AnalysisOptions options;
            options.operations = OperationClass::automatic;
            return analyse(profile, options).options.operations;
        };
        const Launch of_int8 = launch(1, {{fp32, 0}, {tensor_int8, 4e9}}, {});
        QCOMPARE(counted({of_int8, launch(1, {{Pipe{PipeKind::int32}, 2e9}}, {})}), OperationClass::integer);
        const Launch of_fp32 = launch(1, {{fp32, 2}}, {});  // however little it is, wherever it stands
        QCOMPARE(counted({of_int8, of_fp32}), OperationClass::floating);
        QCOMPARE(counted({of_fp32, of_int8}), OperationClass::floating);
        QCOMPARE(counted({launch(1, {}, {{Boundary::hbm_dram_rw, 1e9}})}), OperationClass::floating);
        Launch without_tensor = of_int8;
        without_tensor.uncounted.tensor = true;
        QCOMPARE(counted({of_int8, without_tensor}), OperationClass::floating);
    }
    void what_one_launch_did_not_count_the_group_lacks() {
        Launch partial = launch(1, {{fp32, 2}}, {});
        partial.uncounted.tensor = true;
        Launch failed = launch(std::nullopt, {}, {});
        failed.failed = true;
        failed.uncounted.fp16 = true;
        const GroupTotals totals = totals_of({launch(1, {{fp32, 2}}, {}), partial, failed});
        QCOMPARE(totals.uncounted, UncountedWork{.tensor = true});
        QCOMPARE(totals.pipes.at(0).work.value(), 4.0);
    }
    void failed_launches_are_left_out() {
        Launch failed = launch(std::nullopt, {}, {});
        failed.failed = true;
        const GroupTotals totals =
            totals_of({failed, launch(1, {{fp32, 2}}, {{Boundary::hbm_dram_rw, 10}}), failed});
        QCOMPARE(totals.failed, 2U);
        QCOMPARE(totals.time->value(), 1.0);
        QCOMPARE(totals.pipes.at(0).work.value(), 2.0);
        QCOMPARE(hbm(totals).bytes.value(), 10.0);
    }
    void nothing_is_known_when_all_failed() {
        Launch failed = launch(1, {{fp32, 2}}, {{Boundary::hbm_dram_rw, 10}});
        failed.failed = true;
        const GroupTotals totals = totals_of({failed});
        QVERIFY(!totals.time);
        QVERIFY(totals.pipes.empty());
        QVERIFY(!work_of(totals.pipes, OperationClass::all));
    }
    void the_weakest_origin_stands_for_the_sum() {
        Launch estimated = launch(1, {{fp32, 2}}, {{Boundary::hbm_dram_rw, 10}});
        estimated.traffic[0].origin = Origin::estimated;
        const GroupTotals totals =
            totals_of({launch(1, {{fp32, 2}}, {{Boundary::hbm_dram_rw, 10}}), estimated});
        QCOMPARE(hbm(totals).origin, Origin::estimated);
        QCOMPARE(totals.pipes.at(0).origin, Origin::measured);
    }
    void integer_work_is_kept_apart() {
        const Launch both = launch(1, {{fp32, 2}, {tensor_int8, 40}}, {});
        QCOMPARE(work_of(both, OperationClass::floating)->value(), 2.0);
        QCOMPARE(work_of(both, OperationClass::integer)->value(), 40.0);
        QCOMPARE(work_of(both, OperationClass::all)->value(), 42.0);
        QVERIFY(!work_of(launch(1, {{tensor_int8, 40}}, {}), OperationClass::floating));
        QCOMPARE(work_of(launch(1, {{fp32, 0}}, {}), OperationClass::floating)->value(), 0.0);
    }
    void launches_differ_in_grid_or_by_more_than_twice() {
        const auto differ = [](const Launch& one, const Launch& other) {
            const Profile profile = profile_of(machine({}, {}), {one, other});
            return point_of(profile).launches_differ;
        };
        const Launch one = launch(1, {{fp32, 10}}, {{Boundary::hbm_dram_rw, 10}});
        QVERIFY(!differ(one, launch(1.9, {{fp32, 10}}, {{Boundary::hbm_dram_rw, 10}})));
        QVERIFY(differ(one, launch(2.1, {{fp32, 10}}, {{Boundary::hbm_dram_rw, 10}})));
        QVERIFY(differ(one, launch(1, {{fp32, 10}}, {{Boundary::hbm_dram_rw, 21}})));
        const Launch bytes = launch(1, {}, {{Boundary::hbm_dram_rw, 10}});
        QVERIFY(!differ(bytes, launch(1, {}, {{Boundary::hbm_dram_rw, 19}})));
        QVERIFY(differ(bytes, launch(1, {}, {{Boundary::hbm_dram_rw, 21}})));
        Launch other_grid = one;
        other_grid.grid = {2, 1, 1};
        QVERIFY(differ(one, other_grid));
        Launch only_timed = launch(1, {}, {});
        QVERIFY(!differ(one, only_timed));
        only_timed.grid = other_grid.grid;
        QVERIFY(differ(one, only_timed));
    }
    void what_launches_differ_in_is_told() {
        const auto words = [](std::initializer_list<Launch> launches) {
            return launch_range_words(point_of(profile_of(machine({}, {}), launches)), "FLOP");
        };
        const auto working = [](double work, double bytes) {
            return launch(1, {{fp32, work}}, {{Boundary::hbm_dram_rw, bytes}});
        };
        const Launch one = working(9e7, 9e7);
        QVERIFY(words({one, one}).empty());
        QCOMPARE(words({one, working(1.2e9, 1.2e9)}), std::string("0.0900 to 1.20 GFLOP/s"));
        QCOMPARE(words({one, working(1.2e9, 9.6e9)}),
                 std::string("0.0900 to 1.20 GFLOP/s, AI 0.125 to 1.00 at DRAM"));
        QCOMPARE(words({one, working(1.2e12, 1.2e12)}), std::string("90.0 M to 1.20 TFLOP/s"));
        QCOMPARE(words({one, working(0, 9e7)}), std::string("0 to 90.0 MFLOP/s, AI 0 to 1.00 at DRAM"));
        QCOMPARE(words({launch(1, {}, {{Boundary::hbm_dram_rw, 3e11}}),
                        launch(1, {}, {{Boundary::hbm_dram_rw, 1.2e12}})}),
                 std::string("0.300 to 1.20 TB/s at DRAM"));
        // Two ends that read alike are no range.
        const auto of_grid = [](Launch each, std::uint32_t blocks) {
            each.grid = {blocks, 1, 1};
            return each;
        };
        const Launch streams = launch(1, {}, {{Boundary::hbm_dram_rw, 1.2e12}});
        QCOMPARE(words({streams, of_grid(streams, 2)}), std::string("with different grids"));
        QCOMPARE(words({one, of_grid(one, 2)}), std::string("with different grids"));
        QCOMPARE(words({one, working(9e7, 9e6)}), std::string("AI 1.00 to 10.0 at DRAM"));
    }
    void a_spread_needs_two_launches() {
        const Launch one = launch(1, {{fp32, 2}}, {{Boundary::hbm_dram_rw, 10}});
        const Launch unknown = launch(1, {}, {{Boundary::hbm_dram_rw, 10}});
        const Profile profile = profile_of(machine({}, {}), {one, unknown});
        const GroupSpreads spreads =
            spread_launches(profile, group_launches(profile, GroupBy::kernel).order, {});
        QVERIFY(!spreads.performance);
        QVERIFY(!spreads.intensity);
    }
    void an_even_number_has_its_median_between_two() {
        const Profile profile =
            profile_of(machine({}, {}), {launch(1, {{fp32, 1}}, {}), launch(1, {{fp32, 9}}, {}),
                                         launch(1, {{fp32, 3}}, {}), launch(1, {{fp32, 5}}, {})});
        const GroupSpreads spreads =
            spread_launches(profile, group_launches(profile, GroupBy::kernel).order, {});
        QCOMPARE(spreads.performance->min, 1.0);
        QCOMPARE(spreads.performance->median, 4.0);
        QCOMPARE(spreads.performance->max, 9.0);
    }
};

}  // namespace tst_group_totals

ROOFWALK_TEST(tst_group_totals, TestGroupTotals, NoApplication)
#include "tst_group_totals.moc"
