// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/device_file.h"

#include <QTest>

#include "core/devices/device_ceilings.h"
#include "core/devices/match_device.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_device_file {

using namespace roofwalk;

namespace {

constexpr std::string_view two_numbers = R"({"name": "our board", "bandwidth": 9e11, "peak": 4e13})";

CeilingSet resolved(const Device& device, ClockBasis basis = ClockBasis::measured) {
    return resolve_ceilings(device, nullptr, basis, {});
}

}  // namespace

class TestDeviceFile : public QObject {
    Q_OBJECT

  private slots:
    void a_gpu_of_another_compute_capability_is_told() {
        for (const auto& [minor, told] : {std::pair(0, false), std::pair(6, true)}) {
            Profile profile;
            profile.devices.emplace_back().compute_capability = ComputeCapability{8, 0};
            Device named;
            named.name = "board";
            named.compute_capability = ComputeCapability{8, minor};
            QCOMPARE(name_unnamed_devices(profile, named), !told);
            QCOMPARE(!profile.warnings.empty(), told);
            QCOMPARE(profile.devices.front().name, std::string(told ? "" : "board"));
            QVERIFY((profile.devices.front().compute_capability == ComputeCapability{8, 0}));
        }
    }
    void two_numbers_are_enough() {
        const auto device = read_device(two_numbers, "/tmp/board.json");
        QVERIFY(device.has_value());
        QCOMPARE(device->name, std::string("our board"));
        for (const ClockBasis basis : {ClockBasis::measured, ClockBasis::boost}) {
            const CeilingSet set = resolved(*device, basis);
            QCOMPARE(set.find(Boundary::hbm_dram_rw)->rate.value(), 9e11);
            QCOMPARE(set.find(Pipe{PipeKind::fp32})->rate.value(), 4e13);
            QCOMPARE(set.find(Pipe{PipeKind::tensor_fp16})->rate.value(), 4e13);
            QVERIFY(set.find(Pipe{PipeKind::fp32})->provenance.source == CeilingSource::user);
            QVERIFY(!set.find(Pipe{PipeKind::tensor_int8}));
        }
    }
    void one_without_a_name_has_that_of_its_file_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("none") << R"({"bandwidth": 9e11, "peak": 4e13})";
        QTest::newRow("empty") << R"({"name": "", "bandwidth": 9e11, "peak": 4e13})";
    }
    void one_without_a_name_has_that_of_its_file() {
        QFETCH(QString, text);
        const auto device = read_device(text.toStdString(), "/tmp/our board.json");
        QVERIFY(device.has_value());
        QCOMPARE(device->name, std::string("our board"));
    }
    void levels_and_pipes_have_numbers_of_their_own() {
        const auto device = read_device(
            R"({"name": "b", "compute_capability": "8.6", "bandwidth": {"hbm": 1e12, "l2": 3e12}, "peak": {"fp64": 1e12, "tensor.fp16": 9e13}})",
            "b.json");
        QVERIFY(device.has_value());
        QVERIFY(device->compute_capability == (ComputeCapability{8, 6}));
        const CeilingSet set = resolved(*device);
        for (const Boundary l2 : {Boundary::l2_sm_sectors, Boundary::l2_all, Boundary::l2_sm_return})
            QCOMPARE(set.find(l2)->rate.value(), 3e12);
        QVERIFY(!set.find(Boundary::l1_tag));
        QCOMPARE(set.find(Pipe{PipeKind::fp64})->rate.value(), 1e12);
        QVERIFY(!set.find(Pipe{PipeKind::fp32}));
    }
    void a_boundary_with_a_number_of_its_own_goes_before_its_level() {
        for (const char* bandwidth : {R"({"hbm": 1e12, "l2": 3e12, "l2/all": 4e12})",
                                      R"({"l2/all": 4e12, "l2": 3e12, "hbm": 1e12})"}) {
            const auto device = read_device(
                std::string(R"({"name": "b", "peak": 4e13, "bandwidth": )") + bandwidth + "}", "b.json");
            const CeilingSet set = resolved(device.value());
            QCOMPARE(set.find(Boundary::l2_all)->rate.value(), 4e12);
            QCOMPARE(set.find(Boundary::l2_sm_sectors)->rate.value(), 3e12);
        }
    }
    void what_is_missing_or_wrong_is_an_error_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("no bandwidth") << R"({"name": "b", "peak": 4e13})";
        QTest::newRow("no peak") << R"({"name": "b", "bandwidth": 9e11})";
        QTest::newRow("unknown pipe") << R"({"name": "b", "bandwidth": 9e11, "peak": {"fp33": 1}})";
        QTest::newRow("unknown level") << R"({"name": "b", "bandwidth": {"l9": 1}, "peak": 4e13})";
        QTest::newRow("unknown member") << R"({"name": "b", "bandwidth": 9e11, "peak": 4e13, "tdp": 300})";
        QTest::newRow("negative") << R"({"name": "b", "bandwidth": -9e11, "peak": 4e13})";
        QTest::newRow("no JSON") << "RTX 4090";
    }
    void what_is_missing_or_wrong_is_an_error() {
        QFETCH(QString, text);
        const auto device = read_device(text.toStdString(), "b.json");
        QVERIFY(!device.has_value());
        QVERIFY(device.error().where.find("b.json") != std::string::npos);
    }
    void launches_without_a_gpu_get_its_name_and_its_ceilings() {
        Profile profile;
        profile.devices.resize(2);
        profile.devices[1].name = "NVIDIA T4";
        QVERIFY(name_unnamed_devices(profile, *read_device(two_numbers, "b.json")));
        QCOMPARE(resolved(profile.devices[0]).find(Boundary::hbm_dram_rw)->rate.value(), 9e11);
        QCOMPARE(profile.devices[1].name, std::string("NVIDIA T4"));
        QVERIFY(profile.devices[1].ceilings.empty());
        QVERIFY(!name_unnamed_devices(profile, *read_device(two_numbers, "b.json")));
    }
    void a_share_of_the_dram_peak_becomes_bytes_where_the_gpu_is_named() {
        const auto bytes_on = [](const Device& named, std::optional<double> clock) {
            Profile profile;
            profile.devices.emplace_back();
            Launch& launch = profile.launches.emplace_back();
            launch.duration = Seconds(1e-3);
            const auto keep = [&](std::string_view name, double value) {
                launch.metrics.push_back({profile.texts.intern(name), value});
            };
            keep("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 50);
            if (clock) keep("dram__cycles_elapsed.avg.per_second", *clock);
            if (!name_unnamed_devices(profile, named)) return -1.0;
            const TrafficSample* sample = profile.launches[0].find(Boundary::hbm_dram_rw);
            return sample && sample->origin == Origin::estimated ? sample->total.value() : 0;
        };
        const Device& t4 = *find_known_device("T4");
        QCOMPARE(bytes_on(t4, 4e9), 0.5 * 1e-3 * 2 * 256 / 8 * 4e9);  // of its bus at the clock of the launch
        QCOMPARE(bytes_on(t4, {}), 0.5 * 1e-3 * 320e9);
        QCOMPARE(bytes_on(t4, 8e9), 0.5 * 1e-3 * 320e9);  // no clock of this memory
        QCOMPARE(bytes_on(*read_device(two_numbers, "b.json"), 4e9), 0.5 * 1e-3 * 9e11);
        QCOMPARE(bytes_on(*find_known_device("Orin"), {}), 0.0);  // its DRAM is that of the CPU too
    }
    void what_the_profile_does_not_say_of_the_gpu_comes_from_the_file() {
        const auto board = read_device(
            R"({"name": "b", "compute_capability": "8.6", "sm_count": 84, "bandwidth": 9e11, "peak": 4e13})",
            "b.json");
        Profile profile;
        profile.devices.resize(2);
        profile.devices[1].sm_count = 82;
        QVERIFY(name_unnamed_devices(profile, *board));
        QVERIFY(profile.devices[0].compute_capability == (ComputeCapability{8, 6}));
        QCOMPARE(profile.devices[0].sm_count, std::optional(84));
        QCOMPARE(profile.devices[1].sm_count, std::optional(82));
    }
    void a_text_is_read_up_to_a_limit() {
        const std::string text(two_numbers);
        QCOMPARE(read_device(text, "b.json")->name, std::string("our board"));
        const std::string long_text = text + std::string(std::size_t{1} << 20U, ' ');
        QVERIFY(read_device(long_text, "b.json").error().code == ErrorCode::too_large);
    }
};

}  // namespace tst_device_file

ROOFWALK_TEST(tst_device_file, TestDeviceFile, NoApplication)
#include "tst_device_file.moc"
