// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/launch_merger.h"

#include <QTest>

#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_launch_merger {

using namespace roofwalk;

namespace {

LaunchShape shape(const std::string& name = "k") {
    LaunchShape found;
    found.name = name;
    return found;
}

PlanMeasurement memory(std::uint64_t launch, double nanoseconds, double bytes = 1e6) {
    return {launch,
            shape(),
            PlanKind::memory,
            {{"gpu__time_duration.sum", nanoseconds}, {"dram__bytes_read.sum", bytes}}};
}

PlanMeasurement work(std::uint64_t launch) {
    return {launch, shape(), PlanKind::work, {{"ffma", 64}}};
}

/// Time, bytes and work of one launch.
PlanMeasurement replayed(std::uint64_t launch, double nanoseconds, double operations) {
    PlanMeasurement made = memory(launch, nanoseconds);
    made.plan = PlanKind::replay;
    made.values["ffma"] = operations;
    return made;
}

PlanMeasurement tensor(std::uint64_t launch, double nanoseconds, double bytes = 1e6) {
    return {launch,
            shape(),
            PlanKind::tensor,
            {{"gpu__time_duration.sum", nanoseconds}, {"dram__bytes_read.sum", bytes}, {"wgmma", 128}}};
}

}  // namespace

class TestLaunchMerger : public QObject {
    Q_OBJECT

  private slots:
    void counters_of_work_complete_the_launches_before_and_after() {
        LaunchMerger merger{{}};
        QCOMPARE(merger.add(memory(1, 100)).size(), std::size_t{1});
        const auto completed = merger.add(work(2));
        QCOMPARE(completed.size(), std::size_t{1});
        QVERIFY((completed[0].launches == std::vector<std::uint64_t>{1, 2}));
        QCOMPARE(completed[0].values.at("ffma"), 64.0);
        const auto later = merger.add(memory(3, 101));
        QVERIFY((later.at(0).launches == std::vector<std::uint64_t>{3, 2}));
        QCOMPARE(later[0].values.at("gpu__time_duration.sum"), 101.0);
    }

    void work_alone_stands_while_nothing_is_like_it() {
        LaunchMerger merger{{}};
        const auto alone = merger.add(work(2));
        QCOMPARE(alone.size(), std::size_t{1});
        QVERIFY((alone[0].launches == std::vector<std::uint64_t>{2}));
        QVERIFY(!merger.measured_alike(shape()));
    }

    void a_tensor_launch_keeps_its_own_time() {
        LaunchMerger merger{{}};
        (void)merger.add(memory(1, 100));
        (void)merger.add(work(2));
        const auto changed = merger.add(tensor(3, 104));
        QCOMPARE(changed.size(), std::size_t{2});
        QVERIFY((changed[0].launches == std::vector<std::uint64_t>{1, 3, 2}));
        QCOMPARE(changed[1].launches.front(), std::uint64_t{3});
        QCOMPARE(changed[1].values.at("gpu__time_duration.sum"), 104.0);
        QCOMPARE(changed[1].values.at("ffma"), 64.0);
    }

    void a_launch_that_was_replayed_is_complete_and_completes_others() {
        LaunchMerger merger{{}};
        const auto first = merger.add(replayed(1, 500, 64));
        QCOMPARE(first.size(), std::size_t{1});
        QVERIFY((first[0].launches == std::vector<std::uint64_t>{1}));
        QCOMPARE(first[0].values.at("ffma"), 64.0);
        QCOMPARE(merger.measured_alike(shape()), std::optional<std::uint64_t>(1));
        // The first launch takes longer than the others, and does the same.
        const auto later = merger.add(memory(2, 100));
        QVERIFY((later.at(0).launches == std::vector<std::uint64_t>{2, 1}));
        QCOMPARE(later[0].values.at("ffma"), 64.0);
        QCOMPARE(later[0].values.at("gpu__time_duration.sum"), 100.0);
        QVERIFY(!later[0].agreeing.at(1));
        const auto alike = merger.add(memory(3, 490));
        QVERIFY(alike.at(0).agreeing.at(1));
    }

    /// As products of another K have: one kernel, one geometry.
    void work_is_not_that_of_a_launch_with_more_instructions() {
        LaunchMerger merger{{}};
        const auto with = [](PlanMeasurement made, double instructions) {
            made.values["sm__inst_executed_pipe_tensor.sum"] = instructions;
            return made;
        };
        (void)merger.add(with(replayed(1, 100, 64), 1e6));
        QCOMPARE(merger.add(with(memory(2, 100), 1.01e6)).at(0).values.at("ffma"), 64.0);
        QCOMPARE(merger.measured_alike(shape()), std::optional<std::uint64_t>(2));
        QVERIFY(!merger.add(with(memory(3, 100), 2.75e6)).at(0).values.contains("ffma"));
        // One of as many completes it.
        const auto completed = merger.add(with(replayed(4, 100, 176), 2.75e6));
        QCOMPARE(completed.size(), std::size_t{2});
        QCOMPARE(completed[1].launches.front(), std::uint64_t{3});
        QCOMPARE(completed[1].values.at("ffma"), 176.0);
        // Small products differ in few.
        QVERIFY(!merger.add(with(memory(5, 100), 100)).at(0).values.contains("ffma"));
    }

    void launches_are_like_those_of_the_same_operator_where_one_was_measured() {
        LaunchMerger merger{{}};
        for (std::uint64_t launch = 1; launch <= 3; ++launch) {
            PlanMeasurement made = memory(launch, 100);
            made.op =
                launch == 2 ? "aten::mm, sizes = [[8, 4], [4, 8]]" : "aten::mm, sizes = [[8, 2], [2, 8]]";
            (void)merger.add(made);
        }
        QCOMPARE(merger.measured_alike(shape(), "aten::mm, sizes = [[8, 4], [4, 8]]"),
                 std::optional<std::uint64_t>(2));
        const std::string larger = "aten::mm, sizes = [[8, 9], [9, 8]]";
        QVERIFY(!merger.measured_alike(shape(), larger));  // the figures of another product are not its own
        QCOMPARE(merger.measured_alike(shape()), std::optional<std::uint64_t>(3));
        (void)merger.add(memory(4, 100));  // whose operator nothing tells
        QCOMPARE(merger.measured_alike(shape(), larger), std::optional<std::uint64_t>(4));
    }

    void each_launch_that_was_replayed_keeps_its_own_work() {
        LaunchMerger merger{{}};
        QCOMPARE(merger.add(memory(1, 100)).size(), std::size_t{1});
        const auto changed = merger.add(replayed(2, 100, 64));
        QCOMPARE(changed.size(), std::size_t{2});
        QVERIFY((changed[0].launches == std::vector<std::uint64_t>{2}));
        QVERIFY((changed[1].launches == std::vector<std::uint64_t>{1, 2}));
        const auto next = merger.add(replayed(3, 100, 65));
        QCOMPARE(next.size(), std::size_t{1});
        QVERIFY((next[0].launches == std::vector<std::uint64_t>{3}));
        QCOMPARE(next[0].values.at("ffma"), 65.0);
        QVERIFY((merger.add(tensor(4, 100)).at(0).values.at("wgmma")) == 128.0);
    }

    void launches_that_differ_are_not_merged() {
        LaunchMerger merger{{}};
        (void)merger.add(memory(1, 100, 1e6));
        const auto changed = merger.add(tensor(2, 100, 9e6));
        QCOMPARE(changed.size(), std::size_t{1});
        QVERIFY((changed[0].launches == std::vector<std::uint64_t>{2}));
        QVERIFY(!changed[0].values.contains("ffma"));
    }

    void the_last_measured_launch_of_a_shape_is_what_others_are_like() {
        LaunchMerger merger{{}};
        for (std::uint64_t launch = 1; launch <= 200; ++launch)
            (void)merger.add(memory(launch, 100));
        QCOMPARE(merger.measured_alike(shape()), std::optional<std::uint64_t>(200));
        QVERIFY(!merger.measured_alike(shape("other")));
        // What is long past is not completed any more.
        QVERIFY(merger.add(work(201)).size() < 200);
    }
};

}  // namespace tst_launch_merger

ROOFWALK_TEST(tst_launch_merger, TestLaunchMerger, NoApplication)
#include "tst_launch_merger.moc"
