// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/timeline/idle_time.h"

#include <QTest>

#include "core/import/ncu/ncu_report.h"
#include "core/roofline/summary.h"
#include "tests/core/roofline/profiles.h"
#include "tests/support/folder_tests.h"
#include "tests/support/ncu_fixtures.h"

namespace tst_idle_time {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

Launch timed(double start, double seconds, std::uint32_t stream = 0) {
    Launch one = launch(seconds, {}, {});
    one.start = Seconds(start);
    one.stream = stream;
    return one;
}

Profile run(std::initializer_list<Launch> launches) {
    return profile_of(machine({}, {}), launches);
}

/// Busy from 1 to 4 on two streams, and from 6 to 7.
Profile two_streams() {
    return run({timed(6, 1), timed(1, 2, 1), timed(2, 2, 2), timed(2.5, 0.5, 3)});
}

bool is_known(const Profile& profile) {
    return !timeline_of(profile).devices.empty();
}

}  // namespace

class TestIdleTime : public QObject {
    Q_OBJECT

  private slots:
    void kernels_that_overlap_are_busy_once() {
        const Timeline timeline = timeline_of(two_streams());
        QCOMPARE(timeline.devices.size(), std::size_t{1});
        QCOMPARE(timeline.devices[0].wall.value(), 6.0);
        QCOMPARE(timeline.devices[0].idle.value(), 2.0);
        QCOMPARE(timeline.devices[0].launches, std::uint64_t{4});
        QCOMPARE(timeline.idle_before[0].value(), 2.0);
        QCOMPARE(timeline.idle_before[1].value(), 0.0);
    }
    void each_device_and_each_file_has_its_own() {
        Profile profile = run({timed(0, 1), timed(3, 1), timed(1, 1), timed(9, 1)});
        profile.devices.push_back(profile.devices[0]);
        profile.sources.push_back(profile.sources[0]);
        profile.launches[2].device = DeviceIndex{1};
        profile.launches[3].source = SourceIndex{1};
        const Timeline timeline = timeline_of(profile);
        QCOMPARE(timeline.devices.size(), std::size_t{3});
        QCOMPARE(timeline.devices[0].idle.value(), 2.0);
        QCOMPARE(timeline.devices[1].idle.value(), 0.0);
        QCOMPARE(timeline.devices[2].wall.value(), 1.0);
        // One device in two files is no two devices.
        const std::span all(timeline.devices);
        QVERIFY(idle_sentence(all).find("3 runs") != std::string::npos);
        QVERIFY(idle_sentence(all.first(2)).find("2 devices") != std::string::npos);
    }
    void of_what_is_not_known_nothing_is_said() {
        QVERIFY(!is_known(run({timed(0, 1), launch(1, {}, {})})));
        Launch without_time = timed(2, 1);
        without_time.duration.reset();
        QVERIFY(!is_known(run({timed(0, 1), without_time})));
        Launch alike = timed(2, 1);
        alike.duration_origin = TimeOrigin::alike;
        QVERIFY(!is_known(run({timed(0, 1), alike})));
        Profile filtered = two_streams();
        filtered.sources[0].left_out = 1;
        QVERIFY(!is_known(filtered));
        Profile cut = two_streams();
        cut.sources[0].partial = true;
        QVERIFY(!is_known(cut));
        Profile with_graphs = two_streams();
        with_graphs.sources[0].range_results = 1;
        QVERIFY(!is_known(with_graphs));
        const Analysis analysis = analyse(run({launch(1, {}, {})}), {});
        QVERIFY(analysis.idle.empty() && !analysis.points[0].idle_before);
        QCOMPARE(whole_session_sentence(analysis).find("No kernel ran"), std::string::npos);
    }
    // A launch is counted alone, after what was launched before it has ended.
    void start_times_of_a_run_that_was_counted_are_no_wall_time() {
        Profile counted = two_streams();
        counted.launches[3].traffic = launch(1, {}, {{Boundary::hbm_dram_rw, 1}}).traffic;
        QVERIFY(!is_known(counted));
        // Unless the bytes were counted in another run.
        counted.sources.push_back(counted.sources[0]);
        counted.sources[1].joined_with = SourceIndex{0};
        QVERIFY(is_known(counted));
    }
    // It replays each kernel.
    void a_report_of_nsight_compute_has_no_wall_time() {
        const std::string bytes = write_report(full_report_fixture());
        const auto profile = read_ncu_report(std::as_bytes(std::span(bytes)), "a.ncu-rep");
        QVERIFY(profile);
        QVERIFY(!is_known(*profile));
    }
    void the_session_says_it() {
        const Profile profile = two_streams();
        const Analysis analysis = analyse(profile, {});
        QCOMPARE(analysis.idle.size(), std::size_t{1});
        QCOMPARE(analysis.points[0].idle_before->value(), 2.0);
        const std::string sentence = idle_sentence(analysis.idle);
        QVERIFY(sentence.find("2.00 s (33.3 %)") != std::string::npos);
        QVERIFY(sentence.find("6.00 s") != std::string::npos);
        QVERIFY(whole_session_sentence(analysis).ends_with(sentence));
    }
};

}  // namespace tst_idle_time

ROOFWALK_TEST(tst_idle_time, TestIdleTime, NoApplication)
#include "tst_idle_time.moc"
