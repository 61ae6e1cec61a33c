// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/impossible_figures.h"

#include <QTest>
#include <algorithm>
#include <bit>

#include "core/import/json/recording_reader.h"
#include "core/import/open_profile.h"
#include "core/roofline/analysis.h"
#include "tests/support/folder_tests.h"
#include "tests/support/ncu_fixtures.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"

namespace tst_impossible_figures {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

Profile read(const std::string& file) {
    auto profile = read_profile(std::as_bytes(std::span(file)), "test");
    if (profile) return std::move(*profile);
    qWarning("%s", to_line(profile.error()).c_str());
    return {};
}

/// What was refused, by the launch: those that warnings of damaged values are about.
std::vector<std::size_t> told(const Profile& profile) {
    std::vector<std::size_t> launches;
    for (const Warning& warning : profile.warnings)
        if (warning.message.code == ErrorCode::corrupt)
            for (const LaunchIndex launch : warning.launches)
                launches.push_back(static_cast<std::size_t>(launch));
    return launches;
}

Fixture with(std::size_t kernel, const std::string& metric, double value) {
    Fixture fixture = full_report_fixture();
    fixture.kernels.at(kernel).set(metric, value);
    return fixture;
}

std::string json(const std::string& kernels) {
    return R"({"format": "roofwalk-profile", "version": 1, "devices": [{"id": "0", "name": "A100 SXM 40 GB"}], "kernels": [)" +
           kernels + "]}";
}

std::string csv(const std::string& time, const std::string& name = "saxpy") {
    return "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block "
           "Size\",\"Grid Size\",\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric "
           "Value\"\n"
           "\"0\",\"1\",\"app\",\"host\",\"" +
           name +
           "\",\"1\",\"7\",\"(256, 1, 1)\",\"(64, 1, 1)\",\"0\",\"8.0\",\"S\",\"gpu__time_duration.sum\",\"ns\",\"" +
           time + "\"\n";
}

}  // namespace

class TestImpossibleFigures : public QObject {
    Q_OBJECT

  private slots:
    void a_grid_or_block_that_no_launch_has_is_not_believed_data() {
        QTest::addColumn<QString>("grid");
        QTest::addColumn<QString>("block");
        QTest::addColumn<bool>("believed");
        QTest::newRow("largest") << "[2147483647, 65535, 65535]"
                                 << "[1024, 1, 1]" << true;
        QTest::newRow("grid y") << "[1, 65536, 1]"
                                << "[32, 1, 1]" << false;
        QTest::newRow("grid x") << "[4294967295, 1, 1]"
                                << "[32, 1, 1]" << false;
        QTest::newRow("block") << "[1, 1, 1]"
                               << "[5000, 1, 1]" << false;
        QTest::newRow("product of a block") << "[1, 1, 1]"
                                            << "[1024, 2, 1]" << false;
        QTest::newRow("product beyond 64 bits") << "[1, 1, 1]"
                                                << "[4294967295, 4294967295, 4294967295]" << false;
    }
    void a_grid_or_block_that_no_launch_has_is_not_believed() {
        QFETCH(QString, grid);
        QFETCH(QString, block);
        const Profile profile = read(
            json(QStringLiteral(
                     R"({"name": "k", "duration_ns": 1e6, "bytes": {"hbm": 1e6}, "grid": %1, "block": %2})")
                     .arg(grid, block)
                     .toStdString()));
        QCOMPARE(profile.launches.size(), std::size_t{1});
        const Launch& launch = profile.launches.front();
        QTEST(launch.grid != Dim3{} && launch.block != Dim3{}, "believed");
        QCOMPARE(launch.traffic.size(), std::size_t{1});
        QTEST(told(profile).empty(), "believed");
    }
    void what_contradicting_counters_put_above_a_ceiling_counts_as_not_known() {
        const auto profile_with = [](const std::string& code) {
            return read(
                R"({"format": "roofwalk-profile", "version": 1, "devices": [{"id": "0", "name": "A100 SXM 40 GB"}],
                    "warnings": [{"code": ")" +
                code + R"(", "what": "Mixed", "launches": [0]}], "kernels": [
                    {"name": "mixed", "duration_ns": 1e6, "flops": {"fp32": 1e12}, "bytes": {"hbm": 1e9, "l2": 1e12}},
                    {"name": "sound", "duration_ns": 1e6, "flops": {"fp32": 1e12}, "bytes": {"hbm": 1e9, "l2": 1e12}}]})");
        };
        const Profile profile = profile_with("contradiction");
        QCOMPARE(profile.launches.size(), std::size_t{2});
        // 1000 TFLOP/s and 1000 TB/s are beyond an A100, 1 TB/s of HBM is not.
        const Launch& mixed = profile.launches[0];
        QVERIFY(mixed.work.empty());
        QCOMPARE(mixed.traffic.size(), std::size_t{1});
        QCOMPARE(level_of(mixed.traffic.front().boundary), MemoryLevel::hbm);
        QCOMPARE(profile.launches[1].traffic.size(), std::size_t{2});
        const Warning& warning = profile.warnings.back();
        QCOMPARE(warning.message.code, ErrorCode::contradiction);
        QVERIFY(warning.message.what.find("FP32 and L2") != std::string::npos);
        QCOMPARE(warning.launches, std::vector{LaunchIndex{0}});
        QVERIFY(!profile.sources.at(0).partial);
        QCOMPARE(profile_with("corrupt").launches[0].traffic.size(), std::size_t{2});
    }
    void a_name_that_is_not_utf8_costs_nothing_but_itself() {
        const std::string header =
            R"({"format": "roofwalk-profile", "version": 1, "device": "A100 SXM 40 GB")";
        const std::string damaged = "{\"name\": \"a\xFF(\xC3\", \"flops\": 1e9, \"duration_ns\": 1e6}";
        const std::string sound = R"({"name": "b", "flops": 2e9, "duration_ns": 1e6})";
        for (const std::string& text :
             {header + ", \"kernels\": [" + sound + ", " + damaged + ", " + sound + "]}",
              header + "}\n" + sound + "\n" + damaged + "\n" + sound + "\n"}) {
            const Profile profile = read(text);
            QCOMPARE(profile.launches.size(), std::size_t{3});
            QCOMPARE(profile.kernel_of(profile.launches[1]).name, std::string("a\xEF\xBF\xBD(\xEF\xBF\xBD"));
            QCOMPARE(profile.launches[1].work.size(), std::size_t{1});
            QCOMPARE(profile.kernel_of(profile.launches[2]).name, std::string("b"));
            QCOMPARE(told(profile), std::vector<std::size_t>{1});
            QVERIFY(!profile.sources.at(0).partial);
        }
        const Profile of_device = read("{\"device\": \"A\xFF\", \"kernels\": [" + sound + "]}");
        QCOMPARE(of_device.launches.size(), std::size_t{1});
        QVERIFY(std::ranges::any_of(of_device.warnings, [](const Warning& warning) {
            return warning.message.code == ErrorCode::corrupt;
        }));
    }
    // Read, written and both together are counters of separate passes.
    void bytes_of_which_a_part_is_more_than_the_whole_are_not_believed_data() {
        QTest::addColumn<double>("part");
        QTest::addColumn<bool>("total_stays");
        QTest::addColumn<bool>("parts_stay");
        QTest::newRow("less") << 90000.0 << true << true;
        QTest::newRow("as counters of several passes differ") << 101000.0 << true << true;
        QTest::newRow("no share of the whole") << 120000.0 << true << false;
        QTest::newRow("impossible") << 900000.0 << false << false;
    }
    void bytes_of_which_a_part_is_more_than_the_whole_are_not_believed() {
        QFETCH(double, part);
        QFETCH(bool, total_stays);
        QFETCH(bool, parts_stay);
        for (const char* way : {"read", "write"}) {
            const Profile profile = read(json(
                QStringLiteral(
                    R"({"name": "k", "duration_ns": 1e6, "bytes": {"hbm": {"boundary": "hbm/dram-rw", "total": 100000, "%1": %2}}})")
                    .arg(way)
                    .arg(part, 0, 'f', 0)
                    .toStdString()));
            QCOMPARE(profile.launches.size(), std::size_t{1});
            const TrafficSample* bytes = profile.launches[0].find(Boundary::hbm_dram_rw);
            QCOMPARE(bytes != nullptr, total_stays);
            QCOMPARE(told(profile).empty(), parts_stay);
            QCOMPARE(profile.sources.at(0).partial, !total_stays);
            if (!bytes) continue;
            QCOMPARE(bytes->total.value(), 100000.0);
            QCOMPARE((bytes->read ? bytes->read : bytes->write).value_or(Bytes()).value(),
                     parts_stay ? part : 0.0);
        }
    }
    void a_part_of_a_byte_or_of_an_operation_is_not_believed() {
        const Profile profile = read(
            json(R"({"name": "k", "duration_ns": 1e6, "flops": {"fp32": 1e10}, "bytes": {"hbm": 1e-300}})"));
        QCOMPARE(profile.launches.size(), std::size_t{1});
        QVERIFY(profile.launches[0].traffic.empty());
        QCOMPARE(told(profile), std::vector<std::size_t>{0});
    }
    void a_unit_busier_than_its_peak_is_not_believed() {
        const auto kernel = [](const char* share) {
            return std::string(R"({"name": "k", "duration_ns": 1e6, "bytes": {"hbm": 1e8}, "metrics": {)") +
                   R"("lts__throughput.avg.pct_of_peak_sustained_elapsed": )" + share + "}}";
        };
        QVERIFY(told(read(json(kernel("105")))).empty());
        for (const char* share : {"2e155", "140", "-3"}) {
            const Profile profile = read(json(kernel(share)));
            QCOMPARE(told(profile), std::vector<std::size_t>{0});
            QVERIFY(profile.launches.at(0).metrics.empty());
        }
    }
    void one_flipped_bit_in_a_time_is_not_believed() {
        const double flipped =
            std::bit_cast<double>(std::bit_cast<std::uint64_t>(150000.0) ^ (std::uint64_t{1} << 61U));
        const Profile usual = read(write_report(full_report_fixture()));
        const Profile profile = read(write_report(with(4, "gpu__time_duration.sum", flipped)));
        QCOMPARE(profile.launches.size(), usual.launches.size());
        QVERIFY(!profile.launches[4].duration);
        QVERIFY(profile.sources[0].partial && !usual.sources[0].partial);
        QCOMPARE(told(profile), std::vector<std::size_t>{4});
        for (const std::size_t other : {0U, 1U, 2U, 3U, 5U, 6U, 7U}) {
            QVERIFY(profile.launches[other].duration == usual.launches[other].duration);
            QCOMPARE(profile.launches[other].traffic.size(), usual.launches[other].traffic.size());
        }
        QVERIFY(usual.warnings.empty());
    }
    void a_time_that_puts_a_kernel_beyond_its_ceilings_refuses_its_figures_and_no_other() {
        Profile profile = read(write_report(full_report_fixture()));
        profile.launches[4].duration = Seconds(1e-9);
        for (TrafficSample& sample : profile.launches[4].traffic)
            sample.total = sample.total * 10;
        for (WorkSample& sample : profile.launches[4].work)
            sample.work = sample.work * 10;
        refuse_impossible_figures(profile, "test");
        QVERIFY(!profile.launches[4].duration);
        QVERIFY(profile.launches[4].work.empty() && profile.launches[4].traffic.empty());
        QVERIFY(profile.launches[5].duration && !profile.launches[5].traffic.empty());
        const std::vector<std::size_t> refused = told(profile);
        QVERIFY(!refused.empty());
        for (const std::size_t launch : refused)
            QCOMPARE(launch, std::size_t{4});
    }
    void a_time_below_0_is_said() {
        const Profile profile = read(write_report(with(4, "gpu__time_duration.sum", -612000)));
        QVERIFY(!profile.launches[4].duration);
        QVERIFY(profile.launches[4].find(Boundary::hbm_dram_rw));
        QCOMPARE(told(profile), std::vector<std::size_t>{4});
    }
    void impossible_work_takes_no_bytes_and_no_time_with_it() {
        const Profile profile = read(
            json(R"({"name": "x", "device": "0", "duration_ns": 1600000, "flops": 1e25, "bytes": 1.2e9})"));
        const Launch& launch = profile.launches.at(0);
        QCOMPARE(launch.duration->value(), 1.6e-3);
        QCOMPARE(launch.find(Boundary::hbm_dram_rw)->total.value(), 1.2e9);
        QVERIFY(launch.work.empty());
        QCOMPARE(told(profile), std::vector<std::size_t>{0});
    }
    void one_figure_of_many_that_is_beyond_its_ceiling_is_refused_alone() {
        const Profile profile = read(write_report(with(4, "lts__t_sectors_srcunit_tex.sum", 1e40)));
        QVERIFY(!profile.launches[4].find(Boundary::l2_sm_sectors));
        QVERIFY(profile.launches[4].find(Boundary::hbm_dram_rw));
        QVERIFY(profile.launches[4].duration);
        QCOMPARE(told(profile), std::vector<std::size_t>{4});
    }
    void work_without_a_refused_pipe_is_not_known_data() {
        QTest::addColumn<QByteArray>("work");
        QTest::newRow("the others zero") << QByteArray(R"({"fp32":1e29,"fp64":0,"fp16":0})");
        QTest::newRow("the others not zero") << QByteArray(R"({"fp32":1e29,"fp64":1e6})");
        QTest::newRow("larger than any number of a file") << QByteArray(R"({"fp32":1e40,"fp64":0})");
        QTest::newRow("below 0") << QByteArray(R"({"fp64":0,"fp32":-1})");
    }
    void work_without_a_refused_pipe_is_not_known() {
        QFETCH(QByteArray, work);
        const std::string figures = R"("duration_ns":1e6,"bytes":{"hbm":1e9,"l2":2e9,"smem":1e9},"flops":)";
        const Profile profile = read(json(R"({"name":"a",)" + figures + work.toStdString() +
                                          R"(},{"name":"b",)" + figures + R"({"fp32":1e9}})"));
        QCOMPARE(profile.launches.size(), std::size_t{2});
        QVERIFY(profile.launches[0].duration && profile.sources[0].partial);
        QCOMPARE(profile.warnings.size(), std::size_t{1});
        const Analysis analysis = analyse(profile, {}, {});
        QCOMPARE(analysis.points.size(), std::size_t{2});
        for (const KernelPoint& point : analysis.points) {
            const auto launches = analysis.grouping.launches_of(analysis.grouping.groups[point.group]);
            const bool refused = launches.front() == LaunchIndex{0};
            QCOMPARE(point.work.has_value(), !refused);
            QCOMPARE(point.performance.has_value(), !refused);
            QCOMPARE(point.gap.has_value(), !refused);
            QVERIFY(point.at(MemoryLevel::hbm).has_value());
        }
    }
    void a_flipped_time_that_refuses_the_tensor_work_makes_no_kernel_without_flop() {
        const auto report = sample("2023.3.1_a100_mma-ptx_1kernel_full");
        if (report.empty()) QSKIP("samples are not beside this checkout");
        auto profile = open_profile(report);
        QVERIFY(profile.has_value());
        Launch& launch = profile->launches.at(0);
        const double time = launch.duration->value();
        QVERIFY(analyse(*profile, {}, {}).points.at(0).performance->value() > 0);
        launch.duration = Seconds(time * 0x1p-16);  // bit 56 of the double
        refuse_impossible_figures(*profile, "test");
        QCOMPARE(told(*profile), std::vector<std::size_t>{0});
        const Analysis analysis = analyse(*profile, {}, {});
        QVERIFY(!analysis.points.at(0).performance);
        QVERIFY(!analysis.points.at(0).gap);
        QVERIFY(analysis.points.at(0).verdict.kernel_class != KernelClass::no_flop);
    }
    void bytes_one_part_of_which_cannot_be_are_not_known() {
        for (const double part : {-1.0, 1e40}) {
            Profile profile = read(write_report(full_report_fixture()));
            auto& traffic = profile.launches[4].traffic;
            const auto hbm = std::ranges::find(traffic, Boundary::hbm_dram_rw, &TrafficSample::boundary);
            QVERIFY(hbm != traffic.end());
            hbm->read = Bytes(part);
            refuse_impossible_figures(profile, "test");
            QVERIFY(!profile.launches[4].find(Boundary::hbm_dram_rw));
            QVERIFY(profile.launches[4].find(Boundary::l2_sm_sectors) && profile.launches[4].duration);
            QCOMPARE(told(profile), std::vector<std::size_t>{4});
        }
    }
    void a_ceiling_that_no_such_device_has_is_refused() {
        const Profile profile = read(
            write_report(with(4, "sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained", 1e90)));
        const ComputeCeiling* fp32 = profile.launches[4].ceilings->find(Pipe{PipeKind::fp32});
        QVERIFY(fp32 == nullptr);
        QVERIFY(profile.launches[3].ceilings->find(Pipe{PipeKind::fp32}) != nullptr);
        QVERIFY(!told(profile).empty());
    }
    void a_clock_that_no_chip_has_is_refused() {
        Profile profile = read(write_report(full_report_fixture()));
        profile.devices[0].boost_clock = Hertz(1e100);
        refuse_impossible_figures(profile, "test");
        QVERIFY(!profile.devices[0].boost_clock);
        QCOMPARE(profile.warnings.size(), std::size_t{1});
    }
    void slow_kernels_and_wrong_units_of_people_are_left_alone() {
        Profile profile = read(write_report(full_report_fixture()));
        profile.launches[4].duration = Seconds(86400);
        profile.launches[3].duration = *profile.launches[3].duration / 1000;
        refuse_impossible_figures(profile, "test");
        QVERIFY(profile.launches[4].duration && profile.launches[3].duration);
        QVERIFY(profile.warnings.empty());
    }

    void names_that_are_no_text_are_said_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<std::vector<std::size_t>>("launches");
        const auto row = [](const char* name, const std::string& file,
                            const std::vector<std::size_t>& launches) {
            QTest::newRow(name) << QByteArray::fromStdString(file) << launches;
        };
        Fixture fixture = full_report_fixture();
        fixture.kernels[2].name[3] = '\x9D';
        row("kernel of a report", write_report(fixture), {2});
        fixture = full_report_fixture();
        fixture.kernels[0].nvtx[0].stack[0][1] = '\xC0';
        row("range of a report", write_report(fixture), {0});
        fixture = full_report_fixture();
        fixture.kernels[0].add("dram__\xFF", 1.0);
        row("metric of a report", write_report(fixture), {});  // such a name is that of all
        row("kernel of a CSV file", csv("1000", "sax\xF0py"), {0});
    }
    void names_that_are_no_text_are_said() {
        QFETCH(QByteArray, file);
        QFETCH(std::vector<std::size_t>, launches);
        Profile profile = read(file.toStdString());
        refuse_impossible_figures(profile, "again");
        QCOMPARE(std::ranges::count(profile.warnings, ErrorCode::corrupt,
                                    [](const Warning& warning) { return warning.message.code; }),
                 1);
        const auto said = std::ranges::find(profile.warnings, ErrorCode::corrupt,
                                            [](const Warning& warning) { return warning.message.code; });
        QVERIFY2(message_of(*said).where.starts_with("test"), message_of(*said).where.c_str());
        QCOMPARE(told(profile), launches);
    }

    void a_value_of_a_csv_file_that_is_no_number_any_more_is_said() {
        QVERIFY(told(read(csv("5,376"))).empty());
        QVERIFY(told(read(csv("n/a"))).empty());
        for (const char* damaged : {"5r376", "53\x01", "\xFF\xFF\xFF"}) {
            const Profile profile = read(csv(damaged));
            QVERIFY(!profile.launches.at(0).duration);
            QCOMPARE(told(profile), std::vector<std::size_t>{0});
        }
    }

    void every_reader_refuses_a_time_of_more_than_a_year() {
        for (
            const std::string& file :
            {json(
                 R"({"name": "saxpy", "duration_ns": 2e17, "flops": {"fp32": 1e9}}, {"name": "b", "duration_ns": 5})"),
             csv("200000000000000000")}) {
            const Profile profile = read(file);
            QVERIFY(!profile.launches.empty());
            QVERIFY(!profile.launches[0].duration);
            QCOMPARE(told(profile), std::vector<std::size_t>{0});
            if (profile.launches.size() > 1) QVERIFY(profile.launches[1].duration);
        }
        RecordingReader live("live");
        QVERIFY(live.add(
            R"({"format": "roofwalk-profile", "version": 1, "recording": true, "devices": [{"id": "0", "name": "A100 SXM 40 GB"}]})"));
        QVERIFY(live.add(R"({"name": "saxpy", "duration_ns": 2e17})"));
        QCOMPARE(told(live.profile(false)), std::vector<std::size_t>{0});
    }

    void nothing_of_the_samples_is_refused() {
        if (sample_reports().empty()) QSKIP("samples are not beside this checkout");
        for (const auto& report : sample_reports()) {
            const auto profile = open_profile(report);
            QVERIFY(profile.has_value());
            for (const Warning& warning : profile->warnings)
                QVERIFY2(warning.message.code != ErrorCode::corrupt,
                         qPrintable(QString::fromStdString(to_line(warning.message))));
        }
    }
};

}  // namespace tst_impossible_figures

ROOFWALK_TEST(tst_impossible_figures, TestImpossibleFigures, NoApplication)
#include "tst_impossible_figures.moc"
