// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/model/profile.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_profile {

using namespace roofwalk;

namespace {

Profile named(const char* kernel, const char* range, const char* metric, double value) {
    Profile profile;
    profile.sources.push_back({.path = kernel, .format = {}, .tool = {}, .command_line = {}, .created = {}});
    profile.devices.push_back({});
    profile.devices.back().name = kernel;
    profile.kernels.push_back({kernel, kernel, {}});
    profile.nvtx_stacks.push_back({range});
    Launch launch;
    launch.nvtx = NvtxIndex{1};
    launch.work.push_back({.pipe = {}, .source = profile.texts.intern(kernel), .work = Flops(1)});
    launch.traffic.push_back(
        {.source = profile.texts.intern(range), .total = Bytes(1), .read = {}, .write = {}});
    launch.metrics.push_back({profile.texts.intern(metric), value});
    launch.algorithm = profile.texts.intern(metric);
    profile.launches.push_back(launch);
    profile.warnings.push_back({Error{ErrorCode::contradiction, kernel, {}, {}}, {LaunchIndex{0}}});
    return profile;
}

}  // namespace

class TestProfile : public QObject {
    Q_OBJECT

  private slots:
    void metrics_are_found_by_name() {
        const Profile profile = named("a", "range", "launch__waves", 3);
        QCOMPARE(profile.metric(profile.launches[0], "launch__waves").value(), 3.0);
        QVERIFY(!profile.metric(profile.launches[0], "launch__others"));
    }
    void merging_keeps_every_reference_right() {
        const Profile a = named("a", "range a", "metric a", 1);
        const Profile b = named("b", "range b", "metric b", 2);
        const Profile* const both[] = {&a, &b};
        const Profile all = merge_profiles(both);
        QCOMPARE(all.launches.size(), std::size_t{2});
        const Launch& second = all.launches[1];
        QCOMPARE(all.kernel_of(second).name, std::string("b"));
        QCOMPARE(all.device_of(second).name, std::string("b"));
        QCOMPARE(all.nvtx_of(second).at(0), std::string("range b"));
        QCOMPARE(all.sources.at(static_cast<std::size_t>(second.source)).path, std::string("b"));
        QCOMPARE(all.metric(second, "metric b").value(), 2.0);
        QVERIFY(!all.metric(second, "metric a"));
        QVERIFY(all.texts.view(second.algorithm) == "metric b");
        QVERIFY(all.texts.view(second.work[0].source) == "b");
        QVERIFY(all.texts.view(second.traffic[0].source) == "range b");
        QCOMPARE(static_cast<std::size_t>(all.warnings[1].launches.front()), std::size_t{1});
    }
    void merging_more_sources_and_devices_than_16_bits_count_keeps_them_apart() {
        Profile many = named("a", "range", "metric", 1);
        many.sources.resize(70'000, many.sources.front());
        many.devices.resize(70'000);
        Profile last = named("b", "range", "metric", 1);
        const Profile* const both[] = {&many, &last};
        const Profile all = merge_profiles(both);
        const Launch& second = all.launches.at(1);
        QCOMPARE(all.device_of(second).name, std::string("b"));
        QCOMPARE(static_cast<std::size_t>(second.source), std::size_t{70'000});
    }
    void a_launch_outside_any_range_stays_outside() {
        Profile a = named("a", "range", "metric", 1);
        Profile b = a;
        b.launches[0].nvtx = NvtxIndex::none;
        const Profile* const both[] = {&a, &b};
        const Profile all = merge_profiles(both);
        QVERIFY(all.nvtx_of(all.launches[1]).empty());
    }
    void samples_of_a_launch_are_found_by_target() {
        const Profile profile = named("a", "range", "metric", 1);
        const Launch& launch = profile.launches[0];
        QVERIFY(launch.find(Boundary::hbm_dram_rw));
        QVERIFY(!launch.find(Boundary::l2_all));
        QVERIFY(launch.find(Pipe{}));
        QVERIFY(!launch.find(Pipe{PipeKind::fp64, false}));
    }
    void processes_of_a_parallel_run_stand_in_the_order_of_their_ranks() {
        Profile a = named("a", "range", "metric", 1);
        Profile b = named("b", "range", "metric", 1);
        const Profile* const both[] = {&a, &b};
        a.sources[0].rank = 10;
        QCOMPARE(merge_profiles(both).kernels[0].name, std::string("a"));
        b.sources[0].rank = 9;
        const Profile all = merge_profiles(both);
        QCOMPARE(all.kernel_of(all.launches[0]).name, std::string("b"));
        QCOMPARE(all.sources[1].rank, std::optional(10U));
    }
    void files_that_differ_in_numbers_stand_in_the_order_of_these() {
        const auto second_of = [](const char* first, const char* second) {
            const Profile a = named(first, "range", "metric", 1);
            const Profile b = named(second, "range", "metric", 1);
            const Profile* const both[] = {&a, &b};
            return merge_profiles(both).sources.at(1).path;
        };
        QCOMPARE(second_of("run_rank10.json", "run_rank2.json"), std::string("run_rank10.json"));
        QCOMPARE(second_of("run_rank2.json", "run_rank10.json"), std::string("run_rank10.json"));
        QCOMPARE(second_of("node10/rank2", "node9/rank10"), std::string("node10/rank2"));
        QCOMPARE(second_of("b.json", "a.json"), std::string("a.json"));
    }
    void a_launch_takes_figures_as_estimates() {
        Profile profile = named("a", "range", "metric", 3);
        profile.launches[0].duration = Seconds(2);
        Launch other = profile.launches[0];
        other.stream = 7;
        other.work.clear();
        other.duration.reset();
        take_figures(profile.launches[0], other);
        QCOMPARE(other.duration->value(), 2.0);
        QCOMPARE(other.work.at(0).origin, Origin::estimated);
        QCOMPARE(other.traffic.at(0).origin, Origin::estimated);
        QCOMPARE(profile.metric(other, "metric").value(), 3.0);
        QCOMPARE(other.stream, 7U);
    }
    void nothing_merged_is_an_empty_profile() {
        const Profile all = merge_profiles({});
        QVERIFY(all.launches.empty());
        QCOMPARE(all.nvtx_stacks.size(), std::size_t{1});
    }
};

}  // namespace tst_profile

ROOFWALK_TEST(tst_profile, TestProfile, NoApplication)
#include "tst_profile.moc"
