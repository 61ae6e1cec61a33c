// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <limits>
#include <string>

#include "core/import/json/json_reader.h"
#include "core/report/profile_to_json.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/schema.h"

namespace tst_json_writer {

using namespace roofwalk;

namespace {

constexpr double third = 1.0 / 3.0;

/// Every field that a profile can carry, with values that a careless writer would lose.
Profile rich_profile() {
    Profile profile;
    profile.sources = {{.path = "/home/jane/secret/run.ncu-rep",
                        .format = SourceFormat::ncu_report,
                        .tool = "Nsight Compute 2025.1.1.0",
                        .command_line = "ncu ./secret --password x",
                        .created = 1'700'000'000,
                        .partial = true,
                        .range_results = 2},
                       {.path = "b.ncu-rep",
                        .format = SourceFormat::ncu_report,
                        .tool = "",
                        .command_line = "",
                        .created = {},
                        .partial = false,
                        .range_results = 0}};
    Device device;
    device.vendor = Vendor::nvidia;
    device.name = "NVIDIA A100-PCIE-40GB";
    device.chip = "GA100";
    device.compute_capability = ComputeCapability{8, 0};
    device.sm_count = 108;
    device.boost_clock = Hertz(1.41e9);
    device.memory_clock = Hertz(1.215e9);
    device.memory_bus_bits = 5120;
    device.l2_size = Bytes(41943040);
    device.memory_size = Bytes(42505273344.0);
    device.ceilings.compute.push_back(
        {{PipeKind::tensor_fp16, true},
         FlopRate(6.24e14),
         {CeilingSource::table, ClockBasis::boost, Hertz(1.41e9), "row 3", "", ""}});
    device.ceilings.bandwidth.push_back(
        {Boundary::hbm_dram_rw,
         ByteRate(1.555e12 * third),
         {CeilingSource::benchmark, ClockBasis::measured, {}, "", "1:1", "2026-01-31"}});
    profile.devices = {device, Device{}};
    profile.devices[1].name = "other";
    profile.devices[1].vendor = Vendor::amd;
    profile.kernels = {{"void f<\"x\\y\">(\n\tint)\x01 \u00b5", "f", "_Z1fv"}, {"g", "", ""}};
    profile.nvtx_stacks.push_back({"step 1", "inner"});

    auto ceilings = std::make_shared<CeilingSet>();
    ceilings->compute.push_back({{PipeKind::fp32},
                                 FlopRate(1.1e13),
                                 {CeilingSource::counters, ClockBasis::measured, Hertz(1.095e9),
                                  "a.sum.peak_sustained * b", "", ""}});
    Launch first;
    first.kernel = KernelIndex{0};
    first.grid = {128, 2, 1};
    first.block = {256, 1, 1};
    first.context = 1;
    first.stream = 7;
    first.process = 42;
    first.thread = 43;
    first.nvtx = NvtxIndex{1};
    first.algorithm = profile.texts.intern("custom work=\"2 * n\" bytes=n n=8");
    first.clocks_locked = false;
    first.precision_assumed = true;
    first.duration = Seconds(1234567 * 1e-9);
    first.start = Seconds(0);
    first.ceilings = ceilings;
    first.work = {
        {{PipeKind::fp32}, Origin::measured, TextId::none, Flops(0)},
        {{PipeKind::tensor_int8, true}, Origin::estimated, profile.texts.intern("guess"), Flops(third)}};
    first.uncounted = {.packed_fp32 = true, .fp16 = false, .tensor = true};
    first.unchecked = {.fp64 = true, .fp16 = true};
    first.traffic = {{Boundary::hbm_dram_rw, Origin::measured, profile.texts.intern("dram__bytes"),
                      Bytes(3e9), Bytes(1e9), Bytes(2e9)},
                     {Boundary::l2_all, Origin::modelled, TextId::none, Bytes(17), {}, {}},
                     {Boundary::l2_sm_return, Origin::measured, TextId::none, Bytes(0), {}, Bytes(0)},
                     {Boundary::smem_wavefronts, Origin::measured, TextId::none, Bytes(0), {}, {}}};
    first.metrics = {{profile.texts.intern("launch__waves.\"q\""), -third},
                     {profile.texts.intern("sm__cycles.max"), 1e300}};
    Launch second;
    second.kernel = KernelIndex{1};
    second.device = DeviceIndex{1};
    second.source = SourceIndex{1};
    second.failed = true;
    Launch third_launch = second;
    third_launch.failed = false;
    third_launch.kind = LaunchKind::graph;
    third_launch.ceilings = std::make_shared<CeilingSet>(*ceilings);
    profile.launches = {first, second, third_launch};
    profile.warnings = {{{ErrorCode::corrupt, "A result cannot be read", "offset 17", "Profile again."}, {}},
                        {{ErrorCode::contradiction, "\"x\" contradicts y", "", ""}, {LaunchIndex{1}}},
                        {{ErrorCode::failed_kernel, "It failed", "kernel g", ""}, {LaunchIndex{2}}}};
    profile.warnings[0].file = profile.warnings[1].file = profile.sources[0].path;
    return profile;
}

void compare_samples(const Profile& a, const Launch& x, const Profile& b, const Launch& y) {
    QCOMPARE(y.work.size(), x.work.size());
    for (std::size_t i = 0; i < x.work.size(); ++i) {
        QVERIFY(y.work[i].pipe == x.work[i].pipe);
        QVERIFY(y.work[i].origin == x.work[i].origin);
        QVERIFY(y.work[i].work == x.work[i].work);
        QVERIFY(b.texts.view(y.work[i].source) == a.texts.view(x.work[i].source));
    }
    QCOMPARE(y.traffic.size(), x.traffic.size());
    for (std::size_t i = 0; i < x.traffic.size(); ++i) {
        QVERIFY(y.traffic[i].boundary == x.traffic[i].boundary);
        QVERIFY(y.traffic[i].origin == x.traffic[i].origin);
        QVERIFY(y.traffic[i].total == x.traffic[i].total);
        QVERIFY(y.traffic[i].read == x.traffic[i].read);
        QVERIFY(y.traffic[i].write == x.traffic[i].write);
        QVERIFY(b.texts.view(y.traffic[i].source) == a.texts.view(x.traffic[i].source));
    }
    QCOMPARE(y.metrics.size(), x.metrics.size());
    for (std::size_t i = 0; i < x.metrics.size(); ++i) {
        QVERIFY(b.texts.view(y.metrics[i].name) == a.texts.view(x.metrics[i].name));
        QVERIFY(y.metrics[i].value == x.metrics[i].value);
    }
}

void compare_launch(const Profile& a, const Launch& x, const Profile& b, const Launch& y) {
    QVERIFY(b.kernel_of(y) == a.kernel_of(x));
    QVERIFY(y.device == x.device);
    QVERIFY(y.source == x.source);
    QVERIFY(b.nvtx_of(y) == a.nvtx_of(x));
    QVERIFY(y.grid == x.grid);
    QVERIFY(y.block == x.block);
    QVERIFY(y.context == x.context && y.stream == x.stream && y.process == x.process && y.thread == x.thread);
    QVERIFY(y.failed == x.failed && y.kind == x.kind);
    QVERIFY(y.uncounted == x.uncounted);
    QVERIFY(y.unchecked == x.unchecked);
    QVERIFY(b.texts.view(y.algorithm) == a.texts.view(x.algorithm));
    QVERIFY(y.clocks_locked == x.clocks_locked);
    QCOMPARE(y.precision_assumed, x.precision_assumed);
    QVERIFY(y.duration == x.duration);
    QVERIFY(y.start == x.start);
    QVERIFY(static_cast<bool>(y.ceilings) == static_cast<bool>(x.ceilings));
    if (x.ceilings) QVERIFY(*y.ceilings == *x.ceilings);
    compare_samples(a, x, b, y);
}

void compare_profiles(const Profile& a, const Profile& b) {
    QVERIFY(b.devices == a.devices);
    QCOMPARE(b.sources.size(), a.sources.size());
    for (std::size_t i = 0; i < a.sources.size(); ++i) {
        QCOMPARE(b.sources[i].tool, a.sources[i].tool);
        QVERIFY(b.sources[i].created == a.sources[i].created);
        QCOMPARE(b.sources[i].partial, a.sources[i].partial);
        QCOMPARE(b.sources[i].range_results, a.sources[i].range_results);
    }
    QCOMPARE(b.warnings.size(), a.warnings.size());
    for (std::size_t i = 0; i < a.warnings.size(); ++i) {
        QVERIFY(b.warnings[i].message.code == a.warnings[i].message.code);
        QCOMPARE(b.warnings[i].message.what, a.warnings[i].message.what);
        QCOMPARE(b.warnings[i].message.hint, a.warnings[i].message.hint);
        QVERIFY(b.warnings[i].launches == a.warnings[i].launches);
    }
    QCOMPARE(b.launches.size(), a.launches.size());
    for (std::size_t i = 0; i < a.launches.size(); ++i)
        compare_launch(a, a.launches[i], b, b.launches[i]);
}

}  // namespace

class TestJsonWriter : public QObject {
    Q_OBJECT

  private slots:
    void a_profile_reads_back_equal() {
        const Profile written = rich_profile();
        const auto read = read_json(to_json(written), "x.json");
        QVERIFY2(read, read ? "" : to_line(read.error()).c_str());
        compare_profiles(written, *read);
        QCOMPARE(message_of(read->warnings[0]).where, std::string("x.json, offset 17"));
        QCOMPARE(message_of(read->warnings[1]).where, std::string("x.json"));
        QCOMPARE(message_of(read->warnings[2]).where, std::string("x.json, kernel g"));
    }

    void json_lines_read_back_equal() {
        const Profile written = rich_profile();
        const std::string text = to_json_lines(written);
        QCOMPARE(std::ranges::count(text, '\n'), 4);
        const auto read = read_json(text, "x.jsonl");
        QVERIFY2(read, read ? "" : to_line(read.error()).c_str());
        QCOMPARE(read->sources.front().format, SourceFormat::roofwalk_lines);
        compare_profiles(written, *read);
    }

    void a_profile_fits_its_schema() {
        QCOMPARE(test::against_schema(to_json(rich_profile())), std::string());
        QCOMPARE(test::against_schema(to_json_lines(rich_profile())), std::string());
    }

    void writing_what_was_read_gives_the_same_bytes() {
        const std::string once = to_json(rich_profile());
        QCOMPARE(to_json(*read_json(once, "x.json")), once);
        QCOMPARE(to_json(rich_profile()), once);
    }

    void a_warning_about_a_lost_launch_is_kept_without_it() {
        const std::string text = to_json_lines(rich_profile());
        const auto cut = read_json(std::string_view(text).substr(0, text.size() - 10), "x.jsonl");
        QVERIFY(cut);
        QCOMPARE(cut->launches.size(), std::size_t{2});
        QVERIFY(cut->warnings[1].launches == std::vector{LaunchIndex{1}});
        QVERIFY(cut->warnings[2].launches.empty());
    }
    void a_code_of_a_later_version_is_read_as_not_understood() {
        const auto read = read_json(
            R"({"warnings":[{"code":"new","what":"w"},{}],"device":"V100","kernels":[{"name":"k"}]})", "x");
        QVERIFY(read);
        QVERIFY(read->warnings.at(0).message.code == ErrorCode::not_understood);
        QCOMPARE(read->warnings.at(0).message.what, std::string("w"));
        QVERIFY(read->warnings.at(1).message.code == ErrorCode::not_understood);
    }
    void equal_ceilings_are_written_once() {
        const std::string text = to_json(rich_profile());
        const std::string_view detail = "a.sum.peak_sustained";
        const std::size_t first = text.find(detail);
        QVERIFY(first != std::string::npos);
        QVERIFY(text.find(detail, first + 1) == std::string::npos);
    }

    void nothing_private_is_written() {
        const std::string text = to_json(rich_profile()) + to_json_lines(rich_profile());
        for (const char* word : {"jane", "secret", "run.ncu-rep", "password"})
            QVERIFY2(text.find(word) == std::string::npos, word);
    }

    void every_whole_number_of_nanoseconds_reads_back_exactly() {
        Profile profile = rich_profile();
        profile.launches.assign(1, profile.launches.front());
        for (const double ns : {1.0, 3.0, 1151.0, 4503599627370497.0, 123456789.0, 999999999999.0}) {
            profile.launches.front().duration = Seconds(ns * 1e-9);
            const std::string text = to_json(profile);
            QVERIFY(read_json(text, "x")->launches.front().duration == Seconds(ns * 1e-9));
        }
    }

    void what_is_no_finite_number_is_left_out() {
        Profile profile = rich_profile();
        profile.launches.front().metrics.front().value = std::numeric_limits<double>::quiet_NaN();
        profile.launches.front().work.front().work = Flops(HUGE_VAL);
        profile.devices.front().ceilings.compute.front().rate = FlopRate(HUGE_VAL);
        const auto read = read_json(to_json(profile), "x.json");
        QVERIFY(read);
        QCOMPARE(read->launches.front().metrics.size(), 1U);
        QCOMPARE(read->launches.front().work.size(), 1U);
        QVERIFY(read->devices.front().ceilings.compute.empty());
    }
};

}  // namespace tst_json_writer

ROOFWALK_TEST(tst_json_writer, TestJsonWriter, NoApplication)
#include "tst_json_writer.moc"
