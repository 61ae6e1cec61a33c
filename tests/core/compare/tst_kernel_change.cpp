// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/kernel_change.h"

#include <QTest>
#include <cmath>
#include <random>

#include "core/model/derived_time.h"
#include "core/operations/op_binding.h"
#include "tests/core/compare/run_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_kernel_change {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

LaunchFacts facts(double time, double flops, double hbm_bytes) {
    LaunchFacts launch;
    launch.time = time;
    launch.flops = flops;
    launch.bytes = {{Boundary::hbm_dram_rw, hbm_bytes}};
    return launch;
}

/// Against 1 ms, 1 GFLOP, 1 GB.
KernelChange from_one(double time, double flops, double hbm_bytes, const CompareOptions& options = {}) {
    return change_between(Run({facts(1e-3, 1e9, 1e9)}), Run({facts(time, flops, hbm_bytes)}), options);
}

std::string verdict(const KernelChange& change) {
    return std::string(id_of(change.verdict));
}

bool near(const std::optional<Change>& change, double ratio) {
    return change && std::abs(change->ratio / ratio - 1) < 1e-9;
}

/// The acceptance list's GEMV of 4096 x 4096 in FP16 on an H100: 2 x 4096^2 FLOP over as many bytes.
LaunchFacts gemv(double bandwidth_tb) {
    const double bytes = 2.0 * 4096 * 4096;
    return facts(bytes / (bandwidth_tb * 1e12), bytes, bytes);
}

}  // namespace

class TestKernelChange : public QObject {
    Q_OBJECT

  private slots:
    void bytes_of_some_launches_are_compared_with_those_of_as_many() {
        LaunchFacts timed = facts(1e-3, 0, 0);
        timed.flops.reset();
        timed.bytes.clear();
        const Run whole({facts(1e-3, 1e9, 1e9), facts(1e-3, 1e9, 1e9)});
        const KernelChange change = change_between(whole, Run({timed, facts(1e-3, 1e9, 0.5e9)}));
        QVERIFY(!change.per_launch && !change.other_work);
        QVERIFY(near(change.time, 1));
        QVERIFY(near(change.work, 1));
        QVERIFY(near(change.at(MemoryLevel::hbm).bytes, 0.5));
        QVERIFY(near(change.at(MemoryLevel::hbm).intensity, 2));
        // Twice as many launches, of which three are known: as many bytes in a launch.
        const Run more({facts(1e-3, 1e9, 1e9), facts(1e-3, 1e9, 1e9), timed, facts(1e-3, 1e9, 1e9)});
        const KernelChange of_more = change_between(whole, more);
        QVERIFY(of_more.per_launch && !of_more.other_work);
        QVERIFY(near(of_more.time, 1));
        QVERIFY(near(of_more.at(MemoryLevel::hbm).bytes, 1));
    }
    void a_time_of_a_counting_pass_gets_no_verdict() {
        const Run before({facts(1e-3, 1e9, 1e9)});
        Run after({facts(0.1, 1e9, 1e9)});
        QVERIFY(!change_between(before, after).contradicts());  // timed: 100 times slower
        after.profile.launches.front().duration_origin = TimeOrigin::derived;
        after.analyse_again();
        const KernelChange slower = change_between(before, after);
        QVERIFY(slower.contradicts_after && !slower.contradicts_before);
        QCOMPARE(verdict(slower), std::string("not_compared"));
        const KernelChange faster = change_between(after, before);
        QVERIFY(faster.contradicts_before && !faster.contradicts_after);
        QVERIFY(!change_notes(before.view(), after.view(), slower).empty());
        after.profile.launches.front().duration = Seconds(5e-3);
        after.analyse_again();
        QVERIFY(!change_between(before, after).contradicts());  // a clock may do that
        after.profile.launches.front().instrumented = true;
        doubt_derived_times(after.profile);
        after.analyse_again();
        QVERIFY(change_between(before, after).contradicts_after);
        QVERIFY(change_between(after, before).contradicts_before);
        // Both of one kind of pass are compared, and marked; that of a pass without counted work is another.
        Run other({facts(2e-3, 1e9, 1e9)});
        other.profile.launches.front().duration_origin = TimeOrigin::derived;
        other.analyse_again();
        QVERIFY(change_between(other, after).contradicts_after);
        other.profile.launches.front().instrumented = true;
        doubt_derived_times(other.profile);
        other.analyse_again();
        const KernelChange alike = change_between(other, after);
        QCOMPARE(verdict(alike), std::string("wrong_way"));
        QVERIFY(alike.time->doubted && alike.performance->doubted && !alike.work->doubted);
        QVERIFY(time_text(*alike.time).starts_with('~'));
        other.profile.launches.front().work.clear();
        other.analyse_again();
        const KernelChange unlike = change_between(other, after);
        QVERIFY(unlike.contradicts_before && unlike.contradicts_after && unlike.times_unlike);
        QVERIFY(change_text(unlike) != change_text(alike));
    }

    void what_was_only_timed_has_no_work_or_bytes_to_compare() {
        LaunchFacts timed = facts(1e-3, 0, 0);
        timed.flops.reset();
        timed.bytes.clear();
        Run before({timed});
        before.profile.launches[0].algorithm = before.profile.texts.intern("saxpy n=1000000 dtype=fp32");
        before.options.launch_operations =
            std::make_shared<const LaunchOperations>(bind_operations(before.profile, {}));
        before.analyse_again();
        QVERIFY(before.analysis.points.at(0).modelled);
        const KernelChange change = change_between(before, Run({facts(0.5e-3, 1e9, 1e9)}), {});
        QVERIFY(near(change.time, 0.5));
        QVERIFY(!change.work && !change.other_work && !change.performance && !change.gap);
        QVERIFY(!change.at(MemoryLevel::hbm).bytes && !change.at(MemoryLevel::hbm).intensity);
        QCOMPARE(verdict(change), std::string("faster"));
    }
    void every_direction_has_its_verdict_data() {
        QTest::addColumn<double>("time");
        QTest::addColumn<double>("bytes");
        QTest::addColumn<QString>("expected");
        QTest::newRow("nothing") << 1e-3 << 1e9 << "unchanged";
        QTest::newRow("less time") << 0.5e-3 << 1e9 << "up";
        QTest::newRow("fewer bytes") << 1e-3 << 0.5e9 << "right";
        QTest::newRow("both") << 0.5e-3 << 0.5e9 << "both";
        QTest::newRow("more time") << 2e-3 << 1e9 << "wrong_way";
        QTest::newRow("more bytes") << 1e-3 << 2e9 << "wrong_way";
        QTest::newRow("more of both") << 2e-3 << 2e9 << "wrong_way";
        QTest::newRow("faster with more bytes") << 0.5e-3 << 2e9 << "mixed";
        QTest::newRow("slower with fewer bytes") << 2e-3 << 0.5e9 << "mixed";
        QTest::newRow("noise of time") << 1.019e-3 << 1e9 << "unchanged";
        QTest::newRow("noise of bytes") << 1e-3 << 0.985e9 << "unchanged";
    }
    void every_direction_has_its_verdict() {
        QFETCH(double, time);
        QFETCH(double, bytes);
        QTEST(QString::fromStdString(verdict(from_one(time, 1e9, bytes))), "expected");
    }
    void the_gemv_walk_goes_straight_up() {
        const Run naive({gemv(1.2)});
        const Run vectorised({gemv(2.9)});
        const Run staged({gemv(3.1)});
        for (const auto& [before, after, ratio] :
             {std::tuple(&naive, &vectorised, 2.9 / 1.2), std::tuple(&vectorised, &staged, 3.1 / 2.9),
              std::tuple(&naive, &staged, 3.1 / 1.2)}) {
            const KernelChange change = change_between(*before, *after);
            QCOMPARE(verdict(change), std::string("up"));
            QVERIFY(near(change.performance, ratio));
            QVERIFY(near(change.time, 1 / ratio));
            QVERIFY(near(change.at(MemoryLevel::hbm).intensity, 1));
        }
    }
    void the_gap_is_compared_too() {
        const KernelChange change = from_one(0.6e-3, 1e9, 1e9);
        QVERIFY(near(change.gap, 0.6));
    }
    void the_noise_is_editable() {
        QCOMPARE(verdict(from_one(1.04e-3, 1e9, 1e9, {.noise = 0.05})), std::string("unchanged"));
        QCOMPARE(verdict(from_one(1.04e-3, 1e9, 1e9, {.noise = 0})), std::string("wrong_way"));
    }
    void scattered_launches_widen_the_noise() {
        std::vector<LaunchFacts> before;
        std::vector<LaunchFacts> after;
        for (const double factor : {0.8, 1.0, 1.25, 1.0}) {
            before.push_back(facts(1e-3, 1e9, 1e9));
            after.push_back(facts(0.95e-3 * factor, 1e9, 1e9));
        }
        const KernelChange scattered = change_between(Run(before), Run(after));
        QVERIFY(scattered.time->noise > 0.2);
        QCOMPARE(verdict(scattered), std::string("unchanged"));
        for (std::size_t i = 0; i < after.size(); ++i)
            after[i].time = 0.95e-3;
        QCOMPARE(verdict(change_between(Run(before), Run(after))), std::string("up"));
    }
    void the_level_that_bound_the_kernel_is_judged() {
        // Naive to tiled: the same bytes from HBM, far fewer from L2, and shared memory is new.
        LaunchFacts naive = facts(1e-3, 1e9, 1e8);
        naive.bytes.push_back({Boundary::l2_sm_sectors, 4e9});
        naive.bytes.push_back({Boundary::smem_wavefronts, 0});
        LaunchFacts tiled = facts(0.5e-3, 1e9, 1e8);
        tiled.bytes.push_back({Boundary::l2_sm_sectors, 5e8});
        tiled.bytes.push_back({Boundary::smem_wavefronts, 8e9});
        const KernelChange change = change_between(Run({naive}), Run({tiled}));
        QCOMPARE(change.judged_at, std::optional(MemoryLevel::l2));
        QCOMPARE(verdict(change), std::string("both"));
        QVERIFY(near(change.at(MemoryLevel::hbm).bytes, 1));
        QVERIFY(!change.at(MemoryLevel::smem).bytes);
    }
    void kernels_without_work_are_judged_by_bytes_and_time() {
        const KernelChange change = change_between(Run({facts(1e-3, 0, 1e9)}), Run({facts(0.5e-3, 0, 1e9)}));
        QCOMPARE(verdict(change), std::string("up"));
        QVERIFY(!change.performance && !change.work && !change.other_work);
    }
    void a_larger_problem_is_not_judged() {
        const KernelChange change = from_one(2e-3, 2e9, 2e9);
        QVERIFY(change.other_work);
        QCOMPARE(verdict(change), std::string("other_work"));
    }
    void with_other_work_place_and_amount_must_agree() {
        // 5 % more FLOP in half the time: faster, and higher on the chart.
        QCOMPARE(verdict(from_one(0.5e-3, 1.05e9, 1e9)), std::string("up"));
        // Twice the work in less than twice the time is higher, but takes longer.
        QCOMPARE(verdict(from_one(1.5e-3, 2e9, 2e9)), std::string("other_work"));
        // Half the work in the same time is lower, but no slower.
        QCOMPARE(verdict(from_one(1e-3, 0.5e9, 1e9)), std::string("other_work"));
        QCOMPARE(verdict(change_between(Run({facts(1e-3, 0, 1e9)}), Run({facts(0.5e-3, 1e9, 1e9)}))),
                 std::string("other_work"));
    }
    void other_numbers_of_launches_are_compared_as_means() {
        const LaunchFacts one = facts(1e-3, 1e9, 1e9);
        const LaunchFacts faster = facts(0.5e-3, 1e9, 1e9);
        const KernelChange change = change_between(Run({one, one}), Run({faster, faster, faster}));
        QVERIFY(change.per_launch);
        QVERIFY(near(change.time, 0.5));
        QVERIFY(near(change.work, 1));
        QVERIFY(near(change.at(MemoryLevel::hbm).bytes, 1));
        QCOMPARE(verdict(change), std::string("up"));
    }
    void the_same_work_in_fewer_launches_is_compared_as_sums() {
        const LaunchFacts half = facts(1e-3, 1e9, 1e9);
        const KernelChange change = change_between(Run({half, half}), Run({facts(1.5e-3, 2e9, 1.5e9)}));
        QVERIFY(!change.per_launch);
        QVERIFY(near(change.time, 0.75));
        QCOMPARE(verdict(change), std::string("both"));
    }
    void other_boundaries_are_not_compared() {
        LaunchFacts sectors = facts(1e-3, 1e9, 1e9);
        sectors.bytes.push_back({Boundary::l2_sm_sectors, 4e9});
        LaunchFacts all = facts(1e-3, 1e9, 1e9);
        all.bytes.push_back({Boundary::l2_all, 1e9});
        const KernelChange change = change_between(Run({sectors}), Run({all}));
        QVERIFY(!change.at(MemoryLevel::l2).bytes && !change.at(MemoryLevel::l2).intensity);
        QCOMPARE(change.judged_at, std::optional(MemoryLevel::hbm));
        QCOMPARE(verdict(change), std::string("unchanged"));
    }
    void a_missing_time_is_not_compared() {
        LaunchFacts untimed = facts(1e-3, 1e9, 1e9);
        untimed.time.reset();
        QCOMPARE(verdict(change_between(Run({untimed}), Run({facts(1e-3, 1e9, 1e9)}))),
                 std::string("not_compared"));
    }
    void uncounted_work_leaves_time_and_bytes() {
        Run before({facts(1e-3, 1e9, 1e9)});
        before.profile.launches[0].uncounted.tensor = true;
        before.analyse_again();
        const KernelChange change = change_between(before, Run({facts(0.5e-3, 1e9, 1e9)}));
        QVERIFY(!change.performance && !change.work && !change.at(MemoryLevel::hbm).intensity);
        QCOMPARE(verdict(change), std::string("up"));
    }
    void another_device_is_told_and_not_judged() {
        Device other = test_gpu();
        other.name = "Other GPU";
        const KernelChange change = change_between(Run({facts(1e-3, 1e9, 1e9)}),
                                                   Run({facts(0.5e-3, 1e9, 1e9)}, GroupBy::kernel, {other}));
        QVERIFY(change.devices_differ);
        QVERIFY(near(change.time, 0.5));
        QCOMPARE(verdict(change), std::string("not_compared"));
    }
    void a_nameless_device_is_itself() {
        Device nameless = test_gpu();
        nameless.name.clear();
        const Run run({facts(1e-3, 1e9, 1e9)}, GroupBy::kernel, {nameless});
        QVERIFY(!change_between(run, run).devices_differ);
    }
    void a_faster_clock_explains_a_faster_kernel() {
        LaunchFacts slow = facts(1e-3, 1e10, 1e6);
        slow.sm_clock = 1.1e9;
        LaunchFacts fast = facts(1e-3 * 1.1 / 1.4, 1e10, 1e6);
        fast.sm_clock = 1.4e9;
        const KernelChange change = change_between(Run({slow}), Run({fast}));
        QVERIFY(change.clock_explains);
        QCOMPARE(verdict(change), std::string("up"));
        fast.time = 0.5e-3;
        QVERIFY(!change_between(Run({slow}), Run({fast})).clock_explains);
    }
    void the_memory_clock_explains_what_hbm_binds() {
        LaunchFacts slow = facts(1e-3, 1e6, 1e9);
        slow.memory_clock = 1.2e9;
        slow.sm_clock = 1.1e9;
        LaunchFacts fast = facts(1e-3 * 1.1 / 1.4, 1e6, 1e9);
        fast.memory_clock = 1.2e9;
        fast.sm_clock = 1.4e9;
        QVERIFY(!change_between(Run({slow}), Run({fast})).clock_explains);
        fast.memory_clock = 1.2e9 * 1.4 / 1.1;
        QVERIFY(change_between(Run({slow}), Run({fast})).clock_explains);
    }
    void ratios_of_random_walks_are_consistent() {
        std::mt19937 engine(20261121);
        std::uniform_real_distribution<> exponent(-1, 1);
        const auto random = [&] { return std::pow(10.0, exponent(engine)); };
        for (int i = 0; i < 200; ++i) {
            const KernelChange change = from_one(1e-3 * random(), 1e9 * random(), 1e9 * random());
            const double work = change.work->ratio;
            QVERIFY(near(change.performance, work / change.time->ratio));
            QVERIFY(
                near(change.at(MemoryLevel::hbm).intensity, work / change.at(MemoryLevel::hbm).bytes->ratio));
        }
    }
};

}  // namespace tst_kernel_change

ROOFWALK_TEST(tst_kernel_change, TestKernelChange, NoApplication)
#include "tst_kernel_change.moc"
