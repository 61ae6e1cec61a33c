// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/comparison.h"

#include <QTest>

#include "tests/core/compare/run_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_comparison {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

LaunchFacts timed(std::string name, double time, Dim3 block = {256, 1, 1}) {
    LaunchFacts facts;
    facts.block = block;
    facts.name = std::move(name);
    facts.time = time;
    return facts;
}

}  // namespace

class TestComparison : public QObject {
    Q_OBJECT

  private slots:
    void two_runs_make_paths_of_one_step() {
        const Run before({timed("a", 2e-3), timed("b", 1e-3)});
        const Run after({timed("b", 3e-3), timed("a", 1e-3)});
        const Comparison comparison = compare({&before, &after});
        QCOMPARE(comparison.paths.size(), std::size_t(2));
        const KernelPath& longest = comparison.paths.front();
        QCOMPARE(longest.points, (std::vector<std::uint32_t>{1, 0}));
        QVERIFY(longest.steps.empty());
        QVERIFY(comparison.spans(longest));
        QCOMPARE(longest.whole.verdict, ChangeVerdict::wrong_way);
        QCOMPARE(comparison.paths.back().whole.verdict, ChangeVerdict::up);
    }
    void lines_begin_with_what_changed_most_in_time() {
        const auto other = [](const char* name, double time) { return timed(name, time, {64, 1, 1}); };
        const Run before({timed("long_same", 9e-3), timed("up", 2e-3), timed("down", 5e-3),
                          timed("noise", 8e-3), other("gone", 1e-3), other("gone_long", 7e-3)});
        const Run after({timed("long_same", 9e-3), timed("up", 3.5e-3), timed("down", 4e-3),
                         timed("noise", 8.05e-3), timed("new", 1e-3, {32, 1, 1}),
                         timed("new_long", 6e-3, {32, 1, 1})});
        const Comparison comparison = compare({&before, &after});
        std::vector<std::string> order;
        for (const ComparisonLine& line : comparison_lines(comparison))
            order.push_back((line.after ? line.after : line.before)->kernel().name);
        QCOMPARE(order, (std::vector<std::string>{"up", "down", "noise", "long_same", "new_long", "new",
                                                  "gone_long", "gone"}));
    }
    void a_kernel_is_followed_through_every_run() {
        const Run first({timed("void k<1>()", 4e-3)});
        const Run second({timed("x", 1e-3), timed("void k<2>()", 4.01e-3)});
        const Run third({timed("void k<2>()", 1e-3)});
        const Comparison comparison = compare({&first, &second, &third});
        QCOMPARE(comparison.paths.size(), std::size_t(1));
        const KernelPath& path = comparison.paths.front();
        QCOMPARE(path.points, (std::vector<std::uint32_t>{0, 1, 0}));
        QCOMPARE(path.steps.size(), std::size_t(2));
        QCOMPARE(path.steps[0].verdict, ChangeVerdict::unchanged);
        QCOMPARE(path.steps[1].verdict, ChangeVerdict::up);
        QCOMPARE(path.whole.verdict, ChangeVerdict::up);
        QCOMPARE(path.whole.match.basis, MatchBasis::other_arguments);
        QVERIFY(change_notes(comparison.first_run_of(path), comparison.last_run_of(path), path.whole)
                    .front()
                    .find(label_of(MatchBasis::other_arguments)) != std::string::npos);
        QCOMPARE(path.whole.time->ratio, 0.25);
    }
    void paths_may_begin_and_end_in_the_middle() {
        const Run first({timed("early", 1e-3)});
        const Run second({timed("early", 1e-3), timed("late", 1e-3)});
        const Run third({timed("late", 1e-3)});
        const Comparison comparison = compare({&first, &second, &third});
        QCOMPARE(comparison.paths.size(), std::size_t(2));
        for (const KernelPath& path : comparison.paths)
            QVERIFY(!comparison.spans(path));
        const ComparisonTotals totals = totals_of(comparison);
        QCOMPARE(totals.compared, 0U);
        QCOMPARE(totals.removed, 1U);
        QCOMPARE(totals.added, 1U);
    }
    void totals_count_each_kernel_of_the_oldest_run_once() {
        const Run first({timed("same", 1e-3), timed("gone", 1e-3), timed("twice", 1e-3)}, GroupBy::launch);
        const Run second({timed("same", 1e-3), timed("twice", 1e-3), timed("new", 1e-3)}, GroupBy::launch);
        const Run third({timed("same", 0.5e-3), timed("twice", 1e-3), timed("twice", 1e-3)}, GroupBy::launch);
        const ComparisonTotals totals = totals_of(compare({&first, &second, &third}));
        QCOMPARE(totals.compared, 1U);
        QCOMPARE(totals.removed, 1U);
        QCOMPARE(totals.ambiguous, 1U);
        QCOMPARE(totals.added, 0U);
        QCOMPARE(totals.verdicts[ChangeVerdict::up], 1U);
        QVERIFY(std::abs(totals.time_before.value() - 3e-3) < 1e-15);
        QVERIFY(std::abs(totals.time_after.value() - 2.5e-3) < 1e-15);
    }
    void mixed_up_counters_get_no_verdict() {
        const Run before({timed("a", 2e-3), timed("b", 2e-3)});
        Run after({timed("a", 1e-3), timed("b", 1e-3)});
        after.profile.warnings.push_back(
            {{ErrorCode::contradiction, "DRAM counters disagree", "", ""}, {LaunchIndex{0}}});
        after.analyse_again();
        const Comparison comparison = compare({&before, &after});
        const KernelChange& mixed = comparison.paths[0].whole;
        QVERIFY(mixed.contradicts_after && !mixed.contradicts_before);
        QCOMPARE(mixed.verdict, ChangeVerdict::not_compared);
        QCOMPARE(change_text(mixed), std::string("not compared: counters contradict each other"));
        QCOMPARE(change_notes(before.view(), after.view(), mixed).front(),
                 std::string("Counters contradict each other in the newer report, as when those of different "
                             "launches are mixed: no verdict."));
        QCOMPARE(comparison.paths[1].whole.verdict, ChangeVerdict::up);
        QCOMPARE(comparison_sentence(comparison),
                 std::string("1 kernel compared: 1 up; 1 not compared; all kernels 4.00 ms → 2.00 ms (no "
                             "pace: counters of 1 kernel contradict each other)."));
    }
    void a_time_of_a_counting_pass_is_told_apart_from_a_contradiction() {
        const Run before({timed("a", 1e-3), timed("b", 1e-3)});
        Run after({timed("a", 0.1), timed("b", 1e-3)});
        after.profile.launches.front().duration_origin = TimeOrigin::derived;
        after.analyse_again();
        const Comparison comparison = compare({&before, &after});
        const ComparisonTotals totals = totals_of(comparison);
        QCOMPARE(totals.times_unlike, 1U);
        QCOMPARE(totals.contradicting, 0U);
        QVERIFY(comparison_sentence(comparison).find("contradict") == std::string::npos);
    }
    void a_report_does_not_differ_from_itself() {
        const Run run({timed("a", 2e-3)});
        QCOMPARE(comparison_sentence(compare({&run, &run})),
                 std::string("1 kernel compared: 1 unchanged; all kernels 2.00 ms → 2.00 ms (no change)."));
    }
    void reports_that_have_little_in_common_say_so() {
        const Run before({timed("a", 1e-3)});
        const Run strange({timed("z", 2e-3, {64, 1, 1})});
        QCOMPARE(comparison_sentence(compare({&before, &strange})),
                 std::string("0 kernels compared; 1 added, 1 removed; all kernels 1.00 ms → 2.00 ms (the "
                             "reports have no kernel in common)."));
        const Run twice({timed("a", 1e-3), timed("a", 1e-3)});
        const ComparisonTotals totals = totals_of(compare({&before, &twice}));
        QCOMPARE(totals.launches_before, std::uint64_t{1});
        QCOMPARE(totals.launches_after, std::uint64_t{2});
        const Run mostly({timed("a", 1e-3), timed("z", 4e-3, {64, 1, 1})});
        QCOMPARE(comparison_sentence(compare({&before, &mostly})),
                 std::string("1 kernel compared: 1 unchanged; 1 added; all kernels 1.00 ms → 5.00 ms. Those "
                             "compared 1.00 ms → 1.00 ms (no change), 100.0 % of the time before and 20.0 % "
                             "after."));
        Device other = test_gpu();
        other.name = "Other GPU";
        const Run elsewhere({timed("a", 2e-3)}, GroupBy::kernel, {other});
        QCOMPARE(
            comparison_sentence(compare({&before, &elsewhere})),
            std::string("0 kernels compared; 1 not compared; all kernels 1.00 ms on Test GPU → 2.00 ms on "
                        "Other GPU (2.00x slower)."));
    }
    void kernels_without_a_time_say_nothing_about_the_pace() {
        LaunchFacts failed = timed("a", 1e-3);
        failed.time.reset();
        const Run before({failed, timed("gone", 320e-3, {64, 1, 1})});
        const Run after({timed("a", 1e-3), timed("new", 15e-3, {32, 1, 1})});
        QCOMPARE(comparison_sentence(compare({&before, &after})),
                 std::string("0 kernels compared; 1 not compared, 1 added, 1 removed. All kernels 320 ms → "
                             "16.0 ms (no pace: no kernel has a time in both reports)."));
    }
    void one_sentence_sums_it_up() {
        const Run before({timed("a", 2e-3), timed("b", 1e-3), timed("gone", 1e-3)});
        const Run after({timed("b", 1e-3), timed("a", 1e-3), timed("new", 1e-3)});
        QCOMPARE(comparison_sentence(compare({&before, &after})),
                 std::string("2 kernels compared: 1 unchanged, 1 up; 1 added, 1 removed; all kernels "
                             "4.00 ms → 3.00 ms (1.33x faster)."));
        const Run empty({});
        QCOMPARE(comparison_sentence(compare({&empty, &empty})), std::string("0 kernels compared."));
    }
};

}  // namespace tst_comparison

ROOFWALK_TEST(tst_comparison, TestComparison, NoApplication)
#include "tst_comparison.moc"
