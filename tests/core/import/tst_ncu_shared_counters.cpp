// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_metrics.h"

#include <QTest>

#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_ncu_shared_counters {

using namespace roofwalk;

namespace {

Launch launch(KernelIndex kernel, double seconds, double read, double write) {
    Launch launch;
    launch.kernel = kernel;
    launch.duration = Seconds(seconds);
    launch.traffic = {{.boundary = Boundary::hbm_dram_rw,
                       .total = Bytes(read + write),
                       .read = Bytes(read),
                       .write = Bytes(write)}};
    return launch;
}

Profile profile_of(std::vector<Launch> launches) {
    Profile profile;
    profile.kernels = {{"convert", {}, {}}, {"distance", {}, {}}};
    profile.launches = std::move(launches);
    return profile;
}

std::vector<Warning> warnings(std::vector<Launch> launches) {
    Profile profile = profile_of(std::move(launches));
    warn_of_shared_counters(profile);
    return profile.warnings;
}

constexpr KernelIndex convert{0};
constexpr KernelIndex distance_kernel{1};

}  // namespace

class TestNcuSharedCounters : public QObject {
    Q_OBJECT

  private slots:
    void different_kernels_with_the_same_counters_are_all_told() {
        const auto told = warnings({launch(convert, 1e-3, 2e8, 1e8), launch(distance_kernel, 1e-3, 2e8, 1e8),
                                    launch(distance_kernel, 2e-3, 2e8, 1e8)});
        QCOMPARE(told.size(), std::size_t{2});
        QCOMPARE(told[0].message.code, ErrorCode::contradiction);
        QVERIFY(told[0].launches == std::vector{LaunchIndex{0}});
        QCOMPARE(told[0].message.where, std::string("kernel 0, convert"));
        QVERIFY(told[0].message.what.find("exactly those of kernel 1, distance") != std::string::npos);
        QVERIFY(told[1].launches == std::vector{LaunchIndex{1}});
        QVERIFY(told[1].message.what.find("exactly those of kernel 0, convert") != std::string::npos);
    }
    void launches_of_one_kernel_may_agree() {
        QVERIFY(warnings({launch(convert, 1e-3, 2e8, 1e8), launch(convert, 1e-3, 2e8, 1e8)}).empty());
    }
    void one_byte_apart_is_chance() {
        QVERIFY(warnings({launch(convert, 1e-3, 2e8, 1e8), launch(distance_kernel, 1e-3, 2e8 + 32, 1e8)})
                    .empty());
    }
    void small_kernels_agree_by_chance() {
        QVERIFY(warnings({launch(convert, 2e-6, 4096, 0), launch(distance_kernel, 2e-6, 4096, 0)}).empty());
    }
    void a_failed_launch_has_no_counters() {
        Launch failed = launch(distance_kernel, 1e-3, 2e8, 1e8);
        failed.failed = true;
        QVERIFY(warnings({launch(convert, 1e-3, 2e8, 1e8), failed}).empty());
    }
    void many_are_told_once() {
        std::vector<Launch> launches;
        for (int i = 0; i < 30; ++i)
            launches.push_back(launch(i % 2 == 0 ? convert : distance_kernel, 1e-3, 2e8, 1e8));
        const auto told = warnings(std::move(launches));
        QCOMPARE(told.size(), std::size_t{1});
        QVERIFY(told[0].message.what.find("30 kernels of the report") != std::string::npos);
        QCOMPARE(told[0].launches.size(), std::size_t{30});
        for (std::uint32_t i = 0; i < 30; ++i)
            QVERIFY(told[0].launches[i] == LaunchIndex{i});
    }
};

}  // namespace tst_ncu_shared_counters

ROOFWALK_TEST(tst_ncu_shared_counters, TestNcuSharedCounters, NoApplication)
#include "tst_ncu_shared_counters.moc"
