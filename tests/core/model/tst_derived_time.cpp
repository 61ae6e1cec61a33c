// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/model/derived_time.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_derived_time {

using namespace roofwalk;

namespace {

struct Timed {
    double time;
    TimeOrigin origin = TimeOrigin::measured;
    bool counted_work = false;
    std::uint32_t grid = 1;
    KernelIndex kernel{};
    std::uint32_t process = 0;
};

Profile profile_of(const std::vector<Timed>& launches) {
    Profile profile;
    profile.kernels = {{"one", {}, {}}, {"other", {}, {}}, {"one", {}, {}}};
    profile.sources.resize(1);
    for (const Timed& timed : launches) {
        Launch& launch = profile.launches.emplace_back();
        launch.kernel = timed.kernel;
        launch.grid = {timed.grid, 1, 1};
        launch.process = timed.process;
        launch.duration = Seconds(timed.time);
        launch.duration_origin = timed.origin;
        if (timed.counted_work) launch.work.push_back({.pipe = {}, .work = Flops(1e6)});
    }
    return profile;
}

Profile refused(const std::vector<Timed>& launches) {
    Profile profile = profile_of(launches);
    refuse_derived_times(profile);
    return profile;
}

}  // namespace

class TestDerivedTime : public QObject {
    Q_OBJECT

  private slots:
    void one_of_a_counting_pass_is_a_contradiction() {
        // The kernel of another report has another index and the same name.
        const Profile profile = refused({{1e-5}, {1e-3, TimeOrigin::derived, true, 1, KernelIndex{2}}});
        QVERIFY(!profile.launches[1].duration);
        QCOMPARE(profile.launches[1].work.size(), 1U);
        QCOMPARE(profile.launches[0].duration.value().value(), 1e-5);
        QCOMPARE(profile.warnings.size(), 1U);
        QCOMPARE(profile.warnings[0].message.code, ErrorCode::contradiction);
        QCOMPARE(profile.warnings[0].launches, (std::vector{LaunchIndex{1}}));
        QVERIFY(profile.warnings[0].refuses_time);
    }
    void so_is_one_beside_a_derived_time_of_a_run_that_counted_no_work() {
        const Profile profile = refused({{1e-5, TimeOrigin::derived}, {1e-3, TimeOrigin::derived, true}});
        QVERIFY(profile.launches[0].duration && !profile.launches[1].duration);
    }
    void a_clock_may_explain_it() {
        QVERIFY(refused({{1e-5}, {9e-5, TimeOrigin::derived, true}}).warnings.empty());
        QVERIFY(
            refused({{1e-5}, {1e-3, TimeOrigin::derived}, {2e-4}}).warnings.empty());  // the longest counts
    }
    void launches_of_runs_with_as_many_are_paired_in_order() {
        constexpr TimeOrigin derived = TimeOrigin::derived;
        const auto run = [](double shortest_derived) {
            return std::vector<Timed>{{4.0},
                                      {3.0},
                                      {0.04},
                                      {400.0, derived, true, 1, {}, 1},
                                      {2.9, derived, true, 1, {}, 1},
                                      {shortest_derived, derived, true, 1, {}, 1}};
        };
        // Far less than the longest one is still 100 times its own.
        const Profile most = refused(run(4.0));
        QCOMPARE(most.warnings.at(0).launches, (std::vector{LaunchIndex{3}, LaunchIndex{4}, LaunchIndex{5}}));
        QVERIFY(!most.launches[5].duration);
        const Profile one = refused(run(0.04));
        QCOMPARE(one.warnings.at(0).launches, (std::vector{LaunchIndex{3}}));
        QVERIFY(one.launches[4].duration && one.launches[5].duration);
        // One more launch: nothing tells which are pairs.
        std::vector<Timed> more = run(4.0);
        more.push_back({0.04});
        QCOMPARE(refused(more).warnings.at(0).launches, (std::vector{LaunchIndex{3}}));
    }
    void of_another_grid_only_those_fall_with_the_most_that_nothing_confirms() {
        constexpr TimeOrigin derived = TimeOrigin::derived;
        std::vector<Timed> launches(3, Timed{1e-3, derived, true, 1});
        launches.insert(launches.end(), 2, Timed{1e-5, derived, true, 2});
        launches.push_back({1e-5, derived, true, 3});
        for (const std::uint32_t grid : {1U, 2U})
            launches.push_back({.time = 1e-5, .grid = grid, .process = 1});
        QCOMPARE(refused(launches).warnings.at(0).launches,
                 (std::vector{LaunchIndex{0}, LaunchIndex{1}, LaunchIndex{2}, LaunchIndex{5}}));
    }
    void one_far_above_those_of_as_many_bytes_is_refused_where_work_was_counted_and_nothing_timed() {
        const auto times = [](std::initializer_list<std::pair<double, double>> time_and_bytes) {
            Profile profile =
                profile_of(std::vector<Timed>(time_and_bytes.size(), Timed{1, TimeOrigin::derived, true}));
            for (std::size_t i = 0; i < time_and_bytes.size(); ++i) {
                const auto& [time, bytes] = time_and_bytes.begin()[i];
                profile.launches[i].duration = Seconds(time);
                if (bytes > 0) profile.launches[i].traffic.emplace_back().total = Bytes(bytes);
            }
            refuse_derived_times(profile);
            std::vector<double> left;
            for (const Launch& launch : profile.launches)
                left.push_back(launch.duration.value_or(Seconds()).value());
            return left;
        };
        using Left = std::vector<double>;
        QCOMPARE(times({{1e-4, 8e7}, {1.2e-4, 8e7}, {1, 8.1e7}, {1e-4, 8e7}}), (Left{1e-4, 1.2e-4, 0, 1e-4}));
        QCOMPARE(times({{1e-4, 8e7}, {1, 8e7}}), (Left{1e-4, 0}));
        // Nine times the median, hundred times the bytes, and bytes that nobody knows.
        QCOMPARE(times({{1e-4, 8e7}, {1e-4, 8e7}, {9e-4, 8e7}}), (Left{1e-4, 1e-4, 9e-4}));
        QCOMPARE(times({{1e-4, 8e7}, {1e-4, 8e7}, {1e-2, 8e9}}), (Left{1e-4, 1e-4, 1e-2}));
        QCOMPARE(times({{1e-4, 0}, {1e-4, 0}, {1, 0}}), (Left{1e-4, 1e-4, 1}));
    }
    void without_counted_work_it_is_doubted_once() {
        Profile profile = profile_of({{1e-6, TimeOrigin::derived}, {12e-6, TimeOrigin::derived}});
        for (Launch& launch : profile.launches)
            launch.traffic.emplace_back().total = Bytes(1e6);
        for (int pass = 0; pass < 2; ++pass) {
            refuse_derived_times(profile);
            QCOMPARE(profile.warnings.size(), 1U);
            QVERIFY(profile.warnings[0].message.code != ErrorCode::contradiction);
            QCOMPARE(doubted_times(profile), (std::vector{false, true}));
        }
    }
    void so_may_another_kernel_or_grid_or_a_timer() {
        QVERIFY(refused({{1e-5}, {1e-3, TimeOrigin::derived, true, 2}}).warnings.empty());
        QVERIFY(refused({{1e-5}, {1e-3, TimeOrigin::derived, true, 1, KernelIndex{1}}}).warnings.empty());
        QVERIFY(refused({{1e-5}, {1e-3}}).warnings.empty());
    }
    void so_may_another_gpu() {
        Profile profile = profile_of({{1e-5}, {1e-3, TimeOrigin::derived, true}});
        profile.devices.resize(2);
        profile.devices[0].name = "H100 SXM";
        profile.devices[1].name = "T4";
        profile.launches[1].device = DeviceIndex{1};
        Profile one_unnamed = profile;
        refuse_derived_times(profile);
        QVERIFY(profile.warnings.empty());
        QVERIFY(profile.launches[1].duration);
        // A GPU that a file does not name may be the same.
        one_unnamed.devices[1].name.clear();
        refuse_derived_times(one_unnamed);
        QVERIFY(!one_unnamed.launches[1].duration);
    }
    void one_without_any_alike_is_doubted_until_it_is_refused() {
        Profile counted =
            profile_of({{1e-3, TimeOrigin::derived, true}, {1e-3, TimeOrigin::derived}, {1e-3}});
        doubt_derived_times(counted);
        QVERIFY(counted.warnings.empty() && doubted_times(counted).empty());  // not instrumented
        counted.launches[0].instrumented = true;
        doubt_derived_times(counted);
        QCOMPARE(counted.warnings.size(), 1U);
        QCOMPARE(counted.warnings[0].launches, (std::vector{LaunchIndex{0}}));
        QVERIFY(counted.warnings[0].message.code != ErrorCode::contradiction);
        QCOMPARE(doubted_times(counted), (std::vector{true, false, false}));
        counted.launches.resize(1);
        const Profile timed = profile_of({{1e-5}});
        const Profile* const both[] = {&timed, &counted};
        const Profile merged = merge_profiles(both);
        QCOMPARE(merged.warnings.size(), 1U);
        QCOMPARE(merged.warnings[0].message.code, ErrorCode::contradiction);
        QVERIFY(doubted_times(merged).empty());
    }
    void reports_that_are_opened_together_tell_it_too() {
        const Profile timed = profile_of({{1e-5}});
        const Profile counted = profile_of({{1e-3, TimeOrigin::derived, true}});
        const Profile* const both[] = {&timed, &counted};
        QCOMPARE(merge_profiles(both).warnings.size(), 1U);
        QVERIFY(append_profiles(both).warnings.empty());
    }
};

}  // namespace tst_derived_time

ROOFWALK_TEST(tst_derived_time, TestDerivedTime, NoApplication)
#include "tst_derived_time.moc"
