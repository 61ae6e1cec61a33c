// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/ceiling_store.h"

#include <QTest>

#include "tests/core/devices/hopper.h"
#include "tests/profiler/recording/fake_nvml.h"
#include "tests/profiler/recording/made_root.h"
#include "tests/support/folder_tests.h"

namespace tst_local_gpus {

using namespace roofwalk;

namespace {

constexpr const char* second = "GPU-22222222-0000-0000-0000-000000000000";

/// A machine with an H100 and another board.
struct Boards {
    Boards() {
        add(fake_nvml_first, hopper::uuid);
        add("0000:02:00.0", second);
    }

    void add(const std::string& bus_id, const std::string& uuid) const {
        root.write("proc/driver/nvidia/gpus/" + bus_id + "/information",
                   "Model: \t\t NVIDIA H100\nGPU UUID: \t " + uuid + "\nVideo BIOS: \t 96\n");
    }

    test::MadeRoot root;
};

}  // namespace

class TestLocalGpus : public QObject {
    Q_OBJECT

  private slots:
    void the_driver_is_asked_once_for_all_of_them() {
        const Boards boards;
        const int before = fake_nvml_begun();
        const auto here = local_gpus({hopper::uuid, second, "GPU-3"}, boards.root.path());
        QCOMPARE(fake_nvml_begun() - before, 1);
        QCOMPARE(here.size(), std::size_t{2});
        QCOMPARE(here.at(hopper::uuid).device.uuid, std::string(hopper::uuid));
        QCOMPARE(here.at(hopper::uuid).power_limit, std::optional(700.0));
        QCOMPARE(here.at(second).power_limit, std::optional(350.0));
    }
    void ecc_and_a_clock_that_was_set_are_told_of_a_board_at_work() {
        const Boards boards;
        const auto here = local_gpus({hopper::uuid, second}, boards.root.path());
        const MeasuredDevice& works = here.at(hopper::uuid);
        QCOMPARE(works.error_correction, std::optional(true));
        QCOMPARE(works.set_clock, std::optional(Hertz(1.2e9)));
        QCOMPARE(works.present_clock, std::optional(Hertz(1.2e9)));
        const MeasuredDevice& rests = here.at(second);
        QCOMPARE(rests.error_correction, std::optional(false));
        QVERIFY(!rests.set_clock);
        QCOMPARE(rests.present_clock, std::optional(Hertz(0.345e9)));
    }
    void of_boards_elsewhere_it_is_not_asked() {
        const Boards boards;
        const int before = fake_nvml_begun();
        QVERIFY(local_gpus({"GPU-3", "GPU-2222", ""}, boards.root.path()).empty());
        QVERIFY(local_gpus({}, boards.root.path()).empty());
        QCOMPARE(fake_nvml_begun(), before);
    }
    void nor_of_kept_ones_that_nobody_wants() {
        const Boards boards;
        const CeilingStore cache(boards.root.path() / "kept");
        MeasuredCeilings other = hopper::measured();
        other.device.device.uuid = "GPU-3";
        QVERIFY(cache.keep(hopper::measured()) && cache.keep(other));
        const int before = fake_nvml_begun();
        const auto of = [&](const std::string& uuid) {
            return stored_ceilings([uuid](const auto& kept) { return kept->device.device.uuid == uuid; },
                                   cache, boards.root.path());
        };
        const CeilingStoreContent elsewhere = of("GPU-3");
        QCOMPARE(fake_nvml_begun(), before);
        QCOMPARE(elsewhere.kept.size(), std::size_t{1});
        QVERIFY(!elsewhere.kept.front().here && elsewhere.kept.front().stale.empty());
        const CeilingStoreContent here = of(hopper::uuid);
        QCOMPARE(fake_nvml_begun() - before, 1);
        QVERIFY(here.kept.size() == 1 && here.kept.front().here);
        // The lock of the false board holds it below what the kept measurement reached.
        QCOMPARE(here.kept.front().stale.size(), std::size_t{1});
        QVERIFY(
            here.kept.front().stale.front().starts_with("A clock that was set holds the SMs at 1.200 GHz"));
        QCOMPARE(here.kept.front().not_compared,
                 (std::vector<std::string>{"driver", "highest SM clock", "clock set for programs", "ECC"}));
    }
};

}  // namespace tst_local_gpus

ROOFWALK_TEST(tst_local_gpus, TestLocalGpus, NoApplication)
#include "tst_local_gpus.moc"
