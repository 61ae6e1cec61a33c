// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/launch_merger.h"
#include "tests/support/folder_tests.h"

#include <QTest>

namespace tst_merge_launches {

using namespace roofwalk;

namespace {

constexpr double mib = 1024.0 * 1024.0;

PlanMeasurement measured(std::uint64_t launch, PlanKind plan, double time = 1000, double read = 100 * mib) {
    PlanMeasurement measurement;
    measurement.launch = launch;
    measurement.plan = plan;
    measurement.shape.name = "gemm";
    if (plan == PlanKind::work) {
        measurement.values = {{"ffma", 5}};
    } else {
        measurement.values = {{"gpu__time_duration.sum", time}, {"dram__bytes_read.sum", read}};
        if (plan == PlanKind::tensor) measurement.values["bf16"] = 7;
    }
    return measurement;
}

const MergeTolerance tolerance;

}  // namespace

class TestMergeLaunches : public QObject {
    Q_OBJECT

  private slots:
    void launches_that_are_alike_become_one() {
        const auto merged = merge_launches({measured(1, PlanKind::memory), measured(2, PlanKind::work),
                                            measured(3, PlanKind::tensor, 1100, 102 * mib)},
                                           tolerance);
        QCOMPARE(merged.size(), std::size_t{1});
        QVERIFY((merged[0].launches == std::vector<std::uint64_t>{1, 3, 2}));
        QVERIFY(
            (merged[0].plans == std::vector<PlanKind>{PlanKind::memory, PlanKind::tensor, PlanKind::work}));
        QCOMPARE(merged[0].values.at("gpu__time_duration.sum"), 1000.0);
        QCOMPARE(merged[0].values.at("bf16"), 7.0);
        QCOMPARE(merged[0].values.at("ffma"), 5.0);
        QVERIFY((merged[0].agreeing == std::vector<bool>{true, true, false}));
    }

    void traffic_that_differs_keeps_them_apart() {
        const auto a = measured(1, PlanKind::memory);
        const auto b = measured(2, PlanKind::tensor, 1000, 110 * mib);
        const MergeSimilarity found = likeness(a, b, tolerance);
        QVERIFY(found.same_shape && found.overlap && !found.alike());
        QVERIFY(found.conflict->metric == "dram__bytes_read.sum");
        QCOMPARE(found.conflict->second, 110 * mib);
        const auto merged = merge_launches({a, b}, tolerance);
        QCOMPARE(merged.size(), std::size_t{2});
        QVERIFY(merged[0].agreeing == std::vector<bool>{true});
        QVERIFY((merged[1].launches == std::vector<std::uint64_t>{2}));
    }

    void time_that_differs_keeps_them_apart() {
        QVERIFY(!likeness(measured(1, PlanKind::memory, 1000), measured(2, PlanKind::tensor, 1300), tolerance)
                     .alike());
    }

    void a_few_bytes_never_speak_against_a_merge() {
        QVERIFY(likeness(measured(1, PlanKind::memory, 1000, 1000),
                         measured(2, PlanKind::tensor, 1000, 60000), tolerance)
                    .alike());
        PlanMeasurement a = measured(1, PlanKind::memory);
        PlanMeasurement b = measured(2, PlanKind::tensor);
        a.values["lts__t_sectors_srcunit_tex.sum"] = 0;
        b.values["lts__t_sectors_srcunit_tex.sum"] = 2048;
        QVERIFY(likeness(a, b, tolerance).alike());
        b.values["lts__t_sectors_srcunit_tex.sum"] = 2049;
        QVERIFY(!likeness(a, b, tolerance).alike());
    }

    void another_shape_is_another_kernel() {
        PlanMeasurement other = measured(2, PlanKind::work);
        other.shape.grid = {2, 1, 1};
        QVERIFY(!likeness(measured(1, PlanKind::memory), other, tolerance).alike());
        QCOMPARE(merge_launches({measured(1, PlanKind::memory), other}, tolerance).size(), std::size_t{2});
    }

    void one_count_of_work_completes_every_launch_of_the_shape() {
        const auto merged = merge_launches({measured(1, PlanKind::memory), measured(2, PlanKind::work),
                                            measured(3, PlanKind::memory), measured(9, PlanKind::work)},
                                           tolerance);
        QCOMPARE(merged.size(), std::size_t{3});
        QVERIFY((merged[0].launches == std::vector<std::uint64_t>{1, 2}));
        QVERIFY((merged[1].launches == std::vector<std::uint64_t>{3, 2}));
        QVERIFY((merged[2].launches == std::vector<std::uint64_t>{9}));
    }

    void nothing_gives_nothing() { QVERIFY(merge_launches({}, tolerance).empty()); }
};

}  // namespace tst_merge_launches

ROOFWALK_TEST(tst_merge_launches, TestMergeLaunches, NoApplication)
#include "tst_merge_launches.moc"
