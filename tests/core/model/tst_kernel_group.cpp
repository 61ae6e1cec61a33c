// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/model/kernel_group.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_kernel_group {

using namespace roofwalk;

namespace {

/// Launches of the given kernels, in order.
Profile launches_of(std::initializer_list<std::uint32_t> kernels) {
    Profile profile;
    profile.sources.resize(2);
    profile.devices.resize(2);
    profile.kernels = {{"first(int)", "first", {}}, {"second(int)", "second", {}}};
    profile.nvtx_stacks.push_back({"outer", "inner"});
    for (const std::uint32_t kernel : kernels) {
        Launch launch;
        launch.kernel = KernelIndex{kernel};
        profile.launches.push_back(launch);
    }
    return profile;
}

std::vector<std::uint32_t> order_of(const Grouping& grouping) {
    std::vector<std::uint32_t> order;
    for (const LaunchIndex index : grouping.order)
        order.push_back(static_cast<std::uint32_t>(index));
    return order;
}

}  // namespace

class TestKernelGroup : public QObject {
    Q_OBJECT

  private slots:
    void kernels_come_in_order_of_their_first_launch() {
        const Profile profile = launches_of({1, 0, 1, 0, 1});
        const Grouping grouping = group_launches(profile, GroupBy::kernel);
        QCOMPARE(grouping.groups.size(), std::size_t{2});
        QCOMPARE(order_of(grouping), (std::vector<std::uint32_t>{0, 2, 4, 1, 3}));
        QCOMPARE(name_of_group(profile, grouping, grouping.groups[0], GroupBy::kernel),
                 std::string("second(int)"));
        QCOMPARE(grouping.launches_of(grouping.groups[1]).size(), std::size_t{2});
    }
    void every_launch_can_stand_alone() {
        const Grouping grouping = group_launches(launches_of({1, 0, 1}), GroupBy::launch);
        QCOMPARE(grouping.groups.size(), std::size_t{3});
        QCOMPARE(order_of(grouping), (std::vector<std::uint32_t>{0, 1, 2}));
    }
    void devices_and_files_are_kept_apart() {
        Profile profile = launches_of({0, 0, 0});
        profile.launches[1].device = DeviceIndex{1};
        profile.launches[2].source = SourceIndex{1};
        QCOMPARE(group_launches(profile, GroupBy::kernel).groups.size(), std::size_t{3});
    }
    void ranges_hold_different_kernels() {
        Profile profile = launches_of({0, 1, 0});
        profile.launches[0].nvtx = profile.launches[1].nvtx = NvtxIndex{1};
        const Grouping grouping = group_launches(profile, GroupBy::nvtx);
        QCOMPARE(grouping.groups.size(), std::size_t{2});
        QCOMPARE(name_of_group(profile, grouping, grouping.groups[0], GroupBy::nvtx),
                 std::string("outer / inner"));
        QCOMPARE(name_of_group(profile, grouping, grouping.groups[1], GroupBy::nvtx),
                 std::string("(outside any NVTX range)"));
    }
    void no_launches_make_no_groups() {
        for (const GroupBy by : {GroupBy::launch, GroupBy::kernel, GroupBy::nvtx, GroupBy::operation}) {
            QVERIFY(group_launches(launches_of({}), by).groups.empty());
            QCOMPARE(enum_from_id<GroupBy>(id_of(by)).value(), by);
        }
        QVERIFY(!enum_from_id<GroupBy>("colour"));
    }
};

}  // namespace tst_kernel_group

ROOFWALK_TEST(tst_kernel_group, TestKernelGroup, NoApplication)
#include "tst_kernel_group.moc"
