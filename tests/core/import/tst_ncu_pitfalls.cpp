// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is easily got wrong about Nsight Compute reports and has no place in the tests of one part.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <protozero/pbf_writer.hpp>

#include "core/import/open_profile.h"
#include "core/roofline/analysis.h"
#include "tests/support/folder_tests.h"
#include "tests/support/ncu_fixtures.h"
#include "tests/support/qt_strings.h"

namespace tst_ncu_pitfalls {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

Result<Profile> read(const Fixture& fixture) {
    const std::string report = write_report(fixture);
    return read_profile(std::as_bytes(std::span(report)), "test.ncu-rep");
}

std::string little_endian(std::uint32_t value) {
    std::string bytes;
    for (unsigned shift = 0; shift < 32; shift += 8)
        bytes += static_cast<char>((value >> shift) & 0xFFU);
    return bytes;
}

/// The start of a block whose payload is one source entry that fills `payload_size` bytes.
std::string start_of_source_block(std::uint32_t payload_size) {
    std::string header;
    protozero::pbf_writer writer(header);
    writer.add_uint32(1, 1);
    writer.add_uint32(5, payload_size);
    return little_endian(static_cast<std::uint32_t>(header.size())) + header +
           little_endian(payload_size - 4);
}

/// Blocks of a report without what stands before them: magic, length and file header.
std::string blocks_of(const Fixture& fixture) {
    return write_report(fixture).substr(10);
}

bool says(const Profile& profile, std::string_view words) {
    return std::ranges::any_of(profile.warnings, [&](const Warning& warning) {
        return warning.message.what.find(words) != std::string::npos ||
               warning.message.where.find(words) != std::string::npos;
    });
}

}  // namespace

class TestNcuPitfalls : public QObject {
    Q_OBJECT

  private slots:
    void fields_that_nobody_knows_are_passed_over() {
        Fixture fixture = full_report_fixture();
        const auto usual = read(fixture);
        fixture.layout.unknown_fields = true;
        const auto later = read(fixture);
        QVERIFY(usual.has_value() && later.has_value());
        QVERIFY(later->warnings.empty());
        QCOMPARE(later->launches.size(), usual->launches.size());
        for (std::size_t i = 0; i < usual->launches.size(); ++i)
            QVERIFY(later->launches[i].duration == usual->launches[i].duration);
        QCOMPARE(later->devices, usual->devices);
        QCOMPARE(later->sources[0].tool, usual->sources[0].tool);
    }
    void blocks_come_in_any_order() {
        Fixture fixture = full_report_fixture();
        fixture.layout.session_last = true;
        fixture.layout.results_before_sources = true;
        fixture.layout.late_strings = 1000;
        const auto profile = read(fixture);
        QVERIFY(profile.has_value());
        QVERIFY(profile->warnings.empty());
        QCOMPARE(profile->launches.size(), std::size_t{8});
        QCOMPARE(profile->sources[0].tool, std::string("Nsight Compute 2025.1.0.0"));
        QVERIFY(profile->launches[4].find(Boundary::hbm_dram_rw) != nullptr);
    }
    void a_result_without_name_and_metrics_is_left_out_and_told() {
        std::string header;
        protozero::pbf_writer writer(header);
        writer.add_uint32(2, 1);
        writer.add_uint32(5, 4);
        const std::string block =
            little_endian(static_cast<std::uint32_t>(header.size())) + header + little_endian(0);
        const std::string report = write_report(small_report_fixture()) + block;
        const auto profile = read_profile(std::as_bytes(std::span(report)), "test.ncu-rep");
        QVERIFY(profile.has_value());
        QCOMPARE(profile->launches.size(), std::size_t{2});
        QVERIFY(profile->sources[0].partial);
        QVERIFY(profile->warnings.at(0).message.what.starts_with("A kernel of the report cannot be read"));
    }
    void a_result_may_hold_nothing_but_a_metric() {
        Fixture fixture = small_report_fixture();
        fixture.kernels[1] = {};
        fixture.kernels[1].set("gpu__time_duration.sum", 5e-6);
        const std::string report = write_report(fixture);
        const auto profile = read_profile(std::as_bytes(std::span(report)), "test.ncu-rep");
        QVERIFY(profile.has_value());
        QCOMPARE(profile->kernel_of(profile->launches[1]).name, std::string("(unnamed kernel)"));
        QVERIFY(profile->launches[1].work.empty() && profile->launches[1].traffic.empty());
    }
    void offsets_beyond_4_gib_are_kept() {
        const QTemporaryDir folder;
        const auto path = std::filesystem::path(folder.path().toStdString()) / "large.ncu-rep";
        constexpr std::uint32_t payload = 0xFFFFFFF0U;
        const std::string first = write_report(small_report_fixture()) + start_of_source_block(payload);
        std::ofstream(path, std::ios::binary) << first;
        std::filesystem::resize_file(path, first.size() + payload - 4);  // a hole, not bytes
        Fixture second = small_report_fixture();
        second.kernels[1].name = "behind 4 GiB(float *)";
        std::ofstream(path, std::ios::binary | std::ios::app) << blocks_of(second) << "cut";

        const auto profile = open_profile(path);
        QVERIFY2(profile.has_value(), profile ? "" : to_line(profile.error()).c_str());
        QCOMPARE(profile->launches.size(), std::size_t{4});
        QCOMPARE(profile->kernel_of(profile->launches[3]).name, second.kernels[1].name);
        const auto where = first.size() + payload - 4 + blocks_of(second).size();
        QVERIFY(where > (std::size_t{1} << 32U));
        QVERIFY(says(*profile, "offset " + std::to_string(where)));
    }
    void the_same_name_is_the_same_kernel_and_another_launch() {
        Fixture fixture = small_report_fixture();
        fixture.kernels[1].name = fixture.kernels[0].name;
        fixture.kernels[1].set("gpu__time_duration.sum", 3000.0);
        const auto profile = read(fixture);
        QVERIFY(profile.has_value());
        QCOMPARE(profile->kernels.size(), std::size_t{1});
        QCOMPARE(profile->launches.size(), std::size_t{2});
        QCOMPARE(profile->launches[0].duration->value(), 1000e-9);
        QCOMPARE(profile->launches[1].duration->value(), 3000e-9);
    }
    void units_are_base_units() {
        Fixture fixture = small_report_fixture();
        fixture.kernels[0].add("dram__bytes.sum", 4096.0);
        const auto profile = read(fixture);
        QVERIFY(profile.has_value());
        QCOMPARE(profile->launches[0].find(Boundary::hbm_dram_rw)->total.value(), 4096.0);
        QCOMPARE(profile->launches[0].duration->value(), 1e-6);
    }
    void constants_loaded_with_half_instructions_judge_no_kernel() {
        // One HFMA2 in a thousand instructions, and no ceiling for FP16 anywhere.
        Profile profile;
        profile.devices.emplace_back();
        profile.devices[0].ceilings.compute.push_back({Pipe{PipeKind::fp32}, FlopRate(10e12), {}});
        profile.devices[0].ceilings.bandwidth.push_back({Boundary::hbm_dram_rw, ByteRate(1e12), {}});
        profile.kernels.push_back({"kernel(float *)", "kernel", {}});
        Launch launch;
        launch.duration = Seconds(1);
        launch.work = {{.pipe = Pipe{PipeKind::fp32}, .work = Flops(1e12)},
                       {.pipe = Pipe{PipeKind::fp16}, .work = Flops(4e9)}};
        launch.traffic = {
            {.boundary = Boundary::hbm_dram_rw, .total = Bytes(0.7e12), .read = {}, .write = {}}};
        profile.launches.push_back(launch);
        const KernelPoint point = analyse(profile, {}).points.at(0);
        QCOMPARE(point.verdict.kernel_class, KernelClass::memory_bound);
        QVERIFY(point.compute_ceiling.has_value());
    }
};

}  // namespace tst_ncu_pitfalls

ROOFWALK_TEST(tst_ncu_pitfalls, TestNcuPitfalls, NoApplication)
#include "tst_ncu_pitfalls.moc"
