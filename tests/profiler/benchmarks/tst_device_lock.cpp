// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <filesystem>
#include <optional>

#include "profiler/benchmarks/command_line.h"
#include "profiler/benchmarks/device_lock.h"
#include "tests/support/folder_tests.h"

namespace tst_device_lock {

using namespace roofwalk::ceilings;
using State = DeviceLock::State;

class TestDeviceLock : public QObject {
    Q_OBJECT

  private slots:
    void one_device_is_measured_once_at_a_time() {
        const QTemporaryDir folder;
        const std::filesystem::path place = folder.path().toStdString();
        std::optional<DeviceLock> first(std::in_place, place, "GPU-1");
        QCOMPARE(first->state(), State::held);
        const DeviceLock second(place, "GPU-1");
        QCOMPARE(second.state(), State::busy);
        QCOMPARE(second.holder(), std::to_string(getpid()));
        QCOMPARE(DeviceLock(place, "GPU-2").state(), State::held);
        first.reset();
        QCOMPARE(DeviceLock(place, "GPU-1").state(), State::held);
    }
    void a_folder_that_is_missing_is_told() {
        QCOMPARE(DeviceLock("/nowhere/at/all", "GPU-1").state(), State::unavailable);
    }
    void a_link_is_not_followed() {
        const QTemporaryDir folder;
        const std::filesystem::path place = folder.path().toStdString();
        const std::filesystem::path target = place / "target";
        std::filesystem::create_symlink(target, place / "roofwalk-ceilings-GPU-1.lock");
        QCOMPARE(DeviceLock(place, "GPU-1").state(), State::unavailable);
        QVERIFY(!std::filesystem::exists(target));
    }
    void a_device_is_meant_by_number_or_uuid() {
        const std::array<std::string, 3> uuids{"GPU-ab12", "GPU-ab34", "GPU-cd56"};
        QCOMPARE(meant_device("", uuids), std::optional<std::size_t>(0));
        QCOMPARE(meant_device("2", uuids), std::optional<std::size_t>(2));
        QCOMPARE(meant_device("GPU-cd56", uuids), std::optional<std::size_t>(2));
        QCOMPARE(meant_device("ab3", uuids), std::optional<std::size_t>(1));
        QVERIFY(!meant_device("GPU-ab", uuids));  // two of them
        QVERIFY(!meant_device("7", uuids));
        QVERIFY(!meant_device("", {}));
    }
    void arguments_that_are_not_known_are_refused() {
        const std::array<const char*, 2> device{"--device", "1"};
        QCOMPARE(read_command_options(device)->device, std::string("1"));
        const std::array<const char*, 1> no_value{"--device"};
        QVERIFY(!read_command_options(no_value));
        const std::array<const char*, 1> unknown{"--fast"};
        QVERIFY(!read_command_options(unknown));
    }
};

}  // namespace tst_device_lock

ROOFWALK_TEST(tst_device_lock, TestDeviceLock, NoApplication)
#include "tst_device_lock.moc"
